"""From look to look: what is believed, and what a new look adds to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from companion.engine import AnyGame, Json, Recognising
from companion.engine.recognise import with_told
from companion.errors import Phrase
from companion.interpret.belief import Belief, OpenQuestion, SettledTable, Update
from companion.interpret.believed_pieces import as_it_lay, believed_pieces, tracks_after
from companion.interpret.contradictions import differences, is_astray, oddities, put_right_by, unexplained
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explaining import as_told, explanations
from companion.interpret.explanation import (
    EXPLAINED_NATS, LEFT_OVER_NATS, PLY_NATS, Explanation, differing, made, shares,
)
from companion.interpret.further_plies import further_nats
from companion.interpret.handed_on import may_be_handed_on
from companion.interpret.handovers import shown_by
from companion.interpret.idle_arms import idle_arms
from companion.interpret.known_colours import with_known_colours
from companion.interpret.lasting import floor_beside, may_hide_a_ply, moves_what_is_not_seen, with_lasting
from companion.interpret.layout_index import index_layout
from companion.interpret.memoised_game import memoised
from companion.interpret.outcome import Ambiguous, BelievedPiece, Choice, Moved, Odd, Plies, Unchanged
from companion.interpret.reservations import agrees, more_wrong, puts_what_is_not_seen, wrong_in_zones
from companion.interpret.restoring import restoring, spots_mm
from companion.interpret.search import MAX_PLIES
from companion.interpret.tracks import costs_of
from companion.interpret.weighing import is_repeated, weigh, with_strays
from companion.table import Layout, Observation, Placement, Spot

SURE = 0.99
"""At this probability plies are given out without asking (`docs/eyes.md` tells why)."""
WORTH_ASKING = 0.01
"""An explanation with a smaller probability is no choice of a question."""
DOUBTED_NATS = -math.log(1.0 - SURE)
"""Where flat pieces so surely came, went or were handled and plies do not say why, they are asked about: more may have
been played."""
MAX_CHOICES = 4
ASKED_OPENLY_AT = 2
"""After so many looks that nothing explains people are asked what was played."""
MAX_UNSETTLED_LOOKS = 8
"""How many looks that settled nothing are kept."""


class Interpreter:
    """Explains looks at one table by the rules of one game.

    Eyes that see every piece exactly, at a game's first ply:

    >>> from companion.games import registry
    >>> from companion.table import Sight
    >>> game = registry.game("kamikaze-cans")
    >>> setup, options = {"colours": ["red", "blue"], "first": 0}, game.read_options({}, 2)
    >>> layout, state = game.layout(setup), game.start(setup, options, 2)
    >>> def look_at(state):
    ...     there, zones = game.placement(state), frozenset(zone.spot for zone in layout.zones)
    ...     sights = [Sight(at.spot, at.at_mm, {there.get(at.spot, (EMPTY,))[-1]: 0.0}) for at in layout.places]
    ...     sights += [Sight(zone, (20.0 * n, 0), {name: 0.0}) for zone in zones for n, name in enumerate(there[zone])]
    ...     return Observation(0.0, tuple(sights), zones)
    >>> interpreter = Interpreter(game, layout)
    >>> belief = interpreter.begin(state)
    >>> interpreter.look(belief, look_at(state)).outcome
    Unchanged()
    >>> after = game.apply(state, next(game.legal(state)))
    >>> interpreter.look(belief, look_at(after)).outcome.plies
    (Ply(player=0, action=Place(drink='red/stub_can', to='a1')),)
    """

    def __init__(self, game: AnyGame, layout: Layout) -> None:
        self._game = memoised(game)
        self._layout = layout
        self._index = index_layout(layout)

    def setup_seen(
        self, observation: Observation, options: Mapping[str, Json], players: int,
        told: Sequence[tuple[Spot, Json]] = (),
    ) -> Json:
        """The set-up as this look shows it, null for what it cannot tell; `told` is what people said of some spots."""
        if not isinstance(self._game, Recognising):
            return None
        costs: dict[Spot, list[Mapping[str, float]]] = {zone: [] for zone in observation.zones}
        for sight in observation.sights:
            costs.setdefault(sight.spot, []).append(costs_of(sight))
        return self._game.setup_seen(with_told(costs, told), options, players)

    def begin(self, state: Any) -> Belief:
        """A belief before anything was seen: at the start of a game, after a restart."""
        return Belief(SettledTable(state))

    def corrected(self, state: Any) -> Belief:
        """The belief after a person corrected the game or took a ply back: nothing of the old looks is kept."""
        return Belief(SettledTable(state))

    def differences(self, belief: Belief, observation: Observation) -> tuple[Phrase, ...]:
        """What to do so that the table stands as the believed state says: after an undo, a correction, a restart."""
        here = self._game.placement(belief.now.state)
        found = differences(weigh(observation, TableTracks(), self._index), belief.now.costs, here)
        return tuple(each.said() for each in restoring(found, spots_mm(self._layout)))

    def as_it_stands(self, belief: Belief, observation: Observation) -> Placement:
        """What stands where: the believed state, put right where the look contradicts it."""
        here = self._game.placement(belief.now.state)
        return put_right_by(here, differences(weigh(observation, TableTracks(), self._index), belief.now.costs, here))

    def is_sure_of(self, observation: Observation, stands: Placement) -> bool:
        """Whether a look tells clearly that this stands: nothing of it is contradicted, doubted or out of sight."""
        evidence = weigh(observation, TableTracks(), self._index)
        if evidence.hides(evidence.covered, stands) or differences(evidence, {}, stands):
            return False
        return max(evidence.readings(stands, stands).values(), default=0.0) <= EXPLAINED_NATS

    def confirmed(self, belief: Belief) -> Belief:
        """The same belief with its last ply no longer provisional: a button was pressed, a person said so."""
        return replace(belief, before=None, since=())

    def look(self, belief: Belief, observation: Observation) -> Update:
        """What a free look adds. Deterministic; the belief given stays as it was."""
        places_mm = {s.spot: s.at_mm for s in observation.sights if s.spot not in observation.zones}
        belief = replace(
            belief, places_mm={**belief.places_mm, **places_mm}, arms=belief.arms | observation.arms,
            unread_s=max(belief.unread_s, observation.unread_s),
            unwatched_s=max(belief.unwatched_s, observation.unwatched_s),
        )
        if belief.judged is not None and is_repeated(belief.judged[0], observation):
            return Update(belief, belief.judged[1])
        evidence = weigh(observation, belief.base.seen, self._index)
        there = self._game.placement(belief.base.state)
        evidence = with_known_colours(with_strays(evidence, there), there)
        step = self._judge(with_lasting(self._game, belief, evidence), evidence)
        is_lost = step.belief.odd_looks >= ASKED_OPENLY_AT
        return replace(step, belief=replace(step.belief, judged=(observation, step.outcome) if is_lost else None))

    def answer(self, belief: Belief, choice: int | None) -> Update:
        """A person answered the open question: the number of a choice, or None for "none of these"."""
        question = belief.question
        if question is None:
            return Update(belief, Unchanged())
        if choice is None and not question.explanations:
            return _left_open(belief)
        if choice is None:
            refused = belief.refused | {each.state for each in question.explanations}
            return self._judge(replace(belief, refused=refused, question=None), question.evidence, question.found)
        return self._as_said(belief, question.explanations[choice], question.evidence)

    def told(self, belief: Belief, plies: Plies) -> Update:
        """A person answered an open question with what was played, if anything was. Raises `IllegalError`."""
        assert belief.question is not None
        if not plies:
            return Update(replace(belief, question=None, odd_looks=0, judged=None), Unchanged())
        evidence = belief.question.evidence
        best = replace(as_told(self._game, belief, evidence, plies), suspects=frozenset())  # all else is misread
        return self._as_said(belief, best, evidence)

    def told_nats(self, belief: Belief, plies: Plies) -> float:
        """What the look that an open question comes from leaves unexplained by these plies, in nats, and their price.
        Raises `IllegalError`."""
        assert belief.question is not None
        return as_told(self._game, belief, belief.question.evidence, plies).excess + PLY_NATS * made(plies)

    def believed_pieces(self, belief: Belief) -> tuple[BelievedPiece, ...]:
        """Every piece as believed, with what cannot be told left open; before any look was settled, as the last one
        shows it."""
        here, seen = self._game.placement(belief.now.state), belief.now.seen
        if seen == TableTracks() and belief.unsettled:
            seen = tracks_after(belief.unsettled[-1], here, here)
        return believed_pieces(self._layout, here, seen, belief.places_mm)

    def _as_said(self, belief: Belief, best: Explanation, evidence: Evidence) -> Update:
        """What a person said is believed, and not doubted again."""
        step = self._accept(belief, best, evidence, confidence=1.0)
        doubts = frozenset(wrong_in_zones(self._game, evidence, {}, best.state))
        return Update(self.confirmed(replace(step.belief, doubts=doubts)), step.outcome)

    def _judge(self, belief: Belief, evidence: Evidence, known: Sequence[Explanation] = ()) -> Update:
        """What a look comes to. `known` are its explanations, where they were looked for already."""
        every = known or explanations(self._game, belief, evidence)
        found = [each for each in every if each.state not in belief.refused]
        wrong = more_wrong(self._game, belief, found[0], evidence) if found else 0
        if not found or wrong > 1 or unexplained(evidence, belief.base.costs, self._game.placement(found[0].state)):
            return self._odd(belief, evidence, found)
        if belief.refused and not found[0].plies and found[0].excess > EXPLAINED_NATS:
            return self._odd(belief, evidence, found)  # something happened, but none of what was asked
        if may_hide_a_ply(self._game, belief, evidence, found[0]):
            return self._odd(belief, evidence, found)
        share = shares(found)
        if share[0] >= SURE and wrong < 1 and self._may_be_given_out(belief, found[0], evidence):
            step = self._accept(belief, found[0], evidence, confidence=share[0])
            return self._with_doubts(belief, step, found[0], evidence)
        if not any(each.state not in belief.refused for each, worth in zip(every, shares(every), strict=True)
                   if worth >= WORTH_ASKING):
            return self._odd(belief, evidence, found)  # what is left was no choice of the question that was refused
        if made(found[0].plies) > MAX_PLIES + 1 and not belief.unsettled:
            return Update(replace(self._waiting(belief, evidence, found), question=None), Unchanged())
        likely = min(sum(so_far < SURE for so_far in accumulate(share)) + 1, MAX_CHOICES)
        return self._ask(belief, found[:likely], share[:likely], evidence, every)

    def _odd(self, belief: Belief, evidence: Evidence, found: Sequence[Explanation]) -> Update:
        """What cannot be explained is told in words. Where nothing can be named, the next look may say more; after two
        such looks people are asked what was played."""
        state = belief.now.state
        reasons = oddities(self._game, state, differences(evidence, belief.base.costs, self._game.placement(state)))
        waiting = self._waiting(belief, evidence, found)
        waiting = replace(waiting, question=None, odd_looks=belief.odd_looks + 1)
        if waiting.odd_looks >= ASKED_OPENLY_AT:
            return Update(replace(waiting, question=OpenQuestion((), evidence)), Ambiguous((), reasons))
        return Update(waiting, Odd(reasons) if reasons else Unchanged())

    def _waiting(self, belief: Belief, evidence: Evidence, found: Sequence[Explanation]) -> Belief:
        """The belief after a look that settles nothing, with what it may show: so much is not taken for misread."""
        here = self._game.placement(belief.now.state)
        contested = frozenset(
            spot for each in found if each.nats <= found[0].nats + DOUBTED_NATS
            for spot in differing(here, self._game.placement(each.state))
        )
        return replace(belief, unsettled=_remembered(belief, evidence), contested=contested)

    def _may_be_given_out(self, belief: Belief, best: Explanation, evidence: Evidence) -> bool:
        """Whether nothing but its probability matters: every ply left its trace, no flat piece one that is not
        explained, there are no more plies than people make between two looks, nobody has just said that it was none of
        the likelier ones, they need no piece that is misread, what they put down is seen, and no turn may have ended
        between them while nothing was read."""
        if not best.plies:
            return True
        there = self._game.placement(best.state)
        if unexplained(evidence, floor_beside(self._game, belief, best), there):
            return False
        if moves_what_is_not_seen(self._game, belief, evidence, best):
            return False
        if puts_what_is_not_seen(self._game, belief, best, evidence):
            return False
        may_be_others = belief.is_long_unread or idle_arms(self._game, belief, best)
        if may_be_others and not best.taken_back and may_be_handed_on(self._game, belief.now.state, best.plies):
            return False
        is_clear = not best.faint and not self._may_be_more(belief, best, evidence)
        is_doubted = bool(belief.refused and belief.unsettled)
        return is_clear and not is_doubted and made(best.plies) <= MAX_PLIES + 1 and agrees(self._game, belief, best)

    def _may_be_more(self, belief: Belief, best: Explanation, evidence: Evidence) -> bool:
        """Whether flat pieces show that they were handled, and a further ply might say why."""
        if best.flat < DOUBTED_NATS:
            return False
        is_nudge = best.flat <= LEFT_OVER_NATS and not best.taken_back and (
            further_nats(self._game, belief, evidence, best) >= DOUBTED_NATS)
        return not is_nudge

    def _with_doubts(self, belief: Belief, step: Update, best: Explanation, evidence: Evidence) -> Update:
        """Adds what is wrong in the zones, once two looks in a row have shown it and nothing else happened. Before that
        the look is not taken for the usual: a ply may hide behind it."""
        state = step.belief.now.state
        wrong = wrong_in_zones(self._game, evidence, step.belief.now.costs, state)
        doubts, lasting = frozenset(wrong), [each for each in wrong if each in belief.doubts]
        believed = replace(step.belief, doubts=doubts)
        if not isinstance(step.outcome, Unchanged):
            return Update(believed, step.outcome)
        if best.excess > EXPLAINED_NATS and is_astray(wrong):
            return self._odd(belief, evidence, [best])
        told = Odd(oddities(self._game, state, lasting)) if lasting else step.outcome
        if best.excess > EXPLAINED_NATS and doubts - belief.doubts:
            return Update(replace(self._waiting(belief, evidence, [best]), question=None, doubts=doubts), told)
        return Update(believed, told)

    def _ask(
        self, belief: Belief, explanations: list[Explanation], share: list[float], evidence: Evidence,
        every: Sequence[Explanation],
    ) -> Update:
        """A question of two to four choices. "Nothing happened" is never a choice beside plies: then it waits."""
        if not explanations[0].plies and not explanations[0].taken_back:
            return Update(belief, Unchanged())
        choices = [(e, s) for e, s in zip(explanations, share, strict=True) if e.plies or e.taken_back]
        question = OpenQuestion(tuple(e for e, _ in choices), evidence, tuple(every))
        said = Ambiguous(tuple(Choice(e.plies, s, e.taken_back) for e, s in choices))
        return Update(replace(self._waiting(belief, evidence, every), question=question), said)

    def _accept(self, belief: Belief, best: Explanation, evidence: Evidence, confidence: float) -> Update:
        """Believe an explanation: what is on the table is settled anew, its last ply is provisional."""
        base = belief.base
        before, after = self._game.placement(base.state), self._game.placement(best.state)
        seen, costs = tracks_after(evidence, before, after), evidence.readings(before, after)
        if not best.plies and not best.taken_back:
            now = SettledTable(belief.now.state, as_it_lay(seen, belief.now.seen, self._index), costs)
            settled = replace(
                belief, now=now, stood=True, question=None, unsettled=(), contested=frozenset(), odd_looks=0,
                unread_s=0.0, unwatched_s=0.0, arms=frozenset(),
            )
            return Update(settled, Unchanged())
        usual = {spot: min(costs[spot], base.costs.get(spot, 0.0)) for spot in best.suspects & evidence.zones.keys()}
        now = SettledTable(best.state, seen, {**costs, **usual})
        reaches = belief.reaches.after(len(belief.arms), len(idle_arms(self._game, belief, best)))
        settled = Belief(now, places_mm=belief.places_mm, handovers=belief.handovers, reaches=reaches)
        if best.plies and best.taken_back:  # the last of them is provisional
            settled = replace(settled, before=base, since=(*belief.since[:-1], *best.plies))
        elif best.plies:
            players = [ply.player for ply in shown_by(self._game, belief.now.state, best.plies)]
            turns = belief.handovers.after(players, belief.looks)
            settled = replace(settled, before=belief.now, since=best.plies, handovers=turns)
        return Update(settled, Moved(best.plies, confidence, best.taken_back))


def _left_open(belief: Belief) -> Update:
    """Nobody wants to say what was played: it is not asked again before something else is seen."""
    judged = belief.judged and (belief.judged[0], Unchanged())
    return Update(replace(belief, question=None, judged=judged), Unchanged())


def _remembered(belief: Belief, evidence: Evidence) -> tuple[Evidence, ...]:
    return (*belief.unsettled, evidence)[-MAX_UNSETTLED_LOOKS:]
