"""What else may have led to the same table: one ply more, or other plies, whose traces the next ones cover.

A coin that is passed, and another one on top of it before anybody looked: the table tells nothing of the first, and it
is another player's turn. A tray laid on one packing crate and swapped away from there, or laid on another one and
swapped away from that: the search goes by what each ply explains, and the first one's trace is gone. So where several
plies were made since the last look, it is asked which.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.engine import CHANCE, AnyGame, Chance, Over, Ply
from companion.errors import IllegalError
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import CONTRADICTED_NATS, PLY_NATS, Explanation, Root, differing, made
from companion.interpret.outcome import Plies
from companion.interpret.plies import plain_plies, possible_plies
from companion.interpret.pricing import priced
from companion.table import Placement, Spot

MASKED_NATS = 3.0
"""What the look may say against such a history, beside the price of its ply, for it to be worth a question."""
MAX_OTHER_HISTORIES = 200
"""Bound on the histories with other plies that are priced."""


def masked_histories(game: AnyGame, evidence: Evidence, root: Root, best: Explanation) -> list[Explanation]:
    """The histories that explain the look as well as `best`, the likeliest first: with one ply more, while each player
    makes the same plies in the same order; or with one or two other plies of the same kind. A ply after all others, and
    a second one where one explains all but a little, have to explain some of that."""
    is_one = made(best.plies) == 1
    if not made(best.plies) or (is_one and not best.suspects):
        return []
    after = game.placement(best.state)
    found = [
        each for each in priced(game, evidence, root, _with_one_more(game, evidence, root, best))
        if not _shows(evidence, best, differing(game.placement(each.state), after))
    ]
    if not is_one:
        others = islice(_with_others(game, evidence, root, best.plies), MAX_OTHER_HISTORIES)
        found += priced(game, evidence, root, others)
    explaining = best.cost + PLY_NATS - CONTRADICTED_NATS
    most = explaining if is_one else best.cost + PLY_NATS + MASKED_NATS
    found = [each for each in found if each.cost <= most]
    if best.suspects:
        after_all = priced(game, evidence, root, _with_one_after(game, best))
        found += [each for each in after_all if each.cost <= explaining]
    fit = sorted(found, key=lambda each: each.cost, reverse=True)
    likeliest = {each.state: each for each in fit if each.state != best.state}
    return list(likeliest.values())[::-1]


def _shows(evidence: Evidence, best: Explanation, spots: set[Spot]) -> bool:
    """Whether a ply more that changes these spots would show: where all pieces can be seen, unless `best` itself leaves
    open why one of them is not."""
    return best.suspects.isdisjoint(spots) and any(evidence.shows_all(spot) for spot in spots)


def _with_one_more(game: AnyGame, evidence: Evidence, root: Root, best: Explanation) -> Iterator[Plies]:
    """The plies of `best` with another one before one of them, against which nothing speaks at spots that they do not
    change."""
    state = root.state
    for n, _ in enumerate(best.plies):
        here = game.placement(state)
        for ply in plain_plies(game, state):
            after = game.apply(state, ply)
            there = game.placement(after)
            bare = differing(here, there) - best.handled
            against = sum(
                evidence.spot_cost(spot, root.before, there, bare) - evidence.spot_cost(spot, root.before, here)
                for spot in bare
            )
            rest = _in_turn(game, after, best.plies[n:]) if against <= MASKED_NATS else None
            if rest is not None:
                yield (*best.plies[:n], ply, *rest)
        state = game.apply(state, best.plies[n])


def _with_one_after(game: AnyGame, best: Explanation) -> Iterator[Plies]:
    """The plies of `best` with another one after them that changes what they leave unexplained."""
    here = game.placement(best.state)
    for ply in plain_plies(game, best.state):
        changed = differing(here, game.placement(game.apply(best.state, ply)))
        if not best.suspects.isdisjoint(changed):
            yield (*best.plies, ply)


def _with_others(game: AnyGame, evidence: Evidence, root: Root, plies: Plies) -> Iterator[Plies]:
    """These plies with another one by the same player instead of one of them, if a later one takes away what the look
    then contradicts; that one may also be made otherwise, if the first was of the same kind."""
    state = root.state
    for n, ply in enumerate(plies[:-1]):  # others for the last one are what the search looks for
        meant = game.apply(state, ply)
        for other, is_alike in _others(game, state, ply):
            after = game.apply(state, other)
            broken = _contradicted(evidence, root, game.placement(meant), game.placement(after))
            rests = _mending(game, after, plies[n + 1 :], broken, is_alike)
            yield from ((*plies[:n], other, *rest) for rest in rests)
        state = meant


def _mending(game: AnyGame, state: Any, rest: Plies, broken: set[Spot], otherwise: bool) -> Iterator[Plies]:
    """The rest of some plies if one of them changes all that is broken, or would do so if it were made `otherwise`."""
    if not broken:
        yield rest
        return
    for n, ply in enumerate(rest):
        here = game.placement(state)
        alike = (each for each, is_alike in _others(game, state, ply) if is_alike) if otherwise else ()
        for other in (ply, *alike):
            try:
                mended = broken <= differing(here, game.placement(game.apply(state, other)))
            except IllegalError:
                continue
            if mended:
                yield (*rest[:n], other, *rest[n + 1 :])
        try:
            state = game.apply(state, ply)
        except IllegalError:
            return


def _others(game: AnyGame, state: Any, ply: Ply[Any]) -> Iterator[tuple[Ply[Any], bool]]:
    """The player's other legal plies, and whether each differs from this one in one thing only: where to, which
    piece."""
    if ply.player == CHANCE:
        return
    given = game.write_action(ply.action)
    for other in plain_plies(game, state):
        if other.player == ply.player and other != ply:
            written = game.write_action(other.action)
            yield other, written.keys() == given.keys() and sum(written[key] != given[key] for key in given) == 1


def _contradicted(evidence: Evidence, root: Root, meant: Placement, there: Placement) -> set[Spot]:
    """The spots that the look shows otherwise than this placement, unlike the one that was meant."""
    return {
        spot for spot in differing(meant, there)
        if evidence.reading_cost(spot, root.before, there) > evidence.reading_cost(spot, root.before, meant)
        + MASKED_NATS
    }


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
