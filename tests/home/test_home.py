"""What a home's broker is told: made from the room's snapshot, told once, and kept by a real Mosquitto."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine import Over
from companion.errors import ConfigError, phrase
from companion.home.broker import HomeTeller, paho_client
from companion.home.told import SENSORS, discovery, home_state, node_id
from companion.main import home_side
from companion.session.config import Config, MqttConfig, read_config
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from web.fakes import FakeDesk

WORDS = web_tables.words()
SHOWN = web_tables.table()
CONFIG = MqttConfig("127.0.0.1")


def test_what_everybody_sees_is_told() -> None:
    told = home_state(SHOWN, WORDS)
    assert told.keys() == {"by_player"} | {each.key for each in SENSORS}
    assert (told["state"], told["moves"], told["eyes"]) == ("playing", SHOWN.plies, SHOWN.eyes.state)
    assert told["by_player"] == {each.name: SHOWN.seen.scores[each.seat] for each in SHOWN.players}
    assert isinstance(told["turn"], str)
    assert told["turn"] in {each.name for each in SHOWN.players}


@pytest.mark.parametrize(("change", "state"), [
    ({"paused": True}, "paused"), ({"seen": None}, "idle"), ({"can_reopen": True}, "over"),
    ({"seen": replace(SHOWN.seen, turn=Over((0,), "won"))}, "over"),
])
def test_the_state_of_the_table_is_one_word(change: dict[str, Any], state: str) -> None:
    assert home_state(replace(SHOWN, **change), WORDS)["state"] == state


def test_a_camera_that_needs_a_hand_is_a_problem() -> None:
    gone = replace(SHOWN, eyes=EyesShown("gone", phrase("hw.no_camera", where="0")))
    assert (home_state(SHOWN, WORDS)["camera"], home_state(gone, WORDS)["camera"]) == ("OFF", "ON")


def test_what_a_seat_alone_knows_is_refused() -> None:
    with pytest.raises(AssertionError, match="must not leave"):
        home_state(replace(SHOWN, observer=0), WORDS)


def test_neither_the_board_nor_facts_go_out() -> None:
    """Of a game with secrets not even what is on the table is told, only turns and scores."""
    facts = replace(SHOWN, seen=replace(SHOWN.seen, facts=(phrase("secret"),), placement={"zone": ("coin",)}))
    assert home_state(facts, WORDS) == home_state(SHOWN, WORDS)


def test_home_assistant_finds_each_sensor_once() -> None:
    found = dict(discovery("kitchen", "Kitchen", "1.0", "homeassistant", WORDS))
    assert len(found) == len(SENSORS)
    about = json.loads(found["homeassistant/sensor/kitchen/turn/config"])
    assert about["name"] == "Whose turn"
    assert about["value_template"] == "{{ value_json.turn }}"
    assert about["availability_topic"] == "tabletop/kitchen/status"
    assert len({json.loads(each)["unique_id"] for each in found.values()}) == len(SENSORS)
    assert json.loads(found["homeassistant/binary_sensor/kitchen/camera/config"])["device_class"] == "problem"


@pytest.mark.parametrize(("name", "node"), [("Kitchen table", "kitchen_table"), ("Küche", "kuche"), ("+/#", "table")])
def test_a_name_fits_into_a_topic(name: str, node: str) -> None:
    assert node_id(name) == node


def test_nobody_is_told_unless_the_config_says_so() -> None:
    assert read_config({}).mqtt.host == ""
    given = read_config({"mqtt": {"host": "broker", "user": "table", "password": "s3cret", "tls": True}}).mqtt
    assert (given.host, given.port, given.prefix, given.tls) == ("broker", 1883, "homeassistant", True)
    assert "s3cret" not in repr(given)
    with pytest.raises(ConfigError, match=r"config\.between"):
        read_config({"mqtt": {"host": "broker", "port": 0}})


# --- the client ----------------------------------------------------------------------------------------------------


class FakeClient:
    """Stands in for paho's client: keeps what is published, and is connected when a test says so."""

    def __init__(self, node: str) -> None:
        self.node, self.up = node, False
        self.sent: list[tuple[str, str]] = []
        self.will: tuple[str, str] = ("", "")

    def will_set(self, topic: str, message: str, qos: int, retain: bool) -> None:
        self.will = topic, message

    def publish(self, topic: str, message: str, qos: int, retain: bool) -> Any:
        assert (qos, retain) == (1, True)
        self.sent.append((topic, message))
        return SimpleNamespace(wait_for_publish=lambda timeout: None)

    def is_connected(self) -> bool:
        return self.up

    def reconnect_delay_set(self, *_: float) -> None: ...
    def username_pw_set(self, *_: Any) -> None: ...
    def connect_async(self, *_: Any) -> None: ...
    def loop_start(self) -> None: ...
    def loop_stop(self) -> None: ...
    def disconnect(self) -> None: ...
    def subscribe(self, topic: str) -> None: ...


