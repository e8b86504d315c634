"""A game about to begin: the set-up as the table shows it, and what people say of the parts that it does not tell.

    draft = begin_draft(header, library)
    draft = replace(draft, read=interpreter.setup_seen(…))       # each free look
    draft.open                                                    # what a person has to say
    draft.setup                                                   # whole, once nothing is open
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, Protocol

from companion.engine import AnyGame, Json, Observer, OpenPart, Recognising, Seat, SetupPath, form, record
from companion.engine.recognise import filled, leaves
from companion.errors import CompanionError, IllegalError, InvalidError, phrase
from companion.session.hidden_parts import HiddenParts, hidden_parts
from companion.session.seen_things import SeenThing, marked
from companion.table import COLOURS, Layout, Observation, Point, Spot


class SetupReader(Protocol):
    """What reads a set-up."""

    def setup_seen(
        self, observation: Observation, options: Mapping[str, Json], players: int,
        told: Sequence[tuple[Spot, Json]] = (),
    ) -> Json:
        """The set-up as a look shows it, null for what it cannot tell; `told` is what people said of some spots."""


KNOWN_SHARE = 0.5
"""A set-up that was entered is taken for what stands on the table if more of it is seen, and nothing else."""

MakeSetupReader = Callable[[AnyGame, Layout], Any]
"""Gives what reads a game's table."""


