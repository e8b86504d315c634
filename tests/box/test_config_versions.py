"""A config of another version is brought to this one by root, with nothing of people's own lost, and told once."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from companion.box import config_versions
from companion.box.config_versions import fit_config, kept_copy
from companion.box.layout import Places
from companion.box.system_files import place
from companion.box.wish import read_told
from companion.errors import ConfigError
from companion.session.config import load_config
from companion.session.config_file import CONFIG_VERSION
from companion.words import load

WORDS = load()
FIRST = """# The companion's config: every line may be left out.

[source]
kind = "camera"
camera = "picamera2"   # 0 for a USB camera

[server]
port = 8081

[mqtt]
host = "broker.local"
password = "secret"

# [pins]
# buzzer = 18
"""
"""As the installer of 0.2.0 wrote it, with what people added."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = Places(tmp_path).config
    made.parent.mkdir(parents=True)
    made.write_text(FIRST)
    return made


def test_an_older_one_is_written_anew_and_kept_as_it_was(file: Path) -> None:
    old = load_config(file)
    said = fit_config(file, "lgpio")
    assert said is not None
    assert WORDS.say(said) == (
        f"The config file {file} was of an older version and is written anew, with nothing of yours changed. "
        f"The old one is kept as {file}.version-1. Added: version, pins.factory.")
    assert kept_copy(file, 1).read_text() == FIRST
    new = load_config(file)
    assert (new.source, new.server, new.mqtt, new.pins.factory) == (old.source, old.server, old.mqtt, "lgpio")
    assert all(line in file.read_text().splitlines() for line in FIRST.splitlines()), "comments stay"
    assert fit_config(file, "lgpio") is None, "once"


@pytest.mark.parametrize("pins", [
    "[pins]\nbuzzer = 4", "  [ pins ]  # mine\nbuzzer = 4", "[pins]\nbuzzer = 4\n[lamps]\nquiet = true"])
def test_the_pins_get_their_line_below_their_heading(file: Path, pins: str) -> None:
    file.write_text(pins)
    assert fit_config(file, "mock") is not None
    read = load_config(file)
    assert (read.pins.factory, read.pins.buzzer) == ("mock", 4)


@pytest.mark.parametrize(("text", "factory"), [
    ("pins = {buzzer = 4}\n", None),
    ("pins.buzzer = 4\n", None),
    ('[pins]\nbuzzer = 4\nfactory = "rpigpio"\n', "rpigpio"),
    ('[table]\nname = """\n[pins]\n"""\n[pins]\nbuzzer = 4\n', None),
    ("version = 1\n[pins]\nbuzzer = 4\n", "lgpio"),
])  # fmt: skip
def test_what_cannot_be_added_without_a_doubt_stays_away(file: Path, text: str, factory: str | None) -> None:
    file.write_text(text)
    assert fit_config(file, "lgpio") is not None
    given = tomllib.loads(file.read_text())
    assert (given["version"], given["pins"].get("factory"), given["pins"]["buzzer"]) == (CONFIG_VERSION, factory, 4)
    assert kept_copy(file, 1).read_text() == text


@pytest.mark.parametrize("text", ["[pins\n", "x = \0", 'version = "two"\n', f"version = {CONFIG_VERSION}\n"])
def test_what_cannot_be_understood_or_fits_stays_as_it_is(file: Path, text: str) -> None:
    file.write_text(text)
    assert fit_config(file, "lgpio") is None
    assert file.read_text() == text
    assert list(file.parent.iterdir()) == [file]


def test_a_key_that_nobody_knows_stays_and_is_told_at_the_start(file: Path) -> None:
    file.write_text("[server]\nprot = 1\n")
    assert fit_config(file, "lgpio") is not None
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert "nobody knows the key server.prot. Did you mean port?" in WORDS.say(error.value.phrase)


def test_the_password_stays_for_the_same_eyes(file: Path) -> None:
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 0, 4242)
    was = file.stat()
    fit_config(file, "lgpio")
    for each in (file, kept_copy(file, 1)):
        now = each.stat()
        assert (now.st_mode, now.st_uid, now.st_gid) == (was.st_mode, was.st_uid, was.st_gid)


def test_on_the_way_back_the_older_versions_own_file_counts_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit_config(file, "lgpio")
    ours = file.read_text()
    newer = ours.replace(f"version = {CONFIG_VERSION}", "version = 3").replace("8081", "8082")
    kept_copy(file, CONFIG_VERSION).write_text(ours)
    file.write_text(newer)
    said = fit_config(file, "lgpio")
    assert said is not None
    assert "was of a newer version" in WORDS.say(said)
    assert file.read_text() == ours
    assert kept_copy(file, 3).read_text() == newer


def test_a_newer_one_without_a_copy_is_told_with_what_to_do(file: Path) -> None:
    file.write_text("version = 3\n[laser]\npower = 9\n")
    assert fit_config(file, "lgpio") is None
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert "is of version 3, and this companion knows up to 2. Put the newer" in WORDS.say(error.value.phrase)


@pytest.mark.parametrize("given", ['"2"', "0", "true", "2.0"])
def test_a_version_that_is_no_number_is_told(file: Path, given: str) -> None:
    file.write_text(f"version = {given}\n")
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert "the line version must be a whole number" in WORDS.say(error.value.phrase)


def test_an_older_copy_of_the_same_version_is_kept_too(file: Path) -> None:
    fit_config(file, "lgpio")
    file.write_text("[server]\nport = 8090\n")
    fit_config(file, "lgpio")
    assert kept_copy(file, 1).read_text() == "[server]\nport = 8090\n"
    assert file.with_name(f"{file.name}.version-1.2").read_text() == FIRST


def test_a_full_disk_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(config_versions, "write_file", full)
    with pytest.raises(OSError, match="No space"):
        fit_config(file, "lgpio")
    assert file.read_text() == FIRST


def test_putting_the_files_of_a_version_in_place_does_it_once_and_tells(file: Path, tmp_path: Path) -> None:
    layout = Places(tmp_path)
    assert str(file) in place(layout, "mock")
    told = read_told(layout.told_of_config)
    assert (told.is_, told.serial) == ("done", 1)
    assert told.what is not None
    assert "Added: version, pins.factory" in WORDS.say(told.what)
    assert place(layout, "mock") == []
    assert read_told(layout.told_of_config) == told


def test_a_first_config_is_of_this_version(tmp_path: Path) -> None:
    place(Places(tmp_path), "mock")
    assert tomllib.loads(Places(tmp_path).config.read_text())["version"] == CONFIG_VERSION
    assert not Places(tmp_path).told_of_config.exists()
