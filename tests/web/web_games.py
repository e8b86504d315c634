"""Every game of the project as a page shows it some plies on, from its golden playthroughs: real rules, no session."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from companion.engine import Accounting, record
from companion.games import registry
from companion.session.projection import owners
from companion.session.snapshot import EyesShown, PlayerShown, PlyShown, Snapshot
from companion.words import load
from web.view_model import PageView

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("Ana", "Ben", "Cem")
GAMES = {"kamikaze-cans": ("3-players-1", 8), "crate-wars": ("2-players-1", 8), "yuzu-twist": ("2-players-1", 4),
         "pick-and-pack": ("2-players-1", 6), "war-chest": ("2-players-1", 24)}
"""Which golden playthrough, and how many of its plies."""


def shown(game: str) -> Snapshot:
    """The game after these plies, as the room sees it."""
    name, plies = GAMES[game]
    with (GOLDEN / game / f"{name}.jsonl").open(encoding="utf-8") as lines:
        opened, *steps, closed = record.replay(islice(lines, plies + 1), registry.game)
    assert isinstance(opened, record.OpenedGame)
    assert isinstance(closed, record.RecordEnd)
    made = [step for step in steps if isinstance(step, record.RecordStep)]
    rules, layout = opened.game, opened.game.layout(opened.setup)
    colours = layout.seat_colours or (None,) * opened.players
    return Snapshot(
        seq=plies, version=1, observer="room", game=game, match=1,
        players=tuple(PlayerShown(seat, NAMES[seat], colour) for seat, colour in enumerate(colours)),
        seen=rules.view(closed.state, "room"), layout=layout, plies=plies,
        last=tuple(PlyShown(step.n, step.ply.player, rules.say(step.before, step.ply, "room"), "camera")
                   for step in made),
        question=None, odd=(), differences=(), undo=None, can_undo=True, paused=False, eyes=EyesShown("free"),
        before=rules.view(made[-1].before, "room").placement,
        owners=owners(layout, rules.view(opened.state, "room").placement),
        score_parts=rules.score_parts(closed.state) if isinstance(rules, Accounting) else (),
    )


def page_of(what: Snapshot) -> PageView:
    """What a page shows of it."""
    return PageView(what, load("en", [registry.game(id).words for id in registry.ids()]))
