"""Plies by themselves: one of a hundred is rarer than the end of a turn."""

import math
from typing import Any, cast

import pytest

from companion.engine import CHANCE, Choose, Ply
from companion.interpret.explanation import PLY_NATS, Explanation
from companion.interpret.prior import rated
from tests.interpret.fuzz_selfplay import made_up, plies_of

STORY = made_up("yuzu-twist", seed=1)
GAME, START = STORY.game, STORY.states[0]


def explained(*kinds: str, cost: float = 0.0) -> Explanation:
    """By the first ply of each of these kinds, from the start of the game on."""
    plies, state = [], START
    for kind in kinds:
        plies.append(plies_of(GAME, state, kind)[0])
        state = GAME.apply(state, plies[-1])
    return Explanation(tuple(plies), state, cost, 0.0)


def rarity(*kinds: str) -> float:
    return rated(GAME, START, [explained(*kinds)])[0].rarity


def test_no_ply_and_a_single_one_are_not_rare() -> None:
    assert rarity() == rarity("crate") == 0.0


def test_a_second_ply_was_chosen_from_all_of_its_kind() -> None:
    after = GAME.apply(START, plies_of(GAME, START, "crate")[0])
    crates, swaps = len(plies_of(GAME, START, "crate")), len(plies_of(GAME, after, "swap"))

    # a turn may also end after the crate
    assert rarity("crate", "swap") == pytest.approx(math.log(min(crates, 2 * swaps)) - PLY_NATS)


def test_the_end_of_a_turn_costs_no_more_than_its_price() -> None:
    assert rarity("crate", "done") == 0.0
    assert rarity("crate", "done", "crate") < rarity("crate", "swap", "swap")


def test_what_is_made_beside_the_plies_of_the_best_was_chosen_from_all() -> None:
    best, beside = explained("crate", "done", "crate"), explained("crate", "swap", "done", "crate", cost=PLY_NATS)
    after = GAME.apply(START, plies_of(GAME, START, "crate")[0])

    likeliest, other = rated(GAME, START, [beside, best])

    assert likeliest.plies == best.plies
    assert other.rarity - likeliest.rarity == pytest.approx(math.log(2 * len(plies_of(GAME, after, "swap"))) - PLY_NATS)
    assert rated(GAME, START, [beside], best)[0].rarity == other.rarity


def test_what_fits_alike_and_is_rarer_comes_later() -> None:
    one, two = explained("crate"), explained("crate", "swap")

    assert [each.plies for each in rated(GAME, START, [two, one])] == [one.plies, two.plies]
    sure = explained("crate", cost=20.0)
    assert [each.plies for each in rated(GAME, START, [sure, two])] == [two.plies, sure.plies]


class Picking:
    """A game in which a seat keeps two of four, or passes; after each ply all is as before."""

    def legal(self, state: str) -> list[Ply[Any]]:
        return [Ply(0, Choose("keep", ("a", "b", "c", "d"), 2)), Ply(0, "pass")]

    def apply(self, state: str, ply: Ply[Any]) -> str:
        return state

    def write_action(self, action: str) -> dict[str, str]:
        return {"type": action}


def of_picking(*plies: Ply[Any]) -> float:
    return rated(cast(Any, Picking()), "", [Explanation(plies, "", 0.0, 0.0)])[0].rarity


def test_a_subset_counts_by_all_that_may_be_picked_and_chance_not_at_all() -> None:
    keep = Ply(0, "keep")

    assert of_picking(keep, keep) == pytest.approx(math.log(6 * 2) - PLY_NATS)
    assert of_picking(keep, Ply(CHANCE, "draw"), keep) == of_picking(keep, keep)
    assert of_picking(keep, Ply(CHANCE, "draw")) == 0.0


def test_a_ply_that_a_game_allows_without_listing_it_counts_as_the_only_one() -> None:
    assert of_picking(Ply(0, "keep"), Ply(0, "unlisted")) == 0.0
