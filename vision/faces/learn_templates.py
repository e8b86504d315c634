"""Learning faces from pictures in which pieces were laid out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Appearance, Piece, Point
from vision.faces.ortho_window import make_window, top_of
from vision.faces.templates import PX_PER_MM, Face
from vision.imaging.arrays import Floats
from vision.imaging.box import box_around
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import METRIC
from vision.scene.scene import Scene

EDGE_MM = 1.0
"""A face's raster shows so much around the piece."""

SEARCH_MM, SEARCH_DEG = 5.0, 6.0
"""Hands lay a piece this near to where it is asked for, and one with corners turned by no more."""

MIN_CORRECTION_MM, MIN_CORRECTION_DEG = 2.1, 2.5
"""A piece that seems to lie nearer than this to where it was asked for lies there."""

BOARD_MIN_MM = 100.0
"""A board this large is measured by its print."""

SEARCH_STEP_MM, SEARCH_STEP_DEG = 0.5, 1.0
LAYING_SD_MM, LAYING_SD_DEG = 4.0, 5.0
"""How far off they usually are."""

EDGE_OFFSET_MM = 0.8
"""Colours are compared so far inside and outside of a piece's edge."""

FULL_STEP = 14.0
"""A step between colours larger than this shows no edge more clearly."""

TABLE_SD, STEP_WEIGHT, PRIOR_WEIGHT = 6.0, 0.2, 0.02
"""How far the bare table may be off its colours; how much a step of colours counts beside it, and the asked place."""

EDGE_POINTS, EDGE_BLUR_PX = 96, 0.7


@dataclass(frozen=True, slots=True)
class LaidFace:
    """A piece laid out: the centre of its foot in the table frame (mm), its turn in degrees, `floor_mm` under it."""

    piece: Piece
    at_mm: Point
    turn_deg: float
    floor_mm: float = 0.0


def learn_faces(pictures: Iterable[tuple[Scene, Iterable[LaidFace]]]) -> dict[Appearance, Face]:
    """The faces of all pieces laid out, each as the first picture shows it. They lie within some mm of where they are
    said to: each is looked for there."""
    faces: dict[Appearance, Face] = {}
    for scene, pieces in pictures:
        for laid in pieces:
            if laid.piece.name not in faces:
                faces[laid.piece.name] = learn_face(scene, _where(scene, laid))
    return faces


def _where(scene: Scene, laid: LaidFace) -> LaidFace:
    """The piece where it was asked for, unless it clearly lies elsewhere: its outline tells that less exactly than
    careful hands put it there."""
    if max(laid.piece.size_mm[:2]) > BOARD_MIN_MM:
        return laid
    found = locate_outline(scene, laid)
    off = np.subtract(found.at_mm, laid.at_mm)
    is_near = float(np.hypot(off[0], off[1])) < MIN_CORRECTION_MM
    is_turned = abs(found.turn_deg - laid.turn_deg) >= MIN_CORRECTION_DEG
    return laid if is_near and not is_turned else found


def learn_face(scene: Scene, laid: LaidFace) -> Face:
    """The face of one piece as a picture shows it at its height."""
    x, y, height = laid.piece.size_mm
    half = np.array([np.ceil((size / 2 + EDGE_MM) * PX_PER_MM) for size in (x, y)])
    rows, columns = int(2 * half[1] + 1), int(2 * half[0] + 1)
    map_px = _to_picture(scene, laid, rows, columns, laid.floor_mm + height)
    box = box_around(map_px, 2)
    own = (map_px - (box.left, box.top)).astype(np.float32)
    colours = cv2.remap(scene.seen(box), own[..., 0].copy(), own[..., 1].copy(), cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)
    return Face(laid.piece, np.asarray(colours, np.float16).astype(np.float32))


def _to_picture(scene: Scene, laid: LaidFace, rows: int, columns: int, height_mm: float) -> Floats:
    """Where in the picture (rows, columns, 2) each pixel of a face's raster is seen."""
    across = (np.arange(columns) - (columns - 1) / 2) / PX_PER_MM
    up = ((rows - 1) / 2 - np.arange(rows)) / PX_PER_MM
    own = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    at = own @ spin(laid.turn_deg).T + laid.at_mm
    return scene.view.project_at(at, height_mm).reshape(rows, columns, 2)


# ---------------------------------------------------------------- where it really lies


