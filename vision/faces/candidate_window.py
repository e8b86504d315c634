"""A window opened for faces of one outline that may lie there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.faces.flat_surface import Surface
from vision.faces.ortho_window import Window
from vision.faces.registration import FitTarget, cost_of_target, make_target
from vision.faces.templates import Face
from vision.photometry.background_model import Lab
from vision.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class CandidateWindow:
    """What is seen where the centre of one of some faces, all of one outline, may lie (`centres_px` (n, 2), in px right
    and up of the window's middle): a window at the height of their tops. Nothing is looked at before it is asked for.
    """

    scene: Scene
    ground: Surface | None
    faces: tuple[Face, ...]
    centres_px: npt.NDArray[np.intp]
    window: Window

    @cached_property
    def colours(self) -> Lab:
        """The window's colours (side, side, 3)."""
        return self.window.seen(self.scene)

    @cached_property
    def target(self) -> FitTarget:
        """The same, ready to be registered to."""
        return make_target(self.colours, self.window.brightest(self.scene))

    @cached_property
    def _bare(self) -> FitTarget:
        assert self.ground is not None
        return make_target(self.ground.under(self.scene, self.window), self.target.brightest)

    def bare_cost(self, shift_mm: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> tuple[float, float]:
        """Cost and prior of nothing lying where a face would lie."""
        return cost_of_target(self.target, self._bare, self.faces[0].outline, shift_mm, turn_deg)
