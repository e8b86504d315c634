"""All explanations of a look: from what is believed, and from before the last ply, which may have been read wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.engine import AnyGame
from companion.engine.play import after_plies
from companion.interpret.belief import Belief
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import EXPLAINED_NATS, LEFT_OVER_NATS, Explanation, Root, differing
from companion.interpret.masked_histories import masked_histories
from companion.interpret.outcome import Plies
from companion.interpret.pricing import Pricing
from companion.interpret.prior import rated
from companion.interpret.search import MAX_PLIES, MAX_PLIES_LATER, explain
from companion.table import Spot

TAKE_BACK_NATS = 4.0
"""Price of the thought that the last ply given out was wrong."""


def explanations(game: AnyGame, belief: Belief, evidence: Evidence) -> list[Explanation]:
    """Explanations from what is believed, and, if that is contradicted, from before the last provisional ply."""
    base, here = belief.base, game.placement(belief.now.state)
    before = game.placement(base.state)
    lately = replace(evidence, laid=belief.now.seen, lay=here)
    most_plies = min(MAX_PLIES + len(belief.unsettled), MAX_PLIES_LATER)
    found = _explained(game, lately, Root(belief.now.state, before, base.costs), most_plies)
    if belief.since and (found[0].plies or found[0].excess > EXPLAINED_NATS):
        handled, fork_state = _handled(game, base.state, belief.since[:-1]), forked(game, belief)
        fork = Root(fork_state, before, base.costs, handled, taken_back=1, price_nats=TAKE_BACK_NATS)
        known = {each.state for each in found}
        given = {spot: here.get(spot, ()) for spot in differing(game.placement(fork_state), here)}
        earlier = replace(evidence, laid=base.seen, lay=before, given_seen=belief.now.seen, given=given)
        # with more plies than explain the look anyway, a ply taken back could not come near
        most_plies = len(found[0].plies) if found[0].excess <= LEFT_OVER_NATS else MAX_PLIES
        found += [each for each in _explained(game, earlier, fork, most_plies) if each.state not in known]
    return sorted(found, key=lambda each: each.nats)


def _explained(game: AnyGame, evidence: Evidence, root: Root, most_plies: int) -> list[Explanation]:
    """Explanations from one root, the cheapest first, with what the best one's plies may have covered."""
    found = rated(game, root.state, explain(game, evidence, root, most_plies))
    known = {each.state for each in found}
    others = [each for each in masked_histories(game, evidence, root, found[0]) if each.state not in known]
    return found + rated(game, root.state, others, found[0])


def as_told(game: AnyGame, belief: Belief, evidence: Evidence, plies: Plies) -> Explanation:
    """The explanation by plies that a person tells. Raises `IllegalError`."""
    here = game.placement(belief.now.state)
    lately = replace(evidence, laid=belief.now.seen, lay=here)
    pricing = Pricing(game, lately, Root(belief.now.state, game.placement(belief.base.state), belief.base.costs))
    told = pricing.start()
    for ply in plies:
        here = game.placement(told.state)
        told = pricing.priced(told, here, pricing.followed_by(told, here, ply))
    return told


def forked(game: AnyGame, belief: Belief) -> Any:
    """The state just before the last provisional ply."""
    return after_plies(game, belief.base.state, belief.since[:-1])


def _handled(game: AnyGame, state: Any, plies: tuple[Any, ...]) -> frozenset[Spot]:
    """The spots at which these plies put or take pieces."""
    handled: set[Spot] = set()
    for ply in plies:
        after = game.apply(state, ply)
        handled |= differing(game.placement(state), game.placement(after))
        state = after
    return frozenset(handled)
