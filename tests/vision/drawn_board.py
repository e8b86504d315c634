"""Drawn pictures of a chequered board with men on it, as a camera above sees them: made up, and never the same twice.

    style = STYLES["vinyl"]
    picture = Camera(style, seed=1).picture(placement, hand=0.5)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Layout, Placement, Point
from vision.boards.board_reader import content_of
from vision.imaging.frame import Image

Canvas = npt.NDArray[np.float32]
CELL = 44
RIM = 1.6
"""How many places of table are drawn around the board."""
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Style:
    """Colours B G R of light and dark places, of the men by content, and of the table; how high men are, in places, how
    much wood grain there is, and how far the camera stands aside, in boards."""

    light: Colour
    dark: Colour
    men: Mapping[str, Colour]
    table: Colour = (95.0, 120.0, 150.0)
    high: float = 0.9
    grain: float = 5.0
    aside: Point = (0.0, 0.0)
    spot: float = 0.25
    noise: float = 2.5
    size: tuple[int, int] = (800, 600)


STYLES = {
    "vinyl": Style((205, 225, 225), (80, 125, 70), {"white": (170, 205, 220), "black": (40, 40, 42)}, (60, 65, 70)),
    "wood": Style((150, 190, 215), (60, 95, 145), {"white": (120, 170, 205), "black": (35, 45, 70)},
                  (40, 60, 90), grain=9.0),
    "blue": Style((225, 220, 215), (150, 90, 50), {"white": (235, 235, 235), "black": (60, 50, 45)}, high=1.2),
    "plastic": Style((70, 70, 205), (35, 35, 38), {"white": (200, 205, 205), "black": (150, 75, 30)}, (160, 165, 170)),
    "askew": Style((190, 210, 220), (70, 80, 95), {"white": (205, 215, 225), "black": (25, 25, 28)},
                   aside=(0.15, -0.2)),
    "dim": Style((205, 225, 225), (80, 125, 70), {"white": (170, 205, 220), "black": (30, 30, 32)}, (60, 65, 70),
                 noise=5, size=(640, 480)),
}  # fmt: skip


@dataclass
class Camera:
    """A camera over one board; what it sees depends on `seed`: where the board lies, how men are turned, the noise."""

    style: Style
    layout: Layout
    seed: int = 0
    gain: float = 1.0
    shift_px: Point = (0.0, 0.0)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        width, height = self.style.size
        board = CELL * (8 + 2 * RIM)
        middle, turn = np.array([width, height]) / 2, np.radians(self.rng.uniform(-6, 6))
        scale = 0.94 * height / board
        corners = (np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - 0.5) * board * scale
        corners = corners @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        corners += self.rng.uniform(-0.02, 0.02, (4, 2)) * height
        grain = self.rng.normal(0, 1, (round(board), round(board))).astype(np.float32)
        self._grain = cv2.GaussianBlur(grain, (0, 0), 5, sigmaY=1)
        self._corners = (corners + middle).astype(np.float32)
        self._board = board
        self.wobble = {place.spot: self.rng.normal(0, 0.05, 2) for place in self.layout.places}
        self._inks = {content: 1.0 + 0.04 * self.rng.normal(size=3) for content in self.style.men}

    @property
    def corners(self) -> dict[str, Point]:
        """The board's corners in the picture, by the places next to them."""
        ends = np.array([[(RIM, RIM + 8), (RIM + 8, RIM + 8), (RIM + 8, RIM), (RIM, RIM)]], np.float32) * CELL
        px = cv2.perspectiveTransform(ends, self._warp())[0]
        return {name: (float(x), float(y)) for name, (x, y) in zip(("a1", "h1", "h8", "a8"), px, strict=True)}

    def picture(self, placement: Placement, hand: float | None = None, gain: float = 1.0) -> Image:
        """The board with this placement; with a hand that reaches so far over it, from 0 (at its edge) to 1."""
        flat = self._squares()
        for place in sorted(self.layout.places, key=lambda place: -place.at_mm[1]):
            content = content_of(placement.get(place.spot, ()))
            if content:
                self._man(flat, place.spot, self._at(place.at_mm), content)
        if hand is not None:
            self._hand(flat, hand)
        return self._seen(flat, gain * self.gain)

    def _warp(self) -> npt.NDArray[np.float64]:
        edge = self._board
        flat = np.array([(0, 0), (edge, 0), (edge, edge), (0, edge)], np.float32)
        corners = self._corners + np.array(self.shift_px, np.float32)
        return np.asarray(cv2.getPerspectiveTransform(flat, corners), np.float64)

    def _at(self, at_mm: Point) -> Point:
        step = self.layout.size_mm[0] / 8
        return (RIM + at_mm[0] / step) * CELL, (RIM + 8 - at_mm[1] / step) * CELL

    def _squares(self) -> Canvas:
        side = round(self._board)
        flat = np.empty((side, side, 3), np.float32)
        flat[:] = self.style.table
        low, high = round((RIM - 0.35) * CELL), round((RIM + 8.35) * CELL)
        flat[low:high, low:high] = np.mean([self.style.light, self.style.dark], axis=0)
        for row in range(8):
            for column in range(8):
                top, left = round((RIM + row) * CELL), round((RIM + column) * CELL)
                flat[top:top + CELL, left:left + CELL] = self.style.dark if (row + column) % 2 else self.style.light
        return np.asarray(flat + self.style.grain * 4 * self._grain[..., None] * flat / 160, np.float32)

    def _man(self, flat: Canvas, spot: str, at: Point, content: str) -> None:
        """A man as discs from its foot up; what is higher is seen farther from the point below the camera."""
        paint = np.array(self.style.men[content]) * self._inks[content]
        below = np.array([0.5 + self.style.aside[0], 0.5 + self.style.aside[1]]) * self._board
        foot = np.array(at) + self.wobble[spot] * CELL
        high = self.style.high * (0.7 + 0.6 * (sum(map(ord, spot)) % 7) / 6)
        left, top = (np.rint(foot).astype(int) - CELL).tolist()
        shade = np.ones((2 * CELL, 2 * CELL, 1), np.float32)
        cv2.circle(shade, (round(1.12 * CELL), round(1.08 * CELL)), round(0.36 * CELL), (0.65,), -1)
        flat[top:top + 2 * CELL, left:left + 2 * CELL] *= shade
        for share in np.linspace(0, 1, 7):
            centre = foot + (foot - below) * 0.09 * high * share
            radius = CELL * (0.33 - 0.14 * share + (0.05 if share == 1 else 0.0))
            light = 0.62 + 0.38 * share + (0.12 if share in (0, 1) else 0.0)
            _disc(flat, centre, round(radius), paint * light)
        tip = foot + (foot - below) * 0.09 * high - 0.05 * CELL
        _disc(flat, tip, 2, np.minimum(paint * 1.3 + 25, 255))

    def _hand(self, flat: Canvas, reach: float) -> None:
        """An arm from the right with a hand at its end, and its shadow."""
        side = self._board
        tip = np.array([side * (1 - RIM / (8 + 2 * RIM)) - reach * side * 0.6, side * 0.55])
        shade = np.zeros(flat.shape[:2], np.float32)
        below = tuple((tip + np.array([20, 25])).astype(int))
        cv2.line(shade, below, (round(side) + 200, round(side * 0.7)), (0.4,), CELL * 2)
        flat *= 1.0 - cv2.GaussianBlur(shade, (0, 0), 6)[..., None]
        cuff, shoulder = tuple((tip + np.array([70, 12])).astype(int)), (round(side) + 200, round(side * 0.6))
        cv2.line(flat, cuff, shoulder, (45, 35, 30), round(1.5 * CELL), cv2.LINE_AA)
        palm = round(1.3 * CELL), round(0.9 * CELL)
        cv2.ellipse(flat, tuple(tip.astype(int)), palm, 12, 0, 360, (105, 140, 190), -1, cv2.LINE_AA)
        for finger in range(4):
            root = tip + np.array([-0.9, (finger - 1.5) * 0.42]) * CELL
            end = tuple((root - (0.8 * CELL, 0)).astype(int))
            cv2.line(flat, tuple(root.astype(int)), end, (98, 132, 182), round(0.33 * CELL), cv2.LINE_AA)

    def _seen(self, flat: Canvas, gain: float) -> Image:
        width, height = self.style.size
        seen = cv2.warpPerspective(flat, self._warp(), (width, height), borderMode=cv2.BORDER_REPLICATE)
        down, across = np.mgrid[0:height, 0:width] / height
        light = 1.0 + self.style.spot * np.exp(-((across - 0.7) ** 2 + (down - 0.4) ** 2) / 0.15)
        seen = cv2.GaussianBlur(seen * (light * gain)[..., None], (0, 0), 0.8)
        seen += self.rng.normal(0, self.style.noise, seen.shape)
        _, jpeg = cv2.imencode(".jpg", seen.clip(0, 255).astype(np.uint8), (cv2.IMWRITE_JPEG_QUALITY, 88))
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def _disc(flat: Canvas, centre: npt.ArrayLike, radius: int, paint: npt.ArrayLike) -> None:
    x, y = np.rint(np.asarray(centre, np.float64)).astype(int).tolist()
    cv2.circle(flat, (x, y), radius, np.asarray(paint, np.float64).tolist(), -1, cv2.LINE_AA)
