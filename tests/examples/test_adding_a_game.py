"""The page that leads to a new game, and the example that is exactly that page: installed, played, drawn and read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.cli.main import main
from companion.engine import AnyGame, play
from companion.games import packages, registry
from companion.interpret import Interpreter
from companion.interpret.trial_eyes import TrialEyes, lay_tidily
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from companion.words import load
from web.view_model import PageView

ROOT = Path(__file__).parents[2]
EXAMPLE, PAGE = ROOT / "examples/nine_mens_morris", ROOT / "docs/adding-a-game.md"
FILE_BLOCK = re.compile(r"^`([^`\n]+)` [^\n]*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = "nine-mens-morris"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip installed the example."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
           "--disable-pip-version-check", "--target", str(folder), str(EXAMPLE)]
    subprocess.run(pip, check=True, capture_output=True)
    return folder


@pytest.fixture
def game(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyGame]:
    monkeypatch.syspath_prepend(site)
    packages.installed.cache_clear()
    yield registry.game(ID)
    packages.installed.cache_clear()


def test_the_page_has_the_files_of_the_example_as_they_are() -> None:
    blocks = dict(FILE_BLOCK.findall(PAGE.read_text("utf-8")))
    files = {str(file.relative_to(EXAMPLE)): file.read_text("utf-8") for file in EXAMPLE.glob("**/*")
             if file.is_file() and not any(part.startswith(("__pycache__", ".")) for part in file.parts)}

    assert blocks.keys() == files.keys()
    assert [name for name in files if blocks[name] != files[name]] == []
    assert sum(text.count("\n") for text in files.values()) <= 460


def test_the_example_keeps_its_own_tests(site: Path) -> None:
    path = os.pathsep.join([str(site), str(ROOT)])
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(EXAMPLE),
           str(EXAMPLE / "tests")]
    done = subprocess.run(run, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout


def test_the_example_is_played_by_looks_and_drawn_with_its_lines(game: AnyGame, tmp_path: Path) -> None:
    library, clock = GameLibrary(lookup=registry.game, interpreter=Interpreter), FakeClock()
    resumed = open_journal(tmp_path, library, clock)
    desk = Writer(session=Session(library=library, clock=clock), journal=resumed.journal, state=resumed.state,
                  clock=clock)
    header = {"game": ID, "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {"first": 0}}
    desk.post(StartGame(0, "host", header))
    desk.work(timeout_s=0)
    layout, state = game.layout({"first": 0}), game.start({"first": 0}, game.read_options({}, 2), 2)
    eyes = TrialEyes(layout, {"man": ["man:white", "man:black"]})

    states = [state, *(game.apply(before, ply) for before, ply in play.random_game(game, state, Random(2), 20))]
    for number, each in enumerate(states):
        things = lay_tidily(layout, game.placement(each))
        desk.post(Sighted(number, "free", observation=eyes.look(float(number), things)))
        desk.work(timeout_s=0)
    shown = desk.snapshot()
    resumed.journal.close()

    assert (shown.plies, shown.odd, shown.trouble) == (20, (), ())
    assert shown.seen is not None
    assert shown.seen.placement == game.placement(states[-1])
    view = PageView(shown, load("en", [game.words]))
    assert view.board.count('class="line"') == 16
    assert view.board.count("data-piece") == 18
    assert view.announced == "Ann to play: move a man."


def test_the_commands_of_the_page_do_what_it_says(
    game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.json").write_text((EXAMPLE / "set.json").read_text("utf-8"))
    commands = [line for block in COMMAND_BLOCK.findall(PAGE.read_text("utf-8")) for line in block.splitlines()]
    mine = [line.split()[1:] for line in commands if line.startswith("companion ")
            and not re.match(r"companion (run|enrol|evaluate)", line)]

    assert [each[0] for each in mine] == ["selfplay", "record", "draw", "read"]
    assert [main(each) for each in mine] == [0] * 4

    read = [json.loads(line) for line in (tmp_path / "read.jsonl").read_text("utf-8").splitlines()[1:]]
    played = [json.loads(line)["action"] for line in (tmp_path / "game.jsonl").read_text("utf-8").splitlines()[1:-1]]
    assert [ply["action"] for line in read for ply in line["plies"]] == played
    assert [line["odd"] or line["asked"] for line in read] == [[]] * 7
