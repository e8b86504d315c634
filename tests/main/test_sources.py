"""Which table is played: examples beside the config's own table, each with its own journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.errors import InvalidError, JournalError
from companion.games import registry
from companion.interpret import Interpreter
from companion.main import sources as sources_module
from companion.main.examples import examples, game_of
from companion.main.eyes_dialogue import GONE
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.sources import CHOSEN_S, Sources, chosen_of_late, config_to_play, eyes_config, folder_of
from companion.session.clock import FakeClock
from companion.session.commands import EndGame, StartGame
from companion.session.config import Config, SourceConfig
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.writer import Writer

DATA = Path(__file__).parents[1] / "data"
LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)
HEADER = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}
OPEN_JOURNAL = partial(open_journal, library=LIBRARY, clock=FakeClock())


@dataclass
class House:
    config: Config
    writer: Writer
    eyes: EyesSupervisor
    sources: Sources
    started: list[Any] = field(default_factory=list)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A real table without a camera, and two examples. The eyes' process is never started."""
    for name, game in (("one", "kamikaze-cans"), ("two", "war-chest")):
        folder = tmp_path / "examples" / name
        folder.mkdir(parents=True)
        (folder / "set.json").write_text(f'{{"game": "{game}"}}', encoding="utf-8")
    monkeypatch.setattr(sources_module, "GLANCE_S", 10.0)
    config = Config(folder=tmp_path / "state", source=SourceConfig("none"))
    resumed = OPEN_JOURNAL(folder_of(config))
    writer = Writer(session=Session(library=LIBRARY, clock=FakeClock()), journal=resumed.journal, state=resumed.state,
                    clock=FakeClock())
    started: list[Any] = []
    eyes = EyesSupervisor(config=eyes_config(config), desk=writer, side=writer.eyes, clock=FakeClock())
    monkeypatch.setattr(eyes, "_live", lambda resumed: (started.append(resumed), eyes._wakeup.wait((), 0.01),
                                                        (GONE, True))[-1])
    sources = Sources(config, writer, eyes, OPEN_JOURNAL, (tmp_path / "examples",))
    threads = [Thread(target=writer.run), Thread(target=eyes.run)]
    for thread in threads:
        thread.start()
    yield House(config, writer, eyes, sources, started)
    eyes.stop()
    writer.stop()
    for thread in threads:
        thread.join(10)
    writer.close()
    eyes.close()


def test_the_examples_are_the_sets_that_come_along_each_once(tmp_path: Path) -> None:
    assert "kamikaze-1" in examples()
    for folder in ("a/x", "b/x", "b/y"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "set.json").write_text('{"game": "yuzu-twist"}', encoding="utf-8")
    assert examples((tmp_path / "a", tmp_path / "b")) == {"x": tmp_path / "a/x", "y": tmp_path / "b/y"}
    assert (game_of(tmp_path / "a/x"), game_of(tmp_path)) == ("yuzu-twist", "")


def test_an_example_is_played_in_a_journal_of_its_own_and_the_tables_game_goes_on_after_it(house: House) -> None:
    house.writer.send(StartGame(0, "host", HEADER))
    assert [(each.name, each.game) for each in house.sources.offers] == [("one", "kamikaze-cans"), ("two", "war-chest")]
    house.sources.choose("two")
    assert (house.sources.chosen, house.writer.folder) == ("two", house.config.folder / "sets" / "two")
    assert (house.writer.snapshot().match, house.writer.snapshot().seen) == (0, None)
    house.sources.choose("one")
    house.sources.choose("")
    assert (house.sources.chosen, house.writer.folder) == ("", house.config.folder)
    shown = house.writer.snapshot()
    assert (shown.match, shown.game, [each.name for each in shown.players]) == (1, "kamikaze-cans", ["Ann", "Ben"])
    assert {each.source.folder.name for each in house.started} <= {"one", "two"}


def test_an_example_that_is_not_there_or_in_use_changes_nothing(house: House) -> None:
    with pytest.raises(InvalidError):
        house.sources.choose("three")
    other = OPEN_JOURNAL(house.config.folder / "sets" / "one")
    with pytest.raises(JournalError):
        house.sources.choose("one")
    other.journal.close()
    assert (house.sources.chosen, house.writer.folder) == ("", house.config.folder)


def test_choosing_what_is_played_already_changes_nothing(house: House) -> None:
    house.sources.choose("one")
    version = house.writer.snapshot().version
    house.sources.choose("one")
    assert house.writer.snapshot().version == version


def test_an_example_whose_game_has_ended_is_played_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.sources.choose("one")
    house.writer.send(StartGame(house.writer.snapshot().seq, "host", HEADER))
    moved: list[Any] = []
    monkeypatch.setattr(
        house.eyes, "move", lambda config, meanwhile: moved.append((config.source.folder.name, meanwhile())))
    house.sources.choose("one")
    assert moved == []
    house.writer.send(EndGame(house.writer.snapshot().seq, "host"))
    house.sources.choose("one")
    assert moved == [("one", None)]


def test_who_begins_a_game_leaves_the_example_first(house: House) -> None:
    house.sources.leave()
    house.sources.choose("one")
    house.sources.leave()
    assert (house.sources.chosen, house.writer.folder) == ("", house.config.folder)


def test_another_source_of_the_own_table_is_used_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[Any] = []
    move = house.eyes.move
    monkeypatch.setattr(house.eyes, "move", lambda config, meanwhile: (moved.append(config), move(config, meanwhile)))
    house.sources.use(SourceConfig("camera", camera=3))
    house.sources.use(SourceConfig("none"))
    assert [each and each.source for each in moved] == [SourceConfig("camera", camera=3), None]
    house.sources.choose("one")
    house.sources.use(SourceConfig("camera", camera=4))
    assert (house.sources.chosen, house.writer.folder) == ("", house.config.folder)
    assert moved[-1].source == SourceConfig("camera", camera=4)
    house.sources.choose("two")
    house.sources.choose("")
    assert moved[-1].source == SourceConfig("camera", camera=4), "also after the next example"


def test_every_excerpt_of_the_project_is_an_example_of_its_game() -> None:
    found = {game_of(folder) for folder in examples((DATA,)).values()}
    assert found <= set(registry.ids())
    assert "kamikaze-cans" in found


def test_the_example_that_is_played_goes_on_after_a_power_cut_of_the_same_evening(house: House, tmp_path: Path) -> None:
    folders = (tmp_path / "examples",)
    assert chosen_of_late(house.config, folders) == ""
    house.sources.choose("two")
    assert chosen_of_late(house.config, folders) == "two"
    assert config_to_play(house.config, "two", examples(folders)).source.folder == tmp_path / "examples" / "two"
    later_s = (house.config.folder / "example").stat().st_mtime + CHOSEN_S
    assert chosen_of_late(house.config, folders, lambda: later_s) == ""
    assert chosen_of_late(house.config, ()) == "", "it does not come along any more"
    house.sources.choose("")
    assert chosen_of_late(house.config, folders) == ""
    assert config_to_play(house.config, "") is house.config


@pytest.mark.parametrize("kept", [b"", b"no such example", b"\xff\xfe", b"../one"])
def test_what_is_no_example_is_the_own_table(house: House, tmp_path: Path, kept: bytes) -> None:
    (house.config.folder / "example").write_bytes(kept)
    assert chosen_of_late(house.config, (tmp_path / "examples",)) == ""
