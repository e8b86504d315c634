"""How likely plies are before anybody looks at the table.

A player makes a ply of any kind as likely as one of another kind, and of one kind any ply as likely as another: so a
ply that is one of a hundred is rare, and one that ends a turn is not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.engine import CHANCE, AnyGame, Choose, Player
from companion.interpret.explanation import PLY_NATS, Explanation
from companion.interpret.outcome import Plies

ActionKind = tuple[Player, str]
"""Who acts, and how: the type of the action."""


def rated(
    game: AnyGame, state: Any, found: Sequence[Explanation], beside: Explanation | None = None
) -> list[Explanation]:
    """Explanations by plies from a state, with their rarity, the likeliest first. `beside`: the one that fits best, if
    it is not among these.

    That the table changed tells that something was played: so of each explanation the rarest ply speaks not against it.
    But what another one has beside the plies of the best had to be chosen as well, however rare those are.
    """
    known: dict[Any, Counter[ActionKind]] = {}
    best = beside or min(found, key=lambda each: each.cost, default=None)
    usual = _Rarity(_chosen_from(game, state, best.plies, known) if best is not None else [])
    rarities = [_Rarity(_chosen_from(game, state, each.plies, known)) for each in found]
    by_rarity = (
        replace(each, rarity=max(rarity.but_for_one, usual.but_for_one + rarity.of_each - usual.of_each))
        for each, rarity in zip(found, rarities, strict=True)
    )
    return sorted(by_rarity, key=lambda each: each.nats)


class _Rarity:
    """How much rarer plies are, in nats, than the price of so many says, from how many each was chosen."""

    def __init__(self, chosen_from: Sequence[int]) -> None:
        nats = [math.log(each) for each in chosen_from]
        self.of_each = sum(max(0.0, each - PLY_NATS) for each in nats)
        """Each ply for itself."""
        self.but_for_one = max(0.0, sum(nats) - max(nats, default=0.0) - PLY_NATS * max(0, len(nats) - 1))
        """All together, but for the rarest."""


def _chosen_from(game: AnyGame, state: Any, plies: Plies, known: dict[Any, Counter[ActionKind]]) -> list[int]:
    """From how many each ply of a player was chosen. What chance did does not count, the table tells it. `known`: how
    many plies of each kind are legal in some states."""
    found = []
    for ply in plies:
        if ply.player != CHANCE:
            if state not in known:
                known[state] = _kinds(game, state)
            kinds = known[state]
            alike = kinds[ply.player, game.write_action(ply.action)["type"]]  # 0: a game need not list all
            found.append(max(alike * sum(player == ply.player for player, _ in kinds), 1))
        state = game.apply(state, ply)
    return found


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
