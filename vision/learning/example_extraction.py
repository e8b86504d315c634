"""The example in a picture: the appearance of a thing that was seen, once its name is known."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.table import Body, shape_of
from companion.table.crate import RIM_MM
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.faces.classifier import read_face
from vision.faces.face_site import FaceSite
from vision.faces.learn_templates import learn_face
from vision.faces.outline_registration import LaidFace
from vision.faces.zone_detector import MAX_MISFIT
from vision.imaging.arrays import Floats
from vision.imaging.box import box_around
from vision.imaging.footprints import opening_mm
from vision.learning.label_assignment import LabelledSight, is_drink
from vision.pieces.exemplars import Learned
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

HUE_WINDOW_MM = 10.0
"""Half the width of the window about a drink's foot in which its pixels are taken."""

DRAWN_NUMBER = 1
"""The number in the scene of the one drink that is rendered."""

MIN_HUE_PIXELS = 30
"""The fewest pixels from which a hue is measured."""

MIN_HUE_SHIFT, MAX_HUE_SHIFT = 2.0, 15.0
"""A smaller shift is none (then it is the drink's shape that is uncertain, about which hues say nothing); a larger one
is clipped, in each opponent colour."""


def with_example(learned: Learned, scene: Scene, thing: LabelledSight) -> Learned | None:
    """The learned piece set with one more example; None when the thing cannot be seen well enough."""
    if is_drink(thing.name):
        return _with_drink(learned, scene, thing)
    face = learned.pieces.faces.get(thing.name)
    if face is None:
        return None
    lies = read_face(scene, FaceSite(thing.sight.at_mm, thing.floor_mm), (face,)).fits[thing.name]
    if lies.misfit > MAX_MISFIT:
        return None
    seen = learn_face(scene, LaidFace(face.piece, lies.at_mm, lies.lies_deg, thing.floor_mm))
    return learned.with_example(("face", thing.name), seen.colours)


def _with_drink(learned: Learned, scene: Scene, thing: LabelledSight) -> Learned | None:
    """The same for a drink: its profile and shading are enrolled; what is learned is its hue."""
    pieces = learned.pieces
    kind, models = ("table", pieces.on_table) if thing.place is None else ("crate", pieces.in_crate)
    if thing.name not in models.textures:
        return None
    reading = read_drink(scene, _pose(thing, pieces), models)
    turn = reading.turn_of(shape_of(thing.name))
    hue = _hue_shift(scene, replace(reading, best=thing.name, turn_deg=turn), models)
    if np.linalg.norm(hue) < MIN_HUE_SHIFT:
        return None
    key = (kind, thing.name)
    return learned.with_example(key, (learned.shift(key) + hue).astype(np.float32))


def _hue_shift(scene: Scene, reading: DrinkReading, models: Models) -> Floats:
    """The median residual (3,) of a drink's colours against its rendering, with lightness set to 0."""
    x, y = reading.at_mm
    reach = (-HUE_WINDOW_MM, HUE_WINDOW_MM)
    corners = np.array([(x + across, y + deep, z) for across in reach for deep in reach
                        for z in (0.0, models.heights_mm[shape_of(reading.best)])])
    box = box_around(scene.view.project(corners), 0)
    seen = scene.plain(box)
    draw_reading(scene, DRAWN_NUMBER, reading, models)
    core = cv2.erode(scene.hidden(box, 0, np.inf).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    off = (seen - scene.background(box, seen))[core]
    scene.draw(DRAWN_NUMBER, None)
    median = np.median(off, axis=0) if len(off) >= MIN_HUE_PIXELS else np.zeros(3)
    return np.asarray(np.clip(median, -MAX_HUE_SHIFT, MAX_HUE_SHIFT) * (0, 1, 1), np.float64)


def _pose(thing: LabelledSight, pieces: PieceSet) -> DrinkPose:
    """The drink's pose: on the table, or in a slot of a crate, turned as the sight is."""
    x, y = thing.sight.at_mm
    if thing.place is None:
        return DrinkPose(np.array([x, y, 0.0]), 0.0)
    turn = thing.sight.turn_deg or 0.0
    size = next(piece.size_mm for piece in pieces.pieces if piece.kind == "crate")
    crate = Body("", "crate", (x, y), size, turn)
    return DrinkPose(np.array([x, y, thing.floor_mm]), turn, opening_mm(crate, np.array([x, y])), RIM_MM)
