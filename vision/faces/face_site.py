"""The search range of a face: the site, and the windows in which its centre may be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.faces.candidate_window import CandidateWindow
from vision.faces.flat_surface import Surface
from vision.faces.ortho_window import make_window, top_of
from vision.faces.template_search import CENTRES_PX
from vision.faces.templates import PX_PER_MM, Face
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.scene.scene import Scene

Cells = npt.NDArray[np.intp]
"""(n, 2) whole pixels, right and up of a window's centre."""

FIT_MARGIN_MM = 2.0
"""The margin of a window beyond the slack, into which a registered centre may still move."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSite:
    """A place on which a flat piece may lie, with its foot's centre within `slack_mm` of a point (table frame), or at
    one of the points `around_mm` (n, 2) if these are given. Its foot is `floor_mm` above the table, or up to `rise_mm`
    higher when it may lie on a stack; its centre is then back-projected as if it did not. `ground` is the surface while
    nothing lies there; without it `EMPTY` gets no likelihood."""

    centre_mm: Point
    floor_mm: float
    slack_mm: float = 2.0
    ground: Surface | None = None
    rise_mm: float = 0.0
    around_mm: Floats | None = None


def open_windows(scene: Scene, site: FaceSite, candidates: Sequence[Face]) -> list[CandidateWindow]:
    """The windows of a site, one for each outline and height that candidates have."""
    seen = []
    for alike in _alike(tuple(candidates)):
        height = site.floor_mm + alike[0].piece.size_mm[2]
        centres = (_centres(scene.view, site, height) if site.around_mm is None
                   else _cells(site.around_mm - site.centre_mm))
        reach_mm = float(np.abs(centres).max()) / PX_PER_MM
        window = make_window(scene.view, site.centre_mm, height, alike[0].radius_mm + reach_mm + FIT_MARGIN_MM)
        seen.append(CandidateWindow(scene, site.ground, alike, centres, window, scene.trust))
    return seen


def _alike(candidates: tuple[Face, ...]) -> list[tuple[Face, ...]]:
    """The candidates, grouped by outline and height."""
    groups: dict[tuple[object, ...], list[Face]] = {}
    for face in candidates:
        groups.setdefault((face.outline, face.piece.size_mm[2]), []).append(face)
    return [tuple(group) for group in groups.values()]


def lean_mm(view: View, centre_mm: Point, height_mm: float, rise_mm: float) -> float:
    """The parallax in mm: the apparent shift of a centre that is higher by `rise_mm`."""
    return float(np.linalg.norm(top_of(view, centre_mm, height_mm + rise_mm, height_mm) - centre_mm))


def _centres(view: View, site: FaceSite, height_mm: float) -> Cells:
    """The pixels at which the centre of a face whose top is at a height may be seen."""
    lean = (top_of(view, site.centre_mm, height_mm + site.rise_mm, height_mm) - site.centre_mm) * PX_PER_MM
    reach = int(np.ceil(np.hypot(*lean) + site.slack_mm * PX_PER_MM))
    grid = _square(reach // CENTRES_PX)
    along = np.clip(grid @ lean / max(float(lean @ lean), 1e-9), 0.0, 1.0)
    x, y = (grid - along[:, None] * lean).T
    return np.asarray(grid[np.hypot(x, y) <= site.slack_mm * PX_PER_MM], np.intp)


@lru_cache(maxsize=16)
def _square(steps: int) -> Cells:
    """All centres in a square that reaches some steps to each side."""
    step = np.arange(-steps, steps + 1) * CENTRES_PX
    return np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2).astype(np.intp)


def _cells(off_mm: Floats) -> Cells:
    """The same from offsets (n, 2) in mm."""
    steps = np.unique(np.rint(off_mm * PX_PER_MM / CENTRES_PX).astype(np.intp), axis=0)
    return np.asarray(steps * CENTRES_PX, np.intp)
