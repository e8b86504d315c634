"""What may be hidden at a table, once more and as plainly as can be: every world is listed, with its probability.

It shares nothing with the project's sets: a world is three sorted lists of coins, coins are drawn one after the other,
and all it is told are actions as JSON. It stands for one player.
"""

from collections import Counter
from fractions import Fraction

from tests.games.war_chest.naive_board import COINS

FACE_DOWN = ("initiative", "recruit", "pass")


class NaiveCoins:
    def __init__(self, units):
        bag = [unit for unit in units for _ in range(2)] + ["royal"]
        # (bag, hand, face down, drawn by a priest, second hand) -> probability
        self.worlds = {(tuple(sorted(bag)), (), (), (), ()): Fraction(1)}
        self.up = []
        self.kinds = [*units, "royal"]
        assert all(COINS[unit] > 3 for unit in units)

    def draw(self, preview=False):
        if next(iter(self.worlds))[4]:
            self._all(lambda world: [((world[0], world[4], world[2], world[3], ()), 1)])
            return
        for _ in range(3):
            self._draw(1)
        for _ in range(3 if preview else 0):
            self._draw(4)

    def draw_one(self):
        self._draw(3)

    def spend(self, action):
        if action["type"] in FACE_DOWN:
            self._all(self._face_down)
            if action["type"] == "recruit":
                self.up.append(action["unit"])
            return
        coin = action["coin"]
        self._all(lambda world: self._shown(world, coin))
        if action["type"] not in ("deploy", "bolster"):
            self.up.append(coin)

    def can_spend(self, coin):
        return any(coin in self._pocket(world)[1] for world in self.worlds)

    def can_draw(self, coins):
        wanted = Counter(coins)
        after = NaiveCoins(self.kinds[:-1])
        after.worlds, after.up = dict(self.worlds), list(self.up)
        after.draw()
        return any(not wanted - Counter(world[1]) for world in after.worlds)

    def as_counts(self):
        """Each world as the project writes it: counts of bag, hand, face down, drawn, ahead."""
        return {
            tuple(tuple(part.count(kind) for kind in self.kinds) for part in (bag, hand, down, drawn, ahead)): odds
            for (bag, hand, down, drawn, ahead), odds in self.worlds.items()
        }

    # --- one step in every world

    def _all(self, step):
        found = {}
        for world, odds in self.worlds.items():
            for after, share in step(world):
                found[after] = found.get(after, 0) + odds * share
        total = sum(found.values())
        self.worlds = {world: odds / total for world, odds in found.items()}

    def _draw(self, part):
        if not next(iter(self.worlds))[0]:
            self._all(lambda world: [((tuple(sorted((*world[2], *self.up))), world[1], (), *world[3:]), 1)])
            self.up = []
        if next(iter(self.worlds))[0]:
            self._all(lambda world: self._drawn(world, part))

    def _drawn(self, world, part):
        bag = world[0]
        for i in range(len(bag)):
            parts = list(world)
            parts[0] = bag[:i] + bag[i + 1:]
            parts[part] = tuple(sorted((*world[part], bag[i])))
            yield tuple(parts), Fraction(1, len(bag))

    def _pocket(self, world):
        return (3, world[3]) if world[3] else (1, world[1])

    def _shown(self, world, coin):
        part, held = self._pocket(world)
        if coin in held:
            i = held.index(coin)
            parts = list(world)
            parts[part] = held[:i] + held[i + 1:]
            yield tuple(parts), 1

    def _face_down(self, world):
        part, held = self._pocket(world)
        for i in range(len(held)):
            parts = list(world)
            parts[part] = held[:i] + held[i + 1:]
            parts[2] = tuple(sorted((*world[2], held[i])))
            yield tuple(parts), Fraction(1, len(held))
