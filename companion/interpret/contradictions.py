"""What cannot be explained, in words: which piece stands where it cannot, and which rule is in the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine import AnyGame, Explaining
from companion.errors import IllegalError, Phrase, phrase
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import CONTRADICTED_NATS
from companion.interpret.matching import STANDING_PRICES, WORST_NATS, assign
from companion.table import EMPTY, Appearance, Placement, Spot, spot_phrase

ODD_NATS = 9.0
"""A place that costs so much more than at the look before is contradicted and not just misread."""
OCCUPIED_NATS = 5.0
"""How sure the eyes must be, in nats, that a place is empty, or is not, for this to contradict a placement."""
MAX_SENTENCES = 4


def unexplained(evidence: Evidence, floor: Mapping[Spot, float], after: Placement) -> bool:
    """Whether the look flatly contradicts `after` at some place, or on top of a pile. `floor`: what each spot cost at
    the look before.

    Other zones do not count: a drink too many beside a stock, or one that a bottle hides, is told but stops no game.
    """
    return bool(_odd_places(evidence, floor, after)) or any(
        evidence.reading_cost(zone, {}, after) > floor.get(zone, 0.0) + ODD_NATS
        for zone in evidence.zones if evidence.index.heap(zone) == "pile"
    )


def oddities(game: AnyGame, state: Any, found: Sequence[Difference]) -> tuple[Phrase, ...]:
    """Sentences on how the table differs from `state`, with the broken rule where the game can name one."""
    sentences = [each.sentence() for each in found]
    reason = _broken_rule(game, state, found)
    if reason is not None and sentences:
        sentences[0] = phrase("odd.but", what=sentences[0], reason=reason)
    return tuple(sentences[:MAX_SENTENCES])


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement between table and game: `seen` stands at `spot` where `expected` should (`EMPTY`: nothing)."""

    spot: Spot
    seen: Appearance
    expected: Appearance

    def sentence(self) -> Phrase:
        """What is wrong, for the people at the table."""
        where = spot_phrase(self.spot)
        if self.expected == EMPTY:
            return phrase("odd.stands", piece=self.seen, spot=where)
        if self.seen == EMPTY:
            return phrase("odd.missing", piece=self.expected, spot=where)
        return phrase("odd.other", piece=self.seen, expected=self.expected, spot=where)


def differences(evidence: Evidence, floor: Mapping[Spot, float], here: Placement) -> list[Difference]:
    """Where the look contradicts `here`. A piece that is missing somewhere is the first candidate for one too many."""
    places = _odd_places(evidence, floor, here)
    gone: list[tuple[Spot, Appearance]] = [(spot, here[spot][-1]) for spot in places if here.get(spot)]
    extra = [(spot, evidence.places[spot].costs) for spot in places if _likeliest_at(evidence, spot) != EMPTY]
    for zone in evidence.zones:
        things, pieces = _odd_in_zone(evidence, zone, here.get(zone, ()))
        gone += [(zone, piece) for piece in pieces]
        extra += [(zone, costs) for costs in things]
    named = assign([_Thing(costs) for _, costs in extra], [piece for _, piece in gone]).pieces
    seen: dict[Spot, Appearance] = {}
    found = []
    for (spot, costs), piece in zip(extra, named, strict=True):
        name = piece if piece is not None and costs.get(piece, ODD_NATS) < ODD_NATS else _likeliest(costs)
        seen[spot] = name
        if spot in evidence.zones:
            found.append(Difference(spot, name, EMPTY))
    found += [Difference(spot, seen.get(spot, EMPTY), here[spot][-1] if here.get(spot) else EMPTY) for spot in places]
    found += [Difference(zone, EMPTY, piece) for zone, piece in gone if zone in evidence.zones]
    return sorted(found, key=lambda each: (each.seen == EMPTY, each.spot))


def put_right_by(here: Placement, found: Collection[Difference]) -> Placement:
    """What stands where once each of these differences is as it is seen."""
    stands = {spot: list(pieces) for spot, pieces in here.items()}
    for each in found:
        pieces = stands.setdefault(each.spot, [])
        if each.expected in pieces:
            pieces.remove(each.expected)
        if each.seen != EMPTY:
            pieces.append(each.seen)
    return {spot: tuple(pieces) for spot, pieces in stands.items()}


