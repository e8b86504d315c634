from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import Game, Ply, Seen
from companion.engine.conformance import ConformanceError, conforms
from companion.errors import IllegalError, phrase
from companion.games import registry
from companion.words import load
from tests.engine.dare import Dare, State


def hold(game: Any, seed: int = 0, players: int = 2) -> None:
    conforms(game, players, load("en", [game.words]), Random(seed), most_plies=60)


@pytest.mark.parametrize("seed", range(30))
def test_a_toy_with_chance_a_hidden_hand_a_follow_up_and_hidden_bids_keeps_the_laws(seed: int) -> None:
    hold(Dare(), seed)


@pytest.mark.wide
@pytest.mark.parametrize("game", registry.ids())
@pytest.mark.parametrize("seed", range(2))
def test_every_registered_game_keeps_the_laws_with_every_number_of_players(game: str, seed: int) -> None:
    for players in registry.game(game).seats:
        hold(registry.game(game), seed, players)


class ShowsCards(Dare):
    leaky = True


class SharesOutWrongly(Dare):
    def outcomes(self, state: Any) -> Any:
        return super().outcomes(state)[1:]


class TakesAnything(Dare):
    def apply(self, state: Any, ply: Any) -> Any:
        try:
            return super().apply(state, ply)
        except IllegalError:
            return state


class NamesNoRule(Dare):
    def apply(self, state: Any, ply: Any) -> Any:
        try:
            return super().apply(state, ply)
        except IllegalError as error:
            raise IllegalError("", error.phrase) from None


class ForgetsScores(Dare):
    scores = Game.scores


class ForgetsWords(Dare):
    def say(self, state: Any, ply: Any, observer: Any) -> Any:
        return phrase("dare.forgotten")


class LeavesAGap(Dare):
    def say(self, state: Any, ply: Any, observer: Any) -> Any:
        return phrase("dare.said")


class ListsTwice(Dare):
    def legal(self, state: Any) -> Any:
        yield from super().legal(state)
        yield from super().legal(state)


class CountsHalves(Dare):
    def scores(self, state: Any) -> Any:
        return (0.5, 0.5)


class StandsNowhere(Dare):
    def placement(self, state: Any) -> Any:
        return {"moon": ("flag",)}


class ForgetsWhoLooks(Dare):
    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return Seen(seen.game, "room", seen.turn, seen.scores, seen.placement, seen.known)


class ReadsOtherwise(Dare):
    def read_action(self, given: Any) -> Any:
        action = super().read_action(given)
        return Dare.codec.read({"type": "bid", "stake": 1}) if given["type"] == "bid" else action


class KeepsBooks(Dare):
    """Changes the state it was given."""

    def apply(self, state: Any, ply: Any) -> Any:
        after = super().apply(state, ply)
        object.__setattr__(state, "said", (*state.said, "oops"))
        return after


@pytest.mark.parametrize("broken", [
    ShowsCards, SharesOutWrongly, TakesAnything, NamesNoRule, ForgetsScores, ForgetsWords, LeavesAGap, ListsTwice,
    CountsHalves, StandsNowhere, ForgetsWhoLooks, ReadsOtherwise, KeepsBooks,
])
def test_a_game_that_breaks_a_law_is_found_out(broken: type[Dare]) -> None:
    def play_some() -> None:
        for seed in range(20):
            hold(broken(), seed)

    with pytest.raises(ConformanceError, match="—"):
        play_some()


def test_two_deals_that_differ_only_in_the_other_hand_look_the_same() -> None:
    game = Dare()
    one, two = State((1, 2), (3, 1)), State((1, 2), (3, 4))
    assert game.view(one, 0) == game.view(two, 0)
    assert game.view(one, 1) != game.view(two, 1)
    assert game.view(one, "room") == game.view(two, "room")
    assert game.view(one, "referee") != game.view(two, "referee")


def test_a_hidden_bid_is_told_to_nobody_else_before_both_have_bid() -> None:
    game = Dare()
    bids = [game.apply(State(), Ply(0, game.read_action({"type": "bid", "stake": stake}))) for stake in (1, 3)]
    assert game.view(bids[0], 1) == game.view(bids[1], 1)
    assert game.view(bids[0], 0) != game.view(bids[1], 0)
