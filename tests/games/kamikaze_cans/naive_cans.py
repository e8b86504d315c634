"""Kamikaze Cans a second time, as plainly as can be, to compare with: nothing shared with the rules under test.

The grid is a dictionary of (column, row) → (seat, height 1–6), a stock is a set of heights; all is changed in place.
"""

from __future__ import annotations

NAMES = ["", "stub_can", "short_can", "tall_can", "square_sides", "not_tallest_bottle", "tallest_bottle"]
VALUE = [0, 4, -1, -2, 3, 2, 1]


class NaiveCans:
    def __init__(self, setup: dict, options: dict, players: int) -> None:
        self.colours, self.seat, self.options = setup["colours"], setup["first"], options
        self.grid: dict[tuple[int, int], tuple[int, int]] = {}
        self.stock = [{1, 2, 3, 4, 5, 6} for _ in range(players)]
        self.quiet = 0

    def end(self) -> tuple[list[int], str] | None:
        best = [seat for seat, points in enumerate(self.scores) if points == max(self.scores)]
        if any(not stock for stock in self.stock):
            return best, "stock empty"
        if self.options["quiet_limit"] and self.quiet == self.options["quiet_limit"]:
            return best, "quiet limit"
        return None

    @property
    def scores(self) -> list[int]:
        points = [-sum(VALUE[height] for height in stock) for stock in self.stock]
        for seat, height in self.grid.values():
            points[seat] += VALUE[height]
        return points

    def moves(self) -> list[tuple[int, dict]]:
        found: list[dict] = []
        if self.end():
            return []
        for x in range(6):
            for y in range(6):
                here = self.grid.get((x, y))
                if here is None:
                    found += [self.json("place", height, (x, y)) for height in self.stock[self.seat]]
                    continue
                if here[0] != self.seat:
                    continue
                found += [
                    self.json("move", (x, y), (tx, ty))
                    for tx in range(6) for ty in range(6) if self.can_move((x, y), (tx, ty), here[1])
                ]  # fmt: skip
                if here[1] in (2, 3):
                    found.append(self.json("explode", (x, y), None))
        return [(self.seat, action) for action in found]

    def can_move(self, start: tuple[int, int], end: tuple[int, int], height: int) -> bool:
        if start == end or end in self.grid or (start[0] != end[0] and start[1] != end[1]):
            return False
        low, high = min(start, end), max(start, end)
        return all(
            other < height
            for (x, y), (_, other) in self.grid.items()
            if low[0] <= x <= high[0] and low[1] <= y <= high[1] and (x, y) != start
        )

    def json(self, type_: str, what, to) -> dict:
        def cell(at: tuple[int, int]) -> str:
            return chr(ord("a") + at[0]) + str(at[1] + 1)

        if type_ == "place":
            return {"type": "place", "drink": f"{self.colours[self.seat]}/{NAMES[what]}", "to": cell(to)}
        if type_ == "move":
            return {"type": "move", "from": cell(what), "to": cell(to)}
        return {"type": "explode", "at": cell(what)}

    def play(self, player: int, action: dict) -> None:
        def at(cell: str) -> tuple[int, int]:
            return ord(cell[0]) - ord("a"), int(cell[1]) - 1

        self.quiet = self.quiet + 1 if action["type"] == "move" else 0
        if action["type"] == "place":
            height = NAMES.index(action["drink"].split("/")[1])
            self.stock[player].remove(height)
            self.grid[at(action["to"])] = (player, height)
        elif action["type"] == "move":
            self.grid[at(action["to"])] = self.grid.pop(at(action["from"]))
        else:
            self.burst(at(action["at"]))
        self.seat = (player + 1) % len(self.colours)

    def burst(self, cell: tuple[int, int]) -> None:
        """Recursively: the can goes first, then its neighbours one by one."""
        _, height = self.grid.pop(cell)
        if height not in ((1, 2, 3) if self.options["stub_cans_chain"] else (2, 3)):
            return
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                neighbour = (cell[0] + dx, cell[1] + dy)
                if neighbour in self.grid:
                    self.burst(neighbour)
