# ruff: noqa: T201 (a script prints)
"""How often a piece that lies on one place of a board is told: `python -m tests.vision.score_lying`.

Men that lie are painted into the chess video, at eight angles: where they stood, and one and two squares farther.
Counted is what was said by the second free look after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.table import EMPTY, Spot
from companion.table.board_corners import read_corners
from hardware.sources.video import Video
from tests.vision.chequered import LAYOUT, START
from vision.boards.board_reader import BoardReader
from vision.boards.patch import BoardView
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

FOOTAGE = Path(__file__).parents[2] / "examples/chess/footage/scholarsmate.avi"
CORNERS = read_corners("h8=141,9 h1=507,10 a1=510,377 a8=138,376", LAYOUT)
VIEW = BoardView(LAYOUT, CORNERS)
AT_MM = {place.spot: place.at_mm for place in LAYOUT.places}
FREE = 6
"""So many frames of the video are free before anybody plays."""
ANGLES = range(0, 360, 45)
LONG_PLACES, FOOT_PLACES = 0.85, 0.6
ALONG = (-0.5, -0.42, -0.36, -0.25, 0.0, 0.12, 0.16, 0.2, 0.24, 0.3, 0.38, 0.45, 0.5)
HALF = (1.0, 1.0, 0.8, 0.5, 0.36, 0.33, 0.55, 0.55, 0.4, 0.5, 0.55, 0.42, 0.1)
"""The profile of a pawn: half its width, as a share of the foot's, along its length."""
PX = 64
FINE = 4


def film() -> list[Image]:
    """The first frames of the video."""
    return [frame.image for frame in Video(str(FOOTAGE)).frames() if frame.number < FREE]


def at_px(spot: Spot) -> tuple[int, int]:
    """The middle of a place in the picture."""
    x, y = np.rint(VIEW.in_picture(np.array([AT_MM[spot]]))[0]).astype(int).tolist()
    return x, y


def fallen(image: Image, stood: Spot, lies: Spot, turn_deg: float) -> Image:
    """The picture after the man of one place fell onto another, or where it stood."""
    (x, y), half = at_px(stood), PX * 23 // 64
    colour = np.median(image[y - 5:y + 6, x - 5:x + 6].reshape(-1, 3), axis=0)
    x_empty, y_empty = at_px(f"{stood[:-1]}{ {'1': 3, '2': 4, '7': 5, '8': 6}[stood[-1]] }")
    found, up = image.copy(), min(half, y)
    found[y - up:y + half, x - half:x + half] = image[y_empty - up:y_empty + half, x_empty - half:x_empty + half]
    return _painted(found, at_px(lies), turn_deg, colour)


def _painted(image: Image, middle: tuple[int, int], turn_deg: float, colour: np.ndarray) -> Image:
    """With a man that lies there, lit from above, and its shadow."""
    pitch = float(np.linalg.norm(np.subtract(at_px("square:d4"), at_px("square:e4"))))
    down, across = (np.mgrid[0:PX * FINE, 0:PX * FINE] + 0.5) / FINE - PX / 2
    turn = np.radians(turn_deg)
    along = (across * np.cos(turn) + down * np.sin(turn)) / (LONG_PLACES * pitch)
    aside = down * np.cos(turn) - across * np.sin(turn)
    half = np.maximum(np.interp(along, ALONG, HALF, left=0.0, right=0.0) * FOOT_PLACES * pitch / 2, 1e-3)
    round_ = np.sqrt(np.clip(1.0 - (aside / half) ** 2, 0.0, 1.0))
    light = 0.55 + 0.45 * round_ + 0.35 * np.exp(-(((aside / half + 0.3) / 0.18) ** 2))
    mask, light = (cv2.resize(each.astype(np.float32), (PX, PX), interpolation=cv2.INTER_AREA)
                   for each in (round_ > 0, light))
    mask = cv2.GaussianBlur(mask, (0, 0), 0.8)
    shade = cv2.GaussianBlur(np.roll(mask, (3, 5), (0, 1)), (0, 0), 2.5)
    left, top = middle[0] - PX // 2, middle[1] - PX // 2
    inside = np.s_[max(0, -top):PX - max(0, top + PX - image.shape[0]), max(0, -left):]
    mask, light, shade = (each[inside][..., None] for each in (mask, light, shade))
    there = np.s_[max(0, top):top + PX, max(0, left):left + PX]
    lit = image[there] * (1 - 0.45 * shade) * (1 - mask) + mask * light * colour
    image[there] = lit.clip(0, 255).astype(np.uint8)
    return image


def looks_after(before: list[Image], image: Image) -> list[Look]:
    """The free looks at a picture that comes a second after the others."""
    reader, rng = BoardReader(LAYOUT, START, CORNERS), np.random.default_rng(3)
    noisy = [np.asarray((image + rng.normal(0, 1.5, image.shape)).clip(0, 255), np.uint8) for _ in range(7)]
    looks = [reader.look(Frame(each, make_small(each), n / 10 + (n >= len(before)), n))
             for n, each in enumerate([*before, *noisy])]
    return [look for look in looks[len(before):] if look.state == "free"]


def verdict(looks: list[Look], lies: Spot) -> str:
    """What was told by the second look: that something lies there, or that the man is missing; else nothing."""
    read = [{sight.spot: sight.likeliest for sight in look.observation.sights if look.observation} for look in looks[:2]
            if look.observation]
    if not looks:
        return "no look"
    return "told" if any(look.why for look in looks[:2]) else "missing" if not read[0].get(lies, EMPTY) else "nothing"


def falls() -> Iterator[tuple[str, Spot, Spot]]:
    """The men, and the places onto which they fall."""
    for spot, (man,) in START.items():
        yield f"{man} where it stood", spot, spot
        if spot[-1] in "27":
            ahead = 1 if spot[-1] == "2" else -1
            for far in (1, 2):
                yield f"{man} on another place", spot, f"{spot[:-1]}{int(spot[-1]) + far * ahead}"


def main() -> None:
    """Counts what was told, of men of both colours."""
    frames, told = film(), dict[str, Counter[str]]()
    for what, stood, lies in falls():
        for turn_deg in ANGLES:
            looks = looks_after(frames, fallen(frames[-1], stood, lies, turn_deg))
            told.setdefault(what, Counter())[verdict(looks, lies)] += 1
    for what, counts in told.items():
        print(f"{what}: {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()
