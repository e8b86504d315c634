"""Game records: JSON Lines with a header, a line a ply, and the result once the game has ended.

    >>> from random import Random
    >>> from companion.engine.play import random_record
    >>> from companion.games import registry
    >>> a_game = registry.game(registry.ids()[0])
    >>> text = "".join(random_record(a_game, a_game.seats[0], Random(1), started="2000-01-01T12:00:00Z"))
    >>> checked = check(text, registry.game)
    >>> checked.text == text
    True
    >>> checked.result["reason"] in a_game.reasons
    True

A record that cannot be followed is an error with its line, ply, rule and words:

    >>> check(text.replace('"n": 3', '"n": 4', 1), registry.game)
    Traceback (most recent call last):
    companion.errors.RecordError: record.order(want=3, given=4)

Reading is strict: an unknown key in any object is an error, except keys beginning with `x-`, which come out again as
they went in. What is read is written in its exported spelling, with all options' defaults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from companion.engine import form, lines
from companion.engine.game import AnyGame
from companion.engine.values import CHANCE, Json, Over, Player, Ply
from companion.errors import IllegalError, InvalidError, RecordError, phrase
from companion.table import COLOURS

Lookup = Callable[[str, tuple[str, ...]], AnyGame]
"""Finds a game by its id, for a piece set of these colours; `companion.games.registry.game` is one."""

FORMAT: Final = "tabletop-record"
VERSION: Final = 1
SOURCES: Final = ("camera", "phone", "button", "import", "simulation")
ABANDONED: Final = "abandoned"

_RFC_3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A game as a header opens it. `header` is the first line in its exported spelling, `state` the start."""

    game: AnyGame
    header: Mapping[str, Json]
    options: Mapping[str, Json]
    setup: Json
    players: int
    state: Any


@dataclass(frozen=True, slots=True)
class Step:
    """A ply that was read and is about to be applied to `before`; `json` is its line in the exported spelling."""

    line: int
    n: int
    before: Any
    ply: Ply[Any]
    json: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a record: the last state, and the result if the game has ended."""

    state: Any
    result: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that holds. `plies` are its lines and `result` its result in their exported spelling."""

    opened: Opened
    plies: tuple[Mapping[str, Json], ...]
    state: Any
    result: Mapping[str, Json] | None
    result_line: Mapping[str, Json] | None

    @property
    def text(self) -> str:
        """The record as it is exported."""
        last = () if self.result_line is None else (self.result_line,)
        return "".join(map(lines.line, (self.opened.header, *self.plies, *last)))


# --- whole records ----------------------------------------------------------------------------------------------------


def follow(text: str | Iterable[str], lookup: Lookup) -> Iterator[Opened | Step | Closed]:
    """The header, then each ply just before it is applied, then the end; raises `RecordError` where it cannot go on."""
    numbered = enumerate(lines.split(text), 1)
    number, line = next(numbered, (1, None))
    with _errors_at(number):
        if line is None:
            raise InvalidError(phrase("record.empty"))
        opened = read_header(lines.parse(line), lookup)
    yield opened
    game, state = opened.game, opened.state
    for number, line in numbered:
        n = number - 1
        with _errors_at(number):
            given = form.mapping(lines.parse(line), "line")
            result = read_result(given, game, state) if "result" in given else None
        if result is not None:
            for after, _ in numbered:
                raise RecordError(after, phrase("record.after_result"))
            yield Closed(state, result)
            return
        with _errors_at(number, n):
            ply, json = read_ply_line(given, game, n)
        yield Step(number, n, state, ply, json)
        with _errors_at(number, n):
            state = game.apply(state, ply)
    if isinstance(ended := game.turn(state), Over):
        raise RecordError(number + 1, phrase("record.no_result", reason=ended.reason))
    yield Closed(state, None)


def check(text: str | Iterable[str], lookup: Lookup) -> Checked:
    """The whole record, if every line of it holds; raises `RecordError`."""
    opened: Opened | None = None
    closed: Closed | None = None
    plies: list[Mapping[str, Json]] = []
    for each in follow(text, lookup):
        match each:
            case Opened():
                opened = each
            case Step():
                plies.append(each.json)
            case Closed():
                closed = each
    assert opened is not None
    assert closed is not None
    result = None if closed.result is None else closed.result["result"]
    return Checked(opened, tuple(plies), closed.state, result, closed.result)


def legal(text: str | Iterable[str], lookup: Lookup) -> Iterator[Json]:
    """For each ply, all that its player could have played: `{"n", "player", "legal"}`; raises `RecordError`."""
    game: AnyGame | None = None
    for each in follow(text, lookup):
        if isinstance(each, Opened):
            game = each.game
        elif isinstance(each, Step) and game is not None:
            player = each.ply.player
            actions = [game.write_action(ply.action) for ply in game.legal(each.before) if ply.player == player]
            yield {"n": each.n, "player": player, "legal": actions}


# --- lines, read ------------------------------------------------------------------------------------------------------


def read_header(given: Json, lookup: Lookup) -> Opened:
    """Opens a game from the first line of a record; raises `InvalidError` or `IllegalError`."""
    needed = ("format", "version", "game", "players", "setup", "started")
    found = form.fields(given, "header", needed, ("options", "colours"))
    form.one_of(found["format"], "format", (FORMAT,))
    form.whole(found["version"], "version", VERSION, VERSION)
    colours = _colours(found["colours"]) if "colours" in found else COLOURS
    game = lookup(form.text(found["game"], "game"), colours)
    names = [_name(each, f"players[{seat}]") for seat, each in enumerate(form.items(found["players"], "players"))]
    if len(names) not in game.seats:
        raise InvalidError(phrase("record.players", game=game.id, given=len(names), seats=game.seats))
    options = game.read_options(lines.without_notes(form.mapping(found.get("options", {}), "options")), len(names))
    setup = game.read_setup(lines.without_notes(found["setup"]), options, len(names))
    header = write_header(
        game, names, options, setup, _time(found["started"], "started"), colours if "colours" in found else None
    )
    state = game.start(setup, options, len(names))
    return Opened(game, lines.with_notes(header, given), options, setup, len(names), state)


