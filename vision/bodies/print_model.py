"""The printed tops of boards and other bodies, as they looked at enrolment, and the patches they are cut into.

A patch is a small part of the print with strong gradients in both directions (a corner in the sense of Shi and Tomasi).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.bodies.orthopatch import spread_raster
from vision.imaging.arrays import Floats
from vision.imaging.frame import Image
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose

PRINT_PX_PER_MM = 2.0
"""The scale in which prints are kept."""

MIN_BOARD_MM = 100.0
"""A board is wider and deeper than this; smaller bodies have smaller patches, closer together."""

BOARD_FINE_MM, SMALL_FINE_MM, BOARD_COARSE_MM, SMALL_COARSE_MM = 9.0, 5.0, 18.0, 9.0
"""Width of the patches for registration (fine) and for searching (coarse), of boards and of smaller bodies."""

BOARD_SEARCH_PX_PER_MM, SMALL_SEARCH_PX_PER_MM = 1.0, 2.0
"""The scales for searching boards and smaller bodies."""


@dataclass(frozen=True, eq=False)
class Print:
    """An orthophoto of the top of a body: `image` (rows, columns, 3) uint8 B G R at `px_per_mm`, x to the right and y
    up, the body's centre in its middle; `height_mm` above the table."""

    image: Image
    px_per_mm: float
    height_mm: float

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and depth in mm."""
        rows, columns = self.image.shape[:2]
        return columns / self.px_per_mm, rows / self.px_per_mm

    @property
    def coarse_px_per_mm(self) -> float:
        """The scale for searching."""
        return BOARD_SEARCH_PX_PER_MM if self.is_large else SMALL_SEARCH_PX_PER_MM

    @property
    def is_large(self) -> bool:
        """Whether it is a board."""
        return min(self.size_mm) > MIN_BOARD_MM

    @cached_property
    def fine(self) -> Patches:
        """The patches for registration."""
        return cut_patches(self.image, self.px_per_mm, BOARD_FINE_MM if self.is_large else SMALL_FINE_MM,
                           2.0 if self.is_large else 1.0)

    @cached_property
    def coarse(self) -> Patches:
        """The patches for searching."""
        scale = self.coarse_px_per_mm / self.px_per_mm
        small = cv2.resize(self.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return cut_patches(np.asarray(small, np.uint8), self.coarse_px_per_mm,
                           BOARD_COARSE_MM if self.is_large else SMALL_COARSE_MM, 2.0 if self.is_large else 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches of a print: `images` (n, side, side, 3) and their centres `at_mm` (n, 2) in the print's frame."""

    images: npt.NDArray[np.uint8]
    at_mm: Floats
    px_per_mm: float

    def __len__(self) -> int:
        return len(self.at_mm)

    @property
    def side_px(self) -> int:
        """Pixels along each side."""
        return int(self.images.shape[1])

    def some(self, which: npt.NDArray[np.intp]) -> Patches:
        """A subset of the patches, by index."""
        return Patches(self.images[which], self.at_mm[which], self.px_per_mm)


def drawn_print(drawing: Image, size_mm: tuple[float, float, float]) -> Print:
    """The top of a body from its artwork: a picture (h, w, 3) B G R of the whole top, far edge up."""
    columns, rows = (round(size * PRINT_PX_PER_MM) for size in size_mm[:2])
    small = cv2.resize(drawing, (columns, rows), interpolation=cv2.INTER_AREA)
    return Print(np.asarray(small, np.uint8), PRINT_PX_PER_MM, size_mm[2])


@dataclass(frozen=True, slots=True)
class PrintRaster:
    """The raster of a rectification: width and depth, the height of the body, and the scale. The projection is computed
    at every `step_px` pixels and interpolated linearly in between."""

    size_mm: tuple[float, float]
    height_mm: float
    px_per_mm: float
    step_px: int = 1


def take_print(picture: Picture, pose: Pose, raster: PrintRaster) -> Print:
    """The top of a body at a pose, rectified from the picture."""
    columns, rows = (round(size * raster.px_per_mm) for size in raster.size_mm)
    own = _grid(columns, rows, raster.px_per_mm, raster.step_px)
    at_px = picture.view.project_at(pose.to_table(own).reshape(-1, 2), raster.height_mm)
    px = np.asarray(at_px.reshape(own.shape), np.float32)
    if raster.step_px > 1:
        px = spread_raster(px, raster.step_px, (columns, rows))
    taken = cv2.remap(picture.image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Print(np.asarray(taken, np.uint8), raster.px_per_mm, raster.height_mm)


def _grid(columns: int, rows: int, px_per_mm: float, step_px: int) -> Floats:
    """Points (n, m, 2) in mm about the middle of a raster, x to the right, y up: at every `step_px` pixels, up to and
    including the last."""
    across = (np.arange(0, columns + step_px - 1, step_px) - (columns - 1) / 2) / px_per_mm
    up = ((rows - 1) / 2 - np.arange(0, rows + step_px - 1, step_px)) / px_per_mm
    return np.stack(np.meshgrid(across, up), axis=-1)


def cut_patches(image: Image, px_per_mm: float, wide_mm: float, apart: float) -> Patches:
    """One patch for each square, `apart` times as wide as it, of a raster: that with the largest smaller eigenvalue of
    the structure tensor (J. Shi and C. Tomasi, "Good Features to Track", 1994)."""
    side = 2 * int(wide_mm * px_per_mm / 2) + 1
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    hold = cv2.cornerMinEigenVal(gray, side)
    rows, columns = gray.shape
    margin, step = side // 2, round(apart * side)
    images, at_px = [], []
    for top in range(margin, rows - margin, step):
        for left in range(margin, columns - margin, step):
            part = hold[top:min(top + step, rows - margin), left:min(left + step, columns - margin)]
            down, right = np.unravel_index(int(part.argmax()), part.shape)
            y, x = top + int(down), left + int(right)
            images.append(image[y - margin:y + margin + 1, x - margin:x + margin + 1])
            at_px.append((x, y))
    flat = np.array(at_px, np.float64)
    at_mm = (flat - ((columns - 1) / 2, (rows - 1) / 2)) / px_per_mm * (1, -1)
    return Patches(np.array(images, np.uint8), at_mm, px_per_mm)
