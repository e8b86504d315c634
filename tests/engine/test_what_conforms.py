"""What conformance asks around the laws: methods, options, set-ups, the start, the record, the decisions before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import pytest

from companion.engine import BaseGame, Json, Over, Ply, ToMove
from companion.engine.conformance import ConformanceError, conforms, missing_methods
from companion.engine.preparation import SET_UP
from companion.errors import phrase
from companion.words import load
from tests.engine.dare import Bid, Dare, State

WORDS = load("en", [Dare().words])


def broken(game: Any, players: int = 2, **rest: Any) -> str:
    """What is told, without the game's id."""
    with pytest.raises(ConformanceError) as caught:
        conforms(game, players, WORDS, Random(1), **rest)
    said = str(caught.value)
    assert said.startswith("dare: ")
    return said.removeprefix("dare: ")


CONTRACT = [
    "view", "possible", "read_options", "read_setup", "deal", "layout", "start", "turn", "legal", "apply", "scores",
    "placement", "say", "read_action", "write_action",
]


class Bare(BaseGame[Any, Any]):
    id, seats, reasons, words = "dare", (2,), ("stalemate",), Dare.words

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        return {}


def test_methods_that_a_game_left_out_are_named() -> None:
    made: type[Any] = Bare
    bare = made()
    assert missing_methods(bare) == [each for each in CONTRACT if each != "deal"]
    assert missing_methods(Dare()) == []
    told = ", ".join(each for each in CONTRACT if each != "deal")
    assert broken(bare) == f"A game has all methods of the contract. — {told}"


def test_a_number_of_players_that_the_game_does_not_have_is_told() -> None:
    assert broken(Dare(), 3) == "its numbers of players are in `seats` — 3"


class AddsUp(Dare):
    """Options that grow each time they are read."""

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        assert players == 2
        return {"times": given.get("times", 0) + 1}


def test_options_that_change_when_they_are_read_again_are_told() -> None:
    assert broken(AddsUp()) == "Options with their defaults stay as they are. — {'times': 1}"
    assert broken(AddsUp(), options={"times": 4}) == "Options with their defaults stay as they are. — {'times': 5}"


class Deals(Dare):
    """A set-up that is spelled anew each time it is read."""

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        assert (players, options, isinstance(rng, Random)) == (2, {}, True)
        return {"turns": 0}

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        assert (players, options) == (2, {})
        return {"turns": given["turns"] + 1}


class Reorders(Deals):
    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        return dict(reversed(given.items())) | {"a": 1, "b": 2} if given else {}

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        return {"b": 2, "a": 1}


def test_a_set_up_that_is_read_otherwise_again_is_told() -> None:
    assert broken(Deals()) == "A set-up that was read stays as it is. — {'turns': 1}"
    assert broken(Reorders()) == "A set-up that was read stays as it is. — {'a': 1, 'b': 2}"


class Starts(Dare):
    times = 0

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        assert (setup, options, players) == ({}, {}, 2)
        self.times += 1
        return State((0, 0), (), ("x",) * self.times)


def test_two_starts_from_one_set_up_are_told() -> None:
    assert broken(Starts()) == "One set-up gives one start. — {}"


class Endless(Dare):
    """Seat 0 bids for ever."""

    bids = 0

    def turn(self, state: State) -> Any:
        return ToMove((0,), phrase("dare.bid"))

    def legal(self, state: State) -> Any:
        return iter([Ply(0, Bid(1))])

    def apply(self, state: State, ply: Any) -> State:
        if ply != Ply(0, Bid(1)):
            return super().apply(State((1, 1), (1, 2), ("fold",)), ply)
        self.bids = max(self.bids, len(state.said) + 1)
        return replace(state, said=(*state.said, "x"))

    def possible(self, seen: Any, rng: Random) -> Any:
        return seen.known


