"""Yuzu Twist a second time, from the rules alone: one dictionary from each slot of the table to its drink, and one from
each crate to its lower left slot. Nothing is kept by crates, so a move carries and turns drinks one by one."""

from __future__ import annotations

from typing import Any


class NaiveYuzuTwist:
    def __init__(self, setup: Any, options: Any, players: int) -> None:
        self.players, self.options = players, options
        self.colours = setup["colours"]
        self.corner: dict[str, tuple[int, int]] = {}
        self.drinks: dict[tuple[int, int], str] = {}
        for letter, crate in setup["crates"].items():
            i, j = crate["cell"]
            self.corner[letter] = (2 * i, 3 * j)
            for slot, drink in enumerate(crate["slots"]):
                col, row = slot % 2, slot // 2
                if crate["turned"]:
                    col, row = 1 - col, 2 - row
                self.drinks[2 * i + col, 3 * j + row] = drink
        self.seat, self.crate_done, self.swaps, self.turns = setup["first"], False, 0, 0
        self.winners: list[int] = []

    def cells(self) -> dict[str, tuple[int, int]]:
        return {letter: (x // 2, y // 3) for letter, (x, y) in self.corner.items()}

    def touching(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1

    def hang_together(self, cells: list[tuple[int, int]]) -> bool:
        group = {cells[0]}
        for _ in cells:
            group |= {cell for cell in cells if any(self.touching(cell, other) for other in group)}
        return len(group) == len(cells)

    def moves(self) -> list[Any]:
        if self.end():
            return []
        return [(self.seat, action) for action in (self.swap_moves() if self.crate_done else self.crate_moves())]

    def crate_moves(self) -> list[Any]:
        found: list[Any] = []
        cells = self.cells()
        for letter, own in cells.items():
            others = [cell for name, cell in cells.items() if name != letter]
            if not self.hang_together(others):
                continue
            for i in range(min(c[0] for c in others) - 1, max(c[0] for c in others) + 2):
                for j in range(min(c[1] for c in others) - 1, max(c[1] for c in others) + 2):
                    beside = (i, j) not in others and any(self.touching((i, j), other) for other in others)
                    if beside and (i, j) != own:
                        found += [{"type": "crate", "crate": letter, "to": [i, j], "turn": t} for t in (False, True)]
            found.append({"type": "crate", "crate": letter, "to": list(own), "turn": True})
        return found

    def swap_moves(self) -> list[Any]:
        found: list[Any] = [{"type": "done"}]
        for x, y in self.drinks:
            for to in ((x + 1, y - 1), (x + 1, y), (x + 1, y + 1), (x, y + 1)):
                found += [{"type": "swap", "a": [x, y], "b": list(to)}] if to in self.drinks else []
        return found

    def play(self, player: Any, action: Any) -> None:
        if action["type"] == "crate":
            self.carry(action["crate"], (2 * action["to"][0], 3 * action["to"][1]), action["turn"])
            self.crate_done = True
            return
        if action["type"] == "swap":
            a, b = tuple(action["a"]), tuple(action["b"])
            self.drinks[a], self.drinks[b] = self.drinks[b], self.drinks[a]
            self.swaps += 1
            self.look()
        if action["type"] == "done" or self.swaps == 2 or self.winners:
            self.turns += 1
            self.seat = (self.seat + 1) % self.players
            self.crate_done, self.swaps = False, 0

    def carry(self, letter: str, to: tuple[int, int], turn: bool) -> None:
        x, y = self.corner[letter]
        lifted = {(c, r): self.drinks.pop((x + c, y + r)) for c in (0, 1) for r in (0, 1, 2)}
        for (c, r), drink in lifted.items():
            self.drinks[(to[0] + 1 - c, to[1] + 2 - r) if turn else (to[0] + c, to[1] + r)] = drink
        self.corner[letter] = to

    def look(self) -> None:
        full = []
        for x, y in self.corner.values():
            colours = {self.drinks[x + c, y + r].split("/")[0] for c in (0, 1) for r in (0, 1, 2)}
            if len(colours) == 1:
                full += colours
        if self.players == 1:
            self.winners = [0] if len(full) == 6 else []
            return
        lucky = [seat for seat in range(self.players) if any(colour in full for colour in self.colours[seat])]
        for team in self.options["teams"] or []:
            if any(seat in lucky for seat in team):
                lucky += team
        self.winners = sorted(set(lucky))

    @property
    def scores(self) -> list[int]:
        return [self.turns] if self.players == 1 else [1 if seat in self.winners else 0 for seat in range(self.players)]

    def end(self) -> Any:
        if self.winners:
            return self.winners, "all crates completed" if self.players == 1 else "crate completed"
        if self.options["quiet_limit"] is not None and self.turns >= self.options["quiet_limit"]:
            return [], "quiet limit"
        return None
