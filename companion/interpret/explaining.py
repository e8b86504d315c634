"""All explanations of a look: from what is believed, and from before the last ply, which may have been read wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine import AnyGame
from companion.interpret.belief import UNWATCHED_S, Belief, forked
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explanation import (
    CONTRADICTED_NATS,
    EXPLAINED_NATS,
    LEFT_OVER_NATS,
    PLY_NATS,
    Explanation,
    Root,
    differing,
)
from companion.interpret.handovers import shown_by
from companion.interpret.idle_arms import idle_arms
from companion.interpret.masked_histories import masked_histories
from companion.interpret.outcome import Plies
from companion.interpret.pricing import Pricing
from companion.interpret.prior import rated
from companion.interpret.same_plies import in_any_order
from companion.interpret.search import MAX_PLIES, MAX_PLIES_LATER, explain
from companion.table import Spot

TAKE_BACK_NATS = 4.0
"""Price of the thought that the last ply given out was wrong."""
REGRET_NATS = 2.0
"""More for the thought that it was right, but was taken back for other plies before the next look: of some 900 plies of
50 picture sets none was."""

IDLE_NATS = 4.0
"""Price of the thought that nobody played anything although somebody reached over the table: in ten sets each of 75
looks before which the table could not be read showed a ply, of the 150 others 101 did."""


def explanations(game: AnyGame, belief: Belief, evidence: Evidence) -> list[Explanation]:
    """Explanations from what is believed, and, if that is contradicted, from before the last provisional ply."""
    base, here = belief.base, game.placement(belief.now.state)
    before = game.placement(base.state)
    from_now = pricing_from_now(game, belief, evidence)
    most_plies = min(MAX_PLIES + belief.looks, MAX_PLIES_LATER)
    last = Evidence(belief.now.seen.places, belief.now.seen.zones, TableTracks(), evidence.index)
    found, turns = _explained(game, belief, from_now.evidence, last, from_now.root, most_plies)
    best = _with_turns(found, turns)[0]
    if belief.since and (best.plies or best.excess > EXPLAINED_NATS):
        handled, emptied = _handled(game, base.state, belief.since[:-1])
        fork_state = forked(game, belief)
        fork = Root(fork_state, before, base.costs, handled, taken_back=1, price_nats=TAKE_BACK_NATS, emptied=emptied)
        known = {each.state for each in found}
        given = {spot: here.get(spot, ()) for spot in differing(game.placement(fork_state), here)}
        earlier = replace(evidence, laid=base.seen, lay=before, given_seen=belief.now.seen, given=given)
        # with more plies than explain the look anyway, a ply taken back could not come near
        most_plies = len(best.plies) if best.excess <= LEFT_OVER_NATS else MAX_PLIES
        for each, taken in zip(*_explained(game, belief, earlier, last, fork, most_plies), strict=True):
            if each.state not in known:
                found, turns = [*found, each], [*turns, taken]
    every = _with_turns(_with_idle(game, belief, found), turns)
    return every if belief.unsettled else in_any_order(game, every)


def _explained(
    game: AnyGame, belief: Belief, evidence: Evidence, last: Evidence, root: Root, most_plies: int
) -> tuple[list[Explanation], list[_Turns]]:
    """Explanations from one root, with what the best one's plies may have covered, and what each says of turns. `last`
    is the last look at what is believed."""
    found = rated(game, root.state, explain(game, evidence, root, most_plies))
    turns = [_turns_of(game, belief, last, root.state, each) for each in found]
    best, turns_to = _with_turns(found, turns)[0], dict(zip((each.state for each in found), turns, strict=True))
    hidden = [each for each in masked_histories(game, evidence, root, best) if each.state not in turns_to]
    others = rated(game, root.state, hidden, best)
    every, turns = found + others, turns + [_turns_of(game, belief, last, root.state, each) for each in others]
    is_waited_for = not (belief.handovers.unseen or turns_to[best.state].unseen_nats)
    return _with_covered(best, every, turns) if is_waited_for else every, turns


@dataclass(frozen=True, slots=True)
class _Turns:
    """What an explanation says of how people took turns: `done`, how many plies of each kind and the table that they
    led to; how unlikely it is that turns were handed over so, that some were handed over without a look in between, and
    that a ply which was surely seen was taken back for these, in nats."""

    done: tuple[Any, ...]
    handover_nats: float
    unseen_nats: float
    regret_nats: float


def _turns_of(game: AnyGame, belief: Belief, last: Evidence, state: Any, each: Explanation) -> _Turns:
    """The same of an explanation from a state."""
    shown = list(shown_by(game, state, each.plies))
    was_seen = (belief.stood or each.taken_back > 0) and _may_have_stood(game, belief, last, state, each.plies)
    kinds = Counter(game.write_action(ply.action)["type"] for ply in shown)
    players, looks = [ply.player for ply in shown], belief.looks + was_seen
    return _Turns(
        done=(frozenset(kinds.items()), frozenset(game.placement(each.state).items())),
        handover_nats=belief.handovers.nats(players, len(each.plies) - len(shown), looks),
        unseen_nats=belief.handovers.nats(players, 0, looks),
        regret_nats=REGRET_NATS if each.taken_back and each.plies and not was_seen else 0.0,
    )


def _with_turns(found: Sequence[Explanation], turns: Sequence[_Turns]) -> list[Explanation]:
    """Explanations with how unlikely their turns are, the likeliest first. How turns were handed over counts among
    those by which as much was done since the last look, from whatever root: it tells whose plies they were, where the
    look does not, and nothing of what was played."""
    least: dict[tuple[Any, ...], float] = {}
    for taken in turns:
        least[taken.done] = min(taken.handover_nats, least.get(taken.done, taken.handover_nats))
    told = (
        replace(each, rarity=each.rarity + taken.handover_nats - least[taken.done] + taken.regret_nats)
        for each, taken in zip(found, turns, strict=True)
    )
    return sorted(told, key=lambda each: each.nats)


def _with_idle(game: AnyGame, belief: Belief, found: Sequence[Explanation]) -> list[Explanation]:
    """Explanations, of which those are unlikely that leave the table as it stood, although somebody reached over it
    since the last look or it was not watched, and those by which one of those who reached over it played nothing."""
    here, above = game.placement(belief.now.state), _above_now(found)
    is_otherwise = bool(belief.now.costs) and CONTRADICTED_NATS < above <= LEFT_OVER_NATS
    unmoved_nats = _unmoved_nats(belief) if is_otherwise else 0.0
    if not unmoved_nats and not belief.arms:
        return list(found)

    def idle_nats(each: Explanation) -> float:
        if not differing(here, game.placement(each.state)):
            return unmoved_nats
        return belief.reaches.idle_nats * len(idle_arms(game, belief, each))

    return [replace(each, rarity=each.rarity + idle_nats(each)) for each in found]


def _above_now(found: Sequence[Explanation]) -> float:
    """What the explanation by no plies leaves unexplained. Where that is little the table looks as it did; where it is
    much, something is misread, and a ply could pass for that."""
    return next((each.excess for each in found if not each.plies and not each.taken_back), 0.0)


def _unmoved_nats(belief: Belief) -> float:
    """How much less likely it is than one ply that nothing was played, beside the price of that ply: much after a hand;
    where nobody watched, one is as likely as the other."""
    if belief.arms or belief.unread_s:
        return IDLE_NATS
    return PLY_NATS if belief.unwatched_s >= UNWATCHED_S else 0.0


def _with_covered(best: Explanation, found: Sequence[Explanation], turns: Sequence[_Turns]) -> list[Explanation]:
    """Explanations where neither the best one nor the table so far has a turn that was handed over without a look in
    between. Where the best explains all, one of more plies, some beneath the others, is as unlikely as its own."""
    return [
        replace(each, rarity=each.rarity + taken.unseen_nats)
        if not best.suspects and len(each.plies) > len(best.plies) else each
        for each, taken in zip(found, turns, strict=True)
    ]


def _may_have_stood(game: AnyGame, belief: Belief, last: Evidence, state: Any, plies: Plies) -> bool:
    """Whether the last look at what is believed may have shown the table after one of these plies that shows: where
    pieces have their places, and on top of piles, it does not speak against that. In other zones pieces may be hidden:
    there what was seen speaks against fewer, and nothing against more."""
    here = game.placement(belief.now.state)
    told = {*last.places, *(zone for zone in last.zones if last.index.heap(zone) == "pile")}
    for ply in plies:
        state = game.apply(state, ply)
        there = game.placement(state)
        changed = differing(here, there)
        fewer = {zone for zone in changed & last.zones.keys() if len(there.get(zone, ())) < len(here.get(zone, ()))}
        against = sum(
            last.reading_cost(spot, here, there) - last.reading_cost(spot, here, here)
            for spot in (changed & told) | fewer
        )
        if changed and against <= EXPLAINED_NATS:
            return True
    return False


def pricing_from_now(game: AnyGame, belief: Belief, evidence: Evidence) -> Pricing:
    """Prices explanations of a look from what is believed."""
    lately = replace(evidence, laid=belief.now.seen, lay=game.placement(belief.now.state))
    return Pricing(game, lately, Root(belief.now.state, game.placement(belief.base.state), belief.base.costs))


def as_told(game: AnyGame, belief: Belief, evidence: Evidence, plies: Plies) -> Explanation:
    """The explanation by plies that a person tells. Raises `IllegalError`."""
    pricing = pricing_from_now(game, belief, evidence)
    told = pricing.start()
    for ply in plies:
        here = game.placement(told.state)
        told = pricing.priced(told, here, pricing.followed_by(told, here, ply))
    return told


def _handled(game: AnyGame, state: Any, plies: tuple[Any, ...]) -> tuple[frozenset[Spot], frozenset[Spot]]:
    """The spots at which these plies put or take pieces, and those of them from which they take all."""
    handled: set[Spot] = set()
    emptied: set[Spot] = set()
    here = game.placement(state)
    for ply in plies:
        state = game.apply(state, ply)
        before, here = here, game.placement(state)
        handled |= (changed := differing(before, here))
        emptied |= {spot for spot in changed if not here.get(spot)}
    return frozenset(handled), frozenset(emptied)
