"""The part `worse` of the benchmarks: the same games in pictures that were changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from companion.cli.evaluate import evaluate
from companion.cli.scoring import Score
from companion.interpret.interpreter import SURE
from tests.bench.changed_pictures import BLUR_PX, DIMMER, NOISE, SMALLER, WAYS, Way
from tests.bench.eyes import set_folders, setup
from tests.bench.page import EXCERPTS, share, table


def worse() -> Iterator[str]:
    """Each set with its pictures changed."""
    light = ", ".join(f"{100 * left:.0f} %" for left in DIMMER)
    yield "## Another light, a poorer camera, other colours, half the pixels, upside down\n"
    yield "Each set as before, enrolled from its own pictures, but those of the game changed. *Another light*: of blue,"
    yield f"green and red {light} are left, and a fifth less in one corner than in the opposite one. *Poorer camera*:"
    yield f"blurred by {BLUR_PX} px, noise of {NOISE:g} levels, JPEG quality {WAYS['poorer camera'].quality}. *Other"
    yield "colours*: in all pictures, also those of enrolment, blue became green, green red, and red blue: hands"
    yield f"are green. *Half the pixels*: all pictures are {SMALLER:g} times as wide and high. *Upside"
    yield "down*: the camera hangs the other way round, also at enrolment.\n"
    folders = set_folders()
    if folders[0].parent == EXCERPTS:
        yield "These are the excerpts that come with the project (`tests/data`), not whole sets.\n"
    rows = []
    for folder in folders:
        for how, way in WAYS.items():
            print(f"  {folder.name}, {how} …", file=sys.stderr)
            rows.append([folder.name, how, *_row(read_changed(folder, way))])
    yield from table(["set", "pictures", "free, unread", "busy, read", "set-up right, wrong, open", "spots wrong",
                      "spots open", "tables right", "plies", "right", "asked", "missed", "silently wrong",
                      "pieces said with 99 %: right"], rows)


def read_changed(folder: Path, way: Way) -> Score:
    """What is read of a set whose pictures are changed."""
    with TemporaryDirectory() as made:
        pictures = [folder / "frames", *([folder / "enrol"] if way.is_enrolled_so else [])]
        is_print_new = way.width == 1.0 and not way.is_turned  # a board's print is no photo: it has a size of its own
        if way.is_enrolled_so and is_print_new:
            pictures.append(folder / "board.jpg")
        for each in folder.iterdir():
            if each not in pictures and each.name != "set.json":
                (Path(made) / each.name).symlink_to(each.resolve())
        about = json.loads((folder / "set.json").read_text(encoding="utf-8"))
        (Path(made) / "set.json").write_text(json.dumps(about | {"camera": _camera(about["camera"], way)}))
        for number, path in enumerate(_jpegs(pictures)):
            picture = np.asarray(cv2.imread(str(path)), np.uint8)
            there = Path(made) / path.relative_to(folder)
            there.parent.mkdir(exist_ok=True)
            cv2.imwrite(str(there), way.change(picture, number), (cv2.IMWRITE_JPEG_QUALITY, way.quality))
        return evaluate(Path(made))


def _camera(camera: dict[str, Any], way: Way) -> dict[str, Any]:
    """A set's camera, whose pictures were changed."""
    size = {side: round(way.width * camera[side]) for side in ("width", "height")}
    matrix = np.array(camera["K"])
    for row, side in enumerate(size):
        share = size[side] / camera[side]
        matrix[row] *= share
        matrix[row, 2] += (share - 1) / 2  # whole coordinates are at the middles of pixels
    if not way.is_turned:
        return camera | size | {"K": matrix.tolist()}
    matrix[:2, 2] = np.array(list(size.values())) - 1 - matrix[:2, 2]
    turned = np.array([1, 1, -1, -1, 1])  # what a decentred lens does comes from the other side
    return camera | size | {"K": matrix.tolist(), "dist": (turned * np.ravel(camera["dist"])).tolist()}


def _jpegs(places: Iterable[Path]) -> Iterator[Path]:
    """The pictures among these, and in these folders, in order."""
    for place in places:
        yield from sorted(place.glob("*.jpg")) if place.is_dir() else [place] if place.exists() else []


def _row(score: Score) -> list[str]:
    sure = [right for confidence, right in score.look.sure if confidence >= SURE]
    return [f"{score.free}, {score.free_unread}", f"{score.busy}, {score.busy_read}", setup(score.setup),
            share(score.spots - score.spots_right - score.spots_open, score.spots),
            share(score.spots_open, score.spots), share(score.tables_right, score.tables), f"{score.plies}",
            f"{score.right}", f"{score.asked}", f"{score.missed}", f"{score.silently_wrong}",
            share(sum(sure), len(sure))]
