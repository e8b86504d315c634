"""How much of a cell differs from the bare table, in full light and through the noise of a camera in a dim evening."""

from __future__ import annotations

from typing import cast

import numpy as np

from companion.table import Body
from companion.table.crate import CRATE_MM
from tests.vision.test_zones import VIEW, WHITE, picture
from vision.bodies import crate_lattice
from vision.bodies.crate_lattice import BARE_COVERED, EVEN_COVERED
from vision.imaging.box import Box
from vision.imaging.frame import Image
from vision.imaging.polygons import fill_convex
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

CELL = Body("cell:0,0", "crate", (150.0, 0.0), CRATE_MM)
DIM_NOISE = 8.0
"""Standard deviation in grey values."""


def dim_table(seed: int, crate: bool = False) -> Image:
    """A table in the dim, as one of its pictures shows it; a crate of the table's colour is a lattice of lighter and of
    darker stripes."""
    shown = 0.35 * picture({}).astype(np.float32)
    if crate:
        for stripe, x in enumerate(np.arange(-15.0, 15.0, 3.0)):
            corners = np.add([(x, -20.0), (x + 3, -20.0), (x + 3, 20.0), (x, 20.0)], CELL.at_mm)
            mask = np.zeros(shown.shape[:2], np.uint8)
            fill_convex(mask, VIEW.project_at(corners, 0.0), 1)
            shown[mask > 0] *= 0.6 if stripe % 2 else 1.5
    noise = np.random.default_rng(seed).normal(0.0, DIM_NOISE, shown.shape)
    return cast(Image, np.clip(shown + noise, 0, 255).round().astype(np.uint8))


def covered(crate: bool, measured: bool = True) -> float:
    scene = Scene(dim_table(1, crate), VIEW, WHITE, Bare(dim_table(2), VIEW, WHITE), None)
    if measured:
        scene.measure_noise(Box(600, 300, 1000, 700))
    return crate_lattice._covered(scene, CELL)


def test_a_dark_table_through_noise_is_bare() -> None:
    assert covered(crate=False) < BARE_COVERED


def test_a_crate_of_its_colour_stands_out_from_the_noise() -> None:
    assert covered(crate=True) > EVEN_COVERED


def test_unmeasured_noise_looks_as_rough_as_a_crate() -> None:
    assert covered(crate=False, measured=False) > BARE_COVERED
