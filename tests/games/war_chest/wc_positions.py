"""Small positions of War Chest, and short ways to ask about them. Actions are JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE, Ply
from companion.errors import IllegalError
from companion.games.war_chest import GAME
from companion.games.war_chest.coins import ROYAL, Purse
from companion.games.war_chest.hidden import Hidden
from companion.games.war_chest.rules import new_table, start
from companion.games.war_chest.state import FrozenDict, Stack, State

ARMIES = (("archer", "berserker", "cavalry", "crossbowman"), ("knight", "pikeman", "royal_guard", "lancer"))
FOUR = (
    ("marshall", "ensign", "scout"), ("knight", "pikeman", "royal_guard"),
    ("swordsman", "warrior_priest", "berserker"), ("lancer", "archer", "footman"),
)
Coins = list[str]
ENSIGNS = (("ensign", "berserker", "light_cavalry", "marshall"), ("knight", "pikeman", "royal_guard", "lancer"))
FOOTMEN = (("footman", "scout", "swordsman", "ensign"), ("knight", "pikeman", "royal_guard", "lancer"))
MARSHALL = (("marshall", "swordsman", "warrior_priest", "archer"), ("knight", "pikeman", "royal_guard", "lancer"))
"""Armies of two with these units among the first."""


def position(
    stacks: Mapping[tuple[int, int], str | tuple[str, int] | Sequence[Any]],
    *,
    hands: dict[int, Coins],
    units: tuple[tuple[str, ...], ...] = ARMIES,
    control: dict[tuple[int, int], int] | None = None,
    bags: dict[int, Coins] | None = None,
    piles: dict[int, Coins] | None = None,
    supply: dict[str, int] | None = None,
    active: int = 0,
    initiative: int = 0,
    initiative_moved: bool = False,
    factions: tuple[str, ...] | None = None,
    **options: bool,
) -> State:
    """A position in the middle of a round. What is not said: bags hold the Royal Coin, supplies are empty, and the
    markers lie as at the start."""
    table = new_table(units, factions or ("raven", "wolf") * (len(units) // 2), **options)
    fresh = start(table, initiative)
    purses = tuple(
        _purse(own, hands.get(seat, []), (bags or {}).get(seat, [ROYAL]), (piles or {}).get(seat, []), supply or {})
        for seat, own in enumerate(units)
    )
    standing = {at: Stack(*((stack, 1) if isinstance(stack, str) else stack)) for at, stack in stacks.items()}
    return replace(
        fresh, stacks=FrozenDict(standing), purses=purses, active=active, round=3, initiative_moved=initiative_moved,
        control=fresh.control if control is None else FrozenDict(control),
    )


def _purse(units: tuple[str, ...], hand: Coins, bag: Coins, pile: Coins, supply: dict[str, int]) -> Purse:
    kinds = (*units, ROYAL)
    none = (0,) * len(kinds)
    counts = [tuple(Counter(coins)[kind] for kind in kinds) for coins in (bag, hand)]
    hidden = Hidden(counts[0], counts[1], none, none, none)
    return Purse(kinds, tuple(supply.get(kind, 0) for kind in kinds), tuple(pile), ((hidden, 1),))


def legal(state: State, type_: str | None = None, **keys: Any) -> list[Any]:
    """The legal actions of a type that have these values; `type` is left out when it was asked for."""
    found = [GAME.write_action(ply.action) for ply in GAME.legal(state)]
    wanted = {key.rstrip("_"): value for key, value in keys.items()}
    if type_ is not None:
        found = [each for each in found if each.pop("type") == type_]
    return [
        {key: value for key, value in each.items() if key not in wanted}
        for each in found
        if all(each.get(key) == value for key, value in wanted.items())
    ]


def played(state: State, *plies: tuple[int | str, dict[str, Any]]) -> State:
    """The state after these plies: (player, action)."""
    for player, action in plies:
        state = GAME.apply(state, Ply(player, GAME.read_action(action)))  # type: ignore[arg-type]
    return state


def drawn(state: State, *hands: Coins) -> State:
    """The state after the draw of these hands, seat 0's first."""
    return played(state, (CHANCE, {"type": "draw", "coins": {str(seat): hand for seat, hand in enumerate(hands)}}))


def refused(state: State, player: int | str, action: dict[str, Any]) -> str:
    """The number of the rule that forbids the ply."""
    with pytest.raises(IllegalError) as error:
        played(state, (player, action))
    return error.value.rule


def free(maneuver: str, from_: tuple[int, int], to: tuple[int, int] | None = None) -> dict[str, Any]:
    """A free maneuver's action."""
    key = {"move": "to", "attack": "target"}.get(maneuver)
    return {"type": "free", "maneuver": maneuver, "from": list(from_)} | ({key: list(to)} if key and to else {})


def asked(state: State) -> tuple[Any, str]:
    """Who is to act, and the last word of the id of what is asked."""
    turn: Any = GAME.turn(state)
    return getattr(turn, "seats", (CHANCE,))[0], turn.ask.id.split(".")[-1]


def in_play(state: State, seat: int, where: str) -> Coins:
    """The coins of a part of a seat's purse, of which all is known."""
    purse = state.purses[seat]
    ((one, _),) = purse.known
    return sorted(coin for coin, count in zip(purse.kinds, getattr(one, where)) for _ in range(count))


def all_coins(state: State, kind: str) -> int:
    """How many coins of a kind are in the game still, wherever they lie."""
    purse = state.purses[state.table.owners[kind]]
    index = purse.kinds.index(kind)
    on_board = sum(stack.height for stack in state.stacks.values() if stack.kind == kind)
    hidden = sum(part[index] for part in purse.known[0][0])
    return on_board + hidden + purse.supply[index] + purse.pile.count(kind)


def targets(state: Any, type_: str, **keys: Any) -> list[tuple[int, int]]:
    """What legal actions of this type aim at, in order."""
    return sorted(tuple(each["target"]) for each in legal(state, type_, **keys))