def teller_and_client() -> tuple[HomeTeller, FakeClient]:
    made: list[FakeClient] = []

    def client_for(node: str) -> FakeClient:
        made.append(FakeClient(node))
        return made[0]

    return HomeTeller(CONFIG, WORDS, node="kitchen", table="Kitchen", version="1", client_for=client_for), made[0]


def connect(client: Any, failure: bool = False) -> None:
    client.up = not failure
    client.on_connect(client, None, None, SimpleNamespace(is_failure=failure), None)


def test_a_change_is_told_once_and_all_of_it_when_the_broker_comes(caplog: pytest.LogCaptureFixture) -> None:
    teller, client = teller_and_client()
    assert client.will == ("tabletop/kitchen/status", "offline")
    teller.tell(SHOWN)
    assert client.sent == []
    connect(client)
    topics = [topic for topic, _ in client.sent]
    assert len(topics) == len(SENSORS) + 2
    assert topics[-2:] == ["tabletop/kitchen/status", "tabletop/kitchen/state"]
    teller.tell(replace(SHOWN, version=SHOWN.version + 1))
    assert len(client.sent) == len(topics)
    teller.tell(replace(SHOWN, plies=SHOWN.plies + 1))
    assert json.loads(client.sent[-1][1])["moves"] == SHOWN.plies + 1
    client.on_message(client, None, SimpleNamespace(payload=b"online"))  # type: ignore[attr-defined]
    assert len(client.sent) == 2 * len(topics) + 1


def test_a_broker_that_is_away_for_hours_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    _, client = teller_and_client()
    for _ in range(100):
        client.on_connect_fail(client, None)  # type: ignore[attr-defined]
        connect(client, failure=True)
        client.on_connect_fail(client, None)  # type: ignore[attr-defined]
    assert len(caplog.records) <= 201  # refused and unreachable by turns are two states
    caplog.clear()
    for _ in range(100):
        client.on_connect_fail(client, None)  # type: ignore[attr-defined]
    assert caplog.records == []


def test_without_the_library_the_game_goes_on_and_people_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(node: str) -> Any:
        raise ConfigError(phrase("home.no_paho"))

    monkeypatch.setattr(HomeTeller.__init__, "__kwdefaults__", {"client_for": missing})
    told: list[str] = []
    home_side.open_home(SimpleNamespace(closers=[]), Config(mqtt=CONFIG),  # type: ignore[arg-type]
                        lambda what: told.append(what.id))
    assert told == ["home.no_paho"]


# --- a real broker -------------------------------------------------------------------------------------------------


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[int]:
    """The port of a broker that wants a password."""
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("Mosquitto is not installed (apt install mosquitto)")
    pytest.importorskip("paho.mqtt", reason="paho-mqtt is not installed (pip install paho-mqtt)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    secrets = tmp_path / "passwords"
    secrets.touch()
    secrets.chmod(0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(secrets), "table", "s3cret"], check=True, capture_output=True)
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {secrets}\nuser root\n")
    server = subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait()


class Home:
    """Home Assistant's side: hears all retained messages."""

    def __init__(self, port: int) -> None:
        self.heard: dict[str, str] = {}
        self.changed = Event()
        self.client = paho_client("home")
        self.client.username_pw_set("table", "s3cret")
        self.client.on_message = self._hear
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def _hear(self, client: object, data: object, message: Any) -> None:
        self.heard[message.topic] = message.payload.decode()
        self.changed.set()

    def until(self, topic: str, wanted: str) -> None:
        until_s = time.monotonic() + 20
        while wanted not in self.heard.get(topic, ""):
            assert time.monotonic() < until_s, self.heard
            self.changed.wait(0.2)
            self.changed.clear()


@pytest.mark.wide
def test_a_real_broker_keeps_it_for_whoever_comes_later(mosquitto: int) -> None:
    desk = FakeDesk(SHOWN)
    config = MqttConfig("127.0.0.1", mosquitto, "table", "s3cret")
    teller = HomeTeller(config, WORDS, node="kitchen", table="Kitchen", version="1")
    telling = Thread(target=teller.run, args=(desk,))
    telling.start()
    home = Home(mosquitto)
    try:
        home.until("tabletop/kitchen/status", "online")
        home.until("tabletop/kitchen/state", '"state": "playing"')
        home.until("homeassistant/sensor/kitchen/turn/config", "Whose turn")
        desk.show(replace(SHOWN, paused=True))
        home.until("tabletop/kitchen/state", '"state": "paused"')
        desk.close()
        home.until("tabletop/kitchen/status", "offline")
    finally:
        desk.close()
        telling.join(10)
        home.client.disconnect()
        home.client.loop_stop()
    assert not telling.is_alive()


def test_the_session_is_asked_for_the_rooms_snapshot() -> None:
    asked: list[Any] = []

    class Desk(FakeDesk):
        def listen(self, observer: Any = "room") -> Any:
            asked.append(observer)
            return super().listen(observer)

    desk = Desk(SHOWN)
    desk.close()
    teller, _ = teller_and_client()
    teller.run(desk)
    assert asked == ["room"]
