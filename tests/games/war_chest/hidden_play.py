"""Games played in the open, hidden as a table hides them, and followed by the referee and by the naive list of worlds.

    python -m tests.games.war_chest.hidden_play 1000        # so many games of three rounds; prints what was compared
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

from companion.engine import CHANCE, Over, Ply, play
from companion.errors import IllegalError
from companion.games.war_chest import GAME
from companion.games.war_chest.actions import Draw, as_seen
from companion.games.war_chest.coins import ROYAL
from companion.games.war_chest.legal import FACE_UP, face_down
from tests.games.war_chest.naive_coins import NaiveCoins


class Table:
    """One game: the truth, what the referee makes of it, and the naive worlds of each seat."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(seed)
        players = rng.choice((2, 2, 4))
        self.preview = rng.random() < 0.2
        options = GAME.read_options({"preview_second_hand": self.preview}, players)
        setup = GAME.deal(players, options, rng)
        self.truth: Any = GAME.start(setup, options, players)
        self.referee: Any = GAME.start(setup, {**options, "knowledge": "referee"}, players)
        self.naive = [NaiveCoins(units) for units in setup["units"]]
        self.done: Counter[str] = Counter()

    def play(self, most_plies: int, rounds: int = 1000) -> Counter[str]:
        """Plays on; gives how often each thing was compared."""
        for _ in range(most_plies):
            if isinstance(GAME.turn(self.truth), Over) or (self.truth.active is None and self.truth.round == rounds):
                break
            self.compare_plies()
            ply = play.random_ply(GAME, self.truth, self.rng)
            self.compare_draw(ply)
            self.tell_naive(ply)
            self.truth = GAME.apply(self.truth, ply)
            self.referee = GAME.apply(self.referee, Ply(ply.player, as_seen(ply.action)))
            self.done["plies"] += 1
            self.compare_states()
        return self.done

    def compare_plies(self) -> None:
        """What is legal for the truth is so for the referee; what the referee refuses no world allows."""
        assert GAME.turn(self.truth) == GAME.turn(self.referee)
        listed = {ply.action for ply in GAME.legal(self.referee)}
        assert {as_seen(ply.action) for ply in GAME.legal(self.truth)} <= listed
        turn: Any = GAME.turn(self.truth)
        due = self.referee.due[-1] if self.referee.due else None
        if not hasattr(turn, "seats") or (due is not None and type(due).__name__ != "UseCoin"):
            return
        seat = turn.seats[0]
        for coin in self.naive[seat].kinds:
            plies = [action for ways in FACE_UP.values() for action in ways(self.referee, seat, coin)]
            for action in (*plies, *face_down(self.referee, seat, coin)):
                assert self.accepts(Ply(seat, action)) == self.naive[seat].can_spend(coin), action
                assert action not in plies or (action in listed) == self.naive[seat].can_spend(coin), action
                self.done["plies tried"] += 1

    def compare_draw(self, ply: Ply[Any]) -> None:
        """Some draw that might be told of a seat is refused if it can be in no world."""
        if not isinstance(ply.action, Draw):
            return
        seat = self.rng.randrange(len(self.naive))
        size = len(dict(ply.action.coins)[seat])
        told = tuple(sorted(self.rng.choices(self.naive[seat].kinds, k=self.rng.randint(0, size))))
        accepted = self.accepts(Ply(CHANCE, Draw(((seat, told),))))
        assert accepted == self.naive[seat].can_draw(told), told
        self.done["draws tried"] += 1

    def accepts(self, ply: Ply[Any]) -> bool:
        """Whether the referee takes the ply."""
        try:
            GAME.apply(self.referee, ply)
        except IllegalError:
            self.done["refused"] += 1
            return False
        return True

    def tell_naive(self, ply: Ply[Any]) -> None:
        """What everybody sees of the ply."""
        action = GAME.write_action(as_seen(ply.action))
        if ply.player != CHANCE:
            if action["type"] == "free" and self.truth.stacks[tuple(action["from"])].kind == "berserker":
                self.naive[ply.player].up.append("berserker")
            elif action["type"] not in ("free", "skip", "absorb"):
                self.naive[ply.player].spend(action)
        elif action["type"] == "priest":
            self.naive[self.truth.due[-1].seat].draw_one()
        else:
            for each in self.naive:
                each.draw(preview=self.preview and self.truth.round == 0)

    def compare_states(self) -> None:
        """The truth is possible, and all probabilities are those of the naive worlds."""
        for true, believed, naive in zip(self.truth.purses, self.referee.purses, self.naive):
            assert true.known[0][0] in dict(believed.known)
            assert (true.supply, true.pile) == (believed.supply, believed.pile)
            total = sum(weight for _, weight in believed.known)
            odds = {tuple(one): Fraction(weight, total) for one, weight in believed.known}
            assert odds == naive.as_counts()
            assert believed.kinds[-1] == ROYAL
            self.done["sets"] += 1
            self.done["possibilities"] += len(odds)
            self.done["largest set"] = max(self.done["largest set"], len(odds))


def report(games: int) -> str:
    """Plays so many games of three rounds, and says what was compared."""
    done: Counter[str] = Counter()
    largest = 0
    for seed in range(games):
        one = Table(seed).play(most_plies=400, rounds=3)
        largest = max(largest, one.pop("largest set", 0))
        done += one
    return (
        f"War Chest at a table: {games:,} games of three rounds, {done['plies']:,} plies.\n"
        f"The truth was among the possibilities each time, in all of {done['sets']:,} sets; all their probabilities\n"
        f"({done['possibilities']:,}, at most {largest:,} in a set) are those of listing every world.\n"
        f"{done['plies tried']:,} plies and {done['draws tried']:,} draws were tried, {done['refused']:,} refused:\n"
        "just those that are impossible in every world.\n"
    )


if __name__ == "__main__":
    sys.stdout.write(report(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
