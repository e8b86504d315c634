"""What else may have led to the same table: one ply more, whose trace the next ones cover.

A coin that is passed, and another one on top of it before anybody looked: the table tells nothing of the first, and it
is another player's turn. So where several plies were made since the last look, it is asked which.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine import CHANCE, AnyGame, Chance, Choose, Over, Ply
from companion.errors import IllegalError
from companion.interpret.evidence import Evidence
from companion.interpret.outcome import Plies
from companion.interpret.plies import possible_plies
from companion.interpret.search import PLY_NATS, Explanation, Root, differing, made, priced

COVERED_NATS = 3.0
"""What the look may say against such a history, beside the price of its ply, for it to be worth a question."""


def covered(game: AnyGame, evidence: Evidence, root: Root, best: Explanation) -> list[Explanation]:
    """The histories with one ply more than `best`, in which each player makes the same plies in the same order, that
    explain the look as well; the likeliest first."""
    if made(best.plies) < 2:
        return []
    tried = (priced(game, evidence, root, plies) for plies in _with_one_more(game, evidence, root, best))
    after = game.placement(best.state)
    fit = [
        each for each in tried
        if each is not None and each.cost <= best.cost + PLY_NATS + COVERED_NATS
        and not any(evidence.shows_all(spot) for spot in differing(game.placement(each.state), after))
    ]
    fit.sort(key=lambda each: each.cost, reverse=True)
    found = {each.state: each for each in fit if each.state != best.state}  # of equal states the likeliest stays
    return list(found.values())[::-1]


def _with_one_more(game: AnyGame, evidence: Evidence, root: Root, best: Explanation) -> Iterator[Plies]:
    """The plies of `best` with another one before one of them, against which nothing speaks at spots that they do not
    change."""
    state = root.state
    for n, _ in enumerate(best.plies):
        here = game.placement(state)
        for ply in [] if isinstance(game.turn(state), Over) else game.legal(state):
            if ply.player != CHANCE and not isinstance(ply.action, Choose):
                after = game.apply(state, ply)
                there = game.placement(after)
                bare = differing(here, there) - best.handled
                against = sum(
                    evidence.spot_cost(spot, root.before, there, bare) - evidence.spot_cost(spot, root.before, here)
                    for spot in bare
                )
                rest = _in_turn(game, after, best.plies[n:]) if against <= COVERED_NATS else None
                if rest is not None:
                    yield (*best.plies[:n], ply, *rest)
        state = game.apply(state, best.plies[n])


def _in_turn(game: AnyGame, state: Any, plies: Plies) -> Plies | None:
    """These plies as the turns come, with what chance has to do in between; None if they cannot be made."""
    left: list[Ply[Any]] = list(plies)
    found: list[Ply[Any]] = []
    while left:
        turn = game.turn(state)
        if isinstance(turn, Over):
            return None
        seats: tuple[Any, ...] = (CHANCE,) if isinstance(turn, Chance) else turn.seats
        ply = next((each for each in left if each.player in seats), None)
        if ply is not None:
            left.remove(ply)
        elif isinstance(turn, Chance):
            ply = _only_outcome(game, state)
        if ply is None:
            return None
        try:
            state = game.apply(state, ply)
        except IllegalError:
            return None
        found.append(ply)
    return tuple(found)


def _only_outcome(game: AnyGame, state: Any) -> Ply[Any] | None:
    """What chance does, where there is nothing to choose: coins are drawn that nobody sees."""
    outcomes = list(possible_plies(game, state, lambda _: 0.0))
    return outcomes[0] if len(outcomes) == 1 else None
