"""Crate Wars a second time, from the rules alone: one dictionary from each drink to where it is."""

from __future__ import annotations

from typing import Any

SHAPES = ["stub_can", "short_can", "tall_can", "square_sides", "not_tallest_bottle", "tallest_bottle"]


class NaiveCrateWars:
    def __init__(self, setup: Any, options: Any, players: int = 2) -> None:
        self.cards = [setup["colour_cards"], setup["shape_cards"]]
        self.local = options["points"] == "local"
        self.owner = {drink: seat for seat in (0, 1) for drink in setup["supplies"][seat]}
        # a drink is in its owner's supply (0), beside a crate (1-6), in a won crate ("won", seat), or gone
        self.where: dict[str, Any] = dict.fromkeys(self.owner, 0)
        self.coins = [4, 4]
        self.passed: list[int] = []
        self.turn = setup["first"]
        self.machine = None
        self.crate = 1  # the next one to be looked at

    def lying(self, seat: int, crate: int) -> list[str]:
        return sorted(d for d, place in self.where.items() if place == crate and self.owner[d] == seat)

    def moves(self) -> list[Any]:
        if self.end():
            return []
        if self.machine:
            drinks = self.lying(1 - self.turn, self.machine)
            return [("chance", {"type": "vended", "choose": None, "from": drinks, "crate": self.machine})]
        if len(self.passed) == 2:
            drinks = sorted(self.lying(0, self.crate) + self.lying(1, self.crate))
            return [(self.winner_of(self.crate), {"type": "keep", "choose": 6, "from": drinks, "crate": self.crate})]
        found: list[Any] = [{"type": "pass"}]
        for k in range(1, 7):
            found += [{"type": "place", "drink": drink, "crate": k} for drink in self.lying(self.turn, 0)]
            if self.coins[self.turn] > 0 and self.lying(1 - self.turn, k):
                found.append({"type": "vend", "crate": k})
            if self.coins[self.turn] > 0 and self.lying(self.turn, k):
                found.append({"type": "recall", "crate": k})
        return [(self.turn, action) for action in found]

    def play(self, player: Any, action: Any) -> None:
        kind, crate = action["type"], action.get("crate")
        if kind == "place":
            self.where[action["drink"]] = crate
        elif kind == "vend":
            self.coins[self.turn] -= 1
            self.machine = crate
            return
        elif kind == "vended":
            for drink in self.lying(1 - self.turn, crate):
                if drink not in action["returned"]:
                    self.where[drink] = "gone"
            self.machine = None
        elif kind == "recall":
            self.coins[self.turn] -= 1
            for drink in self.lying(self.turn, crate):
                self.where[drink] = 0
        elif kind == "pass":
            self.passed.append(self.turn)
            for drink in self.lying(self.turn, 0):
                self.where[drink] = "gone"
        elif kind == "keep":
            for drink in self.lying(0, crate) + self.lying(1, crate):
                self.where[drink] = ("won", player) if drink in action["drinks"] else "gone"
            self.crate += 1
        if 1 - self.turn not in self.passed:
            self.turn = 1 - self.turn
        if len(self.passed) == 2:
            self.go_through_crates()

    def go_through_crates(self) -> None:
        while self.crate <= 6:
            drinks, winner = self.lying(0, self.crate) + self.lying(1, self.crate), self.winner_of(self.crate)
            if winner is not None and len(drinks) > 6:
                return
            for drink in drinks:
                self.where[drink] = "gone" if winner is None else ("won", winner)
            self.crate += 1

    def points(self, seat: int, crate: int) -> int:
        total = 0
        for drink in self.lying(seat, crate):
            kind = drink.split("/")[seat]
            if self.local and self.cards[seat][crate - 1] == kind:
                total += crate
            if not self.local:
                total += 1 + self.cards[seat].index(kind)
        return total

    def winner_of(self, crate: int) -> int | None:
        mine, yours = self.points(0, crate), self.points(1, crate)
        return 0 if mine > yours else 1 if yours > mine else None

    @property
    def scores(self) -> list[int]:
        won: list[list[str]] = [[], []]
        for drink, place in self.where.items():
            if isinstance(place, tuple):
                won[place[1]].append(drink)
            elif isinstance(place, int) and place >= self.crate and place > 0:
                winner = self.winner_of(place)
                if winner is not None:
                    won[winner].append(drink)
        yen = [500 * self.coins[0], 500 * self.coins[1]]
        for part, cards in enumerate(self.cards):
            for k in range(6):
                mine, yours = ([d.split("/")[part] for d in won[seat]].count(cards[k]) for seat in (0, 1))
                if mine > yours:
                    yen[0] += 100 * (k + 1)
                if yours > mine:
                    yen[1] += 100 * (k + 1)
        return yen

    def end(self) -> Any:
        if len(self.passed) < 2 or self.crate <= 6:
            return None
        yen = self.scores
        return [seat for seat in (0, 1) if yen[seat] == max(yen)], "all crates scored"
