"""The naive War Chest's table: who stands where, and what could be done with a coin."""

COINS = {
    "archer": 4, "berserker": 5, "cavalry": 4, "crossbowman": 5, "ensign": 5, "footman": 5, "knight": 4, "lancer": 4,
    "light_cavalry": 5, "marshall": 5, "mercenary": 5, "pikeman": 4, "royal_guard": 5, "scout": 5, "swordsman": 5,
    "warrior_priest": 4,
}
RAVEN = [(-1, -2), (2, -3)]
WOLF = [(-2, 3), (1, 2)]
NEUTRAL = [(-3, 2), (-2, 0), (-1, 1), (1, -1), (2, 0), (3, -2)]


def far(a, b):
    # cube coordinates: half the sum of the differences
    (q, r), (u, v) = a, b
    return (abs(q - u) + abs(r - v) + abs(q + r - u - v)) // 2


class NaiveBoard:
    def __init__(self, units, initiative, factions, original=False, preview=False):
        self.seats = len(units)
        self.original, self.preview = original, preview
        wide = 3 if self.seats == 2 else 5
        self.hexes = [
            (q, r) for q in range(-wide, wide + 1) for r in range(-3, 4) if -3 <= q + r <= 3
        ]
        starts = {"raven": RAVEN[:], "wolf": WOLF[:]}
        self.locations = RAVEN + WOLF + NEUTRAL
        if self.seats == 4:
            starts["raven"].append((-4, 1))
            starts["wolf"].append((4, -1))
            self.locations = [*self.locations, (-4, 1), (4, -1), (-5, 3), (5, -3)]
        self.units = [list(own) for own in units]
        self.goal = 6 if self.seats == 2 else 8
        self.marks = {}
        for side in (0, 1):
            for at in starts[factions[side]]:
                self.marks[at] = side
        self.board = {}
        self.supply = [{unit: COINS[unit] - 2 for unit in own} for own in units]
        self.bag = [[unit for unit in own for _ in range(2)] + ["royal"] for own in units]
        self.hand = [[] for _ in units]
        self.discard = [[] for _ in units]
        self.ahead = [[] for _ in units]
        self.holder = initiative
        self.moved = False
        self.result = None
        self.turn_of = None

    # --- who stands where

    def owner(self, unit):
        return next(seat for seat in range(self.seats) if unit in self.units[seat])

    def side(self, unit):
        return self.owner(unit) % 2

    def where(self, unit):
        return [at for at in self.board if self.board[at][0] == unit]

    def free_hexes(self):
        return [at for at in self.hexes if at not in self.board]

    def next_to(self, at):
        return [to for to in self.hexes if far(at, to) == 1]

    def can_hit(self, at, target, height=None):
        """Anyone's attack on the unit there, at whatever distance."""
        unit, own = self.board[at]
        if target not in self.board or self.side(self.board[target][0]) == self.side(unit):
            return False
        return self.board[target][0] != "knight" or (own if height is None else height) > 1

    def maneuvers(self, at, which=("move", "attack", "control"), height=None):
        unit = self.board[at][0]
        if "move" in which:
            for to in self.next_to(at):
                if to not in self.board:
                    yield {"type": "free", "maneuver": "move", "from": list(at), "to": list(to)}
        if "attack" in which and unit not in ("archer", "lancer"):
            for target in self.next_to(at):
                if self.can_hit(at, target, height):
                    yield {"type": "free", "maneuver": "attack", "from": list(at), "target": list(target)}
        if "control" in which and at in self.locations and self.marks.get(at) != self.side(unit):
            yield {"type": "free", "maneuver": "control", "from": list(at)}

    # --- what can be done with a coin

    def options(self, seat, coin):
        for way in [{"type": "pass"}] + [{"type": "recruit", "unit": u} for u, n in self.supply[seat].items() if n]:
            yield {**way, "coin": coin}
        if not self.moved and self.holder % 2 != seat % 2:
            yield {"type": "initiative", "coin": coin}
        if coin == "royal":
            for at in self.where("royal_guard"):
                if self.owner("royal_guard") == seat:
                    for to in self.guard_targets(at, seat):
                        yield {"type": "tactic", "coin": "royal", "from": list(at), "to": list(to)}
            return
        if len(self.where(coin)) < (2 if coin == "footman" else 1):
            for at in self.free_hexes():
                near = any(
                    far(at, friend) == 1 and self.side(self.board[friend][0]) == seat % 2 for friend in self.board
                )
                if self.marks.get(at) == seat % 2 or (coin == "scout" and near):
                    yield {"type": "deploy", "coin": coin, "at": list(at)}
        for at in self.where(coin):
            yield {"type": "bolster", "coin": coin, "at": list(at)}
            for each in self.maneuvers(at):
                kind = each["maneuver"]
                if kind == "control":
                    yield {"type": "control", "coin": coin, "at": list(at)}
                else:
                    yield {"type": kind, "coin": coin, **{k: each[k] for k in ("from", "to", "target") if k in each}}
        for each in self.tactics(coin):
            yield {"type": "tactic", "coin": coin, **{key: list(at) for key, at in each.items()}}

    def guard_targets(self, at, seat):
        once = [to for to in self.next_to(at) if to not in self.board]
        if self.original:
            return once
        twice = [to for between in once for to in self.next_to(between) if to not in self.board]
        return [to for to in self.hexes if to in once + twice and self.marks.get(to) == seat % 2]

    def tactics(self, unit):
        for at in self.where(unit):
            yield from TACTICS.get(unit, nothing)(self, at)
        if unit == "footman" and any(list(self.maneuvers(at)) for at in self.where("footman")):
            yield {}

    def others(self, at):
        """Friends at most two hexes away."""
        side = self.side(self.board[at][0])
        return [
            friend for friend in self.board
            if friend != at and far(at, friend) <= 2 and self.side(self.board[friend][0]) == side
        ]


