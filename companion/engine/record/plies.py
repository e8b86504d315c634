"""The lines of a record that tell plies."""

from __future__ import annotations

from typing import Any, Final

from companion.engine import form, lines
from companion.engine.game import AnyGame
from companion.engine.record.times import read_time
from companion.engine.values import CHANCE, Json, Player, Ply
from companion.errors import InvalidError, phrase

SOURCES: Final = ("camera", "phone", "button", "import", "simulation")


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
        written["at"] = read_time(found["at"], "at")
    if "source" in found:
        written["source"] = form.one_of(found["source"], "source", SOURCES)
    if "confidence" in found:
        written["confidence"] = form.real(found["confidence"], "confidence", 0, 1, phrase("json.share"))
    return ply, lines.with_notes(written, given)


def write_ply(game: AnyGame, n: int, ply: Ply[Any], **also: Json) -> dict[str, Json]:
    """The line of ply number `n`; `also` are `at`, `source` and `confidence`."""
    return {"n": n, "player": ply.player, "action": game.write_action(ply.action), **also}


def _player(given: Json) -> Player:
    return CHANCE if given == CHANCE else form.whole(given, "player", least=0)
