"""Whoever does not know a secret gets the same in both worlds: pages, streams, answers, refusals, records, the log."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.web.secrets_of_games import COURSES, blind_colours, eyes_that_read, hiding_games, probes, tell_something
from tests.web.two_worlds import Worlds, a_world


def test_the_games_that_hide_have_two_worlds() -> None:
    assert set(hiding_games()) == set(COURSES)


def played(game: str, seed: int, folder: Path, plies: int, each: int) -> Worlds:
    """A game in both worlds; after each ply the owner says something, another thing in each, and all others ask."""
    rng = Random(f"{game} {seed}")
    course = COURSES[game](rng, plies)
    with ExitStack() as stack:
        both = [stack.enter_context(a_world(folder / name)) for name in ("one", "other")]
        worlds, secrets = Worlds(both, course.owner), [Random(f"{seed} {n}") for n in range(2)]
        for world, header in zip(both, course.headers):
            world.begin(header)
        worlds.look()
        for _ in range(plies):
            worlds.do("host", {"type": "reopen"})
            if not worlds.play_on(course.game, rng):
                break
            for world, secret in zip(both, secrets):
                tell_something(world, course.owner, secret)
            worlds.look()
            for phone, probe in list(probes(both[0], course, rng, each)):
                worlds.ask(phone, probe)
            worlds.look()
        return worlds


@pytest.mark.wide
@pytest.mark.parametrize("game", sorted(COURSES))
def test_nobody_else_can_tell_two_worlds_apart(game: str, tmp_path: Path) -> None:
    worlds = played(game, 1, tmp_path, plies=8, each=12)
    assert worlds.differences == []
    assert worlds.probes > 100


@pytest.mark.wide
def test_nobody_can_tell_what_a_seat_says_of_a_set_up(tmp_path: Path) -> None:
    """Colours of a blind game that are told while its crates are read."""
    rng = Random(5)
    course = blind_colours(rng, 1)
    with ExitStack() as stack:
        both = [stack.enter_context(a_world(tmp_path / name, eyes_that_read(course))) for name in ("one", "other")]
        worlds = Worlds(both, course.owner)
        for world, header in zip(both, course.headers):
            world.lay_out({key: value for key, value in header.items() if key != "setup"})
        for seat in [*range(course.players), course.owner]:
            for world, header in zip(both, course.headers):
                colour = header["setup"]["colours"][seat][0]
                for value in (colour, None, colour)[: 1 if seat != course.owner else 3]:
                    world.ask(str(seat), ("POST", "/do", {
                        "type": "tell_setup", "path": ["colours", seat, 0], "value": value}))
            worlds.look()
            for phone, probe in list(probes(both[0], course, rng, 12)):
                if not isinstance(probe[2], dict) or probe[2]["type"] not in ("resync", "end_game"):
                    worlds.ask(phone, probe)
            worlds.look()
        begun = [world.state.match for world in both]
        if begun == [None, None]:
            worlds.do("host", {"type": "begin"})
        setups = [world.state.match.opened.setup for world in both if world.state.match is not None]
        assert setups == [header["setup"] for header in course.headers]
        worlds.look()
    assert worlds.differences == []
    assert worlds.probes > 80


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("game", sorted(COURSES))
def test_nobody_else_can_tell_two_worlds_apart_over_thousands_of_probes(game: str, seed: int, tmp_path: Path) -> None:
    worlds = played(game, seed, tmp_path, plies=40, each=25)
    assert worlds.differences == []
    assert worlds.probes > 1000
