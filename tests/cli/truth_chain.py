# ruff: noqa: T201 (a script prints)
"""The chain with eyes that know the truth, perfect or noisy: what interpretation makes of whole sets.

    python -m tests.cli.truth_chain SET… [--noisy] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.cli.chain import Answerer, Chain
from companion.cli.played import opened_by, played
from companion.cli.score_table import text_table
from companion.cli.scoring import Score, score
from companion.games import registry
from companion.words import Words, load
from tests.interpret.truth_eyes import Noise, TruthEyes
from vision.enrolment.picture_set import PictureSet, read_set, read_truth
from vision.imaging.frame import CardSeen, Frame, Look


@dataclass(slots=True)
class TruthReader:
    """Looks as the reader would give them, made from a set's truth; no picture is opened."""

    eyes: TruthEyes
    truth: dict[int, Any]

    def look(self, frame: Frame) -> Look:
        true = self.truth[frame.number]
        cards = tuple(CardSeen(c["card"], (c["at"][0], c["at"][1]), c["turn"]) for c in true["cards"])
        if not true["free"]:
            return Look(frame.number, 0.0, "hand", None, cards, None, {"watch": 0.0})
        started = time.perf_counter()
        observation = self.eyes.look(true)
        ms = {"watch": 0.0, "read": 1000 * (time.perf_counter() - started)}
        return Look(frame.number, 0.0, "free", None, cards, observation, ms)


class NoPictures:
    """The frames of a set without their pixels."""

    def __init__(self, pictures: PictureSet) -> None:
        self.pictures = pictures.pictures

    def frame(self, index: int) -> Any:
        return Frame(None, None, 4.0 * index, int(self.pictures[index].stem))  # type: ignore[arg-type]


def words() -> Words:
    return load("en", [registry.game(id).words for id in registry.ids()])


def read(folder: Path, noise: Noise | None = None, confidence: bool = True) -> list[Any]:
    """What `read --answer` would write if the eyes saw this."""
    known, opened = read_set(folder), opened_by(folder / "record.jsonl")
    pieces = json.loads((folder / "set.json").read_text(encoding="utf-8"))["pieces"]
    eyes = TruthEyes(opened.game.layout(opened.setup), pieces, noise)
    reader = TruthReader(eyes, {line["frame"]: line for line in read_truth(folder)})
    answerer = Answerer.of(played(folder / "record.jsonl"))
    chain = Chain(reader, opened, words(), answerer, confidence=confidence)
    return list(chain.lines(NoPictures(known)))  # type: ignore[arg-type]


def scored(folder: Path, lines: list[Any]) -> Score:
    pieces = {each.name: {"kind": each.kind, "size": each.size_mm} for each in read_set(folder).pieces}
    return score(lines, read_truth(folder), played(folder / "record.jsonl"), pieces, (200.0, 150.0, 700.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--noisy", action="store_true")
    parser.add_argument("--out", type=Path, help="keep what was read here")
    args = parser.parse_args()
    rows, pooled = [], Score()
    for folder in args.sets:
        lines = read(folder, Noise() if args.noisy else None)
        if args.out:
            args.out.mkdir(exist_ok=True)
            (args.out / f"{folder.name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
        rows.append((folder.name, scored(folder, lines)))
        pooled += rows[-1][1]
    print(text_table([*rows, ("all", pooled)]))


if __name__ == "__main__":
    main()
