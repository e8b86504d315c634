"""How likely plies are before anybody looks at the table.

A player makes a ply of any kind as likely as one of another kind, and of one kind any ply as likely as another: so a
ply that is one of a hundred is rare, and one that ends a turn is not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.engine import CHANCE, AnyGame, Choose, Player
from companion.interpret.explanation import PLY_NATS, Explanation, made
from companion.interpret.outcome import Plies

ActionKind = tuple[Player, str]
"""Who acts, and how: the type of the action."""


def rated(game: AnyGame, state: Any, found: Iterable[Explanation]) -> list[Explanation]:
    """Explanations by plies from a state, with their rarity, the likeliest first."""
    known: dict[Any, Counter[ActionKind]] = {}
    by_rarity = (replace(each, rarity=_rarity(game, state, each.plies, known)) for each in found)
    return sorted(by_rarity, key=lambda each: each.nats)


def _rarity(game: AnyGame, state: Any, plies: Plies, known: dict[Any, Counter[ActionKind]]) -> float:
    """How much rarer some plies are, in nats, than the price of so many says. That the table changed tells that
    something was played, and no ply speaks against itself; but each one more had to be chosen from all that were legal.
    What chance did is not counted, the table tells it. `known`: how many plies of each kind are legal in some states.
    """
    if made(plies) < 2:
        return 0.0
    chosen_from = []
    for ply in plies:
        if ply.player != CHANCE:
            if state not in known:
                known[state] = _kinds(game, state)
            kinds = known[state]
            alike = kinds[ply.player, game.write_action(ply.action)["type"]]  # 0: a game need not list all
            chosen_from.append(max(alike * sum(player == ply.player for player, _ in kinds), 1))
        state = game.apply(state, ply)
    further = math.log(math.prod(chosen_from) / max(chosen_from))
    return max(further - PLY_NATS * (len(chosen_from) - 1), 0.0)


def _kinds(game: AnyGame, state: Any) -> Counter[ActionKind]:
    """How many plies of each kind are legal; those that pick some of many count by all that may be picked."""
    kinds: Counter[ActionKind] = Counter()
    for ply in game.legal(state):
        if isinstance(ply.action, Choose):
            among, number = len(ply.action.among), ply.action.number
            kinds[ply.player, ply.action.type] += 2**among if number is None else math.comb(among, number)
        else:
            kinds[ply.player, game.write_action(ply.action)["type"]] += 1
    return kinds
