"""Packages whose games fail while they are played: pages tell it in one sentence, every other game plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.port import Accepted, Refused
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from companion.table import EMPTY, Observation, Sight
from companion.words import load
from tests.games.packages_on_disk import PEGS
from web.app import create_app

PEGS_HEADER = {"game": "pegs", "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {}}
CANS_HEADER = {**PEGS_HEADER, "game": "kamikaze-cans", "setup": {"colours": ["red", "green"], "first": 0}}
FAILS_AT_ONCE = PEGS.replace("GAME = Pegs()", '''
class Broken(Pegs):
    def placement(self, state):
        raise KeyError("moon")

GAME = Broken()
''')
FAILS_LATER = FAILS_AT_ONCE.replace('raise KeyError("moon")', '''if state.pegs[1] is not None:
            raise KeyError("moon")
        return super().placement(state)''')
CONTRADICTS = PEGS.replace("if ply not in self.legal(state):", "if ply.action.at == 1 or ply not in self.legal(state):")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Writer]:
    library, clock = GameLibrary(lookup=registry.game, interpreter=Interpreter), FakeClock()
    resumed = open_journal(tmp_path / "journal", library, clock)
    yield Writer(session=Session(library=library, clock=clock), journal=resumed.journal, state=resumed.state,
                 clock=clock)
    resumed.journal.close()


NUMBERS = count(1)
"""Of looks, which never repeat."""


def do(desk: Writer, command: Any) -> Accepted | Refused:
    return desk._answer(command)


def look(*pegs: str) -> Sighted:
    sights = [Sight(f"hole:{n}", (20.0 * n, 10.0), {"peg:blue": -30.0, "peg:red": -30.0, EMPTY: -30.0, peg: 0.0}, 0.0)
              for n, peg in enumerate(pegs)]
    number = next(NUMBERS)
    return Sighted(number, "free", observation=Observation(float(number), tuple(sights)))


def page(desk: Writer, path: str = "/") -> str:
    games = {id: registry.game(id) for id in registry.ids()}
    app = create_app(desk=desk, words=load("en", [game.words for game in games.values()]), games=games,
                     left_out=registry.broken_packages())
    client: FlaskClient = app.test_client()
    return client.get(path, headers={"Host": "localhost"}).get_data(as_text=True)


def cans_play(desk: Writer) -> bool:
    answer = do(desk, StartGame(desk.snapshot().seq, "host", CANS_HEADER))
    return isinstance(answer, Accepted) and desk.snapshot().game == "kamikaze-cans"


def test_a_game_that_cannot_say_how_it_stands_does_not_begin(installed: Any, desk: Writer) -> None:
    installed(code=FAILS_AT_ONCE)

    answer = do(desk, StartGame(0, "host", PEGS_HEADER))

    assert isinstance(answer, Refused)
    assert load().say(answer.phrase) == (
        "The game of the package pegs-game has failed (KeyError: 'moon', in placement): "
        "end it, and update or uninstall the package.")
    assert cans_play(desk)


def test_a_game_that_fails_while_it_is_played_is_told_on_the_page_and_can_be_left(installed: Any, desk: Writer) -> None:
    installed(code=FAILS_LATER)
    assert isinstance(do(desk, StartGame(0, "host", PEGS_HEADER)), Accepted)

    do(desk, look("", "", ""))
    do(desk, look("", "peg:blue", ""))

    assert "has failed (KeyError: &#39;moon&#39;, in placement)" in page(desk)
    assert desk.snapshot().trouble
    assert cans_play(desk)
    assert "has failed" not in page(desk)


def test_a_game_that_refuses_what_it_lists_is_told_on_the_page_and_can_be_left(installed: Any, desk: Writer) -> None:
    installed(code=CONTRADICTS)
    assert isinstance(do(desk, StartGame(0, "host", PEGS_HEADER)), Accepted)

    do(desk, look("", "", ""))
    do(desk, look("", "peg:blue", ""))

    assert "refuses what it lists as legal (Put(at=1))" in page(desk)
    assert cans_play(desk)


def test_the_page_of_a_new_game_tells_what_is_left_out_and_offers_the_rest(installed: Any, desk: Writer) -> None:
    installed(words=None)

    shown = page(desk, "/start")

    assert "The game of the package pegs-game is left out, because it has no words" in shown
    assert "Kamikaze Cans" in shown


def test_a_game_that_fails_when_it_is_offered_leaves_the_page_to_the_others(installed: Any, desk: Writer) -> None:
    installed(code=PEGS.replace("def deal(self, players, options, rng):\n        return {}",
                                "def deal(self, players, options, rng):\n        return options['moon']"))

    shown = page(desk, "/start?game=pegs")

    assert "has failed (KeyError: &#39;moon&#39;, in deal)" in shown
    assert "Kamikaze Cans" in shown
