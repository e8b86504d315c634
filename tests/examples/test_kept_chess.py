"""A real game that was kept while it was watched plays again to the mate, as often as one likes."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.cli.played import opened_of, replayed
from companion.engine.record import read_ply
from companion.games import registry
from companion.interpret import Interpreter, Moved
from companion.main.board_eyes import BoardEyes
from companion.main.keeper import Keeper
from companion.main.messages import LookFor
from companion.session.keeping import kept_tables
from hardware.sources.video import Video
from tests.examples.footage import CORNERS, FOOTAGE, ROOT, moves_of, read_lines
from tests.examples.test_chess import is_the_game
from tests.main.kept_games import Film, as_said, played_again, watched

PATIENCE_S = 240.0
HEADER = {"format": "tabletop-record", "version": 1, "game": "chess", "setup": {}, "options": {},
          "players": [{"name": "Ann"}, {"name": "Ben"}], "started": "2026-01-01T00:00:00Z"}


pytestmark = pytest.mark.usefixtures("chess_offered")


def test_a_kept_game_gives_out_the_same_plies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted, kept = whole_game(), tmp_path / "kept"
    film = Film(list(Video(str(FOOTAGE)).frames()))
    live = watched(BoardEyes(CORNERS), film, wanted, Keeper(kept, 200, lambda _: None))

    assert main(["read", str(kept), "--out", str(tmp_path / "read.jsonl")]) == 0
    lines = read_lines(tmp_path / "read.jsonl")
    assert is_the_game(moves_of(lines)), moves_of(lines)
    again, _ = played_again(kept, wanted)
    assert as_said(again) == as_said(live)
    assert [line["state"] for line in lines[1:]] == [each.state for each in live.sighted if each.number >= 0]

    about, = kept_tables(kept)
    text = (about / "kept.json").read_text("utf-8")
    (about / "kept.json").write_text(text.replace('"square:e2": ["man:white:pawn"]', '"square:e4": ["man:white:pawn"]'))
    assert main(["read", str(kept), "--out", str(tmp_path / "read.jsonl")]) == 2
    assert "middle of a game" in capsys.readouterr().err


def test_a_kept_game_that_was_stopped_goes_on_from_wherever_it_was_as_if_it_had_not(tmp_path: Path) -> None:
    game, wanted = registry.game("chess"), whole_game()
    film = Film(list(Video(str(FOOTAGE)).frames()))
    watched(BoardEyes(CORNERS), film, wanted, Keeper(tmp_path, 200, lambda _: None))
    told = told_of(tmp_path, wanted, game.start({}, {}, 2))
    assert len(told) > 3

    for n, ((_, state), (then, _)) in enumerate(pairwise(told), 1):
        stopped = replace(wanted, after=then - 1, placement=game.placement(state))
        assert told_of(tmp_path, stopped, state) == told[n:]


def whole_game() -> LookFor:
    """Chess from its beginning."""
    game = registry.game("chess")
    start = game.placement(game.start({}, {}, 2))
    pieces = frozenset(name for each in start.values() for name in each)
    return LookFor(game.layout({}), 2, game="chess", placement=start, pieces=pieces, header=HEADER)


def told_of(kept: Path, wanted: LookFor, state: Any) -> list[tuple[int, Any]]:
    """The frames of a kept game at which plies are given out, and the states that they lead to."""
    interpreter = Interpreter(registry.game("chess"), wanted.layout)
    belief, told = interpreter.begin(state), list[tuple[int, Any]]()
    for each in played_again(kept, wanted)[0].sighted:
        if each.observation is not None:
            step = interpreter.look(belief, each.observation)
            belief = step.belief
            if isinstance(step.outcome, Moved):
                told.append((each.number, belief.now.state))
    return told


OPENING, AFTER_OPENING = ("e2e4", "e7e5", "d1h5", "b8c6"), 120
"""What was played before this frame of the video."""


def opening() -> tuple[dict[str, object], ...]:
    """The plies as records write them."""
    return tuple({"player": n % 2, "action": {"type": "move", "from": move[:2], "to": move[2:]}}
                 for n, move in enumerate(OPENING))


def kept_from_the_middle(folder: Path) -> LookFor:
    """Keeps the video from where four moves had been played."""
    game = registry.game("chess")
    opened = opened_of(HEADER)
    state = replayed(opened, [read_ply(each, game) for each in opening()]).states[-1]
    wanted = LookFor(game.layout({}), 2, game="chess", placement=game.placement(state), header=HEADER,
                     pieces=frozenset(name for each in game.placement(opened.state).values() for name in each),
                     plies=opening())
    watched(BoardEyes(CORNERS), Film(list(Video(str(FOOTAGE)).frames(AFTER_OPENING))), wanted,
            Keeper(folder, 200, lambda _: None))
    return wanted


def test_a_game_that_is_kept_from_its_middle_is_read_on_from_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, out = tmp_path / "kept", tmp_path / "read.jsonl"
    kept_from_the_middle(kept)

    assert main(["read", str(kept), "--out", str(out)]) == 0
    assert is_the_game([*OPENING, *moves_of(read_lines(out))])
    about = kept_tables(kept)[0] / "kept.json"
    for untold in ("[]", "null"):
        said = {**json.loads(about.read_text("utf-8")), "plies": json.loads(untold)}
        about.write_text(json.dumps(said), "utf-8")
        assert main(["read", str(kept), "--out", str(out)]) == 2
        assert "begins in the middle of a game, and what was played before" in capsys.readouterr().err


def test_what_comes_before_a_damaged_line_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, out = tmp_path / "kept", tmp_path / "read.jsonl"
    kept_from_the_middle(kept)
    about, = kept_tables(kept)
    lines = (about / "frames.jsonl").read_text("utf-8").splitlines()
    (about / "frames.jsonl").write_text("\n".join([*lines[:60], lines[60][:20], *lines[61:]]), "utf-8")

    assert main(["read", str(kept), "--out", str(out)]) == 2
    assert "it cannot be played to its end" in capsys.readouterr().err
    assert len(read_lines(out)) == 61


@pytest.mark.long
def test_a_service_plays_a_game_that_is_kept_from_its_middle_on_from_there(chess_site: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept_from_the_middle(kept)

    assert is_the_game(journal_of(tmp_path / "again", kept.name, chess_site, "--source", str(kept), "--speed", "0"))


def journal_of(state: Path, name: str, site: Path, *run: str) -> list[str]:
    """The moves in the journal once a service has played this to the end, which it was told to do with `run`."""
    config = state.with_suffix(".toml")
    config.write_text('[server]\nhost = "127.0.0.1"\n', "utf-8")
    command = [sys.executable, "-m", "companion.cli.main", "run", "--config", str(config), "--state", str(state),
               "--port", "0", *run]
    path = os.pathsep.join([str(site), str(ROOT)])
    env = {**os.environ, "GPIOZERO_PIN_FACTORY": "mock", "PYTHONPATH": path}
    journal = state / "sets" / name / "journal.sqlite"
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            until_s = time.monotonic() + PATIENCE_S
            while "played to its end" not in (said := running.stderr.readline()) and "has ended" not in said:
                assert time.monotonic() < until_s
                assert running.poll() is None, said
        finally:
            running.terminate()
    connection = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
    try:
        events = [json.loads(text) for (text,) in connection.execute("SELECT event FROM line ORDER BY id")]
    finally:
        connection.close()
    plies = [event["ply"]["action"] for event in events if event["type"] == "ply_made"]
    return [each["from"] + each["to"] for each in plies]


@pytest.mark.long
def test_a_service_keeps_a_video_and_plays_it_again_at_any_speed_with_the_same_plies(
    chess_site: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    live = journal_of(tmp_path / "live", FOOTAGE.stem, chess_site, "--source", str(FOOTAGE), "--game", "chess",
                      "--corners", CORNERS, "--keep", str(kept))

    assert is_the_game(live)
    for speed in ("0", "1", "10"):
        again = journal_of(tmp_path / f"speed-{speed}", kept.name, chess_site, "--source", str(kept), "--speed", speed)
        assert again == live
