"""A rectified window, opened for candidate faces of one outline."""

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
from vision.photometry.channel_noise import Trust
from vision.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class CandidateWindow:
    """A window at the height of the tops of some faces, all of one outline, whose centre may lie at any of `centres_px`
    (n, 2), in px right and up of the window's middle; they are compared with so much `trust` in each channel.
    Everything is computed lazily."""

    scene: Scene
    ground: Surface | None
    faces: tuple[Face, ...]
    centres_px: npt.NDArray[np.intp]
    window: Window
    trust: Trust

    @cached_property
    def colours(self) -> Lab:
        """The window's white-referenced colours (side, side, 3)."""
        return self.window.seen(self.scene)

    @cached_property
    def target(self) -> FitTarget:
        """The same, as the target of registration."""
        return make_target(self.colours, self.window.brightest(self.scene), self.trust)

    @cached_property
    def _bare(self) -> FitTarget:
        assert self.ground is not None
        return make_target(self.ground.under(self.scene, self.window), self.target.brightest, self.trust)

    def bare_cost(self, shift_mm: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> tuple[float, float]:
        """Cost and prior of the bare ground where a face would lie."""
        return cost_of_target(self.target, self._bare, self.faces[0].outline, shift_mm, turn_deg)
