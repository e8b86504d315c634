"""War Chest once more, as slowly and plainly as can be: one generator that plays the game from top to bottom.

It shares nothing with the project's rules: actions are JSON, everything is changed in place, and whenever somebody
is to act it yields `(player, legal actions)` and is sent the action. Follow-ups are nested calls, not a list of dues.
"""

import json

from tests.games.war_chest.naive_board import NaiveBoard, far


class Won(Exception):
    pass


class Naive(NaiveBoard):
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

    # --- what is done

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

