"""The pose of a flat piece that was laid out: its outline is registered to the picture by an exhaustive search."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.table import Piece, Point
from vision.faces.ortho_window import make_window, top_of
from vision.faces.templates import PX_PER_MM
from vision.imaging.arrays import Floats, Values
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import METRIC
from vision.scene.scene import Scene

LAYING_TOLERANCE_MM, LAYING_TOLERANCE_DEG = 5.0, 6.0
"""The range of the search about the asked pose; only pieces with corners are turned."""

SEARCH_STEP_MM, SEARCH_STEP_DEG = 0.5, 1.0
LAYING_SD_MM, LAYING_SD_DEG = 4.0, 5.0
"""Prior of the deviation from the asked pose (standard deviations)."""

EDGE_OFFSET_MM = 0.8
"""Distance inside and outside of a piece's edge at which colours are compared."""

FULL_STEP = 14.0
"""Steps between colours are clipped at this."""

TABLE_SD = 6.0
"""Residual of the bare table's colours (standard deviation)."""

STEP_WEIGHT, PRIOR_WEIGHT = 0.2, 0.02
"""Weights of a step of colours and of the prior, relative to the likeness to the table outside less that inside."""

EDGE_POINTS, EDGE_BLUR_PX = 96, 0.7


@dataclass(frozen=True, slots=True)
class LaidFace:
    """A piece laid out: the centre of its foot in the table frame (mm), its turn in degrees, `floor_mm` under it."""

    piece: Piece
    at_mm: Point
    turn_deg: float
    floor_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """Points (n, 2) on the edge of a piece, in mm about its centre, and their outward normals (n, 2)."""

    points: Floats
    outward: Floats

    def turned(self, turn_deg: float, lean: Floats) -> _Edge:
        """The visible edge of the piece at a turn: where it faces the camera, that of its foot, which is displaced from
        the top by `lean` (2,)."""
        rotation = spin(turn_deg).T
        outward = self.outward @ rotation
        return _Edge(self.points @ rotation + np.where(outward @ lean > 0, 1.0, 0.0)[:, None] * lean, outward)


def locate_by_outline(scene: Scene, laid: LaidFace) -> LaidFace:
    """The piece at the pose with the best outline: all around, likeness to the bare table and colours step there."""
    edge = _edge(laid.piece)
    values = _layers(scene, laid, edge)
    height = laid.floor_mm + laid.piece.size_mm[2]
    lean = top_of(scene.view, laid.at_mm, laid.floor_mm, height) - laid.at_mm
    step = np.arange(-LAYING_TOLERANCE_MM, LAYING_TOLERANCE_MM + SEARCH_STEP_MM / 2, SEARCH_STEP_MM)
    shifts = np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2)
    best, found = -np.inf, laid
    for turn in _turns(laid.piece):
        usual = (shifts ** 2).sum(axis=1) / LAYING_SD_MM ** 2 + (turn / LAYING_SD_DEG) ** 2
        shown = _edgeness(values, shifts, edge.turned(laid.turn_deg + turn, lean))
        scores = shown.mean(axis=1) - PRIOR_WEIGHT * usual
        index = int(scores.argmax())
        if scores[index] > best:
            x, y = np.add(laid.at_mm, shifts[index])
            best, found = float(scores[index]), replace(laid, at_mm=(float(x), float(y)), turn_deg=laid.turn_deg + turn)
    return found


def _turns(piece: Piece) -> Floats:
    """The turns (degrees) that are tried, relative to the asked one."""
    if piece.round:
        return np.zeros(1)
    return np.arange(-LAYING_TOLERANCE_DEG, LAYING_TOLERANCE_DEG + SEARCH_STEP_DEG / 2, SEARCH_STEP_DEG)


def _layers(scene: Scene, laid: LaidFace, edge: _Edge) -> Values:
    """A window around a piece at the height of its top: colours, and likeness to the table (side, side, 4)."""
    height = laid.floor_mm + laid.piece.size_mm[2]
    window = make_window(scene.view, laid.at_mm, height, laid.piece.size_mm[2] + LAYING_TOLERANCE_MM + EDGE_OFFSET_MM
                         + float(np.hypot(edge.points[:, 0], edge.points[:, 1]).max()))
    seen, bare = window.seen(scene), window.warp(scene.bare(window.box))
    layers = np.concatenate([seen * METRIC, _like_table(scene, seen, bare)[..., None]], axis=2).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(layers, (0, 0), EDGE_BLUR_PX), np.float32)


def _like_table(scene: Scene, seen: Lab, bare: Lab) -> Values:
    """The likeness of each pixel to the bare table in some light, from 0 to 1."""
    off = (seen - nearest_table(seen, bare, shadow=scene.shadow)) * METRIC
    return np.asarray(np.exp(-np.einsum("ijk,ijk->ij", off, off) / (2 * TABLE_SD ** 2)), np.float32)


def _edge(piece: Piece) -> _Edge:
    """The edge of a piece at turn 0; corners are left out."""
    x, y = piece.size_mm[:2]
    if piece.round:
        angles = np.linspace(0, 2 * np.pi, EDGE_POINTS, endpoint=False)
        out = np.column_stack([np.cos(angles), np.sin(angles)])
        return _Edge(out * x / 2, out)
    along = np.linspace(-0.45, 0.45, EDGE_POINTS // 4)
    points, ways = [], []
    for side in (-1.0, 1.0):
        points += [np.column_stack([along * x, np.full(len(along), side * y / 2)]),
                   np.column_stack([np.full(len(along), side * x / 2), along * y])]
        ways += [np.tile((0.0, side), (len(along), 1)), np.tile((side, 0.0), (len(along), 1))]
    return _Edge(np.concatenate(points), np.concatenate(ways))


def _edgeness(values: Values, shifts: Floats, edge: _Edge) -> Floats:
    """The score (shifts, n) of each point of a shifted edge: likeness to the table outside less that inside, and a step
    of colours. `values` (side, side, 4) are colours and likeness to the table."""
    middle = values.shape[0] // 2
    sides = []
    for beside in (EDGE_OFFSET_MM, -EDGE_OFFSET_MM):
        at = (shifts[:, None] + edge.points + edge.outward * beside) * (PX_PER_MM, -PX_PER_MM) + middle
        u, v = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
        sides.append(cv2.remap(values, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    outside, inside = sides
    step = np.minimum(np.linalg.norm((outside - inside)[..., :3], axis=2) / FULL_STEP, 1.0)
    return np.asarray(outside[..., 3] - inside[..., 3] + STEP_WEIGHT * step, np.float64)
