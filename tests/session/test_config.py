from pathlib import Path

import pytest

from companion.errors import ConfigError
from companion.session.config import Config, PinConfig, SourceConfig, default_folder, load_config, read_config
from companion.words import load as load_words

WORDS = load_words()


def told(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert error.value.phrase.id in WORDS
    return WORDS.say(error.value.phrase)


def test_without_a_file_everything_has_its_default() -> None:
    assert load_config(None) == Config(folder=default_folder(), source=SourceConfig("demo"))


def test_a_file_changes_only_what_it_says(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[server]\nport = 80\n[source]\nkind = "camera"\ncamera = "picamera2"\nlens = "lens.json"\n')
    config = load_config(file)
    assert (config.server.port, config.server.host) == (80, "0.0.0.0")
    assert (config.source.kind, config.source.camera) == ("camera", "picamera2")
    assert config.source.lens == tmp_path / "lens.json"


def test_pins_are_read(tmp_path: Path) -> None:
    assert read_config({"pins": {"seats": [[5, 17]], "status_rgb": [22, 23, 24], "buzzer": 13}}).pins == PinConfig(
        ((5, 17),), (22, 23, 24), 13
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[server]\nprot = 80", ("server.prot", "port")),
        ("[servr]\nport = 80", ("servr", "server")),
        ("[server]\nport = 70000", ("server.port", "65535")),
        ('[server]\nport = "80"', ("server.port",)),
        ("[server]\nport = true", ("server.port",)),
        ("server = 80", ("server", "table")),
        ("[server\nport = 80", ("config.toml", "line")),
        ("[pins]\nseats = [[5, 17], [17, 6]]", ("17", "pins.seats[0]", "pins.seats[1]")),
        ("[pins]\nbuzzer = 5", ("5", "pins.seats[0]", "pins.buzzer")),
        ("[pins]\nseats = [[5]]", ("pins.seats",)),
        ("[pins]\nseats = [[5, 40]]", ("pins.seats",)),
        ("[pins]\nstatus_rgb = [1, 2]", ("pins.status_rgb",)),
        ('[source]\nkind = "film"', ("source.kind", "camera")),
        ('[source]\nkind = "folder"', ("source.folder",)),
        ("[game]\nplayers = []", ("game.players",)),
        ("[game]\nsetup = 3", ("game.setup",)),
        ("[lamps]\nbrightness = 2", ("lamps.brightness",)),
        ('[lamps]\nbuzzer = "no"', ("lamps.buzzer",)),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    sentence = told(tmp_path / "config.toml", text)
    assert all(word in sentence for word in words), sentence


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        load_config(tmp_path / "config.toml")
    assert "config.toml" in WORDS.say(error.value.phrase)


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError):
        load_config(tmp_path / "config.toml")


def test_systemds_folder_goes_before_the_users() -> None:
    assert default_folder({"STATE_DIRECTORY": "/var/lib/x", "XDG_STATE_HOME": "/y"}) == Path("/var/lib/x")
    assert default_folder({"XDG_STATE_HOME": "/y"}) == Path("/y/companion")
