"""The last line of a record: how the game ended."""

from __future__ import annotations

from typing import Any, Final

from companion.engine import form, lines
from companion.engine.game import AnyGame
from companion.engine.values import Json, Over
from companion.errors import InvalidError, phrase

ABANDONED: Final = "abandoned"
"""The reason that may end any unfinished record."""


def read_result(given: Json, game: AnyGame, state: Any) -> dict[str, Json]:
    """A record's last line in its exported spelling; raises `InvalidError` when it disagrees with the state."""
    claimed = form.fields(given, "line", ("result",))["result"]
    found = form.fields(claimed, "result", ("scores", "winners", "reason"))
    scores, winners = (_wholes(found[key], f"result.{key}") for key in ("scores", "winners"))
    reason = form.one_of(found["reason"], "result.reason", (*game.reasons, ABANDONED))
    turn = game.turn(state)
    if not isinstance(turn, Over) and reason != ABANDONED:
        raise InvalidError(phrase("record.not_over", given=reason))
    right = write_result(game, state)["result"]
    for key, claim in (("reason", reason), ("scores", scores), ("winners", sorted(winners))):
        if claim != right[key]:
            raise InvalidError(phrase("record.disagrees", key=key, given=f"{claim}", right=f"{right[key]}"))
    return dict(lines.with_notes({"result": right}, given))


def write_result(game: AnyGame, state: Any) -> dict[str, Json]:
    """The last line: how the game ended, or that it was abandoned as it stands."""
    turn = game.turn(state)
    winners, reason = (sorted(turn.winners), turn.reason) if isinstance(turn, Over) else ([], ABANDONED)
    return {"result": {"scores": list(game.scores(state)), "winners": winners, "reason": reason}}


def _wholes(given: Json, where: str) -> list[int]:
    return [form.whole(each, f"{where}[{index}]") for index, each in enumerate(form.items(given, where))]