def read_ply(given: Json, game: AnyGame, where: str = "line") -> Ply[Any]:
    """The ply of an object with `player` and `action` (and whatever else); raises `InvalidError`."""
    found = form.mapping(given, where)
    for key in ("player", "action"):
        if key not in found:
            raise InvalidError(phrase("json.missing_key", where=where, key=f'"{key}"'))
    return Ply(_player(found["player"]), game.read_action(lines.without_notes(found["action"])))


def read_ply_line(given: Json, game: AnyGame, n: int) -> tuple[Ply[Any], dict[str, Json]]:
    """The ply of a record's line number `n`, and the line in its exported spelling; raises `InvalidError`."""
    found = form.fields(given, "line", ("n", "player", "action"), ("at", "source", "confidence"))
    if form.whole(found["n"], "n") != n:
        raise InvalidError(phrase("record.order", want=n, given=form.brief(found["n"])))
    ply = read_ply(found, game)
    written: dict[str, Json] = {"n": n, "player": ply.player, "action": game.write_action(ply.action)}
    if "at" in found:
        written["at"] = _time(found["at"], "at")
    if "source" in found:
        written["source"] = form.one_of(found["source"], "source", SOURCES)
    if "confidence" in found:
        written["confidence"] = form.number(found["confidence"], "confidence", 0, 1, phrase("json.share"))
    return ply, lines.with_notes(written, given)


def read_result(given: Json, game: AnyGame, state: Any) -> dict[str, Json]:
    """A record's last line in its exported spelling; raises `InvalidError` when it disagrees with the state."""
    told = form.fields(given, "line", ("result",))["result"]
    found = form.fields(told, "result", ("scores", "winners", "reason"))
    scores, winners = (_wholes(found[key], f"result.{key}") for key in ("scores", "winners"))
    reason = form.one_of(found["reason"], "result.reason", (*game.reasons, ABANDONED))
    turn = game.turn(state)
    if not isinstance(turn, Over) and reason != ABANDONED:
        raise InvalidError(phrase("record.not_over", given=reason))
    right = write_result(game, state)["result"]
    for key, told_value in (("reason", reason), ("scores", scores), ("winners", sorted(winners))):
        if told_value != right[key]:
            raise InvalidError(phrase("record.disagrees", key=key, given=f"{told_value}", right=f"{right[key]}"))
    return dict(lines.with_notes({"result": right}, given))


# --- lines, written ---------------------------------------------------------------------------------------------------


def write_header(
    game: AnyGame,
    names: Iterable[str],
    options: Mapping[str, Json],
    setup: Json,
    started: str,
    colours: Iterable[str] | None = None,
) -> dict[str, Json]:
    """The first line of a record. `started` is an RFC 3339 time, `colours` those of a piece set of the players' own."""
    header = {
        "format": FORMAT, "version": VERSION, "game": game.id, "options": dict(options),
        "players": [{"name": name} for name in names], "setup": setup, "started": started,
    }  # fmt: skip
    return header if colours is None else header | {"colours": list(colours)}


def write_ply(game: AnyGame, n: int, ply: Ply[Any], **also: Json) -> dict[str, Json]:
    """The line of ply number `n`; `also` are `at`, `source` and `confidence`."""
    return {"n": n, "player": ply.player, "action": game.write_action(ply.action), **also}


def write_result(game: AnyGame, state: Any) -> dict[str, Json]:
    """The last line: how the game ended, or that it was abandoned as it stands."""
    turn = game.turn(state)
    winners, reason = (sorted(turn.winners), turn.reason) if isinstance(turn, Over) else ([], ABANDONED)
    return {"result": {"scores": list(game.scores(state)), "winners": winners, "reason": reason}}


# --- small things -----------------------------------------------------------------------------------------------------


@contextmanager
def _errors_at(line: int, n: int | None = None) -> Iterator[None]:
    """Says in which line, and at which ply, a mistake was found."""
    try:
        yield
    except IllegalError as error:
        raise RecordError(line, error.phrase, n=n, rule=error.rule) from error
    except InvalidError as error:
        raise RecordError(line, error.phrase, n=n) from error


def _player(given: Json) -> Player:
    return CHANCE if given == CHANCE else form.whole(given, "player", least=0)


def _name(given: Json, where: str) -> str:
    return form.text(form.fields(given, where, ("name",))["name"], f"{where}.name")


def _wholes(given: Json, where: str) -> list[int]:
    return [form.whole(each, f"{where}[{index}]") for index, each in enumerate(form.items(given, where))]


def _colours(given: Json) -> tuple[str, ...]:
    """The piece set's six colours."""
    found = [form.text(each, f"colours[{i}]") for i, each in enumerate(form.items(given, "colours", len(COLOURS)))]
    for index, each in enumerate(found):
        if not each or "/" in each:
            form.wrong(phrase("json.colour_name"), each, f"colours[{index}]")
    return tuple(form.distinct(found, "colours"))


def _time(given: Json, where: str) -> str:
    """An RFC 3339 time, as it stands."""
    shown = form.text(given, where)
    try:
        datetime.fromisoformat(shown.upper())
    except ValueError:
        form.wrong(phrase("json.time"), given, where)
    return shown if _RFC_3339.fullmatch(shown) else form.wrong(phrase("json.time"), given, where)
