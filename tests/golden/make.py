"""Writes the golden playthroughs anew: `python -m tests.golden.make GAME`, or no GAME for all that have a folder.

A golden file is a record in which each ply carries, as `x-` notes, what the game said of it: the scores after it, the
ply in words, and now and then what the room sees, and the others where they see something else. `test_golden.py` plays
it again and compares. Make them anew only when a rule was wrong, and read what changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.engine import AnyGame, Json, Observer, Over, lines, play, record
from companion.games import registry
from companion.words import Words, load

HERE = Path(__file__).parent
STARTED = "2026-01-01T12:00:00Z"
GAMES_EACH = 2
OPTIONS: dict[tuple[str, int], dict[str, Json]] = {
    ("crate-wars", 2): {"points": "global"},
    ("yuzu-twist", 2): {"blind": True},
}  # fmt: skip
"""The options of a game's second file, where they are not the default."""
PLIES = {"yuzu-twist": 30}
"""How many plies are played at most, where it is not `MOST`."""
MOST = 120
EVERY = 5
"""After every so many plies, and after the last, the views are written."""


def words_of(game: AnyGame) -> Words:
    return load("en", [game.words])


def annotated(text: str) -> Iterator[str]:
    """The record with what the game says after each ply."""
    opened, *steps, closed = record.replay(text, registry.game)
    game, words = opened.game, words_of(opened.game)
    yield lines.line(opened.header)
    after = [step.before for step in steps[1:]] + [closed.state]
    for step, state in zip(steps, after):
        said = {observer: words.say(game.say(step.before, step.ply, observer)) for observer in (0, "room", "referee")}
        notes: dict[str, Json] = {
            "x-scores": list(game.scores(state)), "x-said": said["referee"],
            "x-said-to": {str(who): told for who, told in said.items() if told != said["referee"]},
        }  # fmt: skip
        if step.n % EVERY == 0 or state is after[-1]:
            notes["x-view"] = room = view_of(game, words, state, "room")
            views = {str(who): view_of(game, words, state, who) for who in (*range(opened.players), "referee")}
            notes["x-views"] = {who: view for who, view in views.items() if view != room}
        yield lines.line({**step.json, **notes})
    if closed.result is not None:
        yield lines.line(closed.result)


def view_of(game: AnyGame, words: Words, state: Any, observer: Observer) -> list[str]:
    """What an observer sees, as lines of text: whose turn, what stands where, what else is told."""
    seen = game.view(state, observer)
    if isinstance(seen.turn, Over):
        turn = f"over: {seen.turn.reason}, won by {list(seen.turn.winners)}"
    else:
        turn = f"{getattr(seen.turn, 'seats', 'chance')}: {words.say(seen.turn.ask)}"
    standing = [f"{spot}: {', '.join(pieces)}" for spot, pieces in sorted(seen.placement.items())]
    return [turn, *standing, *(words.say(fact) for fact in seen.facts)]


def make(id: str) -> None:
    game = registry.game(id)
    folder = HERE / id
    folder.mkdir(exist_ok=True)
    for players in game.seats:
        for number in range(1, GAMES_EACH + 1):
            rng, options, most = Random(f"{id}:{players}:{number}"), OPTIONS.get((id, number)), PLIES.get(id, MOST)
            played = "".join(play.random_record(game, players, rng, STARTED, options, most))
            (folder / f"{players}-players-{number}.jsonl").write_text("".join(annotated(played)), encoding="utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:] or [folder.name for folder in HERE.iterdir() if folder.is_dir() and folder.name[0] != "_"]:
        make(each)
