"""What `bench.py worse` measures: the same games in another light and by a poorer camera than at enrolment, with all
colours exchanged, and in pictures of half as many pixels."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from bench_eyes import EXCERPTS, set_folders, setup, share, table

from companion.cli.evaluate import evaluate
from companion.cli.scoring import Score
from companion.interpret.interpreter import SURE

Image = npt.NDArray[np.uint8]
"""(h, w, 3) BGR, as a JPEG file has it."""

DIMMER = (0.72, 0.82, 0.9)
"""Of blue, green and red light so much is left: warmer lamps."""

SIDE, FAR = 0.12, 0.08
"""So much darker it is at the left edge of a picture than at the right one, and at the lower edge than at the upper."""

BLUR_PX, NOISE = 0.5, 3.0
"""A poorer lens spreads a point so far besides; a poorer sensor is wrong by so many of 255 levels."""

SMALLER = 0.7
"""A camera with half as many pixels takes pictures so many times as wide and high."""


def another_light(picture: Image, _: int) -> Image:
    """The picture in dimmer, warmer light that comes more from one side."""
    height, width = picture.shape[:2]
    coded = np.arange(256) / 255
    light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4).astype(np.float32)
    falls = np.outer(1 - FAR * np.linspace(0, 1, height), 1 - SIDE * np.linspace(1, 0, width)).astype(np.float32)
    seen = light[picture] * falls[..., None] * np.array(DIMMER, np.float32)
    again = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * again), np.uint8)


def poorer_camera(picture: Image, number: int) -> Image:
    """The picture blurred, with noise of its own `number`."""
    noise = np.random.default_rng(number).normal(0, NOISE, picture.shape).astype(np.float32)
    seen = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR_PX) + noise
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)


def other_colours(picture: Image, _: int) -> Image:
    """The picture with blue as green, green as red, and red as blue."""
    return np.ascontiguousarray(picture[..., [1, 2, 0]])


def smaller(picture: Image, _: int) -> Image:
    """The picture `SMALLER` times as wide and high."""
    height, width = (round(SMALLER * each) for each in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True)
class Way:
    """How pictures are changed, the JPEG quality that they are kept with, whether enrolment's are changed too, and how
    many times as wide they are then."""

    change: Callable[[Image, int], Image]
    quality: int
    is_enrolled_so: bool = False
    width: float = 1.0


WAYS = {"another light": Way(another_light, 92), "poorer camera": Way(poorer_camera, 75),
        "other colours": Way(other_colours, 92, is_enrolled_so=True),
        "half the pixels": Way(smaller, 92, is_enrolled_so=True, width=SMALLER)}


def worse() -> Iterator[str]:
    """Each set with its pictures changed."""
    light = ", ".join(f"{100 * left:.0f} %" for left in DIMMER)
    yield "## Another light, a poorer camera, other colours, half the pixels\n"
    yield "Each set as before, enrolled from its own pictures, but those of the game changed. *Another light*: of blue,"
    yield f"green and red {light} are left, and a fifth less in one corner than in the opposite one. *Poorer camera*:"
    yield f"blurred by {BLUR_PX} px, noise of {NOISE:g} levels, JPEG quality {WAYS['poorer camera'].quality}. *Other"
    yield "colours*: in all pictures, also those of enrolment, blue became green, green red, and red blue: hands"
    yield f"are green. *Half the pixels*: all pictures are {SMALLER:g} times as wide and high.\n"
    folders = set_folders()
    if folders[0].parent == EXCERPTS:
        yield "These are the excerpts that come with the project (`tests/data`), not whole sets.\n"
    rows = []
    for folder in folders:
        for how, way in WAYS.items():
            print(f"  {folder.name}, {how} …", file=sys.stderr)
            rows.append([folder.name, how, *_row(_changed(folder, way))])
    yield from table(["set", "pictures", "free, unread", "busy, read", "set-up right, wrong, open", "spots wrong",
                      "spots open", "tables right", "plies", "right", "asked", "missed", "silently wrong",
                      "pieces said with 99 %: right"], rows)


def _changed(folder: Path, way: Way) -> Score:
    """What is read of a set whose pictures are changed."""
    with TemporaryDirectory() as made:
        pictures = [folder / "frames", *([folder / "enrol"] if way.is_enrolled_so else [])]
        if way.is_enrolled_so and way.width == 1.0:  # a board's print is no photo: it has a size of its own
            pictures.append(folder / "board.jpg")
        for each in folder.iterdir():
            if each not in pictures and each.name != "set.json":
                (Path(made) / each.name).symlink_to(each.resolve())
        about = json.loads((folder / "set.json").read_text(encoding="utf-8"))
        (Path(made) / "set.json").write_text(json.dumps(about | {"camera": _camera(about["camera"], way.width)}))
        for number, path in enumerate(_jpegs(pictures)):
            picture = np.asarray(cv2.imread(str(path)), np.uint8)
            there = Path(made) / path.relative_to(folder)
            there.parent.mkdir(exist_ok=True)
            cv2.imwrite(str(there), way.change(picture, number), (cv2.IMWRITE_JPEG_QUALITY, way.quality))
        return evaluate(Path(made))


def _camera(camera: dict[str, Any], width: float) -> dict[str, Any]:
    """A set's camera, whose pictures became so many times as wide and high."""
    size = {side: round(width * camera[side]) for side in ("width", "height")}
    matrix = np.array(camera["K"])
    for row, side in enumerate(size):
        share = size[side] / camera[side]
        matrix[row] *= share
        matrix[row, 2] += (share - 1) / 2  # whole coordinates are at the middles of pixels
    return camera | size | {"K": matrix.tolist()}


def _jpegs(places: Iterable[Path]) -> Iterator[Path]:
    """The pictures among these, and in these folders, in order."""
    for place in places:
        yield from sorted(place.glob("*.jpg")) if place.is_dir() else [place] if place.exists() else []


def _row(score: Score) -> list[str]:
    sure = [right for confidence, right in score.look.sure if confidence >= SURE]
    return [f"{score.free}, {score.free_unread}", f"{score.busy}, {score.busy_read}", setup(score),
            share(score.spots - score.spots_right - score.spots_open, score.spots),
            share(score.spots_open, score.spots), share(score.tables_right, score.tables), f"{score.plies}",
            f"{score.right}", f"{score.asked}", f"{score.missed}", f"{score.silently_wrong}",
            share(sum(sure), len(sure))]
