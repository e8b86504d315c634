"""The same plies in another order, where it shows nowhere and decides nothing: one explanation, and no question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from companion.engine import AnyGame
from companion.interpret.explanation import Explanation


def in_any_order(game: AnyGame, found: Sequence[Explanation]) -> list[Explanation]:
    """Explanations, those by the same plies in another order as one if they lead to what is the same for everybody: the
    likeliest of them, as likely as all together. A coin that was discarded before a draw or after it, beneath others:
    whoever plays on sees the same table, the same number of coins, the same turn."""
    alike: dict[Hashable, list[Explanation]] = {}
    for each in found:
        key = each.taken_back, frozenset(Counter(each.plies).items()), game.open_state(each.state)
        alike.setdefault(key, []).append(each)
    together = (_together(sorted(each, key=lambda one: one.nats)) for each in alike.values())
    return sorted(together, key=lambda each: each.nats)


def _together(alike: Sequence[Explanation]) -> Explanation:
    likeliest = alike[0]
    times = sum(math.exp(likeliest.nats - each.nats) for each in alike)
    return replace(likeliest, rarity=likeliest.rarity - math.log(times))
