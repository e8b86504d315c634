"""Undo past a draw: what came to light concerns everybody, so that everybody else must agree (law 3)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import CompanionError
from companion.session.commands import Consent, Correct, Done, Undo
from companion.session.events import PliesTakenBack, UndoAsked, UndoRefused
from tests.session.tables import Table, refusal
from tests.session.test_confiding import PLIES, war_chest

ROUND = [(1, {"type": "pass"}), ("chance", {"type": "draw"})]
"""What ends the first round: Ben's last coin, and the draw of new ones."""


def drawn() -> Table:
    """Ben played the last coin of the round, then new coins were drawn."""
    table, _ = war_chest(len(PLIES))
    for player, action in ROUND:
        table.ask(Correct, "host", 0, ({"player": player, "action": action},))
    return table


def test_not_even_ones_own_ply_is_taken_back_freely_once_coins_were_drawn() -> None:
    table = drawn()
    plies = len(table.plies)
    assert table.ask(Undo, 1) == (UndoAsked(1, 2, (0,)),)
    assert len(table.plies) == plies
    assert table.ask(Consent, 0, True)[0] == PliesTakenBack(2, "undo", 1)
    assert len(table.plies) == plies - 2


@pytest.mark.parametrize("by", [0, 1])
def test_who_asked_does_not_agree_for_the_others(by: int) -> None:
    table = drawn()
    assert table.ask(Undo, by) == (UndoAsked(by, 2, (1 - by,)),)
    with pytest.raises(CompanionError):
        table.ask(Consent, by, True)
    assert refusal(table.ask, Done, by, via="button") == "session.done.undo"
    assert (len(table.plies), table.state.undo) == (len(PLIES) + 2, UndoAsked(by, 2, (1 - by,)))


def test_the_others_may_refuse() -> None:
    table = drawn()
    table.ask(Undo, 1)
    assert table.ask(Consent, 0, False) == (UndoRefused(0),)
    assert len(table.plies) == len(PLIES) + 2


def test_the_host_takes_the_draw_and_the_ply_before_it_back() -> None:
    table = drawn()
    assert table.ask(Undo, "host")[0] == PliesTakenBack(2, "undo", "host")


def test_the_first_draw_of_a_game_concerns_everybody() -> None:
    table, _ = war_chest(1)
    assert table.ask(Undo, 0) == (UndoAsked(0, 1, (1,)),)


def test_before_the_draw_ones_own_ply_is_taken_back_freely() -> None:
    table, _ = war_chest(len(PLIES))
    last: Any = table.plies[-1]
    assert table.ask(Undo, last.player) == (PliesTakenBack(1, "undo", last.player),)
