"""What a thing that was seen shows of its appearance, once its name is known."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.table import Body, shape_of
from companion.table.crate import RIM_MM
from vision.drinks.band_texture import Stand
from vision.drinks.classifier import draw, read_stand
from vision.faces.classifier import read_flat
from vision.faces.learn_templates import LaidFace, learn_face
from vision.faces.zone_detector import STRANGE
from vision.imaging.box import box_around
from vision.imaging.footprints import opening_mm
from vision.learning.label_assignment import Named, is_drink
from vision.pieces.exemplars import Learned
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

AROUND_MM = 10.0
"""A drink is seen within this of where it stands."""

DRAWN = 1
"""The number of the one drink that is drawn into the picture."""

LEAST_PX, LEAST_OFF, MOST_OFF = 30, 2.0, 15.0
"""So many pixels tell a drink's hue. One that is off by less is as enrolled (then its shape is unclear, which hues do
not tell), one that is off by more counts as off by this."""


def with_example(learned: Learned, scene: Scene, thing: Named) -> Learned | None:
    """What is known with one more example; None where the thing cannot be seen well enough."""
    if is_drink(thing.name):
        return _with_drink(learned, scene, thing)
    face = learned.pieces.faces.get(thing.name)
    if face is None:
        return None
    lies = read_flat(scene, thing.sight.at_mm, thing.floor_mm, (face,)).fits[thing.name]
    if lies.misfit > STRANGE:
        return None
    seen = learn_face(scene, LaidFace(face.piece, lies.at_mm, lies.lies_deg, thing.floor_mm))
    return learned.with_example(("face", thing.name), seen.colours)


def _with_drink(learned: Learned, scene: Scene, thing: Named) -> Learned | None:
    """A drink's form and light are enrolled; what is learned is its hue."""
    pieces = learned.pieces
    part, models = ("table", pieces.on_table) if thing.place is None else ("crate", pieces.in_crate)
    if thing.name not in models.textures:
        return None
    stand = _stand(thing, pieces)
    reading = read_stand(scene, stand, models, free=thing.place is None)
    turn = reading.turns_deg[shape_of(thing.name)]
    draw(scene, DRAWN, replace(reading, best=thing.name, turn_deg=turn), models)
    x, y = reading.feet_mm[thing.name]
    height = models.heights_mm[shape_of(thing.name)]
    corners = np.array([(x + across, y + deep, z) for across in (-AROUND_MM, AROUND_MM)
                        for deep in (-AROUND_MM, AROUND_MM) for z in (0.0, height)])
    box = box_around(scene.view.project(corners), 0)
    seen = scene.plain(box)
    core = cv2.erode(scene.hidden(box, 0, np.inf).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    off = (seen - scene.background(box, seen))[core]
    scene.draw(DRAWN, None)
    hue = np.clip(np.median(off, axis=0), -MOST_OFF, MOST_OFF) * (0, 1, 1) if len(off) >= LEAST_PX else np.zeros(3)
    if np.linalg.norm(hue) < LEAST_OFF:
        return None
    key = (part, thing.name)
    return learned.with_example(key, (learned.shift(key) + hue).astype(np.float32))


def _stand(thing: Named, pieces: PieceSet) -> Stand:
    """Where the drink stands: on the table, or in a slot of a crate that is turned as it is said to be."""
    x, y = thing.sight.at_mm
    if thing.place is None:
        return Stand(np.array([x, y, 0.0]), 0.0)
    turn = thing.sight.turn_deg or 0.0
    size = next(piece.size_mm for piece in pieces.pieces if piece.kind == "crate")
    crate = Body("", "crate", (x, y), size, turn)
    return Stand(np.array([x, y, thing.floor_mm]), turn, opening_mm(crate, np.array([x, y])), RIM_MM)
