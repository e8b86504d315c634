"""War Chest once more, as slowly and plainly as can be: one generator that plays the game from top to bottom.

It shares nothing with the project's rules: actions are JSON, everything is changed in place, and whenever somebody
is to act it yields `(player, legal actions)` and is sent the action. Follow-ups are nested calls, not a list of dues.
"""

import json

COINS = {
    "archer": 4, "berserker": 5, "cavalry": 4, "crossbowman": 5, "ensign": 5, "footman": 5, "knight": 4, "lancer": 4,
    "light_cavalry": 5, "marshall": 5, "mercenary": 5, "pikeman": 4, "royal_guard": 5, "scout": 5, "swordsman": 5,
    "warrior_priest": 4,
}
RAVEN = [(-1, -2), (2, -3)]
WOLF = [(-2, 3), (1, 2)]
NEUTRAL = [(-3, 2), (-2, 0), (-1, 1), (1, -1), (2, 0), (3, -2)]


class Won(Exception):
    pass


def far(a, b):
    # cube coordinates: half the sum of the differences
    (q, r), (u, v) = a, b
    return (abs(q - u) + abs(r - v) + abs(q + r - u - v)) // 2


class Naive:
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

    # --- the course of the game

    def play(self):
        try:
            first = True
            while True:
                yield from self.draw(first)
                first = False
                self.moved = False
                yield from self.round(self.holder)
        except Won:
            return

    def round(self, seat):
        while any(self.hand):
            if self.hand[seat]:
                self.turn_of = seat
                yield from self.spend(seat, self.hand[seat])
                if self.dead():
                    self.result = ([], "stalemate")
                    raise Won
            seat = (seat + 1) % self.seats

    def dead(self):
        for seat in range(self.seats):
            everything = self.hand[seat] + self.bag[seat] + self.discard[seat] + self.ahead[seat]
            if any(coin != "royal" for coin in everything) or any(self.supply[seat].values()):
                return False
        return True

    def draw(self, first):
        action = yield "chance", []
        for seat in range(self.seats):
            drawn = list(action["coins"][str(seat)])
            if self.ahead[seat]:
                assert sorted(drawn) == sorted(self.ahead[seat])
                self.ahead[seat] = []
            else:
                self.take_from_bag(seat, drawn)
            self.hand[seat] = drawn
            if first and self.preview:
                self.ahead[seat] = list(action["next"][str(seat)])
                self.take_from_bag(seat, list(self.ahead[seat]))

    def take_from_bag(self, seat, drawn):
        drawn = list(drawn)
        # coins of the bag come first; when it is empty the discards go in
        while drawn:
            if not self.bag[seat]:
                self.bag[seat], self.discard[seat] = self.discard[seat], []
            coin = next(each for each in drawn if each in self.bag[seat])
            drawn.remove(coin)
            self.bag[seat].remove(coin)

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
            others = [
                friend for friend in self.board
                if friend != at and far(at, friend) <= 2 and self.side(self.board[friend][0]) == self.side(unit)
            ]
            if unit == "archer":
                yield from ({"from": at, "target": x} for x in self.hexes if far(at, x) == 2 and self.can_hit(at, x))
            if unit == "cavalry":
                for to in self.free_hexes():
                    for target in self.hexes:
                        if far(at, to) == 1 and far(to, target) == 1 and self.can_hit(at, target):
                            yield {"from": at, "to": to, "target": target}
            if unit == "crossbowman":
                for target in self.hexes:
                    middle = ((at[0] + target[0]) / 2, (at[1] + target[1]) / 2)
                    if far(at, target) == 2 and middle in self.free_hexes() and self.can_hit(at, target):
                        yield {"from": at, "target": target}
            if unit == "ensign":
                for friend in others:
                    for to in self.free_hexes():
                        if far(friend, to) == 1 and far(at, to) <= 2:
                            yield {"from": at, "unit_at": friend, "to": to}
            if unit == "lancer":
                for to in self.free_hexes():
                    q, r = to[0] - at[0], to[1] - at[1]
                    straight = 0 in (q, r, q + r) and to != at
                    if straight and far(at, to) <= 2:
                        one = (q // far(at, to), r // far(at, to))
                        target = (to[0] + one[0], to[1] + one[1])
                        first = (at[0] + one[0], at[1] + one[1])
                        if first in self.free_hexes() and self.can_hit(at, target):
                            yield {"from": at, "to": to, "target": target}
            if unit == "light_cavalry":
                empty = self.free_hexes()
                for to in empty:
                    if any(far(at, between) == 1 and far(between, to) == 1 for between in empty):
                        yield {"from": at, "to": to}
            if unit == "marshall":
                for friend in others:
                    for each in self.maneuvers(friend, ("attack",)):
                        yield {"from": at, "unit_at": friend, "target": tuple(each["target"])}
        if unit == "footman" and any(list(self.maneuvers(at)) for at in self.where("footman")):
            yield {}

    def spend(self, seat, held):
        """One coin of those held, for whatever can be done with it."""
        legal = [action for coin in sorted(set(held)) for action in self.options(seat, coin)]
        action = yield seat, legal
        assert action in legal, action
        coin = action["coin"]
        held.remove(coin)
        kind = action["type"]
        hexes = {key: tuple(action[key]) for key in ("at", "from", "to", "target", "unit_at") if key in action}
        if kind in ("deploy", "bolster"):
            self.board[hexes["at"]] = [coin, self.board.get(hexes["at"], [coin, 0])[1] + 1]
            return
        self.discard[seat].append(coin)
        if kind == "initiative":
            self.holder, self.moved = seat, True
        if kind == "recruit":
            unit = action["unit"]
            self.supply[seat][unit] -= 1
            self.discard[seat].append(unit)
            if unit == "mercenary" and self.where(unit):
                yield from self.maybe(seat, self.where(unit)[0])
        if kind == "move":
            yield from self.move(hexes["from"], hexes["to"])
        if kind == "attack":
            yield from self.attack(hexes["from"], hexes["target"])
        if kind == "control":
            yield from self.control(hexes["at"])
        if kind == "tactic" and coin == "footman":
            yield from self.footmen(seat)
        elif kind == "tactic":
            actor = hexes.get("unit_at", hexes["from"])
            if "target" not in hexes:
                yield from self.move(actor, hexes["to"])
            else:
                if "to" in hexes:
                    self.board[hexes["to"]] = self.board.pop(actor)
                    actor = hexes["to"]
                yield from self.attack(actor, hexes["target"])

    # --- what units do

    def move(self, at, to):
        self.board[to] = self.board.pop(at)
        yield from self.attribute(to, "move")

    def lose(self, at):
        self.board[at] = [self.board[at][0], self.board[at][1] - 1]
        if not self.board[at][1]:
            del self.board[at]

    def attack(self, at, target):
        unit = self.board[target][0]
        hurts_back = unit == "pikeman" and far(at, target) == 1
        source = "stack"
        owner = self.owner(unit)
        if unit == "royal_guard" and self.supply[owner][unit]:
            answers = [{"type": "absorb", "from": "supply"}, {"type": "absorb", "from": "stack"}]
            source = (yield owner, answers)["from"]
        if source == "supply":
            self.supply[owner][unit] -= 1
        else:
            self.lose(target)
        if hurts_back:
            self.lose(at)
        if at in self.board:
            yield from self.attribute(at, "attack")

    def control(self, at):
        side = self.side(self.board[at][0])
        self.marks[at] = side
        if list(self.marks.values()).count(side) == self.goal:
            self.result = ([seat for seat in range(self.seats) if seat % 2 == side], "last marker placed")
            raise Won
        yield from self.attribute(at, "control")

    def attribute(self, at, did):
        unit, height = self.board[at]
        owner = self.owner(unit)
        if unit == "berserker" and height > 1:
            yield from self.maybe(owner, at, height=height - 1)
        if unit == "swordsman" and did == "attack":
            yield from self.maybe(owner, at, ("move",))
        if unit == "warrior_priest" and did != "move" and self.bag[owner] + self.discard[owner]:
            drawn = (yield "chance", [])["coin"]
            self.take_from_bag(owner, [drawn])
            yield from self.spend(owner, [drawn])

    def maybe(self, seat, at, which=("move", "attack", "control"), height=None):
        legal = list(self.maneuvers(at, which, height))
        if not legal:
            return
        legal.append({"type": "skip"})
        action = yield seat, legal
        assert action in legal, action
        if action["type"] == "skip":
            return
        if height is not None:
            self.discard[seat].append(self.board[at][0])
            self.lose(at)
        yield from self.do(action)

    def do(self, action):
        at = tuple(action["from"])
        if action["maneuver"] == "move":
            yield from self.move(at, tuple(action["to"]))
        if action["maneuver"] == "attack":
            yield from self.attack(at, tuple(action["target"]))
        if action["maneuver"] == "control":
            yield from self.control(at)

    def footmen(self, seat):
        waiting = self.where("footman")
        while True:
            legal = [each for at in waiting for each in self.maneuvers(at)]
            if not legal:
                return
            action = yield seat, legal
            assert action in legal, action
            waiting.remove(tuple(action["from"]))
            yield from self.do(action)


def key(action):
    """An action as something that can stand in a set."""
    return json.dumps(action, sort_keys=True)

