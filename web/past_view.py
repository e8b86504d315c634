"""The games that were played, as the pages of them list them: by day, with who won what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from companion.errors import phrase
from companion.session.past import PastGame
from companion.words import Words
from web.view_model import PageView


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game of the list, in words: which, when it began, who played with what scores, how it ended."""

    number: int
    name: str
    day: str
    time: str
    players: str
    ended: str
    winners: tuple[str, ...]
    is_over: bool
    plies: str


@dataclass(frozen=True, slots=True)
class Day:
    """The games that began on a day, and how many of them everybody won."""

    name: str
    games: tuple[ListedGame, ...]
    wins: tuple[tuple[str, int], ...]


def listed_game(game: PastGame, words: Words) -> ListedGame:
    """The game in words."""
    winners = tuple(game.players[seat] for seat in game.winners or () if seat < len(game.players))
    day, time = day_and_time(game.started)
    if game.winners is None:
        ended = words.say(phrase("web.games.open", plies=game.plies))
    else:
        ended = words.say(phrase("web.games.won", who=winners) if winners else phrase("web.games.nobody"))
    name = words.of(game.game).sentence(phrase("web.name", what=game.game))
    return ListedGame(game.number, name, day, time, _players(game), ended, winners, game.winners is not None,
                      words.say(phrase("web.move", n=game.plies)))


def _players(game: PastGame) -> str:
    if game.scores is None or len(game.scores) != len(game.players):
        return ", ".join(game.players)
    return ", ".join(f"{name} {PageView.points(score)}" for name, score in zip(game.players, game.scores))


def days(games: Sequence[ListedGame]) -> list[Day]:
    """The games by the day on which they began, as they come."""
    found = []
    for day, of_day in groupby(games, key=lambda game: game.day):
        played = tuple(of_day)
        wins = Counter(name for game in played for name in game.winners)
        is_evening = sum(game.is_over for game in played) > 1
        found.append(Day(day, played, tuple(wins.most_common()) if is_evening else ()))
    return found


def day_and_time(started: str) -> tuple[str, str]:
    """When a game began, by the clock of the house; a time that cannot be read stays as it is."""
    try:
        began = datetime.fromisoformat(started).astimezone()
    except (ValueError, OverflowError):
        return started, ""
    return f"{began:%Y-%m-%d}", f"{began:%H:%M}"
