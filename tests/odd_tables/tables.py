"""A table of an excerpt at which odd things happen, and what the companion says of it look by look."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.cli.chain import Chain
from companion.cli.played import opened_by
from companion.games import registry
from companion.words import load
from tests.odd_tables.pasted import Pixel, copied
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, make_small, read_set, read_truth
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.frame import Frame, Image, Look
from vision.overlay.overlay import overlay
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader

EVERY_S = 4.0
RING_PX = 60
"""So near to the middle of what is strange a ring is drawn."""
SHOWN = ("state", "taken_back", "plies", "asked", "odd")
DATA = Path(__file__).parents[1] / "data"
WORDS = load("en", [registry.game(id).words for id in registry.ids()])


Ring = npt.NDArray[np.bool_]
"""(h, w): where a picture is drawn over because something is strange there."""


@dataclass
class _Watched:
    """Eyes, and what is ringed on the pictures that they look at."""

    eyes: Reader
    rings: list[Ring] = field(default_factory=list)

    def look(self, frame: Frame) -> Look:
        """What the frame shows."""
        look, view, wide = self.eyes.look(frame), self.eyes.arrangement, frame.image.shape[1]
        drawn, bare = (overlay(frame.image, view.view if view else None, each, wide, ())
                       for each in (look, replace(look, strange=())))
        self.rings.append(np.asarray((drawn != bare).any(axis=2)))
        return look


@dataclass(frozen=True)
class Table:
    """The table of an excerpt, with its pieces learned."""

    folder: Path
    pieces: PieceSet

    def __getitem__(self, n: int) -> Image:
        """Its picture number `n`."""
        return self._known.frame(n).image

    @cached_property
    def _known(self) -> PictureSet:
        return read_set(self.folder)

    @cached_property
    def cards(self) -> Arrangement:
        """Camera and cards at the beginning."""
        return find_cards(self[0], self._known.lens)

    def px(self, spot: str, frame: int = 0, by_mm: tuple[float, float] = (0.0, 0.0)) -> Pixel:
        """Where something stands in a frame, or so far beside it."""
        at = next(each["at"] for each in read_truth(self.folder)[frame]["pieces"] if each["spot"] == spot)
        x, y = np.rint(self.cards.view.project_at([np.add(at, by_mm)], 0.0)[0]).astype(int).tolist()
        return x, y

    def with_card_bumped(self, n: int, card: int = 2) -> Image:
        """Picture `n`, but for one of the cards, which lies a little aside."""
        at_mm = next(each.at_mm for each in self.cards.cards if each.card == card)
        x, y = (int(each) for each in self.cards.view.project_at([at_mm], 0.0)[0])
        return copied(self[n], self[n], (x, y), (x + 14, y - 10), 130)

    @cached_property
    def plies(self) -> list[Any]:
        """The actions that were played."""
        lines = (self.folder / "record.jsonl").read_text("utf-8").splitlines()[1:]
        return [json.loads(line)["action"] for line in lines]

    def told(self, images: Sequence[Image]) -> tuple[list[dict[str, Any]], list[Ring]]:
        """What is said of each of these pictures, one after the other, and what is ringed on each."""
        opened, known = opened_by(self.folder / "record.jsonl"), self._known
        layout = opened.game.layout(opened.setup)
        eyes = _Watched(Reader(known.lens, self.pieces, layout, known.zones, known.seats))
        frames = [Frame(each, make_small(each), EVERY_S * n, n) for n, each in enumerate(images)]
        lines: list[Any] = list(Chain(eyes, opened, WORDS).lines_of(frames))
        return [{key: line[key] for key in SHOWN} for line in lines[1:]], eyes.rings


def opened_table(name: str) -> Table:
    """The table of an excerpt."""
    known = read_set(DATA / name)
    opened = opened_by(DATA / name / "record.jsonl")
    return Table(DATA / name, enrol_set(known, opened.game.layout(opened.setup).kinds))


@dataclass(frozen=True)
class Story:
    """A table `before`, odd for two looks, put right, and what follows. Of the odd looks one says `says`; a question is
    "?", and what nobody need be told is empty. Something strange is ringed around `ring_px` at the last of them. In all
    so many `plies` are given out."""

    before: Sequence[Image]
    odd: Sequence[Image]
    after: Sequence[Image]
    plies: int
    says: str
    ring_px: Pixel | None = None


def check(table: Table, story: Story) -> None:
    """It is noticed within two looks, nothing wrong is given out, and two looks after it was put right all is well."""
    lines, rings = table.told([*story.before, *story.odd, *story.after])
    first, last = len(story.before), len(story.before) + len(story.odd)
    odd = lines[first:last]
    said = " ".join([*(sentence for line in odd for sentence in line["odd"]), *("?" for line in odd if line["asked"])])
    assert (story.says in said) if story.says else not said, lines
    rows, columns = np.nonzero(rings[last - 1])
    assert (len(rows) > 0) == (story.ring_px is not None)
    if story.ring_px is not None:
        assert np.hypot(columns.mean() - story.ring_px[0], rows.mean() - story.ring_px[1]) < RING_PX
    assert not [sentence for line in lines[:first] for sentence in line["odd"]], "false alarm"

    given: list[Any] = []
    for line in lines:
        del given[len(given) - line["taken_back"]:]
        given += [each["action"] for each in line["plies"]]
        assert [without_draws(each) for each in given] == [without_draws(each) for each in table.plies[: len(given)]]
    assert len(given) == story.plies, lines
    assert not lines[-1]["odd"], "all is well again"
    assert not lines[-1]["asked"]


def without_draws(action: Any) -> Any:
    """An action as it is known at the table: nobody sees what was drawn."""
    return {"type": "draw"} if action["type"] == "draw" else action
