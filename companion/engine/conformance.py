"""What every game must keep, as checks that run on any game; they ship with the package for games made elsewhere.

    conforms(GAME, players=2, words=load("en", [GAME.words]), rng=Random(1))    # raises ConformanceError, or is silent

plays a game at random, and the decisions before it, and checks each state on the way by `companion.engine.laws`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from inspect import getmembers_static, isfunction
from random import Random
from typing import Any

from companion.engine import lines, play, record
from companion.engine.abilities import Confiding, Hiding
from companion.engine.game import AnyGame, Game
from companion.engine.preparation import SET_UP, Preparation, Preparing
from companion.engine.values import Json, Over, Ply
from companion.engine.laws import LAWS
from companion.engine.laws_of_pages import (
    is_offered_under_its_id, pages_can_say_everything, spots_name_kinds_of_the_layout,
)
from companion.engine.laws_of_secrets import confide_something
from companion.engine.trial import ConformanceError, Speaker, Trial, must
from companion.table.spot_words import seat_letter

__all__ = ["LAWS", "ConformanceError", "conforms", "is_offered_under_its_id"]


def conforms(
    game: AnyGame,
    players: int,
    words: Speaker,
    rng: Random,
    options: Mapping[str, Json] | None = None,
    most_plies: int = 200,
) -> None:
    """Plays one game at random and checks all laws on its way; raises `ConformanceError`, which names the game."""
    try:
        _conforms(game, players, words, rng, options or {}, most_plies)
    except ConformanceError as error:
        raise ConformanceError(f"{game.id}: {error}") from error


def _conforms(
    game: AnyGame, players: int, words: Speaker, rng: Random, options: Mapping[str, Json], most_plies: int
) -> None:
    must(not missing_methods(game), "A game has all methods of the contract.", ", ".join(missing_methods(game)))
    must(players in game.seats, "its numbers of players are in `seats`", players)
    filled = _options(game, options, players)
    setup = _setup(game, filled, players, rng)
    trial = Trial(game, players, words, rng, setup, None)
    spots_name_kinds_of_the_layout(trial)
    if SET_UP not in game.reasons:
        pages_can_say_everything(trial, filled)
    trial, plies = _played(game, filled, trial, most_plies)
    if SET_UP not in game.reasons:  # what a `Preparation` decides stands in no record
        _replay(trial, filled, plies)
    if isinstance(game, Preparing):
        for way in game.ways:
            _prepare(game, game.preparation(way), filled, trial)


def missing_methods(game: AnyGame) -> list[str]:
    """The methods of the contract that the game left as they stand there, empty."""
    own, asked = dict(getmembers_static(type(game))), {**vars(Hiding), **vars(Game)}
    return [name for name, stub in asked.items() if isfunction(stub) and own.get(name) is stub and name[0] != "_"]


def _played(
    game: AnyGame, options: Mapping[str, Json], trial: Trial, most_plies: int
) -> tuple[Trial, list[Ply[Any]]]:
    """Plays from the set-up of the trial on and checks each state; gives the trial at the last state."""
    start = game.start(trial.setup, options, trial.players)
    must(start == game.start(trial.setup, options, trial.players), "One set-up gives one start.", trial.setup)
    trial.state = start
    if isinstance(game, Confiding):
        trial.confider, trial.confided = trial.rng.randrange(trial.players), start
    plies = []
    for state, ply in play.random_game(game, start, trial.rng, most_plies):
        trial.state = state
        if trial.confided is not None:
            trial.confided = confide_something(trial)
        _hold(trial)
        trial.seen_plies.append(ply)
        plies.append(ply)
        trial.state = game.apply(state, ply)
        if trial.confided is not None:
            trial.confided = game.apply(trial.confided, ply)
    _hold(trial)
    return trial, plies


def _hold(trial: Trial) -> None:
    trial.listed = list(trial.game.legal(trial.state))
    for law in LAWS:
        law(trial)


def _options(game: AnyGame, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
    filled = game.read_options(given, players)
    must(game.read_options(filled, players) == filled, "Options with their defaults stay as they are.", filled)
    return filled


def _setup(game: AnyGame, options: Mapping[str, Json], players: int, rng: Random) -> Json:
    setup = game.read_setup(game.deal(players, options, rng), options, players)
    again = game.read_setup(json.loads(json.dumps(setup)), options, players)
    must(json.dumps(again) == json.dumps(setup), "A set-up that was read stays as it is.", setup)
    return setup


def _replay(trial: Trial, options: Mapping[str, Json], plies: list[Ply[Any]]) -> None:
    """The record of the game is followed to the same end and comes out byte for byte."""
    game, law = trial.game, _replay.__doc__
    names = [f"Player {seat_letter(seat)}" for seat in range(trial.players)]
    written = [record.write_header(game, names, options, trial.setup, "2000-01-01T12:00:00Z")]
    written += [record.write_ply(game, n, ply) for n, ply in enumerate(plies, 1)]
    if isinstance(trial.turn, Over):
        written.append(record.write_result(game, trial.state))
    text = "".join(map(lines.line, written))
    checked = record.check(text, lambda _id, _colours: game)
    must(checked.text == text, law, text)
    must(checked.state == trial.state, law, checked.state)


def _prepare(game: AnyGame, preparation: Preparation[Any, Any], options: Mapping[str, Json], trial: Trial) -> None:
    """The decisions before a game keep the laws too, and come to a set-up that the game takes as it is."""
    players = trial.players
    if players not in preparation.seats:
        return
    setup = preparation.read_setup(preparation.deal(players, options, trial.rng), options, players)
    before = Trial(preparation, players, trial.words, trial.rng, setup, None)
    ended, _ = _played(preparation, options, before, most_plies=1000)
    must(isinstance(ended.turn, Over), _prepare.__doc__, ended.turn)
    made = preparation.result(ended.state)
    must(game.read_setup(made, options, players) == made, _prepare.__doc__, made)