def is_astray(found: Collection[Difference]) -> bool:
    """Whether something that is missing is seen elsewhere: then it was moved, and is not misread."""
    return not {each.expected for each in found}.isdisjoint(each.seen for each in found if each.seen != EMPTY)


def looks_like(evidence: Evidence, found: Difference, names: Collection[Appearance]) -> bool:
    """Whether a thing too many in a zone may be one of these pieces."""
    return any(
        _likeliest(thing.costs) == found.seen and any(thing.costs.get(name, ODD_NATS) < ODD_NATS for name in names)
        for thing in evidence.zones[found.spot]
    )


@dataclass(frozen=True, slots=True)
class _Thing:
    costs: Mapping[Appearance, float]
    stray_nats: float = 0.0


def _likeliest(costs: Mapping[Appearance, float]) -> Appearance:
    return min(costs, key=lambda name: costs[name])


def _likeliest_at(evidence: Evidence, place: Spot) -> Appearance:
    return _likeliest(evidence.places[place].costs)


def _odd_places(evidence: Evidence, floor: Mapping[Spot, float], here: Placement) -> list[Spot]:
    return [spot for spot in evidence.places if not evidence.index.is_built_over(spot, here)
            and _odd_place(evidence, spot, floor.get(spot, 0.0), here)]


def _odd_place(evidence: Evidence, spot: Spot, floor: float, here: Placement) -> bool:
    """Whether something stands where nothing should or the other way round, or quite another piece than before."""
    pieces = here.get(spot, ())
    cost = evidence.place_cost(spot, pieces)
    if bool(pieces) != (_likeliest_at(evidence, spot) != EMPTY):
        return cost > max(OCCUPIED_NATS, floor + CONTRADICTED_NATS)
    return cost > floor + ODD_NATS and _may_stand_there(evidence, spot, here)


def _may_stand_there(evidence: Evidence, spot: Spot, here: Placement) -> bool:
    """Whether anything that is seen at a place rather than its own piece may be there. A piece of which there is but
    one, and which is seen well where it should be, is not there: the eyes misread the place."""
    seen, own = evidence.places[spot].costs, here[spot][-1]
    for name, cost in seen.items():
        gain = evidence.place_cost(spot, here[spot]) - cost
        if name in (EMPTY, own) or gain <= ODD_NATS:
            continue
        homes = [home for home, pieces in here.items() if name in pieces]
        if len(homes) != 1 or homes[0] not in evidence.places or here[homes[0]].count(name) > 1:
            return True
        costs = evidence.places[homes[0]].costs
        if gain + costs.get(name, WORST_NATS) - costs.get(own, WORST_NATS) > ODD_NATS:
            return True
    return False


def _odd_in_zone(
    evidence: Evidence, zone: Spot, pieces: tuple[Appearance, ...]
) -> tuple[list[Mapping[Appearance, float]], list[Appearance]]:
    """The things that cannot be any piece of the zone, and the pieces that are not there. Which of the pieces a thing
    is may be misread; that is no contradiction."""
    things = evidence.zones[zone]
    needed, optional = evidence.shown(zone, pieces)
    left, odd = list(needed), []
    for thing, piece in zip(things, assign(things, needed, optional).pieces, strict=True):
        if piece is not None:
            if piece in left:
                left.remove(piece)
        elif thing.costs.get(EMPTY, ODD_NATS) >= STANDING_PRICES.ghost:
            odd.append(thing.costs)
    return odd, left


def _broken_rule(game: AnyGame, state: Any, found: Sequence[Difference]) -> Phrase | None:
    """The rule that forbids the plies which would explain the table, if the game can say which plies those are."""
    if not isinstance(game, Explaining):
        return None
    for plies in game.explain(state, put_right_by(game.placement(state), found)):
        try:
            after = state
            for ply in plies:
                after = game.apply(after, ply)
        except IllegalError as error:
            return error.phrase
    return None
