"""The record of a game. What is hidden while it can go on is left out, but for the owner of the machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from companion.engine import Ply, record
from companion.engine.positions import is_position
from companion.session.state import Match, State

RESULT_ALONE: Final = "x-result-alone"
"""The note in a header that the plies are left out: they do not tell how the table came to stand as it did."""


def record_lines(state: State) -> tuple[dict[str, Any], ...]:
    """The record of the game now: header, plies, and the result once it has ended.

    Until its rules have ended a game, what set-up and plies hide (a blind game's colours, coins spent face down) is
    left out, whoever asks: one that people ended can be gone on with. A game in which a position was put right has no
    plies here.
    """
    match = state.match
    if match is not None and not is_record(match):
        return _result_alone(match, _header(match))
    return () if match is None else _lines(match, _header(match), [open_ply(match, made.ply) for made in match.made])


def whole_record(match: Match) -> tuple[dict[str, Any], ...]:
    """The record with nothing left out, also while the game is on: for the owner of the machine."""
    if not is_record(match):
        return _result_alone(match, dict(match.opened.header))
    return _lines(match, dict(match.opened.header), [made.ply for made in match.made])


def is_record(match: Match) -> bool:
    """Whether its plies lead from its set-up to where it stands: no position was put right."""
    return not any(is_position(made.ply) for made in match.made)


def _result_alone(match: Match, header: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """The header, which says so, and the result."""
    return _lines(match, {**header, RESULT_ALONE: True}, ())


def _lines(match: Match, header: dict[str, Any], plies: Iterable[Ply[Any]]) -> tuple[dict[str, Any], ...]:
    written = [
        record.write_ply(match.game, n, ply, **_noted(
            at=made.event.at, source=made.event.source, confidence=made.event.confidence))
        for n, (ply, made) in enumerate(zip(plies, match.made), 1)
    ]  # fmt: skip
    result = () if match.result is None else ({"result": dict(match.result)},)
    return (header, *written, *result)


def _header(match: Match) -> dict[str, Any]:
    header, opened = dict(match.opened.header), match.opened
    if not _is_over(match) and (setup := match.game.open_setup(opened.setup, opened.options, "room")) != opened.setup:
        header["setup"] = setup
    return header


def open_ply(match: Match, ply: Ply[Any]) -> Ply[Any]:
    """A ply as everybody may know it: while the game can go on, without what its player alone saw."""
    return ply if _is_over(match) else match.seen(ply)


def _is_over(match: Match) -> bool:
    """Whether its rules have ended it."""
    return match.result is not None and not match.abandoned


def _noted(**notes: Any) -> dict[str, Any]:
    return {key: value for key, value in notes.items() if value is not None}
