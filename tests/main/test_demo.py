"""The whole service on the excerpt that comes along: pictures in, plies out, killed and resumed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import SystemClock
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.state import State

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
CLEAR = 3
"""So many plies of the excerpt are clear; the next is a can near the point below the camera, which is asked about."""
PATIENCE_S = 300.0


@contextmanager
def service(state: Path) -> Iterator[subprocess.Popen[bytes]]:
    config = state / "config.toml"
    config.write_text(f'[source]\nfolder = "{EXCERPT}"\npace_s = 1.0\n[server]\nhost = "127.0.0.1"\n')
    command = [sys.executable, "-m", "companion.cli.main", "run", "--config", str(config), "--state", str(state)]
    command += ["--port", "0"]  # any free one
    running = subprocess.Popen(command, env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}, stdout=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def lines(state: Path) -> list[dict[str, Any]]:
    """The plies in the journal, read beside the running service."""
    path = state / "sets" / EXCERPT.name / "journal.sqlite"
    if not path.exists():
        return []
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        events = [json.loads(text) for (text,) in connection.execute("SELECT event FROM line ORDER BY id")]
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()
    return [event["ply"] for event in events if event["type"] == "ply_made"]


def wait_for(wanted: Any) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until_s
        time.sleep(0.1)


def resumed(state: Path) -> State:
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    resumed = open_journal(state / "sets" / EXCERPT.name, library, SystemClock())
    resumed.journal.close()
    return resumed.state


@pytest.mark.long
def test_a_service_that_plays_the_demo_survives_a_kill_and_plays_on(tmp_path: Path) -> None:
    truth = [json.loads(line) for line in (EXCERPT / "record.jsonl").read_text().splitlines()[1:]]
    played = [{"player": each["player"], "action": each["action"]} for each in truth[:CLEAR]]
    with service(tmp_path) as running:
        wait_for(lambda: len(lines(tmp_path)) >= 2)
        running.send_signal(signal.SIGKILL)
        running.wait()
    before = resumed(tmp_path)
    assert len(before.match.made) == 2
    with service(tmp_path):
        wait_for(lambda: len(lines(tmp_path)) >= len(played))
    assert lines(tmp_path)[: len(played)] == played
