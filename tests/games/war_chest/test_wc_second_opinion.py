"""Held against the second implementation of `naive_war_chest.py`: games ply by ply, and counts of small positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Chance, Over, Ply
from companion.games.war_chest import GAME
from tests.games.war_chest.naive_war_chest import Naive, key
from tests.games.war_chest.wc_positions import ARMIES, FOUR, position

LIKED = {"attack": 8, "control": 8, "tactic": 6, "free": 4, "deploy": 4, "move": 2, "bolster": 2, "pass": 0.3}
"""How much more often such plies are played, so that games are fought out."""


def choose(game: Any, state: Any, rng: Random) -> Ply[Any]:
    if isinstance(game.turn(state), Chance):
        return Ply(CHANCE, game.sample(state, rng))
    plies: list[Ply[Any]] = list(game.legal(state))
    return rng.choices(plies, [LIKED.get(ply.action.type, 1) for ply in plies])[0]


def agree(seed: int, most: int = 400) -> str:
    """Plays a game with both; at every ply both list the same, and everything stands alike. Gives how it ended."""
    rng = Random(seed)
    players = rng.choice((2, 2, 4))
    given = {"royal_guard": rng.choice(("revised", "original")), "preview_second_hand": rng.random() < 0.3}
    options = GAME.read_options(given, players)
    factions = rng.choice((["raven", "wolf"], ["wolf", "raven"])) * (players // 2)
    setup = GAME.read_setup(GAME.deal(players, options, rng) | {"factions": factions}, options, players)
    state = GAME.start(setup, options, players)
    naive = Naive(
        setup["units"], setup["initiative"], factions, given["royal_guard"] == "original", given["preview_second_hand"]
    )
    plays = naive.play()
    who, listed = next(plays)
    for _ in range(most):
        check_list(state, who, listed)
        ply = choose(GAME, state, rng)
        state = GAME.apply(state, ply)
        try:
            who, listed = plays.send(GAME.write_action(ply.action))
        except StopIteration:
            turn = GAME.turn(state)
            assert isinstance(turn, Over)
            assert (list(turn.winners), turn.reason) == naive.result
            return turn.reason
        check_board(state, naive)
    return "unfinished"


def check_list(state: Any, who: Any, listed: list[Any]) -> None:
    plies = list(GAME.legal(state))
    turn = GAME.turn(state)
    assert not isinstance(turn, Over)
    assert who == (CHANCE if isinstance(turn, Chance) else turn.seats[0])
    assert sorted(key(GAME.write_action(ply.action)) for ply in plies) == sorted(map(key, listed))


def check_board(state: Any, naive: Naive) -> None:
    assert {at: list(stack) for at, stack in state.stacks.items()} == naive.board
    assert dict(state.control) == naive.marks
    assert state.initiative == naive.holder
    for seat, purse in enumerate(state.purses):
        assert {unit: purse.in_supply(unit) for unit in naive.supply[seat]} == naive.supply[seat]
        assert len(purse.pile) == len(naive.discard[seat])


@pytest.mark.parametrize("seed", range(12))
def test_two_implementations_agree_at_every_ply_of_a_game(seed: int) -> None:
    agree(seed)


@pytest.mark.long
def test_two_implementations_agree_in_a_thousand_games_that_end_in_all_ways() -> None:
    ends = Counter(agree(seed, 800) for seed in range(1000))
    assert set(ends) >= {"last marker placed", "stalemate"}


# --- counts

SMALL: dict[str, dict[str, Any]] = {
    "a berserker in the middle of enemies": {
        "stacks": {(0, 0): ("berserker", 4), (0, 1): "knight", (1, 0): "pikeman", (-1, 0): "royal_guard"},
        "hands": {0: ["berserker"], 1: ["royal", "knight"]}, "supply": {"royal_guard": 2, "knight": 1},
    },
    "shooters and riders": {
        "stacks": {(0, 0): "archer", (0, 2): ("lancer", 2), (2, 0): "cavalry", (-2, 0): "crossbowman",
                   (-2, 2): "knight"},
        "hands": {0: ["archer", "cavalry", "crossbowman"], 1: ["lancer", "royal", "pikeman"]}, "supply": {"archer": 1},
    },
    "orders": {
        "units": (("marshall", "ensign", "swordsman", "warrior_priest"), ARMIES[1]),
        "stacks": {(0, 0): "marshall", (0, 1): "swordsman", (-1, 1): "warrior_priest", (1, 0): "ensign",
                   (0, 2): "lancer", (-1, 0): "royal_guard", (1, 1): "pikeman"},
        "hands": {0: ["marshall", "ensign"], 1: ["royal_guard", "royal"]},
        "bags": {0: ["royal", "marshall", "warrior_priest"]}, "supply": {"royal_guard": 1},
    },
    "footmen and a mercenary": {
        "units": (("footman", "mercenary", "scout", "light_cavalry"), ARMIES[1]),
        "stacks": {(0, 0): "footman", (-1, 1): ("footman", 2), (0, 1): "royal_guard", (1, -1): "mercenary",
                   (1, 0): "knight", (-2, 0): "light_cavalry"},
        "hands": {0: ["footman", "royal", "scout"], 1: ["pikeman"]}, "supply": {"mercenary": 2, "royal_guard": 1},
    },
    "two against two": {
        "units": FOUR,
        "stacks": {(0, 0): "ensign", (0, 1): ("berserker", 3), (1, 0): "marshall", (1, 1): "warrior_priest",
                   (0, 2): "royal_guard", (2, 0): "pikeman", (-1, 0): "footman", (-2, 0): "footman"},
        "hands": {0: ["ensign", "marshall"], 1: ["knight"], 2: ["berserker"], 3: ["footman"]},
        "bags": {2: ["swordsman", "royal"]}, "supply": {"royal_guard": 1},
    },
}

COUNTS = {
    "a berserker in the middle of enemies": (8, 67),
    "shooters and riders": (31, 513),
    "orders": (19, 215),
    "footmen and a mercenary": (32, 161),
    "two against two": (19, 108),
}
"""How many sequences of one and of two plies there are, chance included; the second opinion counted them too."""


def naive_at(where: dict[str, Any]) -> Naive:
    """The same position for the second opinion."""
    units = where.get("units", ARMIES)
    naive = Naive(units, 0, ["raven", "wolf"] * (len(units) // 2))
    naive.board = {at: [each, 1] if isinstance(each, str) else list(each) for at, each in where["stacks"].items()}
    for seat, own in enumerate(units):
        naive.hand[seat] = list(where["hands"].get(seat, []))
        naive.bag[seat] = list(where.get("bags", {}).get(seat, ["royal"]))
        naive.supply[seat] = {unit: where.get("supply", {}).get(unit, 0) for unit in own}
    return naive


def replayed(where: dict[str, Any], actions: list[Any]) -> tuple[Naive, Any, list[Any]]:
    """Who is to act after these actions and what is legal, by the second opinion."""
    naive = naive_at(where)
    plays = naive.round(0)
    who, listed = next(plays)
    for action in actions:
        try:
            who, listed = plays.send(action)
        except StopIteration:
            return naive, "round over", []
    return naive, who, listed


def theirs(where: dict[str, Any], before: list[Any], depth: int) -> int:
    """Sequences of so many plies by the second opinion; a priest may draw each kind of coin of the bag."""
    naive, who, listed = replayed(where, before)
    if who == "chance":
        owner = naive.owner("warrior_priest")
        listed = [{"type": "priest", "coin": coin} for coin in sorted({*(naive.bag[owner] or naive.discard[owner])})]
    if depth == 1:
        return len(listed)
    return sum(theirs(where, [*before, action], depth - 1) for action in listed)


def successors(state: Any) -> Iterator[Any]:
    if isinstance(GAME.turn(state), Chance):
        if state.due:
            yield from (GAME.apply(state, Ply(CHANCE, action)) for action, _ in GAME.outcomes(state))
        return
    yield from (GAME.apply(state, ply) for ply in GAME.legal(state))


def ours(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(ours(after, depth - 1) for after in successors(state))


@pytest.mark.parametrize("name", SMALL)
def test_small_positions_have_as_many_futures_as_the_second_opinion_counts(name: str) -> None:
    where = SMALL[name]
    state = position(**where)
    for depth, count in enumerate(COUNTS[name], 1):
        assert ours(state, depth) == theirs(where, [], depth) == count


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_small_positions_have_as_many_futures_of_three_plies(name: str) -> None:
    assert ours(position(**SMALL[name]), 3) == theirs(SMALL[name], [], 3)