def test_a_game_is_played_for_so_many_plies() -> None:
    game = Endless()
    conforms(game, 2, WORDS, Random(1), most_plies=7)
    assert game.bids == 8  # the law about legal plies tries one more in the last state


class Decides(Dare):
    """Before the game: seat 0 bids once, and that is the set-up."""

    seats, reasons = (2,), (SET_UP,)
    made: ClassVar[Json] = {}

    def turn(self, state: State) -> Any:
        return Over((), SET_UP) if state.bids[0] else ToMove((0,), phrase("dare.bid"))

    def legal(self, state: State) -> Any:
        return iter([] if state.bids[0] else [Ply(0, Bid(1)), Ply(0, Bid(2))])

    def view(self, state: State, observer: Any) -> Any:
        return replace(super().view(state, observer), known=state, turn=self.turn(state))

    def possible(self, seen: Any, rng: Random) -> Any:
        return seen.known

    def result(self, state: State) -> Json:
        assert state.bids[0]
        return self.made


class Prepares(Dare):
    """Can be prepared in these ways."""

    def __init__(self, **ways: Any) -> None:
        self.ways, self._ways = tuple(ways), ways

    def preparation(self, way: str) -> Any:
        return self._ways[way]

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        assert (options, players) == ({}, 2)
        return {} if given in ({}, {"odd": 1}) else given


class ForThree(Decides):
    seats = (3,)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        raise AssertionError("nobody plays it")


class Made(Decides):
    made: ClassVar[Json] = {"odd": 1}


class Waits(Decides):
    """Does not come to an end."""

    def turn(self, state: State) -> Any:
        return ToMove((0,), phrase("dare.bid"))

    def legal(self, state: State) -> Any:
        return iter([Ply(0, Bid(1))])

    def apply(self, state: State, ply: Any) -> State:
        return super().apply(State((0, 0)), ply)


LAW = "The decisions before a game keep the laws too, and come to a set-up that the game takes as it is."


class Words:
    """Those of the toy, and whatever the ways to prepare it are called."""

    def __contains__(self, id: str) -> bool:
        return id in WORDS or id in ("name.draft", "name.later")

    def say(self, said: Any) -> str:
        return WORDS.say(said)


def prepared(**ways: Any) -> None:
    conforms(Prepares(**ways), 2, Words(), Random(1))


def test_the_decisions_before_a_game_are_tried_too() -> None:
    prepared(draft=Decides())
    prepared(draft=ForThree())
    for ways in ({"draft": Made()}, {"draft": ForThree(), "later": Made()}):
        with pytest.raises(ConformanceError, match=re.escape(f"dare: {LAW} — {{'odd': 1}}")):
            prepared(**ways)
    with pytest.raises(ConformanceError, match=re.escape(f"dare: {LAW} — {Waits().turn(State())}")):
        prepared(draft=Waits())


class SetsUpAnew(Dare):
    """The third time, in the record, a set-up is read otherwise."""

    times = 0

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        self.times += 1
        return {"odd": 1} if self.times == 3 else {}


class StartsAnew(Endless):
    """The third time, in the record, it starts otherwise."""

    times = 0

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        self.times += 1
        return State((9, 9), (3, 4)) if self.times == 3 else State((1, 2), (3, 4))


FOLLOWED = "The record of the game is followed to the same end and comes out byte for byte."


def test_a_record_that_leads_elsewhere_is_told() -> None:
    header = ('{"format": "tabletop-record", "version": 1, "game": "dare", "options": {}, "players": '
              '[{"name": "Player A"}, {"name": "Player B"}], "setup": {}, "started": "2000-01-01T12:00:00Z"}')
    assert broken(SetsUpAnew()).startswith(f"{FOLLOWED} — {header}\n" + '{"n": 1, "player": ')
    told = f"{FOLLOWED} — {State((9, 9), (3, 4), ('x',) * 2)}"
    assert broken(StartsAnew(), most_plies=2) == told
