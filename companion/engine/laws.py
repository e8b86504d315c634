"""The laws that every state of every game keeps: each a function with its sentence as docstring.

`companion.engine.conformance` plays games and checks each state by `LAWS`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from companion.engine.abilities import Accounting, Rearranging
from companion.engine.game import AnyGame
from companion.engine.laws_of_secrets import (
    nothing_leaks, what_comes_to_light_is_said, what_is_confided_stays_with_its_seat,
)
from companion.engine.positions import different
from companion.engine.trial import MAX_OUTCOMES, MAX_PLIES_TRIED, ConformanceError, Trial, must, must_be_said
from companion.engine.values import CHANCE, Chance, Choose, Over, Ply, ToMove
from companion.errors import IllegalError


def turn_is_whole(trial: Trial) -> None:
    """Whose turn it is, and how a game ended, is whole and can be said."""
    match trial.turn:
        case Over(winners, reason):
            ok = reason in trial.game.reasons and set(winners) <= set(range(trial.players))
            must(ok, turn_is_whole.__doc__, trial.turn)
        case Chance(ask):
            must_be_said(trial, ask, turn_is_whole)
        case turn:
            ok = bool(turn.seats) and set(turn.seats) <= set(range(trial.players))
            must(ok, turn_is_whole.__doc__, turn)
            must_be_said(trial, turn.ask, turn_is_whole)


def every_seat_on_turn_can_act(trial: Trial) -> None:
    """Each seat on turn has a legal ply, nobody else has one, and none is listed twice."""
    law, turn, listed = every_seat_on_turn_can_act.__doc__, trial.turn, trial.listed
    must(len(set(listed)) == len(listed), law, listed)
    players = {ply.player for ply in listed}
    if isinstance(turn, Over):
        must(not listed, law, listed)
    elif isinstance(turn, Chance):
        must(players <= {CHANCE}, law, players)
    else:
        must(players == set(turn.seats), law, (turn, players))


def legal_plies_apply(trial: Trial) -> None:
    """Every legal ply can be applied, always with the same result, and the state it was applied to stays as it was."""
    before = repr(trial.state)
    for ply in trial.some_plies():
        try:
            after = trial.game.apply(trial.state, ply)
            same = after == trial.game.apply(trial.state, ply)
        except IllegalError as error:
            raise ConformanceError(f"{legal_plies_apply.__doc__} — {ply}: {error}") from error
        must(same, legal_plies_apply.__doc__, ply)
    must(repr(trial.state) == before, legal_plies_apply.__doc__, before)


def illegal_plies_are_refused(trial: Trial) -> None:
    """A ply that is not among the legal ones is refused with a rule's number and words."""
    law, listed = illegal_plies_are_refused.__doc__, trial.listed
    choices = [ply for ply in listed if isinstance(ply.action, Choose)]
    plain = set(listed)
    pool = [*trial.seen_plies, *(Ply((int(ply.player) + 1) % trial.players, ply.action) for ply in _by_seats(listed))]
    for ply in trial.rng.sample(pool, min(MAX_PLIES_TRIED, len(pool))):
        if ply in plain or any(_allows(trial.game, each, ply) for each in choices):
            continue
        if ply.player == CHANCE and isinstance(trial.turn, Chance):
            continue  # what chance may bring need not be listed
        try:
            trial.game.apply(trial.state, ply)
        except IllegalError as error:
            must(bool(error.rule), law, error)
            must_be_said(trial, error.phrase, illegal_plies_are_refused)
        else:
            raise ConformanceError(f"{law} — {ply} in {str(trial.state)[:400]}")


def chance_adds_up(trial: Trial) -> None:
    """The odds of all outcomes add up to 1 exactly, and what is drawn is one of them."""
    if not isinstance(trial.turn, Chance):
        return
    outcomes = list(islice(trial.game.outcomes(trial.state), MAX_OUTCOMES + 1))
    if len(outcomes) <= MAX_OUTCOMES:
        odds = dict(outcomes)
        must(len(odds) == len(outcomes), chance_adds_up.__doc__, outcomes)
        must(sum(odds.values()) == Fraction(1), chance_adds_up.__doc__, outcomes)
        must(trial.game.sample(trial.state, trial.rng) in odds, chance_adds_up.__doc__, outcomes)


