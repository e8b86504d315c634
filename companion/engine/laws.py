"""The laws that every state of every game keeps: each a function with its sentence as docstring.

`companion.engine.conformance` plays games and holds each state against `LAWS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any, Final, Protocol

from companion.engine import play
from companion.engine.abilities import Confiding
from companion.engine.game import AnyGame
from companion.engine.values import CHANCE, Chance, Choose, Json, Observer, Over, Ply, Turn
from companion.errors import IllegalError, Phrase

SAMPLE: Final = 12
"""So many plies of a list are tried in each state."""
MOST_OUTCOMES: Final = 5000
"""Where chance has more outcomes, they are not added up."""


class ConformanceError(AssertionError):
    """A game breaks one of the laws."""


class Speaker(Protocol):
    """What is asked of the words: which phrases there are, and what they say."""

    def __contains__(self, phrase_id: str) -> bool:
        """Whether a file has this phrase."""

    def say(self, phrase: Phrase) -> str:
        """The phrase in words."""


@dataclass
class Trial:
    """A game under test, and a state of it."""

    game: AnyGame
    players: int
    words: Speaker
    rng: Random
    setup: Json
    state: Any
    listed: list[Ply[Any]] = field(default_factory=list)
    """The legal plies of the state."""
    seen_plies: list[Ply[Any]] = field(default_factory=list)
    """Plies of earlier states: most of them are not legal now."""
    confider: int = 0
    """With a `Confiding` game: the seat that now and then confides something …"""
    confided: Any = None
    """… and the same state, reached by the same plies, with what it confided."""

    @property
    def turn(self) -> Turn:
        """Who is to act."""
        return self.game.turn(self.state)

    @property
    def observers(self) -> tuple[Observer, ...]:
        """Everybody who may look."""
        return (*range(self.players), "room", "referee")

    def some_plies(self) -> list[Ply[Any]]:
        """Some plies that can be made now, as actions."""
        if isinstance(self.turn, Chance):
            return [Ply(CHANCE, self.game.sample(self.state, self.rng))]
        return [self._chosen(ply) for ply in self.rng.sample(self.listed, min(SAMPLE, len(self.listed)))]

    def _chosen(self, ply: Ply[Any]) -> Ply[Any]:
        if not isinstance(ply.action, Choose):
            return ply
        return Ply(ply.player, play.random_choice(self.game, ply.action, self.rng))


def must(holds: bool, law: str | None, about: object) -> None:
    """Raises `ConformanceError`, with the law and what it is about, unless it holds."""
    if not holds:
        raise ConformanceError(f"{law} — {str(about)[:600]}")


# --- the laws of a state ----------------------------------------------------------------------------------------------


def turn_is_whole(trial: Trial) -> None:
    """Whose turn it is, and how a game ended, is told whole and can be said."""
    match trial.turn:
        case Over(winners, reason):
            ok = reason in trial.game.reasons and set(winners) <= set(range(trial.players))
            must(ok, turn_is_whole.__doc__, trial.turn)
        case Chance(ask):
            _said(trial, ask, turn_is_whole)
        case turn:
            ok = bool(turn.seats) and set(turn.seats) <= set(range(trial.players))
            must(ok, turn_is_whole.__doc__, turn)
            _said(trial, turn.ask, turn_is_whole)


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
    for ply in trial.rng.sample(pool, min(SAMPLE, len(pool))):
        if ply in plain or any(_allows(trial.game, each, ply) for each in choices):
            continue
        if ply.player == CHANCE and isinstance(trial.turn, Chance):
            continue  # what chance may bring need not be listed
        try:
            trial.game.apply(trial.state, ply)
        except IllegalError as error:
            must(bool(error.rule), law, error)
            _said(trial, error.phrase, illegal_plies_are_refused)
        else:
            raise ConformanceError(f"{law} — {ply} in {str(trial.state)[:400]}")


def chance_adds_up(trial: Trial) -> None:
    """The odds of all outcomes add up to 1 exactly, and what is drawn is one of them."""
    if not isinstance(trial.turn, Chance):
        return
    outcomes = list(islice(trial.game.outcomes(trial.state), MOST_OUTCOMES + 1))
    if len(outcomes) <= MOST_OUTCOMES:
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


def pieces_stand_on_spots(trial: Trial) -> None:
    """Whatever stands somewhere stands on a spot of the layout."""
    layout = trial.game.layout(trial.setup)
    spots = [body.spot for body in layout.bodies]
    spots += [place.spot for place in layout.places] + [zone.spot for zone in layout.zones]
    must(len(set(spots)) == len(spots), "No two spots of a layout have one name.", spots)
    strange = set(trial.game.placement(trial.state)) - set(spots)
    must(not strange, pieces_stand_on_spots.__doc__, strange)


def nothing_leaks(trial: Trial) -> None:
    """Whoever was told the same sees the same: a state made up from what one observer knows shows that observer the
    same view, the same own plies and says them in the same words."""
    law, game = nothing_leaks.__doc__, trial.game
    for observer in trial.observers:
        seen = game.view(trial.state, observer)
        must(seen.game == game.id and seen.observer == observer, law, seen)
        must(len(seen.scores) == trial.players, law, seen)
        other = game.possible(seen, trial.rng)
        must(game.view(other, observer) == seen, law, (observer, seen))
        if other is trial.state:
            continue
        own = [ply for ply in trial.listed if ply.player == observer]
        there = [ply for ply in game.legal(other) if ply.player == observer]
        if _may_confide(trial, observer):  # what the seat sees is made up too: each of its plies there is one here
            _can_be_made(trial, there, law)
        else:
            must(own == there, law, (observer, own))
        for ply in own[:SAMPLE]:
            if not isinstance(ply.action, Choose):
                must(game.say(trial.state, ply, observer) == game.say(other, ply, observer), law, (observer, ply))


def what_is_confided_stays_with_its_seat(trial: Trial) -> None:
    """What a seat confides changes no view but its own, and no legal ply, before the game is over."""
    law, game, confided = what_is_confided_stays_with_its_seat.__doc__, trial.game, trial.confided
    if confided is None:
        return
    must(game.turn(confided) == trial.turn, law, trial.turn)
    must(list(game.legal(confided)) == trial.listed, law, trial.listed)
    for fact in game.view(confided, trial.confider).facts:
        _said(trial, fact, what_is_confided_stays_with_its_seat)
    for observer in trial.observers:
        if observer != trial.confider and not isinstance(trial.turn, Over):
            must(game.view(confided, observer) == game.view(trial.state, observer), law, observer)
    if confided != trial.state:
        nothing_leaks(replace(trial, state=confided, confided=None))


def everything_can_be_said(trial: Trial) -> None:
    """Every ply and every line of a view can be said to everybody."""
    for observer in trial.observers:
        for fact in trial.game.view(trial.state, observer).facts:
            _said(trial, fact, everything_can_be_said)
        for ply in trial.some_plies():
            _said(trial, trial.game.say(trial.state, ply, observer), everything_can_be_said)


LAWS: Final[tuple[Callable[[Trial], None], ...]] = (
    turn_is_whole, every_seat_on_turn_can_act, legal_plies_apply, illegal_plies_are_refused, chance_adds_up,
    actions_are_json, scores_are_whole, pieces_stand_on_spots, nothing_leaks, what_is_confided_stays_with_its_seat,
    everything_can_be_said,
)  # fmt: skip
"""What holds in every state of a game."""


def confide(trial: Trial) -> Any:
    """The confided state of the trial, once its seat has confided something of what it may; now and then it does."""
    game = trial.game
    if not isinstance(game, Confiding) or isinstance(trial.turn, Over) or trial.rng.random() < 0.5:
        return trial.confided
    possible = list(islice(game.may_confide(trial.confided, trial.confider), MOST_OUTCOMES))
    if not possible:
        return trial.confided
    chosen = json.loads(json.dumps(trial.rng.choice(possible)))
    after = game.confide(trial.confided, trial.confider, chosen)
    must(after == game.confide(trial.confided, trial.confider, chosen), "What is confided is taken once.", chosen)
    return after


# --- small things -----------------------------------------------------------------------------------------------------


def _by_seats(plies: list[Ply[Any]]) -> list[Ply[Any]]:
    return [ply for ply in plies if ply.player != CHANCE and not isinstance(ply.action, Choose)]


def _may_confide(trial: Trial, observer: Observer) -> bool:
    if not isinstance(observer, int) or not isinstance(trial.game, Confiding):
        return False
    return any(True for _ in trial.game.may_confide(trial.state, observer))


def _can_be_made(trial: Trial, plies: list[Ply[Any]], law: str | None) -> None:
    for ply in trial.rng.sample(plies, min(SAMPLE, len(plies))):
        if isinstance(ply.action, Choose):
            continue
        try:
            trial.game.apply(trial.state, ply)
        except IllegalError as error:
            raise ConformanceError(f"{law} — {ply}: {error}") from error


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


def _said(trial: Trial, phrase: Phrase, law: Callable[[Trial], None]) -> None:
    """Every phrase in it must stand in the files, and its gaps must be filled."""
    waiting = [phrase]
    while waiting:
        each = waiting.pop()
        must(each.id in trial.words, f"{law.__doc__} (a phrase is missing)", each)
        for _, arg in each.args:
            waiting += [inner for inner in (arg if isinstance(arg, tuple) else (arg,)) if isinstance(inner, Phrase)]
    try:
        trial.words.say(phrase)
    except KeyError as error:
        raise ConformanceError(f"{law.__doc__} (the gap {error} is not filled) — {phrase}") from error
