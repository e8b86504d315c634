"""From readings to sights of places, and the part of the picture that is watched for changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from companion.table import EMPTY, Appearance, Point, Sight, Spot
from vision.faces.face_reading import FaceReading
from vision.faces.templates import Face
from vision.imaging.box import Box, box_around
from vision.scene.scene import Scene

CORE_SHARE = 0.75
"""This share of a piece's width, in its middle, is watched for changes."""

BARE_NATS = 10.0
"""By how much `EMPTY` is likelier than any piece where the bare ground is seen."""

ABSENT_NATS = 1.0
"""By how much `EMPTY` is less likely than the unlikeliest piece when it was not judged."""


def core_box(scene: Scene, at_mm: Point, floor_mm: float, faces: Sequence[Face]) -> Box:
    """The box of the picture that changes whenever one of some pieces comes, goes or moves at a place, and hardly when
    one does beside it."""
    across, deep, height = np.min([face.piece.size_mm for face in faces], axis=0)
    half = CORE_SHARE * min(across, deep) / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + at_mm
    return box_around(scene.view.project_at(corners, floor_mm + height), 0)


def bare_sight(spot: Spot, at_mm: Point, faces: Sequence[Face]) -> Sight:
    """The sight of an empty place on which some pieces may lie."""
    return Sight(spot, at_mm, {EMPTY: 0.0, **{face.piece.name: -BARE_NATS for face in faces}})


def place_sight(spot: Spot, centre_mm: Point, reading: FaceReading, own: Collection[Appearance],
                without: Collection[Appearance] = ()) -> Sight:
    """The sight of one of two places that lie on one another, from their common reading: a piece that belongs to the
    other one, and is not known to be absent (`without`), leaves this one empty."""
    nats = {name: value for name, value in reading.loglik.items() if name not in without}
    loglik = {name: value for name, value in nats.items() if name in own}
    others = [value for name, value in nats.items() if name not in own]
    loglik[EMPTY] = float(np.logaddexp.reduce(others)) if others else min(loglik.values()) - ABSENT_NATS
    best = max(loglik, key=loglik.__getitem__)
    if best == EMPTY:
        return Sight(spot, centre_mm, loglik)
    fit = reading.fits[best]
    return Sight(spot, fit.at_mm, loglik, fit.turn_deg, folds=fit.folds)