@dataclass(frozen=True)
class SetupDraft:
    """A set-up in the making. `header` is as it was given: of its `setup` only what no picture shows is taken, unless
    it is whole and what is seen agrees with it.

    `read` is the set-up as last read (None: not yet), `said` what people said of its parts, in order; None opens a part
    that was misread. `any_setup` is a whole one of this form. `things` are those that were last seen, by spot, and
    `look` is what the set-up was read from.
    """

    number: int
    header: Mapping[str, Json]
    game: AnyGame
    options: Mapping[str, Json]
    players: int
    interpreter: SetupReader
    layout: Layout
    any_setup: Json
    read: Json = None
    said: tuple[tuple[SetupPath, Json], ...] = ()
    things: Mapping[Spot, tuple[SeenThing, ...]] = field(default_factory=dict, compare=False)
    look: Observation | None = field(default=None, compare=False)
    key: str = ""
    """Names the game that comes of it among all that ever were."""

    @cached_property
    def entered(self) -> Json:
        """The set-up of the header, if it is a whole one."""
        with suppress(CompanionError):
            return self.game.read_setup(self.header.get("setup"), self.options, self.players)
        return None

    @cached_property
    def hidden(self) -> HiddenParts:
        """The parts that one seat alone may see."""
        return hidden_parts(self.game, self.any_setup, self.options, self.players)

    @cached_property
    def made(self) -> Json:
        """The set-up as read and as people said, with what follows from it: single choices, and what no picture shows
        from the header. What one seat alone sees follows from what that seat may know."""
        setup = self._made_in_the_open
        for seat in self.hidden.seats:
            setup = self.hidden.with_own(setup, self.made_for(seat), seat)
        return setup

    def made_for(self, observer: Observer) -> Json:
        """The same as this observer may know it."""
        setup = self._made_in_the_open
        if observer not in self.hidden.seats:
            return setup
        return self._followed(self.hidden.with_own(setup, self._said_so_far, observer), observer)

    @cached_property
    def _made_in_the_open(self) -> Json:
        return self._followed(self.hidden.veiled(self._said_so_far, "room"), None)

    @cached_property
    def _said_so_far(self) -> Json:
        setup = self.read
        for path, value in self.said if setup is not None else ():
            setup = filled(setup, path, value)
        return setup

    def _followed(self, setup: Json, owner: Observer | None) -> Json:
        """The set-up with what follows for the parts of this owner (None: those that everybody sees)."""
        said_paths = {path for path, _ in self.said}
        known = self._known if owner is None else {}
        while sure := [
            (part.path, value) for part in self._left_to(owner, setup)
            for value in self._follows(part, said_paths) or self._fits(part, setup, known, said_paths)
        ]:
            setup = filled(setup, *sure[0])
        return setup

    def _left_to(self, owner: Observer | None, setup: Json) -> tuple[OpenPart, ...]:
        parts = () if setup is None else parts_left_open(self.game, setup)
        return tuple(part for part in parts if self.hidden.owner(part.path) == owner)

    def _follows(self, part: OpenPart, said_paths: set[SetupPath]) -> tuple[Json, ...]:
        if len(part.choices) == 1:
            return part.choices
        known = at(self.header.get("setup"), part.path) if part.spot is None and part.path not in said_paths else None
        return (known,) if known in part.choices else ()

    @cached_property
    def _known(self) -> Mapping[SetupPath, Json]:
        """The parts that a set-up has which was entered whole, if most of it is seen and agrees; else those that the
        look shows once all is decided anew with what people said of some spots."""
        if self.entered is not None:
            entered, seen = self._parts(self.entered), self._parts(self.read) if self.read is not None else {}
            if seen.items() <= entered.items() and len(seen) > KNOWN_SHARE * len(entered) and not self.said:
                return entered
        told = self._told
        if self.look is None or not told:
            return {}
        again = self.interpreter.setup_seen(self.look, self.options, self.players, told)
        return {} if again is None else self._parts(again)

    @property
    def _told(self) -> list[tuple[Spot, Json]]:
        """What people said in the open of spots of the table."""
        told, setup = [], self.read
        for path, value in dict(self.said).items() if setup is not None else ():
            if value is not None and self.hidden.owner(path) is None:
                left = parts_left_open(self.game, filled(setup, path, None))
                told += [(part.spot, value) for part in left if part.path == path and part.spot is not None]
        return told

    def _fits(
        self, part: OpenPart, setup: Json, known: Mapping[SetupPath, Json], said_paths: set[SetupPath]
    ) -> tuple[Json, ...]:
        """The value of an open part that makes the set-up more like what is known of it."""
        if not known or part.path in said_paths:
            return ()
        had = self._parts(setup).items()
        made = ((value, self._parts(filled(setup, part.path, value)).items() - had) for value in part.choices)
        return next(((value,) for value, more in made if more and more <= known.items()), ())

    @cached_property
    def open(self) -> tuple[OpenPart, ...]:
        """What a person has to say, what may be most first and so settles most, with what agrees with the header's
        set-up as the first choice. The choices of a part that one seat alone sees are those that it may think of."""
        made: list[tuple[Seat | None, Json]] = [(None, self._made_in_the_open)]
        made += [(seat, self.made_for(seat)) for seat in self.hidden.seats]
        parts = [
            replace(part, choices=self._ordered(part, setup))
            for owner, setup in made for part in self._left_to(owner, setup)]
        return tuple(sorted(parts, key=lambda part: (part.spot is None, -len(part.choices))))

    def open_to(self, observer: Observer) -> tuple[OpenPart, ...]:
        """What this observer is asked."""
        return tuple(part for part in self.open if self.hidden.sees(observer, part.path))

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have still to say what they alone see."""
        owners = {self.hidden.owner(part.path) for part in self.open}
        return tuple(seat for seat in self.hidden.seats if seat in owners)

    def _ordered(self, part: OpenPart, made: Json) -> tuple[Json, ...]:
        if self.entered is None:
            return part.choices
        whole = self._parts(self.entered).items()
        fits = [value for value in part.choices if self._parts(filled(made, part.path, value)).items() <= whole]
        return (*fits, *(value for value in part.choices if value not in fits)) if fits else part.choices

    def things_for(self, part: OpenPart) -> tuple[tuple[Point, bool], ...]:
        """Where things lie at the spot of an open part, and whether it is clear that it is not what is asked about. No
        picture is shown of what one seat alone sees."""
        if self.hidden.owner(part.path) is not None:
            return ()
        return marked(self.things.get(part.spot or "", ()), part.choices)

    @cached_property
    def agrees(self) -> bool:
        """Whether the header has a whole set-up, and all that is seen or said in the open agrees with it."""
        return self._agrees(self._made_in_the_open)

    def _agrees(self, made: Json) -> bool:
        if made is None or self.entered is None:
            return False
        return self._parts(made).items() <= self._parts(self.entered).items()

    @cached_property
    def setup(self) -> Json:
        """The whole set-up; None while something is open, or while what was said cannot be."""
        if self.made is None or self.open:
            return None
        with suppress(CompanionError):
            whole = self.game.read_setup(self.made, self.options, self.players)
            return self.entered if self._agrees(self.made) and self._unseen_agree(whole) else whole
        return None

    @cached_property
    def why_not(self) -> IllegalError | None:
        """The rule that what was read and said breaks. Of what only seats see nothing is told but that it cannot be."""
        if self.made is None or self.open:
            return None
        in_the_open = self._forbidden(self._guessed("room"))
        error = self._forbidden(self.made)
        if error is not None and in_the_open is None and self.hidden.seats:
            return IllegalError(error.rule, phrase("session.hidden_together"))
        return in_the_open or error

    def _forbidden(self, setup: Json) -> IllegalError | None:
        try:
            self.game.read_setup(setup, self.options, self.players)
        except IllegalError as error:
            return error
        except CompanionError:
            return None
        return None

    def shown(self, observer: Observer) -> Json:
        """A whole set-up to draw: open parts, and those that the observer does not see, as the first choices have them;
        None where there is none."""
        setup = self._guessed(observer)
        with suppress(CompanionError):
            return None if setup is None else self.game.read_setup(setup, self.options, self.players)
        return None

    def _guessed(self, observer: Observer) -> Json:
        setup = self.made_for(observer)
        asked = {part.path: part.choices for part in self.open_to(observer)}
        while setup is not None and (parts := parts_left_open(self.game, setup)):
            first = asked.get(parts[0].path, ())
            values = [value for value in (*first, *parts[0].choices) if value in parts[0].choices]
            if not values:
                return None
            setup = filled(setup, parts[0].path, values[0])
        return setup

    def _parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        return self.game.setup_parts(setup) if isinstance(self.game, Recognising) else {}

    def _unseen_agree(self, whole: Json) -> bool:
        """Whether what people said of what no picture shows is also what the header says."""
        return all(at(self.entered, path) == at(whole, path) for path, _ in leaves(whole) if len(path) == 1)


def begin_draft(
    number: int, header: Mapping[str, Json], lookup: record.GameLookup, reading: MakeSetupReader, key: str = "",
) -> SetupDraft:
    """A set-up begins to be read. Raises `InvalidError` or `IllegalError` for a header that opens no game.

    What a table hides is known to nobody but who holds it, so that such a game is kept as a referee knows it. Until the
    set-up is known, the table is looked at as the header's or any other set-up lays it out.
    """
    form_of_record = {"format": record.RECORD_FORMAT, "version": record.RECORD_VERSION}
    given = {**form_of_record, "started": "2000-01-01T00:00:00Z", **header}
    game = lookup(form.text(header.get("game"), "game"), tuple(header.get("colours", COLOURS)))
    players = len(form.items(header.get("players"), "players"))
    if players not in game.seats:
        raise InvalidError(phrase("record.players", game=game.id, given=players, seats=game.seats))
    options = game.at_table(game.read_options(form.mapping(header.get("options", {}), "options"), players))
    try:
        setup = game.read_setup(header.get("setup"), options, players)
    except CompanionError:
        setup = game.deal(players, options, Random(0))
    opened = record.read_header({**given, "options": options, "setup": setup}, lookup)
    layout = opened.game.layout(opened.setup)
    kept = {key: value for key, value in opened.header.items() if key not in ("started", "setup")}
    if "setup" in header:
        kept["setup"] = header["setup"]
    interpreter = reading(opened.game, layout)
    return SetupDraft(number, kept, opened.game, opened.options, players, interpreter, layout, opened.setup, key=key)


def at(setup: Json, path: SetupPath) -> Json:
    """The value at a path; None where there is none."""
    for key in path:
        if isinstance(setup, Mapping):
            setup = setup.get(key)
        elif isinstance(setup, list) and isinstance(key, int) and key < len(setup):
            setup = setup[key]
        else:
            return None
    return setup


def parts_left_open(game: AnyGame, setup: Json) -> tuple[OpenPart, ...]:
    """What is null in the set-up, with the values that are left for it."""
    return tuple(game.setup_open(setup)) if isinstance(game, Recognising) else ()


def recognises(game: AnyGame) -> bool:
    """Whether a table can show this game's set-up."""
    return isinstance(game, Recognising)

