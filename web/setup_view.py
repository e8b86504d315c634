"""A set-up that is being read, as plain values for the templates: what was read, and what a person has to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion.engine import SetupPath
from companion.errors import PhraseArg, phrase
from companion.table.spot_words import spot_phrase
from companion.session.snapshot import DraftShown, PartShown, Snapshot
from companion.table import SHAPES, shape_of
from companion.words import Words
from web.draw import paint_of
from web.draw.svg import tag

FEW = 4
"""Up to this many choices are large buttons; more stand closer together."""


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """A button: what it says, with a picture where there is one, and the value that it sends."""

    text: str
    icon: Markup
    value: Any


@dataclass(frozen=True, slots=True)
class SetupPart:
    """Something that was read or said, and its path in the set-up."""

    text: str
    path: SetupPath


class DraftView:
    """What the pages show of a set-up."""

    def __init__(self, shown: Snapshot, words: Words) -> None:
        assert shown.draft is not None
        self.shown: DraftShown = shown.draft
        self._players, self._words = shown.players, words

    @property
    def stage(self) -> str:
        """The phrase that says how far the set-up is."""
        if not self.shown.is_read:
            return "web.setup_view.look"
        if self.shown.open:
            return "web.setup_view.ask"
        if self.shown.waiting:
            return "web.setup_view.wait"
        return "web.setup_view.wrong" if self.shown.why_not else "web.setup_view.ready"

    @property
    def question(self) -> PartShown | None:
        """What is asked now."""
        return self.shown.open[0] if self.shown.open else None

    @property
    def asked(self) -> str:
        """The question in words."""
        part = self.question
        if part is None:
            return ""
        if part.spot is None:
            return self._words.sentence(phrase("web.setup_view.who", what=str(part.path[-1])))
        where = spot_phrase(part.spot)
        if where.id not in self._words:
            return self._words.say(phrase("web.setup_view.which_one"))
        several = len(part.things) > 1
        return self._words.say(phrase("web.setup_view.which_of" if several else "web.setup_view.which", where=where))

    @property
    def choices(self) -> list[SetupChoice]:
        """The answers."""
        part = self.question
        return [] if part is None else [
            SetupChoice(self._name(part.spot, value), icon_of(value), value) for value in part.choices]

    @property
    def kind(self) -> str:
        """The CSS class of the buttons."""
        return "few" if len(self.choices) <= FEW else "many"

    @property
    def unsure(self) -> set[str]:
        """Spots and pieces that are open: they are animated on the board."""
        return {part.spot for part in self.shown.open if part.spot is not None and ":" in part.spot}

    @property
    def parts(self) -> list[SetupPart]:
        """All that was read, to be put right one by one."""
        return [SetupPart(self._part(path, value), path) for path, value in self.shown.parts
                if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))]

    def _part(self, path: SetupPath, value: Any) -> str:
        where = " ".join(str(key + 1) if isinstance(key, int) else str(key) for key in path)
        return self._words.sentence(phrase("web.setup_view.part", where=where.replace("_", " "), what=self._arg(value)))

    def _name(self, spot: str | None, value: Any) -> str:
        """A value as players say it. A number that no piece shows is a seat."""
        if spot is None and isinstance(value, int):
            return next((each.name for each in self._players if each.seat == value), str(value))
        return self._words.sentence(phrase("web.name", what=self._arg(value)))

    def _arg(self, value: Any) -> PhraseArg:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(self._arg(each) for each in value)
        return value if isinstance(value, (str, int)) else str(value)


def icon_of(value: Any) -> Markup:
    """A drink as it is drawn, a colour as a disc; anything else has its name alone."""
    if not isinstance(value, str) or shape_of(value) not in SHAPES:
        return Markup()
    drawn = tag("use", href=f"#p-{shape_of(value)}", color=paint_of(value.partition("/")[0]))
    return tag("svg", drawn, class_="icon", viewBox="-8 -13 16 21", aria_hidden="true")
