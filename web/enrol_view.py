"""What the page of enrolment shows, in words and drawings."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from companion.errors import Phrase, phrase
from companion.session.enrolment import EnrolmentShown, ThingToLay
from companion.words import Words
from web.draw.laying import draw_laying, draw_things, piece_icon

MANY = 5
"""So many things that are missing are told one by one; all are marked in the drawing and in the rows."""
ROW_MM = 10.0
"""Things lie in one row if they are no farther to the front than this."""
TURNED_DEG = 8
"""A thing that is turned by less lies as it is drawn."""


@dataclass(frozen=True, slots=True)
class LaidRow:
    """The things of a row, left to right, in words: `head` says which row, each with its icon, number and name."""

    head: str
    cells: tuple[LaidCell, ...]


@dataclass(frozen=True, slots=True)
class LaidCell:
    """A thing: `where` says how far to the right it lies, and how it is turned."""

    icon: Markup
    number: str
    name: str
    where: str
    is_lacking: bool = False


class EnrolView:
    """How far an enrolment is, for people."""

    def __init__(self, shown: EnrolmentShown, words: Words) -> None:
        self.shown, self._words = shown, words.of(shown.game)

    @property
    def game(self) -> str:
        """The game's name."""
        return self.name(self.shown.game)

    @property
    def asked(self) -> str:
        """What is to be done with the pieces for this picture."""
        return self._words.sentence(phrase(f"enrol.lay.{self.shown.laying.what}"))

    @property
    def stamp(self) -> str:
        """Changes when the page is another; what it sees meanwhile, and how much is learned, are not of it."""
        shown = self.shown
        told = (shown.stage, shown.name, shown.number, shown.count, shown.taken, shown.laying.what,
                len(shown.laying.things), self.lacks, shown.is_taking, str(shown.trouble))
        return f"{zlib.crc32(repr(told).encode()):08x}"

    @property
    def lacks(self) -> tuple[str, ...]:
        """What does not lie where it should, a sentence each; of many the first."""
        said = [self._words.sentence(lack.said) for lack in self.shown.lacks[:MANY]]
        more = len(self.shown.lacks) - MANY
        return (*said, self._words.say(phrase("web.enrol.more", count=more))) if more > 0 else tuple(said)

    @property
    def seen(self) -> str:
        """What the camera sees, as far as it matters for taking a picture."""
        shown = self.shown
        if shown.why is not None:
            return self._words.sentence(shown.why)
        if shown.stage == "opening":
            return self._words.say(phrase("web.enrol.opening"))
        if shown.stage != "laying":
            return ""
        if shown.is_taking:
            return self._words.say(phrase("web.enrol.is_taking"))
        if not shown.is_checked:
            return self._words.say(phrase("web.enrol.looks"))
        if shown.lacks:
            return self._words.say(phrase("web.enrol.lacks", count=len(shown.lacks)))
        return self._words.say(phrase("web.enrol.bare" if shown.laying.what == "bare" else "web.enrol.all_there"))

    @property
    def state(self) -> str:
        """The same as a state of the eyes: what colour its dot has."""
        shown = self.shown
        if shown.why is not None:
            return "cards"
        return "hand" if shown.stage == "opening" or not shown.is_checked else "cards" if shown.lacks else "free"

    @property
    def trouble(self) -> str:
        """What went wrong last; empty when nothing did."""
        return "" if self.shown.trouble is None else self._words.sentence(self.shown.trouble)

    @property
    def drawing(self) -> Markup:
        """The table with everything in its place."""
        lacking = {lack.number for lack in self.shown.lacks}
        return draw_laying(self.shown.laying, self.shown.kinds, lacking, self._words.say(phrase("web.enrol.drawing")))

    @property
    def detail(self) -> Markup | None:
        """The middle of the table alone, where the things lie close together."""
        lacking = {lack.number for lack in self.shown.lacks}
        title = self._words.say(phrase("web.enrol.detail"))
        return draw_things(self.shown.laying, self.shown.kinds, lacking, title)

    @property
    def rows(self) -> tuple[LaidRow, ...]:
        """What to lay, row by row from the back, then what stands in each crate."""
        things = self.shown.laying.things
        outer = sorted((each for each in things if not each.is_inside), key=lambda each: -each.at_mm[1])
        found = [self._row(phrase("web.enrol.row", y=round(row[0].at_mm[1])), row) for row in _rows_of(outer)]
        inside = [each for each in things if each.is_inside]
        return (*found, *(self._row(phrase("web.enrol.inside", number=number), list(row), is_inside=True)
                          for number, row in groupby(inside, key=lambda each: each.number)))

    def name(self, word: str) -> str:
        """A name as players say it, with a capital."""
        return self._words.sentence(phrase("web.name", what=word))

    def _row(self, head: Phrase, things: Sequence[ThingToLay], is_inside: bool = False) -> LaidRow:
        return LaidRow(self._words.sentence(head), tuple(self._cells(things, is_inside)))

    def _cells(self, things: Sequence[ThingToLay], is_inside: bool) -> Iterator[LaidCell]:
        lacking = {lack.number for lack in self.shown.lacks}
        for each in things if is_inside else sorted(things, key=lambda each: each.at_mm[0]):
            turn = round(each.turn_deg) % 360
            is_turned = not is_inside and TURNED_DEG <= turn <= 360 - TURNED_DEG
            where = "" if is_inside else self._words.say(
                phrase("web.enrol.turned" if is_turned else "web.enrol.at", x=round(each.at_mm[0]), turn=turn))
            yield LaidCell(piece_icon(each, self.shown.kinds), "" if is_inside else str(each.number),
                           self.name(each.appearance), where, each.number in lacking and not is_inside)

    @property
    def alike(self) -> tuple[AlikePair, ...]:
        """The pieces that are most easily taken for one another."""
        return tuple(AlikePair(self._words.sentence(each.said), each.is_good, tuple(
            zip((f"/enrol/{name}.jpg" for name in each.pictures), map(self.name, (each.one, each.other)))))
            for each in self.shown.alike)


def _rows_of(things: Sequence[ThingToLay]) -> list[list[ThingToLay]]:
    """Things from the back to the front, in rows: each begins well in front of the one before."""
    rows: list[list[ThingToLay]] = []
    for each in things:
        if not rows or rows[-1][0].at_mm[1] - each.at_mm[1] > ROW_MM:
            rows.append([])
        rows[-1].append(each)
    return rows


@dataclass(frozen=True, slots=True)
class AlikePair:
    """Two pieces in a sentence, and the address and name of the picture of each."""

    said: str
    is_good: bool
    pictures: tuple[tuple[str, str], ...]
