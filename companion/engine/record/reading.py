"""Whole records: followed ply by ply, checked, and with all that was legal on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.engine import lines, form
from companion.engine.game import AnyGame
from companion.engine.record.header import GameLookup, OpenedGame, read_header
from companion.engine.record.plies import read_ply_line
from companion.engine.record.result import read_result
from companion.engine.values import Json, Over, Ply
from companion.errors import IllegalError, InvalidError, RecordError, phrase


@dataclass(frozen=True, slots=True)
class RecordStep:
    """A ply that was read and is about to be applied to `before`; `json` is its line in the exported spelling."""

    line: int
    n: int
    before: Any
    ply: Ply[Any]
    json: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class RecordEnd:
    """The end of a record: the last state, and the result if the game has ended."""

    state: Any
    result: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """A record that holds. `plies` are its lines and `result` its result in their exported spelling."""

    opened: OpenedGame
    plies: tuple[Mapping[str, Json], ...]
    state: Any
    result: Mapping[str, Json] | None
    result_line: Mapping[str, Json] | None

    @property
    def text(self) -> str:
        """The record as it is exported."""
        last = () if self.result_line is None else (self.result_line,)
        return "".join(map(lines.line, (self.opened.header, *self.plies, *last)))


def replay(text: str | Iterable[str], lookup: GameLookup) -> Iterator[OpenedGame | RecordStep | RecordEnd]:
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
            yield RecordEnd(state, result)
            return
        with _errors_at(number, n):
            ply, json = read_ply_line(given, game, n)
        yield RecordStep(number, n, state, ply, json)
        with _errors_at(number, n):
            state = game.apply(state, ply)
    if isinstance(ended := game.turn(state), Over):
        raise RecordError(number + 1, phrase("record.no_result", reason=ended.reason))
    yield RecordEnd(state, None)


def check(text: str | Iterable[str], lookup: GameLookup) -> CheckedRecord:
    """The whole record, if every line of it holds; raises `RecordError`."""
    opened: OpenedGame | None = None
    closed: RecordEnd | None = None
    plies: list[Mapping[str, Json]] = []
    for each in replay(text, lookup):
        match each:
            case OpenedGame():
                opened = each
            case RecordStep():
                plies.append(each.json)
            case RecordEnd():
                closed = each
    assert opened is not None
    assert closed is not None
    result = None if closed.result is None else closed.result["result"]
    return CheckedRecord(opened, tuple(plies), closed.state, result, closed.result)


def legal(text: str | Iterable[str], lookup: GameLookup) -> Iterator[Json]:
    """For each ply, all that its player could have played: `{"n", "player", "legal"}`; raises `RecordError`."""
    game: AnyGame | None = None
    for each in replay(text, lookup):
        if isinstance(each, OpenedGame):
            game = each.game
        elif isinstance(each, RecordStep) and game is not None:
            player = each.ply.player
            actions = [game.write_action(ply.action) for ply in game.legal(each.before) if ply.player == player]
            yield {"n": each.n, "player": player, "legal": actions}


@contextmanager
def _errors_at(line: int, n: int | None = None) -> Iterator[None]:
    """Says in which line, and at which ply, a mistake was found."""
    try:
        yield
    except IllegalError as error:
        raise RecordError(line, error.phrase, n=n, rule=error.rule) from error
    except InvalidError as error:
        raise RecordError(line, error.phrase, n=n) from error
