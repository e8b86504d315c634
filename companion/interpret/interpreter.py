"""From look to look: what is believed, and what a new look adds to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from companion.engine import AnyGame, Json, Recognising
from companion.errors import Phrase
from companion.interpret.belief import Belief, OpenQuestion, SettledTable, Update
from companion.interpret.believed_pieces import as_it_lay, believed_pieces, tracks_after
from companion.interpret.contradictions import Difference, differences, looks_like, oddities, unexplained
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explaining import explanations, forked
from companion.interpret.explanation import EXPLAINED_NATS, Explanation, differing, made, shares
from companion.interpret.layout_index import index_layout
from companion.interpret.memoised_game import memoised
from companion.interpret.outcome import Ambiguous, BelievedPiece, Choice, Moved, Odd, Unchanged
from companion.interpret.search import MAX_PLIES
from companion.interpret.tracks import costs_of
from companion.interpret.weighing import weigh, with_strays
from companion.table import EMPTY, Layout, Observation, Spot

SURE = 0.99
"""At this probability plies are given out without asking (`docs/eyes.md` tells why)."""
WORTH_ASKING = 0.01
"""An explanation with a smaller probability is no choice of a question."""
DOUBTED_NATS = -math.log(1.0 - SURE)
"""Where flat pieces so surely came, went or were handled and plies do not say why, they are asked about: more may have
been played."""
MAX_CHOICES = 4
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

    def setup_seen(self, observation: Observation, options: Mapping[str, Json], players: int) -> Json:
        """The set-up as this look shows it, null for what it cannot tell."""
        if not isinstance(self._game, Recognising):
            return None
        costs: dict[Spot, list[Mapping[str, float]]] = {zone: [] for zone in observation.zones}
        for sight in observation.sights:
            costs.setdefault(sight.spot, []).append(costs_of(sight))
        return self._game.setup_seen(costs, options, players)

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
        return tuple(each.remedy() for each in found)

    def confirmed(self, belief: Belief) -> Belief:
        """The same belief with its last ply no longer provisional: a button was pressed, a person said so."""
        return replace(belief, before=None, since=())

    def look(self, belief: Belief, observation: Observation) -> Update:
        """What a free look adds. Deterministic; the belief given stays as it was."""
        places_mm = {s.spot: s.at_mm for s in observation.sights if s.spot not in observation.zones}
        belief = replace(belief, places_mm={**belief.places_mm, **places_mm})
        evidence = weigh(observation, belief.base.seen, self._index)
        return self._judge(belief, with_strays(evidence, self._game.placement(belief.base.state)))

    def answer(self, belief: Belief, choice: int | None) -> Update:
        """A person answered the open question: the number of a choice, or None for "none of these"."""
        question = belief.question
        if question is None:
            return Update(belief, Unchanged())
        if choice is None:
            refused = belief.refused | {each.state for each in question.explanations}
            return self._judge(replace(belief, refused=refused, question=None), question.evidence, question.found)
        step = self._accept(belief, question.explanations[choice], question.evidence, confidence=1.0)
        return Update(self.confirmed(step.belief), step.outcome)  # what a person said is not doubted again

    def believed_pieces(self, belief: Belief) -> tuple[BelievedPiece, ...]:
        """Every piece as believed, with what cannot be told left open."""
        return believed_pieces(self._layout, self._game.placement(belief.now.state), belief.now.seen, belief.places_mm)

    def _judge(self, belief: Belief, evidence: Evidence, known: Sequence[Explanation] = ()) -> Update:
        """What a look comes to. `known` are its explanations, where they were looked for already."""
        every = known or explanations(self._game, belief, evidence)
        found = [each for each in every if each.state not in belief.refused]
        floor = belief.base.costs
        wrong = self._more_wrong(belief, found[0], evidence) if found else 0
        if not found or wrong > 1 or unexplained(evidence, floor, self._game.placement(found[0].state)):
            return self._odd(belief, evidence)
        if belief.refused and not found[0].plies and found[0].excess > EXPLAINED_NATS:
            return self._odd(belief, evidence)  # something happened, but none of what was asked
        share = shares(found)
        if share[0] >= SURE and wrong < 1 and self._may_be_given_out(belief, found[0]):
            step = self._accept(belief, found[0], evidence, confidence=share[0])
            return self._with_doubts(belief, step, found[0], evidence)
        if not any(each.state not in belief.refused for each, worth in zip(every, shares(every), strict=True)
                   if worth >= WORTH_ASKING):
            return self._odd(belief, evidence)  # what is left was no choice of the question that was refused
        likely = min(sum(so_far < SURE for so_far in accumulate(share)) + 1, MAX_CHOICES)
        return self._ask(belief, found[:likely], share[:likely], evidence, every)

    def _odd(self, belief: Belief, evidence: Evidence) -> Update:
        """What cannot be explained is told in words. Where nothing can be named, the next look may say more."""
        state = belief.now.state
        reasons = oddities(self._game, state, differences(evidence, belief.base.costs, self._game.placement(state)))
        waiting = replace(belief, question=None, unsettled=_remembered(belief, evidence))
        return Update(waiting, Odd(reasons) if reasons else Unchanged())

    def _may_be_given_out(self, belief: Belief, best: Explanation) -> bool:
        """Whether nothing but its probability matters: every ply left its trace, no flat piece one that is not
        explained, there are no more plies than people make between two looks, nobody has just said that it was none of
        the likelier ones."""
        if not best.plies:
            return True
        is_clear = not best.faint and best.flat < DOUBTED_NATS
        is_doubted = bool(belief.refused and belief.unsettled)
        return is_clear and not is_doubted and made(best.plies) <= MAX_PLIES + 1 and self._agrees(belief, best)

    def _agrees(self, belief: Belief, best: Explanation) -> bool:
        """Whether each look that settled nothing shows the table at some point of these plies, in order.

        If not, something may have been played in between that the newest look alone does not tell. A single ply leaves
        no room for that.
        """
        if len(best.plies) < 2:
            return True
        state = forked(self._game, belief) if best.taken_back else belief.now.state
        placements = [self._game.placement(state)]
        for ply in best.plies:
            state = self._game.apply(state, ply)
            placements.append(self._game.placement(state))
        point = 0
        for evidence in belief.unsettled:
            while point < len(placements) and unexplained(evidence, {}, placements[point]):
                point += 1
        return point < len(placements)

    def _more_wrong(self, belief: Belief, best: Explanation, evidence: Evidence) -> int:
        """How many things in the zones, that were not there before, speak against these plies: things too many where
        the plies put or took pieces, and anywhere else things that look like the pieces they moved.

        One may be a shadow, or a drink put aside, and is asked about. Several contradict the plies: drinks that were
        taken back to their stocks look like an explosion, but for the stocks.
        """
        if not best.plies:
            return 0
        here, there = self._game.placement(belief.now.state), self._game.placement(best.state)
        changed = differing(here, there)
        moved = {name for spot in changed for name in {*here.get(spot, ())} ^ {*there.get(spot, ())}}
        return sum(
            each.seen != EMPTY and each not in belief.doubts
            and (each.spot in changed or looks_like(evidence, each, moved))
            for each in self._wrong_in_zones(evidence, {}, best.state)
        )

    def _wrong_in_zones(self, evidence: Evidence, floor: Mapping[Spot, float], state: Any) -> list[Difference]:
        found = differences(evidence, floor, self._game.placement(state))
        return [each for each in found if each.spot in evidence.zones]

    def _with_doubts(self, belief: Belief, step: Update, best: Explanation, evidence: Evidence) -> Update:
        """Adds what is wrong in the zones, once two looks in a row have shown it and nothing else happened. Before that
        the look is not taken for the usual: a ply may hide behind it."""
        state = step.belief.now.state
        wrong = self._wrong_in_zones(evidence, step.belief.now.costs, state)
        doubts, lasting = frozenset(wrong), [each for each in wrong if each in belief.doubts]
        believed = replace(step.belief, doubts=doubts)
        if lasting and isinstance(step.outcome, Unchanged):
            return Update(believed, Odd(oddities(self._game, state, lasting)))
        if isinstance(step.outcome, Unchanged) and best.excess > EXPLAINED_NATS and doubts - belief.doubts:
            unsettled = _remembered(belief, evidence)
            return Update(replace(belief, question=None, doubts=doubts, unsettled=unsettled), step.outcome)
        return Update(believed, step.outcome)

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
        return Update(replace(belief, question=question, unsettled=_remembered(belief, evidence)), said)

    def _accept(self, belief: Belief, best: Explanation, evidence: Evidence, confidence: float) -> Update:
        """Believe an explanation: what is on the table is settled anew, its last ply is provisional."""
        base = belief.base
        before, after = self._game.placement(base.state), self._game.placement(best.state)
        seen, costs = tracks_after(evidence, before, after), evidence.readings(before, after)
        if not best.plies and not best.taken_back:
            now = SettledTable(belief.now.state, as_it_lay(seen, belief.now.seen, self._index), costs)
            return Update(replace(belief, now=now, question=None, unsettled=()), Unchanged())
        usual = {spot: min(costs[spot], base.costs.get(spot, 0.0)) for spot in best.suspects & evidence.zones.keys()}
        settled = Belief(SettledTable(best.state, seen, {**costs, **usual}), places_mm=belief.places_mm)
        if best.plies and best.taken_back:  # the last of them is provisional
            settled = replace(settled, before=base, since=(*belief.since[:-1], *best.plies))
        elif best.plies:
            settled = replace(settled, before=belief.now, since=best.plies)
        return Update(settled, Moved(best.plies, confidence, best.taken_back))


def _remembered(belief: Belief, evidence: Evidence) -> tuple[Evidence, ...]:
    return (*belief.unsettled, evidence)[-MAX_UNSETTLED_LOOKS:]
