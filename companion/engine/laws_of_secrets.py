"""The laws about what observers know: nothing leaks, and what a seat confides stays with it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.engine.abilities import Confiding, Revealing
from companion.engine.trial import MAX_OUTCOMES, MAX_PLIES_TRIED, ConformanceError, Trial, must, must_be_said
from companion.engine.values import CHANCE, Choose, Observer, Over, Ply, Seat, Seen
from companion.errors import IllegalError

MAX_PLIES_FORESEEN = 2
"""Plies of a state that are played in a made-up state too."""


def nothing_leaks(trial: Trial) -> None:
    """Whoever knows the same sees the same: a state made up from what one observer knows shows that observer the
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
        for ply in own[:MAX_PLIES_TRIED]:
            if not isinstance(ply.action, Choose):
                must(game.say(trial.state, ply, observer) == game.say(other, ply, observer), law, (observer, ply))


def what_comes_to_light_is_said(trial: Trial) -> None:
    """A ply that tells its player what others keep secret brings something to light."""
    law, game = what_comes_to_light_is_said.__doc__, trial.game
    trial.is_confided_to |= any(_may_confide(trial, seat) for seat in range(trial.players))
    if trial.is_confided_to:  # made-up states are played on as if all were known: a doubt is no secret
        return
    for ply in [each for each in trial.listed if not isinstance(each.action, Choose)][:MAX_PLIES_FORESEEN]:
        seat = ply.player
        if seat == CHANCE:
            continue
        after = game.apply(trial.state, ply)
        if isinstance(game.turn(after), Over) or _is_foreseen(trial, ply, seat, game.view(after, seat)):
            continue
        must(isinstance(game, Revealing) and game.brings_to_light(trial.state, after), law, ply)


def _is_foreseen(trial: Trial, ply: Ply[Any], seat: Seat, seen: Seen) -> bool:
    """Whether the player of the ply sees the same after it in a state made up from what it knew."""
    game = trial.game
    other = game.possible(game.view(trial.state, seat), trial.rng)
    try:
        return bool(game.view(game.apply(other, ply), seat) == seen)
    except IllegalError:
        return False


def what_is_confided_stays_with_its_seat(trial: Trial) -> None:
    """What a seat confides changes no view but its own, and no legal ply, before the game is over."""
    law, game, confided = what_is_confided_stays_with_its_seat.__doc__, trial.game, trial.confided
    if confided is None:
        return
    must(game.turn(confided) == trial.turn, law, trial.turn)
    must(list(game.legal(confided)) == trial.listed, law, trial.listed)
    for fact in game.view(confided, trial.confider).facts:
        must_be_said(trial, fact, what_is_confided_stays_with_its_seat)
    for observer in trial.observers:
        if observer != trial.confider and not isinstance(trial.turn, Over):
            must(game.view(confided, observer) == game.view(trial.state, observer), law, observer)
    if confided != trial.state:
        nothing_leaks(replace(trial, state=confided))


def confide_something(trial: Trial) -> Any:
    """The confided state of the trial, once its seat has confided something of what it may; now and then it does."""
    game = trial.game
    if not isinstance(game, Confiding) or isinstance(trial.turn, Over) or trial.rng.random() < 0.5:
        return trial.confided
    possible = list(islice(game.may_confide(trial.confided, trial.confider), MAX_OUTCOMES))
    if not possible:
        return trial.confided
    chosen = json.loads(json.dumps(trial.rng.choice(possible)))
    after = game.confide(trial.confided, trial.confider, chosen)
    must(after == game.confide(trial.confided, trial.confider, chosen), "What is confided is taken once.", chosen)
    return after


def _may_confide(trial: Trial, observer: Observer) -> bool:
    if not isinstance(observer, int) or not isinstance(trial.game, Confiding):
        return False
    return any(True for _ in trial.game.may_confide(trial.state, observer))


def _can_be_made(trial: Trial, plies: list[Ply[Any]], law: str | None) -> None:
    for ply in trial.rng.sample(plies, min(MAX_PLIES_TRIED, len(plies))):
        if isinstance(ply.action, Choose):
            continue
        try:
            trial.game.apply(trial.state, ply)
        except IllegalError as error:
            raise ConformanceError(f"{law} — {ply}: {error}") from error
