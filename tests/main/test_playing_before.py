"""A kept table that begins in the middle of a game: what was played before is played in the new game, or it is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games import registry
from companion.interpret import Interpreter
from companion.main.playing_before import play_before
from companion.session.commands import Correct, Resync
from companion.session.events import GameStarted, PlyMade
from companion.session.evolve import evolve
from companion.session.eyes_side import EyesSide
from companion.session.library import GameLibrary
from companion.session.state import State
from tests.main.test_eyes_dialogue import HEADER
from web.fakes import NO_GAME, FakeDesk

LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)
BEGUN = evolve(State(), GameStarted(HEADER), LIBRARY)


def kept(folder: Path, **about: Any) -> Path:
    """A kept table of which this is known."""
    (folder / "kept.json").write_text(json.dumps(about), "utf-8")
    return folder


def test_what_was_played_is_played_and_the_table_seen_afresh(tmp_path: Path) -> None:
    desk, plies = FakeDesk(replace(NO_GAME, seq=BEGUN.seq)), ({"player": 0, "action": {"type": "place"}},)

    assert play_before(desk, EyesSide(BEGUN), kept(tmp_path, placement={}, plies=plies)) is None
    corrected, afresh = desk.sent
    assert isinstance(corrected, Correct)
    assert isinstance(afresh, Resync)
    assert (corrected.take_back, corrected.plies) == (0, plies)


def test_a_table_that_is_kept_from_the_beginning_needs_nothing(tmp_path: Path) -> None:
    desk, side = FakeDesk(NO_GAME), EyesSide(BEGUN)

    assert play_before(desk, side, kept(tmp_path, placement=side.standing()[0], plies=())) is None
    assert desk.sent == []


@pytest.mark.parametrize("about", [{"placement": {"grid:a1": ["red/tall_can"]}}, {"placement": {}, "plies": None}, {}])
def test_a_middle_of_which_nothing_is_known_is_told(about: dict[str, Any], tmp_path: Path) -> None:
    why = play_before(FakeDesk(NO_GAME), EyesSide(BEGUN), kept(tmp_path, **about))

    assert why is not None
    assert why.id == "hw.kept_midway"


def test_plies_are_given_to_the_eyes_as_records_write_them() -> None:
    match = BEGUN.match
    assert match is not None
    ply = next(iter(match.game.legal(match.state)))
    side = EyesSide(evolve(BEGUN, PlyMade(match.written(ply), "camera", "2026-01-01T00:00:00Z"), LIBRARY))

    assert EyesSide(BEGUN).played() == ()
    assert side.played() == (match.written(ply),)
