"""Games that other packages offer: loaded and looked over once a process. What is broken is left out, and told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from companion.engine import AnyGame
from companion.engine.conformance import missing_methods
from companion.engine.laws_of_pages import ENTRY_POINTS
from companion.errors import PackageError, Phrase, phrase
from companion.games.guard import guarded
from companion.words.catalogue import PhraseTakenError, house_phrases, read_phrases


@dataclass(frozen=True, slots=True)
class Packages:
    """The games that can be played, by id, and for each that cannot its id and a sentence that says why."""

    games: Mapping[str, AnyGame]
    broken: tuple[tuple[str, Phrase], ...]


@cache
def installed(taken: Collection[str]) -> Packages:
    """The games of other packages; the ids `taken` are not free."""
    games: dict[str, AnyGame] = {}
    broken = []
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            games[entry.name] = _loaded(entry, {*taken, *games})
        except PackageError as error:
            broken.append((entry.name, error.phrase))
    return Packages(games, tuple(broken))


def _loaded(entry: EntryPoint, taken: Collection[str]) -> AnyGame:
    """The game of an entry point; raises `PackageError`, in one sentence."""
    package = entry.dist.name if entry.dist is not None else entry.value
    if entry.name in taken:
        raise PackageError(phrase("package.id_taken", package=package, given=entry.name))
    try:
        game: AnyGame = entry.load()
        found = next(_faults(game, entry.name, package), None)
    except Exception as error:  # whatever another package does wrong, it is told by its name
        given = f"{type(error).__name__}: {error}"[:200]
        raise PackageError(phrase("package.not_loaded", package=package, given=given)) from error
    if found is not None:
        raise PackageError(found)
    return guarded(game, package)


def _faults(game: AnyGame, id: str, package: str) -> Iterator[Phrase]:
    """What is wrong with a game that could be imported."""
    if missing := missing_methods(game):
        yield phrase("package.no_game", package=package, missing=tuple(missing))
    if game.id != id:
        yield phrase("package.other_id", package=package, key=id, given=str(game.id))
    file = game.words / "words.en.toml"
    try:
        words = read_phrases(file, house_phrases())
    except OSError:
        yield phrase("package.no_words", package=package, file=str(file))
    except PhraseTakenError as error:
        yield phrase("package.phrase_taken", package=package, given=error.id, file=str(file))
    except ValueError as error:
        yield phrase("package.words_invalid", package=package, file=str(file), given=str(error))
    else:
        if f"name.{id}" not in words:
            yield phrase("package.no_name", package=package, key=id, file=str(file))
