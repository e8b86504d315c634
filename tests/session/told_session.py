"""Sessions as lines of text, `tests/data/sessions`: commands by chance, and what became of each.

    python -m tests.session.told_session     # writes them anew
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from companion.engine import Choose, Observer, Over, Ply, play
from companion.engine.abilities import Confiding
from companion.errors import CompanionError, Phrase, phrase
from companion.games import registry
from companion.interpret import Ambiguous, Choice, Moved, Odd, Unchanged
from companion.session.clock import FakeClock
from companion.session.commands import (
    Amend, Answer, Confide, Consent, Correct, Done, EndGame, Pause, Reopen, Resync, StartGame, Undo,
)
from companion.session.exports import record_lines
from companion.session.labels import labels_of
from companion.session.projection import snapshot_of
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.snapshot import Snapshot
from tests.session.tables import ScriptedEyes, Table, library, seen

FOLDER = Path(__file__).parents[1] / "data" / "sessions"
SESSIONS = {"cans": ("kamikaze-cans", 90), "chest": ("war-chest", 35), "crates": ("crate-wars", 25)}
"""The sessions by name: which game is played, and how many commands are given."""
OBSERVERS: tuple[Observer, ...] = (0, 1, "room")
NOT_TOLD = ("version", "observer", "layout", "owners", "seen")


def told(name: str) -> str:
    """A session as its file has it."""
    game_id, commands = SESSIONS[name]
    clock, keys = FakeClock(), count(1)
    table = Table(session=Session(library=library(), clock=clock, new_key=lambda: f"key {next(keys)}"))
    rng = Random(name)
    lines: list[str] = []
    for _ in range(commands):
        clock.s += 60.0
        lines += _told(table, _command(table, game_id, rng))
    lines += ["", *(str(line) for line in record_lines(table.state))]
    return "\n".join(lines) + "\n"


def _told(table: Table, command: Any) -> Iterator[str]:
    before, shown = table.state, [snapshot_of(table.state, who, 0) for who in OBSERVERS]
    yield f"\n{_brief(command)}"
    try:
        events = table.do(command)
    except CompanionError as error:
        yield f"  refused: {error.phrase}"
        return
    yield from (f"  {_brief(event)}" for event in events)
    if labels := labels_of(before, command, table.state):
        yield f"  labels {dict(sorted(labels.items()))}"
    for who, was in zip(OBSERVERS, shown):
        yield from _changed(who, was, snapshot_of(table.state, who, 0))


def _changed(who: Observer, was: Snapshot, now: Snapshot) -> Iterator[str]:
    """What an observer is shown otherwise than before."""
    for each in fields(Snapshot):
        old, new = getattr(was, each.name), getattr(now, each.name)
        if each.name not in NOT_TOLD and old != new and (who == 0 or each.name in ("question", "has_hand", "last")):
            yield f"  {who} {each.name}: {_text(new)}"
    if now.seen is not None and was.seen != now.seen:
        yield f"  {who} sees {_text(now.seen.turn)}, {now.seen.scores}, {_text(now.seen.facts)}"


def _brief(value: Any) -> str:
    given = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "observation"}
    return f"{type(value).__name__} {', '.join(f'{name}={_text(each)}' for name, each in given.items())}"


def _text(value: Any) -> str:
    """As it is printed; phrases in brief, sets in order."""
    if isinstance(value, Phrase):
        return str(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(each)}' for key, each in sorted(value.items()))}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_text, value))}]"
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(_text(getattr(value, each.name)) for each in fields(value))})"
    return repr(value)


def _command(table: Table, game_id: str, rng: Random) -> Any:
    """A look or a person's command; many cannot be."""
    state, game = table.state, registry.game(game_id)
    seq = state.seq if rng.random() < 0.97 else state.seq - 1
    if state.match is None or (state.match.abandoned and rng.random() < 0.3):
        options = game.read_options({}, 2)
        setup = game.deal(2, options, rng)
        return StartGame(seq, "host", {"game": game_id, "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup,
                                       "x-hints": rng.random() < 0.5})
    by: Any = rng.choice((0, 1, "host"))
    via: Any = rng.choice(("phone", "phone", "button"))
    if rng.random() < 0.5:
        return _look(table, rng)
    question = state.question.id if state.question is not None and rng.random() < 0.8 else rng.randrange(5)
    plies = [_json(game, ply) for ply in _next_plies(table, rng, rng.randrange(3))]
    may_tell: list[Any] = [{"coin": "ant"}]
    if isinstance(by, int) and isinstance(game, Confiding):
        may_tell = list(game.may_confide(state.match.told[-1], by)) or may_tell
    made = state.match.made
    action = _json(game, rng.choice(made).ply)["action"] if made else {"type": "pass"}
    return rng.choice([
        Answer(seq, by, question, rng.choice((0, 1, 5, None)), via), Answer(seq, by, question, 0, via),
        Done(seq, by, via), Done(seq, by, via), Undo(seq, by, via), Undo(seq, by, via),
        Consent(seq, by, rng.random() < 0.6, via), Consent(seq, 1 - by if by in (0, 1) else 0, True, via),
        Correct(seq, by, rng.randrange(3), tuple(plies), via), Correct(seq, "host", 1, tuple(plies), via),
        Correct(seq, by, 0, ({"player": 0, "action": {"type": "fly"}},), via),
        Amend(seq, by, rng.randrange(len(made) + 2), action, via), Confide(seq, by, rng.choice(may_tell), via),
        Pause(seq, by, rng.random() < 0.4, via), Pause(seq, "host", False, via), Resync(seq, by, via),
        EndGame(seq, rng.choice((by, "host")), via), Reopen(seq, "host", via),
    ])


def _look(table: Table, rng: Random) -> Sighted:
    match = table.state.match
    assert match is not None
    eyes = match.interpreter
    assert isinstance(eyes, ScriptedEyes)
    eyes.wrong = (phrase("remedy.put", piece="red/tall_can", spot="c4"),) if rng.random() < 0.3 else ()
    plies = _next_plies(table, rng, rng.choice((1, 1, 2)))
    others = _next_plies(table, rng, 1)
    back = int(bool(match.made) and rng.random() < 0.3)
    eyes.answers = {0: Moved(plies, 1.0), 1: Moved(others, 1.0), None: Odd((phrase("odd.none"),))}
    return rng.choice([
        seen(Moved(plies, 0.99321), 3), seen(Moved(plies, 0.99)), seen(Moved((), 1.0, back)), seen(Unchanged()),
        seen(Ambiguous((Choice(plies, 0.6), Choice(others, 0.3)))), seen(Odd((phrase("odd.stands", piece="a"),))),
        Sighted(4, "hand" if rng.random() < 0.5 else "dark", phrase("eyes.why")),
    ])


def _next_plies(table: Table, rng: Random, number: int) -> tuple[Ply[Any], ...]:
    """Plies by chance that may come next."""
    match = table.state.match
    assert match is not None
    return tuple(ply for _, ply in play.random_game(match.game, match.state, rng, number))


def _json(game: Any, ply: Ply[Any]) -> dict[str, Any]:
    assert not isinstance(ply.action, Choose | Over)
    return {"player": ply.player, "action": game.write_action(ply.action)}


if __name__ == "__main__":
    for each in SESSIONS:
        (FOLDER / f"{each}.txt").write_text(told(each), encoding="utf-8")
