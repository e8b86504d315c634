"""The config file: TOML, every key optional, so that no file is needed. An error names its key.

    version = 2                                            of this file: install.sh writes older ones anew
    [server]   host = "0.0.0.0", port = 8080, tls = false
    [state]    folder = "~/.local/state/companion"         journal and piece set live here
               names_days = 365     names of players are forgotten so long after their game; 0: never
               evidence_mb = 200    pictures of what was seen of each move take so much; 0: none are kept
    [source]   kind = "camera", camera = 0 (or "picamera2", or the address of one: "http://…", "rtsp://…"),
               folder = "…", pieces = "pieces.zip", lens = "lens.json", pace_s = 2.0
               zones = "zones.json"                        where games lie on the table, as the pages keep it
               kind = "video", video = "game.mp4"
               kind = "kept", folder = "…"                 a game that was kept plays again; speed = 1.0, 0: at once
               corners = "a1=X,Y h1=X,Y h8=X,Y a8=X,Y"     a board is watched by its corners, without tag cards
               boards = "boards.json"                      the same by game, as the pages keep it
    [keep]     folder = "…", mb = 2000                     what the camera sees is kept there; else nothing is
    [game]     id = "…", players = ["Ann", "Ben"], start = false, options = {…}, setup = {…}
    [pins]     seats = [[5, 17], [6, 18]], status_rgb = [22, 23, 24], buzzer = 13     BCM numbers; [button, led] a seat
               factory = "lgpio"    or "rpigpio", "mock": the library of the pins
    [lamps]    brightness = 1.0, buzzer = false, quiet = false
    [table]    name = "Kitchen table"                      shown on the pages
    [mqtt]     host = "broker.local", port = 1883, user = "…", password = "…", tls = false, prefix = "homeassistant"
               what everybody at the table sees is told to this broker; without a host to nobody
    [club]     page = false                                 true: a page that lists other companions in this network
    [wifi]     name = "Home", password = "…"               for the code that lets guests into the network

What is set on pages is kept in the same terms (`companion/session/settings.py`); what stands in the config file wins.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from companion.engine import form
from companion.errors import ConfigError, phrase
from companion.session.camera_address import camera_of
from companion.session.config_file import tables_in
from companion.session.config_table import ConfigTable

MAX_SEATS, MAX_BCM = 6, 27
"""The most players, and the highest number of a pin."""
MAX_NAMES_DAYS = 36500
MAX_EVIDENCE_MB = 100_000
MAX_TABLE_NAME = 40
MAX_CORNERS = 200
MAX_SPEED = 1000.0
MAX_WIFI_NAME, LEAST_WIFI_PASSWORD, MAX_WIFI_PASSWORD = 32, 8, 64
"""What Wi-Fi allows."""
MAX_HOST, MAX_SECRET = 253, 128

SourceKind = Literal["folder", "camera", "video", "kept", "none", "demo"]
PinFactory = Literal["lgpio", "rpigpio", "mock"]
"""The library of the pins: lgpio, the module RPi.GPIO, or pins that a page presses."""

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "server": ("host", "port", "tls"),
    "state": ("folder", "names_days", "evidence_mb"),
    "source": ("kind", "folder", "camera", "pieces", "lens", "pace_s", "video", "corners", "zones", "boards", "speed"),
    "keep": ("folder", "mb"),
    "game": ("id", "players", "start", "options", "setup"),
    "pins": ("seats", "status_rgb", "buzzer", "factory"),
    "lamps": ("brightness", "buzzer", "quiet"),
    "table": ("name",),
    "wifi": ("name", "password"),
    "club": ("page",),
    "mqtt": ("host", "port", "user", "password", "tls", "prefix"),
}
"""All keys of each section."""

@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Where the pages are served."""

    host: str = "0.0.0.0"  # phones on the home network are to reach it
    port: int = 8080
    tls: bool = False
    """Whether pages are encrypted, with a certificate of the companion's own."""


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """Where pictures come from. `folder` is a picture set to play (kind `folder`), or says how the table of a camera is
    set up; `camera` is a number for OpenCV, `picamera2` or an address; `pieces` a piece set file, `lens` a lens file,
    `zones` one that says where games lie, `boards` one with the corners of boards by game; `pace_s` seconds stand
    between two pictures of a set. `video` is a video file (kind `video`); `corners` are those of a board, whatever is
    played, that is watched without tag cards. A kept table (kind `kept`) is in `folder`; it and a video are played
    `speed` times as fast as they were, 0: as fast as can be. `kind` is None while nobody has said anything."""

    kind: SourceKind | None = "none"
    folder: Path | None = None
    camera: int | str = 0
    pieces: Path | None = None
    lens: Path | None = None
    pace_s: float = 2.0
    video: Path | None = None
    corners: str = ""
    zones: Path | None = None
    boards: Path | None = None
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The game that the page offers first; with `start` it begins by itself when no game is open. What is empty is up
    to the game."""

    id: str = ""
    players: tuple[str, ...] = ()
    start: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    setup: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PinConfig:
    """BCM numbers: `seats` holds (button, led) a seat; `status_rgb` red, green, blue. Without a `factory` the machine
    decides."""

    seats: tuple[tuple[int, int], ...] = ((5, 17), (6, 27), (16, 22), (26, 23), (20, 24), (21, 25))
    status_rgb: tuple[int, int, int] = (12, 13, 19)
    buzzer: int = 18
    factory: PinFactory | None = None


@dataclass(frozen=True, slots=True)
class LampConfig:
    """How bright the lamps are, 0 to 1, whether the buzzer sounds, and whether all is quiet: dim and silent."""

    brightness: float = 1.0
    buzzer: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What the table is called on the pages; empty: nothing."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class WifiConfig:
    """The network that guests are let into with a code; an empty password: it is open."""

    name: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MqttConfig:
    """The broker of a home that is told about the table; without a `host` none is. `prefix` is the topic below which
    Home Assistant looks for new things."""

    host: str = ""
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    prefix: str = "homeassistant"


@dataclass(frozen=True, slots=True)
class KeepConfig:
    """What the camera sees is kept in `folder`, at most so many MB of it; without a folder nothing is."""

    folder: Path | None = None
    mb: int = 2000


@dataclass(frozen=True, slots=True)
class Config:
    """The whole config. `folder` keeps what must outlive a restart; names of players are deleted `names_days` after
    their game, never for 0; pictures of what was seen of each move take at most `evidence_mb`, none are kept for 0."""

    server: ServerConfig = ServerConfig()
    folder: Path = Path()
    source: SourceConfig = SourceConfig()
    keep: KeepConfig = KeepConfig()
    game: GameConfig = field(default_factory=GameConfig)
    pins: PinConfig = PinConfig()
    lamps: LampConfig = LampConfig()
    table: TableConfig = TableConfig()
    wifi: WifiConfig = field(default_factory=WifiConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)
    club_page: bool = False
    """Whether a page lists other companions in this network."""
    names_days: int = 365
    evidence_mb: int = 200


def default_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """systemd's state folder, else the user's (XDG)."""
    if "STATE_DIRECTORY" in environ:
        return Path(environ["STATE_DIRECTORY"].split(":")[0])
    return Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "companion"


def load_config(file: Path | None) -> Config:
    """The config in `file`, or the defaults; raises `ConfigError` with the place and what to do."""
    return read_config({}) if file is None else read_config(tables_in(file), file.parent)


def read_config(given: Mapping[str, Any], base: Path = Path()) -> Config:
    """The config from a parsed file. Relative paths count from `base`. Raises `ConfigError`."""
    sections = ConfigTable(given, "", tuple(KEYS))
    server, state, source, keep, game, pins, lamps, table, wifi, club, mqtt = (
        sections.table(key, known) for key, known in KEYS.items())
    return Config(
        server=ServerConfig(
            server.text("host", "0.0.0.0"), server.whole("port", 8080, 1, 65535), server.truth("tls", False)),
        folder=state.path("folder", base) or default_folder(),
        source=_source(source, base),
        keep=KeepConfig(keep.path("folder", base), keep.whole("mb", 2000, 1, MAX_EVIDENCE_MB)),
        game=_game(game),
        pins=_pins(pins),
        lamps=LampConfig(
            lamps.number("brightness", 1.0, 0.0, 1.0), lamps.truth("buzzer", False), lamps.truth("quiet", False)),
        table=TableConfig(table.line("name", 1, MAX_TABLE_NAME)),
        wifi=WifiConfig(
            wifi.line("name", 1, MAX_WIFI_NAME), wifi.line("password", LEAST_WIFI_PASSWORD, MAX_WIFI_PASSWORD)),
        mqtt=_mqtt(mqtt),
        club_page=club.truth("page", False),
        names_days=state.whole("names_days", 365, 0, MAX_NAMES_DAYS),
        evidence_mb=state.whole("evidence_mb", 200, 0, MAX_EVIDENCE_MB),
    )


def _source(given: ConfigTable, base: Path) -> SourceConfig:
    folder = given.path("folder", base)
    kind = given.text("kind", "folder") if folder or "kind" in given else None
    if kind is not None and kind not in get_args(SourceKind):
        given.fail("kind", "config.source_kind")
    if kind in ("folder", "kept") and folder is None:
        given.fail("folder", "config.source_folder")
    if kind == "video" and "video" not in given:
        given.fail("video", "config.source_video")
    return SourceConfig(
        kind=kind,  # type: ignore[arg-type]
        folder=folder,
        camera=camera_of(given),
        pieces=given.path("pieces", base),
        lens=given.path("lens", base),
        pace_s=given.number("pace_s", 2.0, 0.05, 600.0),
        video=given.path("video", base),
        corners=given.line("corners", 1, MAX_CORNERS),
        zones=given.path("zones", base),
        boards=given.path("boards", base),
        speed=given.number("speed", 1.0, 0.0, MAX_SPEED),
    )


def _game(given: ConfigTable) -> GameConfig:
    plain = GameConfig()
    return GameConfig(
        id=given.text("id") if "id" in given else plain.id,
        players=given.names("players", MAX_SEATS) if "players" in given else plain.players,
        start=given.truth("start", plain.start),
        options=given.mapping("options", plain.options),
        setup=given.mapping("setup", plain.setup),
    )


def _pins(given: ConfigTable) -> PinConfig:
    plain = PinConfig()
    seats, rgb = given.get("seats", plain.seats), given.get("status_rgb", plain.status_rgb)
    with given.refusing("seats", "config.pin_pair"):
        pairs = [(pin[0], pin[1]) for pin in (_bcm(pair, 2) for pair in form.items(seats, "seats"))]
    if len(pairs) > MAX_SEATS:
        given.fail("seats", "config.pin_pair")
    with given.refusing("status_rgb", "config.pin_rgb"):
        red, green, blue = _bcm(rgb, 3)
    factory = given.get("factory")
    if factory is not None and factory not in get_args(PinFactory):
        given.fail("factory", "config.pin_factory")
    pins = PinConfig(tuple(pairs), (red, green, blue), given.whole("buzzer", plain.buzzer, 0, MAX_BCM), factory)
    _each_pin_once(pins)
    return pins


def _mqtt(given: ConfigTable) -> MqttConfig:
    plain = MqttConfig()
    return MqttConfig(
        given.line("host", 1, MAX_HOST), given.whole("port", plain.port, 1, 65535), given.line("user", 1, MAX_SECRET),
        given.line("password", 1, MAX_SECRET), given.truth("tls", plain.tls),
        given.line("prefix", 1, MAX_HOST) or plain.prefix)


def _bcm(given: Any, count: int) -> list[int]:
    """So many BCM numbers."""
    return [form.whole(pin, "pins", 0, MAX_BCM) for pin in form.items(given, "pins", count)]


def _each_pin_once(pins: PinConfig) -> None:
    used: dict[int, str] = {}
    names = [(f"pins.seats[{seat}]", pin) for seat, pair in enumerate(pins.seats) for pin in pair]
    names += [("pins.status_rgb", pin) for pin in pins.status_rgb]
    names += [("pins.buzzer", pins.buzzer)]
    for name, pin in names:
        if pin in used:
            raise ConfigError(phrase("config.pin_twice", pin=pin, where=used[pin], given=name))
        used[pin] = name
