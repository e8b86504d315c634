"""What a game must have so that pages can show and say all of it: checked once for a set-up, not in every state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points

from companion.engine.game import AnyGame
from companion.engine.preparation import Preparing
from companion.engine.trial import Trial, must
from companion.engine.values import Json
from companion.table import Layout

ENTRY_POINTS = "companion.games"
"""The group in which packages offer games, each under its id."""


def is_asked_option(value: Json) -> bool:
    """Whether the page of a new game asks for an option with this default: a yes or no, or a number left open."""
    return value is None or isinstance(value, (bool, int))


def is_asked_seat(value: Json, players: int) -> bool:
    """Whether the page of a new game asks for a value of a set-up as one of the seats: who begins."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players


def pages_can_say_everything(trial: Trial, options: Mapping[str, Json]) -> None:
    """The words have a phrase for whatever a page may have to name."""
    missing = [f"{id!r} ({what})" for id, what in _phrases_of_pages(trial, options) if id not in trial.words]
    must(not missing, pages_can_say_everything.__doc__, f"add to words.en.toml: {', '.join(dict.fromkeys(missing))}")


def spots_name_kinds_of_the_layout(trial: Trial) -> None:
    """The layout lists each kind that its spots are made for, so that eyes and drawings know what it is."""
    layout = trial.game.layout(trial.setup)
    listed = {kind.name for kind in layout.kinds}
    made_for = [(place.spot, place.kinds) for place in layout.places]
    made_for += [(zone.spot, zone.kinds) for zone in layout.zones]
    strange = {f"{spot} is for {kind!r}" for spot, kinds in made_for for kind in kinds if kind not in listed}
    must(not strange, spots_name_kinds_of_the_layout.__doc__, ", ".join(sorted(strange)))


def is_offered_under_its_id(game: AnyGame) -> None:
    """A package offers its game in the entry points' group `companion.games`, under the game's id."""
    names = [entry.name for entry in entry_points(group=ENTRY_POINTS) if entry.load() == game]
    must(names == [game.id], is_offered_under_its_id.__doc__, f"{game.id!r} is offered as {names or 'nothing'}")


def _phrases_of_pages(trial: Trial, options: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The ids of phrases that pages may need, each with what it names."""
    game = trial.game
    yield f"name.{game.id}", "the game"
    yield from ((f"name.{reason}", "a reason to end") for reason in game.reasons)
    yield from ((f"name.{key}", "an option") for key, value in options.items() if is_asked_option(value))
    yield from ((f"name.{key}", "asked before a game") for key in _asked_keys(trial))
    yield from ((f"spot.{head}", "a spot of the layout") for head in _spot_heads(game.layout(trial.setup)))
    if isinstance(game, Preparing):
        yield from ((f"name.{way}", "a way to prepare") for way in game.ways)


def _asked_keys(trial: Trial) -> Iterator[str]:
    """Keys of a set-up that a person is asked for: seats."""
    if isinstance(trial.setup, Mapping):
        yield from (key for key, value in trial.setup.items() if is_asked_seat(value, trial.players))


def _spot_heads(layout: Layout) -> Iterator[str]:
    spots = [*(place.spot for place in layout.places), *(zone.spot for zone in layout.zones)]
    yield from dict.fromkeys(spot.partition(":")[0] for spot in spots)
