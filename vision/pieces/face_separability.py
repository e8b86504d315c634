"""Separability of the faces of a piece set, known before a game: the two that are most alike."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, phrase
from companion.table import Appearance
from vision.faces.light_basis import voices
from vision.faces.linear_light import linear_values
from vision.faces.registration import make_target, register_faces
from vision.faces.template_search import match_costs
from vision.faces.templates import PX_PER_MM, Face
from vision.faces.turned_templates import Templates, make_templates
from vision.photometry.background_model import Lab
from vision.pieces.piece_set import PieceSet
from vision.pieces.separability import ALIKE_NATS

USUAL_MISFIT = 18.0
"""The mean squared residual that nine in ten of the right faces of a game stay below."""

BRIGHT = 4.0
"""Linear light above that of any enrolled face: nothing is clipped."""


@dataclass(frozen=True, slots=True)
class FacesAlike:
    """The two faces of a piece set that are most alike, and the log-likelihood ratio in nats by which one look tells
    them apart."""

    one: Appearance
    other: Appearance
    nats: float

    @property
    def verdict(self) -> Phrase:
        """The phrase for people: the verdict, and what to do."""
        kind = "alike" if self.nats < ALIKE_NATS else "told_apart"
        return phrase(f"eyes.faces_{kind}", one=_said(self.one), other=_said(self.other))


def confusable_faces(pieces: PieceSet) -> FacesAlike | None:
    """The two faces that are most alike among those of one size and kind, but for the two sides of one piece that may
    lie on either; None when there are no two."""
    groups: dict[object, list[Face]] = {}
    for face in pieces.faces.values():
        groups.setdefault((face.outline, face.piece.kind), []).append(face)
    pairs = [pair for group in groups.values() if len(group) > 1 for pair in _pairs(group)]
    return min(pairs, key=lambda pair: pair.nats, default=None)


def _pairs(faces: list[Face]) -> list[FacesAlike]:
    """Each face with the other one that explains its enrolment picture best."""
    templates = make_templates(faces)
    pairs = (_nearest(face, faces, templates) for face in faces)
    return [pair for pair in pairs if pair is not None]


def _nearest(face: Face, faces: list[Face], templates: Templates) -> FacesAlike | None:
    """The other face that explains the picture of one best; None when all are sides of the same piece."""
    colours, centres = _around(face), _centres()
    costs = match_costs(linear_values(colours), templates, centres)[0].transpose(1, 0, 2)
    for index, each in enumerate(faces):
        if _same_piece(face.piece.name, each.piece.name):
            costs[index] = np.inf
    if not np.isfinite(costs).any():
        return None
    other, centre, turn = np.unravel_index(int(costs.argmin()), costs.shape)
    target = make_target(colours, np.full(3, BRIGHT, np.float32))
    found, = register_faces(target, [faces[other]], centres[None, centre] / PX_PER_MM,
                      np.array([turn * 360.0 / costs.shape[2]]))
    nats = 0.5 * voices(face) * np.log1p(found.cost / USUAL_MISFIT)
    return FacesAlike(face.piece.name, faces[other].piece.name, float(nats))


def _centres() -> npt.NDArray[np.intp]:
    """The grid of centres (n, 2) in px about the middle."""
    step = np.arange(-2, 3, 2)
    return np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2).astype(np.intp)


def _same_piece(one: Appearance, other: Appearance) -> bool:
    return one == other or one == f"{other}:back" or other == f"{one}:back"


def _around(face: Face) -> Lab:
    """A face's raster as a square window of the size that matching wants."""
    rows, columns = face.colours.shape[:2]
    side = 2 * int(np.ceil((face.radius_mm + 3.0) * PX_PER_MM)) + 1
    top, left = (side - rows) // 2, (side - columns) // 2
    return np.asarray(cv2.copyMakeBorder(face.colours, top, side - rows - top, left, side - columns - left,
                                         cv2.BORDER_REPLICATE), np.float32)


def _said(name: Appearance) -> str:
    return name.replace(":", " ")
