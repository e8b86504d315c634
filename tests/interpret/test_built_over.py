"""The end of Crate Wars: each crate that was won stands on its winner's card, of which nothing is seen any more."""

from __future__ import annotations

from typing import Any

from companion.engine import Ply
from companion.interpret import Moved
from companion.interpret.layout_index import index_layout
from tests.interpret.perfect_table import Table, crate_wars


def played_to_the_last_pass() -> Table:
    """A drink that is worth something to its player, then both pass."""
    table = crate_wars()
    table.play(next(ply for ply in table.legal("place") if wins(table, ply)))
    for _ in range(2):
        assert isinstance(table.look(), Moved)
        table.play(*table.legal("pass"))
    return table


def wins(table: Table, ply: Ply[Any]) -> bool:
    """Whether a crate is won when both pass after this ply."""
    state = table.game.apply(table.state, ply)
    for _ in range(2):
        state = table.game.apply(state, next(each for each in table.game.legal(state) if each.action.type == "pass"))
    return any(spot.startswith("won:") for spot in table.game.placement(state))


def test_a_card_under_a_crate_that_was_won_contradicts_nothing() -> None:
    table = played_to_the_last_pass()
    won = {spot for spot in table.game.placement(table.state) if spot.startswith("won:")}
    under = {spot.replace("won", "card") for spot in won}
    assert won

    outcome = table.look([each for each in table.pieces() if each["spot"] not in under])

    assert isinstance(outcome, Moved)
    assert [ply.action.type for ply in outcome.plies] == ["pass"]
    assert table.belief.now.state == table.state


def test_cards_that_were_put_away_before_anything_is_won_are_missing() -> None:
    table = crate_wars((0, 6), (0, 5))
    table.play(*table.legal("pass"))

    outcome = table.look([each for each in table.pieces() if each["spot"] not in ("card:0:6", "card:1:5")])

    assert not isinstance(outcome, Moved)


def test_only_flat_places_in_a_zone_of_what_stands_are_built_over() -> None:
    table = crate_wars()
    index = index_layout(table.layout)
    here = table.game.placement(table.state)

    assert index.zone_over["card:1:3"] == "won:1:3"
    assert set(index.zone_over) == {f"card:{seat}:{crate}" for seat in (0, 1) for crate in range(1, 7)}
    assert not index.is_built_over("card:1:3", here)
    assert index.is_built_over("card:1:3", {**here, "won:1:3": ("red/stub_can",)})
    assert index.beneath({"won:1:3", "supply:0"}) == {"card:1:3"}
    assert index_layout(Table("war-chest", knowledge="referee").layout).zone_over == {}