def nothing(table, at):
    return ()


def archer(table, at):
    yield from ({"from": at, "target": x} for x in table.hexes if far(at, x) == 2 and table.can_hit(at, x))


def cavalry(table, at):
    for to in table.free_hexes():
        for target in table.hexes:
            if far(at, to) == 1 and far(to, target) == 1 and table.can_hit(at, target):
                yield {"from": at, "to": to, "target": target}


def crossbowman(table, at):
    for target in table.hexes:
        middle = ((at[0] + target[0]) / 2, (at[1] + target[1]) / 2)
        if far(at, target) == 2 and middle in table.free_hexes() and table.can_hit(at, target):
            yield {"from": at, "target": target}


def ensign(table, at):
    for friend in table.others(at):
        for to in table.free_hexes():
            if far(friend, to) == 1 and far(at, to) <= 2:
                yield {"from": at, "unit_at": friend, "to": to}


def lancer(table, at):
    for to in table.free_hexes():
        q, r = to[0] - at[0], to[1] - at[1]
        straight = 0 in (q, r, q + r) and to != at
        if straight and far(at, to) <= 2:
            one = (q // far(at, to), r // far(at, to))
            target = (to[0] + one[0], to[1] + one[1])
            first = (at[0] + one[0], at[1] + one[1])
            if first in table.free_hexes() and table.can_hit(at, target):
                yield {"from": at, "to": to, "target": target}


def light_cavalry(table, at):
    empty = table.free_hexes()
    for to in empty:
        if any(far(at, between) == 1 and far(between, to) == 1 for between in empty):
            yield {"from": at, "to": to}


def marshall(table, at):
    for friend in table.others(at):
        for each in table.maneuvers(friend, ("attack",)):
            yield {"from": at, "unit_at": friend, "target": tuple(each["target"])}


TACTICS = {
    "archer": archer, "cavalry": cavalry, "crossbowman": crossbowman, "ensign": ensign, "lancer": lancer,
    "light_cavalry": light_cavalry, "marshall": marshall,
}
