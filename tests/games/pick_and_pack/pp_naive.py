"""Pick & Pack a second time, from the rules alone: cells are (column, row) from 1, all is changed in place."""

from __future__ import annotations

from typing import Any

LETTERS = " abcdef"


class NaivePickAndPack:
    def __init__(self, setup: Any, options: Any, players: int = 2) -> None:
        self.trays: dict[tuple[int, int], Any] = {
            (x, y): setup["trays"][y - 1][x - 1] for x in range(1, 7) for y in range(1, 7)
        }
        self.face_down: set[tuple[int, int]] = set()
        self.grabber = next(cell for cell, apples in self.trays.items() if apples == 6)
        self.ends = {
            (end, n): tiles[end][n - 1] for tiles in setup["tiles"] for end in tiles for n in range(1, 7)
        }
        self.packing: list[list[list[int]]] = [[[], [], [], []], [[], [], [], []]]
        self.closed: list[dict[int, str]] = [{}, {}]
        self.rushes = [0, 0]
        self.seat = setup["first"]
        self.old_rushes = 0
        self.asking = False
        self.finished: str | None = None

    def own_ends(self, seat: int) -> tuple[str, str]:
        return ("bottom", "top") if seat == 0 else ("left", "right")

    def open(self, seat: int, filled: bool = False) -> list[int]:
        return [n for n in (1, 2, 3, 4) if n not in self.closed[seat] and (self.packing[seat][n - 1] or not filled)]

    def smallest(self, seat: int) -> list[int]:
        sizes = {n: len(self.packing[seat][n - 1]) for n in self.open(seat)}
        return [n for n, size in sizes.items() if size == min(sizes.values())]

    def moves(self) -> list[Any]:
        if self.finished:
            return []
        if self.asking:
            return [(self.seat, {"type": "rush"}), (self.seat, {"type": "end"})]
        return [(self.seat, action) for action in self.grabber_moves()]

    def grabber_moves(self) -> list[Any]:
        found: list[Any] = []
        gx, gy = self.grabber
        for n in range(1, 7):
            x, y = (n, gy) if self.seat == 0 else (gx, n)
            if (x, y) == self.grabber or (x, y) in self.face_down:
                continue
            to = f"{LETTERS[x]}{y}"
            if self.trays[x, y]:
                found += [{"type": "grab", "to": to, "crate": crate} for crate in self.smallest(self.seat)]
                continue
            for end in self.own_ends(self.seat):
                tile = self.ends[end, x if self.seat == 0 else y]
                if tile:
                    extras = self.extras(tile) or [{}]
                    found += [{"type": "activate", "to": to, "end": end, **extra} for extra in extras]
        return found

    def extras(self, tile: str) -> list[Any]:
        me, you = self.seat, 1 - self.seat
        if tile == "premium":
            return [{"crate": n} for n in self.open(me)]
        if tile == "wholesale":
            return [{"crate": n} for n in self.open(you)]
        if tile == "quality_control":
            return [{"from": a, "crate": b} for a in self.open(you, True) for b in self.smallest(me)]
        if tile == "order_mixup":
            return [{"theirs": a, "mine": b} for a in self.open(you, True) for b in self.open(me, True)]
        if tile == "malfunction":
            lying = [c for c in self.trays if self.trays[c] and c not in self.face_down]
            return [{"tray": f"{LETTERS[x]}{y}"} for x, y in lying] + [
                {"tile": [end, n]} for (end, n), kind in self.ends.items() if kind and end in self.own_ends(you)
            ]
        return []

    def play(self, player: Any, action: Any) -> None:
        if action["type"] == "rush":
            self.rushes[self.seat] -= 1
            self.old_rushes -= 1
            self.asking = False
            return
        if action["type"] == "end":
            self.next_seat()
            return
        self.grabber = LETTERS.index(action["to"][0]), int(action["to"][1])
        if action["type"] == "grab":
            self.packing[self.seat][action["crate"] - 1].append(self.trays[self.grabber])
            self.trays[self.grabber] = None
        else:
            self.use_tile(action)
        if any(len(self.closed[seat]) == 4 for seat in (0, 1)):
            self.finished = "all crates closed"
        elif self.old_rushes and self.grabber_moves():
            self.asking = True
        else:
            self.next_seat()

    def next_seat(self) -> None:
        self.seat = 1 - self.seat
        self.old_rushes = self.rushes[self.seat]
        self.asking = False
        if not self.grabber_moves():
            self.finished = "no legal move"

    def use_tile(self, action: Any) -> None:
        me, you = self.seat, 1 - self.seat
        place = action["end"], self.grabber[me]
        tile, self.ends[place] = self.ends[place], None
        mine, yours = self.packing[me], self.packing[you]
        if tile == "premium":
            self.closed[me][action["crate"]] = tile
        elif tile == "wholesale":
            self.closed[you][action["crate"]] = tile
        elif tile == "rush_order":
            self.rushes[me] += 1
        elif "from" in action:
            mine[action["crate"] - 1].append(yours[action["from"] - 1].pop())
        elif "theirs" in action:
            a, b = yours[action["theirs"] - 1], mine[action["mine"] - 1]
            a[-1], b[-1] = b[-1], a[-1]
        elif "tray" in action:
            self.face_down.add((LETTERS.index(action["tray"][0]), int(action["tray"][1])))
        elif "tile" in action:
            self.ends[tuple(action["tile"])] = None

    @property
    def scores(self) -> list[int]:
        totals = [0, 0]
        for seat in (0, 1):
            for n in (1, 2, 3, 4):
                apples = sum(self.packing[seat][n - 1])
                kind = self.closed[seat].get(n)
                totals[seat] += apples * 2 if kind == "premium" else apples // 2 if kind == "wholesale" else apples
        return totals

    def end(self) -> Any:
        if not self.finished:
            return None
        return [seat for seat in (0, 1) if self.scores[seat] == max(self.scores)], self.finished
