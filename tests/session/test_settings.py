"""What is set on pages: kept whole, below the config file, and never thrown away."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import arguments_of
from companion.cli.run import settings_over
from companion.errors import ConfigError
from companion.session.config import Config, read_config
from companion.session.config_file import Tables
from companion.session.settings import SETTINGS_NAME, Settings, below
from companion.session.toml_text import written_toml
from companion.words import load

WORDS = load()


def build(kept: Tables, given: Tables) -> Config:
    return read_config(below(kept, given))


def opened(folder: Path, **given: dict[str, Any]) -> Settings:
    fixed = [f"{section}.{key}" for section, values in given.items() for key in values]
    return Settings(folder, partial(build, given=given), fixed)


def refused(settings: Settings, changes: dict[str, Any]) -> str:
    before = settings.config
    with pytest.raises(ConfigError) as told:
        settings.keep(changes)
    assert settings.config is before
    assert WORDS.say(told.value.phrase)
    return told.value.phrase.id


def test_what_is_kept_counts_at_once_and_after_a_start(tmp_path: Path) -> None:
    settings = opened(tmp_path)
    settings.keep({"source.kind": "camera", "source.camera": 2, "table.name": "Küche „5“ \\ 🍋"})
    for each in (settings, opened(tmp_path)):
        assert (each.config.source.kind, each.config.source.camera) == ("camera", 2)
        assert each.config.table.name == "Küche „5“ \\ 🍋"
        assert each.notices == ()
    settings.keep({"table.name": None, "source.camera": "picamera2"})
    again = opened(tmp_path).config
    assert (again.table.name, again.source.camera) == ("", "picamera2")


def test_the_file_is_for_this_users_eyes_alone_and_no_password_is_printed(tmp_path: Path) -> None:
    settings = opened(tmp_path)
    settings.keep({"wifi.name": "Home", "wifi.password": "abcdefgh"})
    assert (tmp_path / SETTINGS_NAME).stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [SETTINGS_NAME]
    assert "abcdefgh" not in repr(settings.config)


def over(file: Path, *arguments: str) -> Settings:
    return settings_over(file, arguments_of(["run", *arguments]))


def test_the_config_file_and_the_command_line_win(tmp_path: Path) -> None:
    opened(tmp_path).keep({"source.kind": "camera", "source.camera": 3, "table.name": "Attic"})
    file = tmp_path / "companion.toml"
    file.write_text(f'[state]\nfolder = "{tmp_path}"\n[source]\ncamera = 1\n[table]\nname = "Cellar"\n')
    settings = over(file)
    assert (settings.config.source.kind, settings.config.source.camera, settings.config.table.name) == (
        "camera", 1, "Cellar")
    assert refused(settings, {"table.name": "Roof"}) == "settings.fixed"
    assert not settings.is_fixed("source.kind")
    commanded = over(file, "--source", "none")
    assert commanded.config.source.kind == "none"
    assert commanded.is_fixed("source.kind")
    assert commanded.is_fixed("source.camera")


def test_a_folder_of_the_config_file_says_of_what_kind_the_source_is(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text("{}")
    file = tmp_path / "companion.toml"
    file.write_text(f'[state]\nfolder = "{tmp_path}"\n[source]\nfolder = "."\n')
    assert refused(over(file), {"source.kind": "camera"}) == "settings.fixed"


def test_paths_that_are_kept_count_from_the_state_folder(tmp_path: Path) -> None:
    settings = opened(tmp_path)
    settings.keep({"source.kind": "camera", "source.lens": "lens.json", "source.pieces": "/else/where.zip"})
    source = opened(tmp_path).config.source
    assert (source.lens, source.pieces) == (tmp_path / "lens.json", Path("/else/where.zip"))


@pytest.mark.parametrize("changes", [
    {"source.kind": "film"}, {"source.camera": -1}, {"source.camera": 64}, {"source.camera": "usb"},
    {"source.lens": ""}, {"table.name": ""}, {"table.name": "x" * 500}, {"table.name": "a\nb"},
    {"table.name": " a"}, {"table.name": 7},
    {"table.name": "\ud800"}, {"wifi.password": "short"}, {"wifi.password": "x" * 65}, {"wifi.name": "ü" * 17},
    {"table.colour": "red"}, {"nowhere": "x"}, {"state.names_days": -1}, {"pins.buzzer": 5},
])
def test_what_the_config_file_could_not_say_is_not_kept(tmp_path: Path, changes: dict[str, Any]) -> None:
    settings = opened(tmp_path)
    assert refused(settings, changes).startswith("config.")
    assert not (tmp_path / SETTINGS_NAME).exists()


@pytest.mark.parametrize("kept", [
    b"", b"version = 1\nversion = 1", b"\xff\xfe", b"version = 1\n[source]\nkind = 'film'", b"[source]\nkind = 'none'",
    b"version = 2\n[source]\nkind = 'none'", b"version = 1\n[source", b"version = 1\nx = " + b"[" * 50_000,
    b"#" * 300_000, b"version = 1\n[pins]\nbuzzer = 5", b"version = 'x'",
])
def test_a_file_that_cannot_be_understood_is_put_aside_and_told(tmp_path: Path, kept: bytes) -> None:
    for n in (1, 2):
        (tmp_path / SETTINGS_NAME).write_bytes(kept)
        settings = opened(tmp_path)
        assert settings.config == read_config({})
        assert [each.id for each in settings.notices] == ["settings.damaged"]
        assert WORDS.say(settings.notices[0])
        assert (tmp_path / f"{SETTINGS_NAME}.damaged-{n}").read_bytes() == kept
        assert not (tmp_path / SETTINGS_NAME).exists()
    settings.keep({"source.kind": "none"})
    assert opened(tmp_path).config.source.kind == "none"


def test_keys_that_nobody_knows_count_for_nothing_and_stay(tmp_path: Path) -> None:
    strange = ('version = 1\nhue = [1, 2.5, true]\n'
               '[table]\nname = "Attic"\nshape = {round = true, since = 2026-01-02}\n'
               '[roof]\nopen = "half"\n[state]\nfolder = "/"\n')
    (tmp_path / SETTINGS_NAME).write_text(strange)
    settings = opened(tmp_path)
    assert settings.config.table.name == "Attic"
    assert sorted(dict(each.args)["where"] for each in settings.notices) == [
        "hue.*", "roof.*", "state.folder", "table.shape"]
    settings.keep({"table.name": "Cellar"})
    before, now = tomllib.loads(strange), tomllib.loads((tmp_path / SETTINGS_NAME).read_text())
    assert now == {**before, "table": {**before["table"], "name": "Cellar"}}


def test_a_folder_that_cannot_be_written_is_told_and_nothing_changes(tmp_path: Path) -> None:
    settings = opened(tmp_path / "gone")
    assert refused(settings, {"source.kind": "none"}) == "settings.unwritable"


def test_a_file_that_can_neither_be_read_nor_put_aside_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / SETTINGS_NAME).write_bytes(b"damaged")

    def no_right(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", no_right)
    settings = opened(tmp_path)
    assert [each.id for each in settings.notices] == ["settings.stuck"]
    assert refused(settings, {"source.kind": "none"}) == "settings.unwritable"
    assert (tmp_path / SETTINGS_NAME).read_bytes() == b"damaged"


def test_every_value_comes_back_from_toml() -> None:
    given = {"a b": 1, "x": -1.5, "t": "\x00\x1f\x7f\n\"\\ü🍋", "s": {"ä.": [True, ["y", {}], {"k": "v"}], "n": 2.0}}
    assert tomllib.loads(written_toml(given)) == given


def test_a_file_that_was_restored_counts_at_once(tmp_path: Path) -> None:
    settings = opened(tmp_path)
    settings.keep({"lamps.quiet": True})
    kept = (tmp_path / "settings.toml").read_bytes()
    settings.keep({"lamps.quiet": False, "table.name": "Kitchen"})
    (tmp_path / "settings.toml").write_bytes(kept)
    settings.read_again()
    assert settings.config.lamps.quiet
    settings.keep({"lamps.buzzer": True})
    assert settings.config.table.name == ""
    assert settings.config.lamps.quiet
