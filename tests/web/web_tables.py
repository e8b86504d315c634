"""Snapshots of a game of Kamikaze Cans for tests of the pages: real rules, a made-up desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from companion.engine import Ply
from companion.errors import phrase
from companion.games import registry
from companion.session.snapshot import (
    ChoiceShown,
    CorrectionShown,
    DraftShown,
    EyesShown,
    PartShown,
    PlayerShown,
    PlyShown,
    QuestionShown,
    Snapshot,
)
from companion.table import SHAPES, Layout, Placement, Spot
from companion.words import Words, load

GAME = registry.game("kamikaze-cans")
COLOURS = ("green", "red", "blue", "orange", "purple", "yellow")
KEY = "the game on this table"
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay")
PLAYED = (
    {"type": "place", "drink": "green/tall_can", "to": "c3"},
    {"type": "place", "drink": "red/stub_can", "to": "e5"},
    {"type": "place", "drink": "green/stub_can", "to": "b2"},
    {"type": "place", "drink": "red/tallest_bottle", "to": "d4"},
    {"type": "move", "from": "c3", "to": "c6"},
)
CELLS = ("c3", "e5", "b2", "d4", "f1", "a6", "c1", "a1")


def placing(players: int) -> list[dict[str, Any]]:
    """A game of more players: each places a drink, then some a second one."""
    return [{"type": "place", "drink": f"{COLOURS[n % players]}/{SHAPES[(n % players + n // players) % 6]}", "to": cell}
            for n, cell in enumerate(CELLS[: players + 2])]


def words() -> Words:
    return load("en", [GAME.words])


def touched(before: Placement, after: Placement) -> tuple[Spot, ...]:
    return tuple(sorted(spot for spot in {*before, *after} if before.get(spot, ()) != after.get(spot, ())))


def table(plies: Sequence[dict[str, Any]] = PLAYED, players: int = 2, seq: int = 7) -> Snapshot:
    """The game after these plies."""
    setup = GAME.read_setup({"colours": list(COLOURS[:players]), "first": 0}, GAME.read_options({}, players), players)
    states = [GAME.start(setup, GAME.read_options({}, players), players)]
    shown = []
    for n, given in enumerate(plies):
        ply = Ply(n % players, GAME.read_action(given))
        shown.append(PlyShown(n + 1, ply.player, GAME.say(states[-1], ply, "room"), "camera", 0.99))
        states.append(GAME.apply(states[-1], ply))
    return Snapshot(
        seq=seq, version=1, observer="room", game=GAME.id, match=1,
        players=tuple(PlayerShown(n, NAMES[n], COLOURS[n]) for n in range(players)),
        seen=GAME.view(states[-1], "room"), layout=GAME.layout(setup), plies=len(plies), last=tuple(shown),
        question=None, odd=(), differences=(), undo=None, can_undo=bool(plies), paused=False, eyes=EyesShown("free"),
        before=GAME.placement(states[-2]) if plies else None, key=KEY,
    )


def draft(wrong: bool = False) -> Snapshot:
    """A set-up that is being read: player B's colour and who begins are open."""
    shown = table([])
    assert shown.seen is not None
    things = (((10.0, 20.0), False), ((30.0, 20.0), True))
    parts = (PartShown(("colours", 1), "stock:1", ("red", "blue", "orange", "purple", "yellow"), things),
             PartShown(("first",), None, (0, 1)))
    return replace(shown, seen=None, before=None, draft=DraftShown(
        is_read=True, placement=shown.seen.placement, open=() if wrong else parts, parts=((("colours", 0), "green"),),
        differs=wrong, ready=False, why_not=phrase("kc.same_colour", colour="green") if wrong else None))


def drawn(shown: Snapshot) -> tuple[Layout, Placement]:
    """What a drawing needs of it."""
    assert shown.layout is not None
    assert shown.seen is not None
    return shown.layout, shown.seen.placement


def asked(shown: Snapshot, actions: Sequence[dict[str, Any]], player: int) -> Snapshot:
    """The same table with a question: which of these was played?"""
    assert shown.seen is not None
    state, now = shown.seen.known, shown.seen.placement
    choices = []
    for given in actions:
        ply = Ply(player, GAME.read_action(given))
        after = GAME.placement(GAME.apply(_state(shown), ply))
        choices.append(ChoiceShown((GAME.say(_state(shown), ply, "room"),), after, touched(now, after)))
    assert state is not None
    return replace(shown, question=QuestionShown(3, tuple(choices), (player,)), seq=shown.seq + 1)


def offers(plies: Sequence[dict[str, Any]] = PLAYED, players: int = 2) -> tuple[CorrectionShown, ...]:
    """All that could have been played instead of the last of these plies."""
    state, player = _state(table(plies[:-1], players)), (len(plies) - 1) % players
    before = GAME.placement(state)
    found = []
    for ply in GAME.legal(state):
        if GAME.write_action(ply.action) == plies[-1]:
            continue
        after = GAME.placement(GAME.apply(state, ply))
        found.append(CorrectionShown(({"player": player, "action": GAME.write_action(ply.action)},),
                                     (GAME.say(state, ply, "room"),), after, touched(before, after)))
    return tuple(found)


def odd(shown: Snapshot) -> Snapshot:
    reason = phrase("kc.cannot_jump", drink="red/stub_can", over="red/short_can", at="c3")
    return replace(shown, odd=(phrase("odd.but", what=phrase("odd.stands", piece="red/stub_can", spot="c4"),
                                      reason=reason),))


def _state(shown: Snapshot) -> Any:
    assert shown.seen is not None
    return GAME.possible(shown.seen, Random(0))  # nothing is hidden: the state itself