def locate_outline(scene: Scene, laid: LaidFace) -> LaidFace:
    """The piece where its outline shows best: the bare table begins there all around, and colours step."""
    edge, outward = _edge(laid.piece)
    height = laid.floor_mm + laid.piece.size_mm[2]
    window = make_window(scene.view, laid.at_mm, height, laid.piece.size_mm[2] + SEARCH_MM + EDGE_OFFSET_MM
                         + float(np.hypot(edge[:, 0], edge[:, 1]).max()))
    seen, bare = window.seen(scene), window.warp(scene.bare(window.box))
    layers = np.concatenate([seen * METRIC, _like_table(scene, seen, bare)[..., None]], axis=2).astype(np.float32)
    values = np.asarray(cv2.GaussianBlur(layers, (0, 0), EDGE_BLUR_PX), np.float32)
    lean = top_of(scene.view, laid.at_mm, laid.floor_mm, height) - laid.at_mm
    step = np.arange(-SEARCH_MM, SEARCH_MM + SEARCH_STEP_MM / 2, SEARCH_STEP_MM)
    shifts = np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2)
    turns = np.zeros(1) if laid.piece.round else np.arange(-SEARCH_DEG, SEARCH_DEG + SEARCH_STEP_DEG / 2,
                                                           SEARCH_STEP_DEG)
    best, found = -np.inf, laid
    for turn in turns:
        rotation = spin(laid.turn_deg + turn).T
        ways = outward @ rotation
        outline = edge @ rotation + np.where(ways @ lean > 0, 1.0, 0.0)[:, None] * lean
        usual = (shifts ** 2).sum(axis=1) / LAYING_SD_MM ** 2 + (turn / LAYING_SD_DEG) ** 2
        scores = _steps(values, shifts, outline, ways).mean(axis=1) - PRIOR_WEIGHT * usual
        index = int(scores.argmax())
        if scores[index] > best:
            x, y = np.add(laid.at_mm, shifts[index])
            best, found = float(scores[index]), replace(laid, at_mm=(float(x), float(y)), turn_deg=laid.turn_deg + turn)
    return found


def _like_table(scene: Scene, seen: Lab, bare: Lab) -> npt.NDArray[np.float32]:
    """How far each pixel looks like the bare table in some light, from 0 to 1."""
    off = (seen - nearest_table(seen, bare, shadow=scene.shadow)) * METRIC
    return np.asarray(np.exp(-np.einsum("ijk,ijk->ij", off, off) / (2 * TABLE_SD ** 2)), np.float32)


def _edge(piece: Piece) -> tuple[Floats, Floats]:
    """Points (n, 2) on the edge of a piece that is not turned, in mm about its centre, and the way out at each."""
    x, y = piece.size_mm[:2]
    if piece.round:
        angles = np.linspace(0, 2 * np.pi, EDGE_POINTS, endpoint=False)
        out = np.column_stack([np.cos(angles), np.sin(angles)])
        return out * x / 2, out
    along = np.linspace(-0.45, 0.45, EDGE_POINTS // 4)
    points, ways = [], []
    for side in (-1.0, 1.0):
        points += [np.column_stack([along * x, np.full(len(along), side * y / 2)]),
                   np.column_stack([np.full(len(along), side * x / 2), along * y])]
        ways += [np.tile((0.0, side), (len(along), 1)), np.tile((side, 0.0), (len(along), 1))]
    return np.concatenate(points), np.concatenate(ways)


def _steps(values: npt.NDArray[np.float32], shifts: Floats, edge: Floats, outward: Floats) -> Floats:
    """How much each point of an edge that is shifted (shifts, n) looks like one: table outside and not inside, and a
    step of colours. `values` (side, side, 4) are colours and likeness to the table."""
    middle = values.shape[0] // 2
    sides = []
    for beside in (EDGE_OFFSET_MM, -EDGE_OFFSET_MM):
        at = (shifts[:, None] + edge + outward * beside) * (PX_PER_MM, -PX_PER_MM) + middle
        u, v = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
        sides.append(cv2.remap(values, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    outside, inside = sides
    step = np.minimum(np.linalg.norm((outside - inside)[..., :3], axis=2) / FULL_STEP, 1.0)
    return np.asarray(outside[..., 3] - inside[..., 3] + STEP_WEIGHT * step, np.float64)