def actions_are_json(trial: Trial) -> None:
    """Every action goes to JSON and back, and its exported spelling stays as it is."""
    law, game = actions_are_json.__doc__, trial.game
    for ply in trial.some_plies():
        written = game.write_action(ply.action)
        again = game.read_action(json.loads(json.dumps(written)))
        must(again == ply.action and hash(again) == hash(ply.action), law, (ply.action, again))
        must(list(game.write_action(again).items()) == list(written.items()), law, written)
    for ply in trial.listed:
        if isinstance(ply.action, Choose):
            written = game.write_action(ply.action)
            must(written["from"] == list(ply.action.among) and "choose" in written, law, written)


def scores_are_whole(trial: Trial) -> None:
    """Each seat has its score, a whole number."""
    scores = trial.game.scores(trial.state)
    ok = len(scores) == trial.players and all(type(each) is int for each in scores)
    must(ok, scores_are_whole.__doc__, scores)


def parts_add_up_to_scores(trial: Trial) -> None:
    """The parts of each seat's score add up to it, and each can be said and has a rule."""
    if not isinstance(trial.game, Accounting):
        return
    parts, scores = trial.game.score_parts(trial.state), trial.game.scores(trial.state)
    sums = tuple(sum(part.points for part in own) for own in parts)
    must(sums == tuple(scores), parts_add_up_to_scores.__doc__, (scores, parts))
    for part in (part for own in parts for part in own):
        must(bool(part.rule), parts_add_up_to_scores.__doc__, part)
        must_be_said(trial, part.said, parts_add_up_to_scores)


def pieces_stand_on_spots(trial: Trial) -> None:
    """Whatever stands somewhere stands on a spot of the layout."""
    layout = trial.game.layout(trial.setup)
    spots = [body.spot for body in layout.bodies]
    spots += [place.spot for place in layout.places] + [zone.spot for zone in layout.zones]
    must(len(set(spots)) == len(spots), "No two spots of a layout have one name.", spots)
    strange = set(trial.game.placement(trial.state)) - set(spots)
    must(not strange, pieces_stand_on_spots.__doc__, strange)


def a_table_can_be_gone_on_from(trial: Trial) -> None:
    """What stands on a table is among all pieces, and the game goes on from it, or says by which rule it cannot."""
    law, game = a_table_can_be_gone_on_from.__doc__, trial.game
    if not isinstance(game, Rearranging):
        return
    stands, seat = game.placement(trial.state), trial.rng.randrange(trial.players)
    strange = Counter(piece for pieces in stands.values() for piece in pieces) - Counter(game.all_pieces(trial.setup))
    must(not strange, law, strange)
    try:
        again = game.rearranged(trial.state, stands, seat)
    except IllegalError as error:
        must(bool(error.rule), law, error)
        must_be_said(trial, error.phrase, a_table_can_be_gone_on_from)
        return
    must(not different(game.placement(again), stands), law, game.placement(again))
    turn = game.turn(again)
    must(not isinstance(turn, ToMove) or turn.seats == (seat,), law, turn)


def everything_can_be_said(trial: Trial) -> None:
    """Every ply and every line of a view can be said to everybody."""
    for observer in trial.observers:
        for fact in trial.game.view(trial.state, observer).facts:
            must_be_said(trial, fact, everything_can_be_said)
        for ply in trial.some_plies():
            must_be_said(trial, trial.game.say(trial.state, ply, observer), everything_can_be_said)


LAWS: Final[tuple[Callable[[Trial], None], ...]] = (
    turn_is_whole, every_seat_on_turn_can_act, legal_plies_apply, illegal_plies_are_refused, chance_adds_up,
    actions_are_json, scores_are_whole, parts_add_up_to_scores, pieces_stand_on_spots, nothing_leaks,
    what_comes_to_light_is_said, what_is_confided_stays_with_its_seat, a_table_can_be_gone_on_from,
    everything_can_be_said,
)  # fmt: skip
"""What holds in every state of a game."""


def _by_seats(plies: list[Ply[Any]]) -> list[Ply[Any]]:
    return [ply for ply in plies if ply.player != CHANCE and not isinstance(ply.action, Choose)]


def _allows(game: AnyGame, listed: Ply[Any], ply: Ply[Any]) -> bool:
    """Whether a `Choose` in the list of legal plies holds this ply."""
    choose, given = listed.action, game.write_action(ply.action)
    chosen = given.pop(choose.key, [])
    fixed = game.write_action(choose)
    return (
        listed.player == ply.player
        and given == {key: value for key, value in fixed.items() if key not in ("choose", "from")}
        and set(chosen) <= set(choose.among)
        and choose.number in (None, len(chosen))
    )
