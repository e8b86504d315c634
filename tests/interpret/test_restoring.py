"""The fewest moves that make the table agree with the game."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.errors import phrase
from companion.interpret.contradictions import Difference
from companion.interpret.restoring import Restoring, restoring
from companion.table import EMPTY, spot_phrase

AT = {spot: (10.0 * n, 0.0) for n, spot in enumerate("abcdefgh")}


def test_what_stands_wrongly_goes_where_it_is_missing_in_one_move() -> None:
    moves = restoring([Difference("b", "red", EMPTY), Difference("a", EMPTY, "red")], AT)
    assert moves == (Restoring("red", "b", "a"),)
    assert moves[0].said() == phrase("remedy.move", piece="red", spot=spot_phrase("b"), to=spot_phrase("a"))


def test_pieces_that_look_alike_go_the_shortest_ways() -> None:
    found = [Difference("a", "red", EMPTY), Difference("d", "red", EMPTY), Difference("b", EMPTY, "red"),
             Difference("e", EMPTY, "red")]
    assert set(restoring(found, AT)) == {Restoring("red", "a", "b"), Restoring("red", "d", "e")}


def test_what_has_no_counterpart_is_taken_or_put() -> None:
    moves = restoring([Difference("a", "red", EMPTY), Difference("b", EMPTY, "blue")], AT)
    assert [each.said().id for each in moves] == ["remedy.take", "remedy.put"]


def test_a_place_is_cleared_before_something_is_put_there() -> None:
    found = [Difference("a", "red", "blue"), Difference("b", "blue", EMPTY), Difference("c", EMPTY, "red")]
    assert restoring(found, AT) == (Restoring("red", "a", "c"), Restoring("blue", "b", "a"))


def test_two_that_changed_places_go_by_way_of_the_hand() -> None:
    found = [Difference("a", "red", "blue"), Difference("b", "blue", "red")]
    assert restoring(found, AT) == (
        Restoring("red", "a", None), Restoring("blue", "b", "a"), Restoring("red", None, "b"))


@pytest.mark.parametrize("seed", range(200))
def test_the_moves_lead_to_the_game_each_to_a_free_place_and_are_the_fewest(seed: int) -> None:
    rng = Random(seed)
    table = {spot: rng.choice(["red", "blue", EMPTY]) for spot in AT}
    game = {spot: rng.choice(["red", "blue", EMPTY]) for spot in AT}
    found = [Difference(spot, table[spot], game[spot]) for spot in AT if table[spot] != game[spot]]
    moves = restoring(found, AT)
    hand: Counter[str] = Counter()
    for each in moves:
        if each.before is not None:
            assert table[each.before] == each.piece
            table[each.before] = EMPTY
        if each.after is not None:
            assert table[each.after] == EMPTY
            table[each.after] = each.piece
        hand[each.piece] += (each.after is None) - (each.before is None)
    assert table == game
    pairs = sum(max(sum(each.seen == piece for each in found), sum(each.expected == piece for each in found))
                for piece in ("red", "blue"))
    by_hand = sum(each.after is None for each in moves)
    assert pairs <= len(moves) <= pairs + by_hand
