import logging
from pathlib import Path

import pytest

from companion.cli import run
from companion.cli import main as cli
from companion.cli.run import InWords, expect_no_kept_game, source_named, with_arguments, with_game
from companion.main.sources import folder_of
from companion.errors import ConfigError, InvalidError, phrase
from companion.session.config import Config, SourceConfig, read_config
from companion.words import load
from web.reach import reachable

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"


def test_without_a_word_nobody_has_chosen_what_is_played() -> None:
    assert with_arguments(read_config({}), None, None, None).source == SourceConfig(None)


def test_the_demo_is_played_to_who_asks_for_it() -> None:
    demo = SourceConfig("folder", EXCERPT)
    assert with_arguments(read_config({}), "demo", None, None).source == demo
    assert with_arguments(read_config({"source": {"kind": "demo"}}), None, None, None).source == demo


def test_a_folder_is_played_as_a_picture_set() -> None:
    assert source_named(str(EXCERPT), SourceConfig()).folder == EXCERPT


def test_the_config_is_kept_where_the_command_line_says_nothing(tmp_path: Path) -> None:
    config = read_config({"source": {"kind": "camera", "camera": 2}, "server": {"port": 80}})
    assert with_arguments(config, None, None, None) == config
    changed = with_arguments(config, "none", 8081, tmp_path)
    assert (changed.source.kind, changed.server.port, changed.folder) == ("none", 8081, tmp_path)


@pytest.mark.parametrize("source", [{"kind": "video", "video": "/game.mp4"}, {"kind": "kept", "folder": "/kept"}])
def test_a_video_or_a_kept_table_of_the_config_is_played(source: dict[str, str]) -> None:
    config = read_config({"source": source})
    assert with_arguments(config, None, None, None) == config
    assert with_arguments(config, "none", None, None).source.kind == "none"


def test_none_in_the_config_is_not_the_demo() -> None:
    assert with_arguments(read_config({"source": {"kind": "none"}}), None, None, None).source.kind == "none"


def test_a_folder_that_is_no_set_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as told:
        source_named(str(tmp_path), SourceConfig())
    assert told.value.phrase.id == "run.no_set"


def test_what_the_camera_sees_is_not_kept_in_a_game_that_was_kept_nor_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept.json").write_text("{}")
    expect_no_kept_game(tmp_path)
    expect_no_kept_game(tmp_path / "new")
    for name, why in (("mine", "keep.one_game"), ("mine/kept.json", "keep.no_folder")):
        with pytest.raises(ConfigError) as told:
            expect_no_kept_game(tmp_path / name)
        assert told.value.phrase.id == why


def test_a_file_or_folder_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = str(tmp_path / "nosuch.mp4")
    with pytest.raises(ConfigError) as told:
        source_named(gone, SourceConfig())
    assert told.value.phrase.id == "run.no_source"
    assert cli.main(["read", gone, "--out", str(tmp_path / "out.jsonl")]) == 2
    assert f"There is no file or folder {gone}." in capsys.readouterr().err


def test_a_set_of_the_config_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        with_arguments(read_config({"source": {"folder": str(tmp_path)}}), None, None, None)


def test_an_installed_companion_without_the_demo_runs_without_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run, "examples", dict)
    assert with_arguments(Config(source=SourceConfig("demo")), None, None, None).source.kind == "none"


def test_a_port_that_cannot_be_is_told() -> None:
    with pytest.raises(ConfigError) as told:
        with_arguments(Config(), None, 70000, None)
    assert told.value.phrase.id == "run.port"


def test_a_phone_is_told_an_address_it_can_reach() -> None:
    assert reachable("192.0.2.7") == "192.0.2.7"
    assert reachable("0.0.0.0") not in ("0.0.0.0", "")


@pytest.mark.parametrize("what", [phrase("house.no_pieces"), InvalidError(phrase("house.no_pieces"))])
def test_the_log_says_phrases_in_words(what: object) -> None:
    record = logging.LogRecord("eyes", logging.WARNING, "", 0, "the eyes ended: %s, %d", (what, 3), None)
    assert InWords(load("en")).filter(record)
    assert record.getMessage().startswith("the eyes ended: The camera does not know your pieces yet.")
    assert "house." not in record.getMessage()


def test_the_doctor_examines_the_demo_where_nothing_else_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor"])
    shown = capsys.readouterr().out
    assert "None" not in shown
    assert "SOURCE" not in shown


def test_a_file_is_a_video_and_the_command_line_names_its_game_and_corners(tmp_path: Path) -> None:
    film = tmp_path / "game.mp4"
    film.touch()
    given = with_game(with_arguments(read_config({}), str(film), None, tmp_path), "kamikaze-cans", "a1=1,2")

    assert (given.source.kind, given.source.video, given.source.corners) == ("video", film, "a1=1,2")
    assert (given.game.id, given.game.start) == ("kamikaze-cans", True)
    assert folder_of(given) == tmp_path / "sets" / "game"
    assert with_game(given, "", "") == given
