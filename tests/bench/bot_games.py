"""The games that bots play against each other for the part `bots` of the benchmarks, kept a line a game."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from companion.bots import Bot, Budget, Greedy, RandomBot, Search
from companion.bots.plies import settle
from companion.bots.value import outcome
from companion.engine import Over
from companion.games import registry

OPTIONS = {"kamikaze-cans": {"quiet_limit": 30}, "yuzu-twist": {"quiet_limit": 60}}
"""So that no game goes on for ever; the other games end by themselves."""
GAMES = 100
MINUTES = 15.0
MAX_PLIES = 1000
"""A game that takes longer is a draw."""


@dataclass(frozen=True)
class Player:
    """A bot with the seconds of CPU time it has for a ply."""

    kind: str
    time_s: float | None = None

    def __str__(self) -> str:
        return self.kind if self.time_s is None else f"{self.kind} {self.time_s:g} s"

    def bot(self) -> Bot:
        made: dict[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": Greedy, "search": Search}
        return made[self.kind]()

    def budget(self) -> Budget:
        return Budget(time_s=self.time_s or 60.0, clock_s=time.thread_time)


@dataclass(frozen=True)
class Pairing:
    """Games of two players: each deal is played twice, so that both begin it once."""

    game: str
    one: Player
    two: Player
    least: float | None = None
    """The share that the first player should reach."""
    games: int = GAMES
    minutes: float | None = None
    """A pairing that is only reported ends after so many minutes of CPU time."""

    @property
    def name(self) -> str:
        return f"{self.game}-{self.one}-{self.two}".replace(" ", "")


@dataclass(frozen=True)
class Played:
    """What came out of one game: 1, 0.5 or 0 for the first player. `seconds` and `thought_s` are CPU time."""

    result: float
    plies: int
    seconds: float
    playouts: int
    thought_s: float
    reason: str


def pairings() -> Iterator[Pairing]:
    """All pairings, the longest first."""
    greedy, search = Player("greedy"), Player("search", 0.5)
    for game in ("kamikaze-cans", "crate-wars", "pick-and-pack"):
        yield Pairing(game, search, greedy, 0.7)
    for game in ("yuzu-twist", "war-chest"):
        yield Pairing(game, search, greedy, minutes=MINUTES)
    for game in registry.ids():
        yield Pairing(game, Player("search", 2.0), Player("search", 0.2), minutes=MINUTES)
    for game in registry.ids():
        yield Pairing(game, greedy, Player("random"), 0.8)


def play_pairing(pairing: Pairing, kept: Path) -> list[Played]:
    """Plays what is missing of a pairing, a line a game in its file, and gives all its games."""
    file = kept / f"{pairing.name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    _cut_unfinished(file)
    played = games_kept(file)
    with file.open("a", encoding="utf-8") as lines:
        while len(played) < pairing.games and not _is_late(pairing, played):
            played.append(play_game(pairing, len(played)))
            lines.write(json.dumps(vars(played[-1])) + "\n")
            lines.flush()
    return played


def games_kept(file: Path) -> list[Played]:
    """The games in a pairing's file; a line that was not written to its end does not count."""
    return [Played(**json.loads(line)) for line in _whole_lines(file)]


def _whole_lines(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text.rpartition("\n")[0].splitlines()


def _cut_unfinished(file: Path) -> None:
    """Takes off a line that was not written to its end. Whoever only reads a file leaves it as it is."""
    if file.exists() and not file.read_text(encoding="utf-8").endswith("\n"):
        file.write_text("".join(f"{line}\n" for line in _whole_lines(file)), encoding="utf-8")


def _is_late(pairing: Pairing, played: list[Played]) -> bool:
    """Whether its time is over; a deal that was begun is played from both seats."""
    spent_s = sum(each.seconds for each in played)
    return pairing.minutes is not None and len(played) % 2 == 0 and spent_s >= 60 * pairing.minutes


def play_game(pairing: Pairing, number: int) -> Played:
    """Game `number` of a pairing: even ones have the first player in seat 0."""
    game = registry.game(pairing.game)
    options = game.read_options(OPTIONS.get(pairing.game, {}), 2)
    deal, rng = Random(f"deal {number // 2}"), Random(f"{pairing.name} {number}")
    state = game.start(game.read_setup(game.deal(2, options, deal), options, 2), options, 2)
    first = number % 2
    players = (pairing.one, pairing.two) if first == 0 else (pairing.two, pairing.one)
    bots, budgets = [each.bot() for each in players], [each.budget() for each in players]
    plies, playouts, thought_s, began_s = 0, 0, 0.0, time.thread_time()
    turn: Any = None
    while plies < MAX_PLIES:
        state = settle(game, state, rng)
        turn = game.turn(state)
        if isinstance(turn, Over):
            break
        seat = turn.seats[0]
        asked_s = time.thread_time()
        decision = bots[seat].choose(game, game.view(state, seat), rng, budgets[seat])
        if seat == first:
            playouts += decision.playouts
            thought_s += time.thread_time() - asked_s
        state = game.apply(state, decision.ply)
        plies += 1
    over = isinstance(turn, Over)
    result = outcome(turn, 2)[first] if over else 0.5
    seconds = time.thread_time() - began_s
    return Played(result, plies, seconds, playouts, thought_s, turn.reason if over else "too long")


def faster(pairing: Pairing, factor: float) -> Pairing:
    """The pairing with all times a ply multiplied; such a pairing aims at nothing."""
    if factor == 1.0:
        return pairing
    one, two = (
        player if player.time_s is None else replace(player, time_s=player.time_s * factor)
        for player in (pairing.one, pairing.two)
    )
    return replace(pairing, one=one, two=two, least=None)
