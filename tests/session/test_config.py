from pathlib import Path
from typing import Any

import pytest

from companion.errors import ConfigError
from companion.session.config import (
    Config,
    GameConfig,
    LampConfig,
    PinConfig,
    ServerConfig,
    SourceConfig,
    default_folder,
    load_config,
    read_config,
)
from companion.words import load as load_words

WORDS = load_words()


def told(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert error.value.phrase.id in WORDS
    return WORDS.say(error.value.phrase)


def test_without_a_file_everything_has_its_default() -> None:
    assert load_config(None) == Config(folder=default_folder(), source=SourceConfig(None))


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


def blamed(given: dict[str, Any]) -> dict[str, Any]:
    """What the refusal of this config names."""
    with pytest.raises(ConfigError) as error:
        read_config(given)
    return dict(error.value.phrase.args)


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("server.host", 7), ("server.host", ""), ("server.port", 0), ("server.port", 65536), ("state.folder", 7),
        ("state.names_days", -1), ("state.names_days", "x"),
        ("source.kind", 7), ("source.kind", "film"), ("source.folder", 7), ("source.camera", -1),
        ("source.camera", "usb"), ("source.pieces", 7), ("source.lens", 7), ("source.pace_s", "fast"),
        ("source.pace_s", 0), ("source.pace_s", True), ("game.id", 7), ("game.players", "Ann"),
        ("game.players", ["Ann", 7]), ("game.players", ["x"] * 7), ("game.start", 1), ("game.options", 7),
        ("game.setup", 7), ("pins.seats", 7), ("pins.seats", [[5, 28]]), ("pins.status_rgb", 7),
        ("pins.status_rgb", [22, 23, -1]), ("pins.buzzer", 28), ("lamps.brightness", 1.1), ("lamps.brightness", True),
        ("lamps.buzzer", 1),
    ],
)  # fmt: skip
def test_a_refusal_blames_the_key_that_is_wrong(key: str, wrong: Any) -> None:
    section, _, name = key.partition(".")
    assert blamed({section: {name: wrong}})["where"] == key


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"servr": {}}, {"where": "servr", "given": "server"}), ({"lamps": 7}, {"where": "lamps"}),
        ({"source": {"kind": "camera", "lense": "x"}}, {"where": "source.lense", "given": "lens"}),
        ({"source": {"kind": "folder"}}, {"where": "source.folder"}),
        ({"pins": {"status_rgb": [12, 13, 5]}}, {"pin": 5, "where": "pins.seats[0]", "given": "pins.status_rgb"}),
        ({"pins": {"buzzer": 19}}, {"pin": 19, "where": "pins.status_rgb", "given": "pins.buzzer"}),
    ],
)
def test_a_refusal_blames_section_neighbour_and_both_users_of_a_pin(given: Any, names: dict[str, Any]) -> None:
    assert blamed(given).items() >= names.items()


WHOLE = """
server = {host = "127.0.0.1", port = 65535}
state = {folder = "kept", names_days = 0}
source = {kind = "folder", folder = "set", camera = 63, pieces = "pieces.zip", lens = "lens.json", pace_s = 0.05}
game = {id = "pick-and-pack", players = ["A", "B", "C", "D", "E", "F"], start = true, options = {a = 1}, setup.b = 2}
pins = {seats = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]], status_rgb = [12, 13, 14], buzzer = 27}
lamps = {brightness = 0.0, buzzer = false}
"""


def test_every_key_is_read_and_paths_count_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(WHOLE)
    assert load_config(file) == Config(
        server=ServerConfig("127.0.0.1", 65535),
        folder=tmp_path / "kept",
        source=SourceConfig("folder", tmp_path / "set", 63, tmp_path / "pieces.zip", tmp_path / "lens.json", 0.05),
        game=GameConfig("pick-and-pack", tuple("ABCDEF"), True, {"a": 1}, {"b": 2}),
        pins=PinConfig(((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11)), (12, 13, 14), 27),
        lamps=LampConfig(0.0, False),
        names_days=0,
    )


def test_empty_sections_are_as_if_they_were_not_there() -> None:
    sections = ("server", "state", "source", "game", "pins", "lamps")
    assert read_config({section: {} for section in sections}) == load_config(None)


def test_a_folder_of_pictures_needs_no_kind_and_a_home_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    config = read_config({"source": {"folder": "~/set"}, "lamps": {"brightness": 1}})
    assert (config.source.kind, config.source.folder) == ("folder", tmp_path / "set")
    assert config.lamps.brightness == 1


@pytest.mark.parametrize(("key", "right"), [
    ("server.port", 1), ("server.port", 65535), ("source.camera", 0), ("source.pace_s", 600), ("source.kind", "none"),
    ("source.kind", "demo"), ("pins.buzzer", 0), ("lamps.brightness", 1),
])
def test_bounds_belong_to_what_is_allowed(key: str, right: Any) -> None:
    section, _, name = key.partition(".")
    config = read_config({section: {name: right}})
    assert getattr(getattr(config, section), name) == right


def test_without_systemd_the_users_folder_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_folder({}) == Path.home() / ".local" / "state" / "companion"
    assert default_folder({"XDG_STATE_HOME": ""}) == Path.home() / ".local" / "state" / "companion"
    assert default_folder({"STATE_DIRECTORY": "/var/lib/x:/var/lib/y"}) == Path("/var/lib/x")


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    for text, id in ((b"\xff", "config.unreadable"), (b"a = ", "config.not_toml")):
        file.write_bytes(text)
        with pytest.raises(ConfigError) as error:
            load_config(file)
        assert (error.value.phrase.id, dict(error.value.phrase.args)["where"]) == (id, str(file))
    with pytest.raises(ConfigError) as error:
        load_config(tmp_path)
    assert dict(error.value.phrase.args) == {"where": str(tmp_path), "given": "Is a directory"}
