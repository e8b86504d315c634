import json
import os
import socket
import ssl
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.box.layout import Places
from companion.box.wish import write_told
from companion.errors import HardwareError, JournalError, phrase
from companion.main.notify import Notifier
from companion.main.service import Service, _read_again, serve
from companion.session.commands import StartGame
from companion.session.config import Config, GameConfig, ServerConfig, SourceConfig, read_config
from companion.session.settings import Settings
from tests.session.journals import written


@contextmanager
def running(
    folder: Path, tls: bool = False, settings: Settings | None = None, layout: Places | None = None, **also: Any
) -> Iterator[Service]:
    """A service on any free port of this machine, without eyes."""
    stop, ready = Event(), Event()
    here: list[Any] = []
    config = Config(server=ServerConfig("127.0.0.1", 0, tls), folder=folder, **also)

    def begin(service: Service) -> None:
        here.append(service)
        ready.set()

    codes: list[int] = []
    thread = Thread(
        target=lambda: codes.append(
            serve(config, ready=begin, tell=here.append, stop=stop, settings=settings, layout=layout)))
    thread.start()
    assert ready.wait(20)
    service = here[-1]
    try:
        yield service
    finally:
        stop.set()
        thread.join(20)
        assert codes == [0]
        assert not [each.name for each in service.threads if each.is_alive()]


def health(service: Service) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{service.address[1]}/health", timeout=10) as answer:
        return dict(json.load(answer))


def begin_page(service: Service) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{service.address[1]}/start", timeout=10) as answer:
        return str(answer.read().decode())


@pytest.fixture(autouse=True)
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")


def test_the_pages_answer_once_the_service_is_ready(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        assert health(service)["ok"]
        assert service.writer.snapshot().eyes.state == "none"


def test_a_game_stands_where_it_stood_when_the_service_comes_back(tmp_path: Path) -> None:
    header = {"game": "kamikaze-cans", "players": [{"name": "A"}, {"name": "B"}],
              "setup": {"colours": ["red", "green"], "first": 1}}  # fmt: skip
    with running(tmp_path) as service:
        service.writer.send(StartGame(0, "host", header))
        before = service.writer.snapshot()
    with running(tmp_path) as service:
        after = service.writer.snapshot()
    assert (after.seq, after.match, after.seen) == (before.seq, 1, before.seen)


def test_the_game_of_the_config_begins_by_itself_once(tmp_path: Path) -> None:
    for _ in range(2):
        with running(tmp_path, game=GameConfig(start=True)) as service:
            assert service.writer.snapshot().match == 1


def test_a_damaged_journal_is_told_and_the_service_runs(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"rubbish")
    with running(tmp_path) as service:
        assert [each.id for each in service.writer.snapshot().notices] == ["journal.damaged"]


def test_what_happened_to_the_journal_is_on_the_pages_until_somebody_has_read_it(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"rubbish")
    for _ in range(2):
        with running(tmp_path) as service:
            assert "The journal was damaged." in begin_page(service)
    with running(tmp_path) as service:
        home = f"http://127.0.0.1:{service.address[1]}"
        read = urllib.request.Request(f"{home}/notices", data=b"back=/eyes", headers={"Origin": home})
        with urllib.request.urlopen(read, timeout=10) as answer:
            assert (answer.url, "The journal was damaged." in answer.read().decode()) == (f"{home}/eyes", False)
    with running(tmp_path) as service:
        assert service.writer.snapshot().notices == ()


def test_what_became_of_damaged_settings_is_on_the_pages(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"rubbish")
    settings = Settings(tmp_path, lambda _: Config(server=ServerConfig("127.0.0.1", 0), folder=tmp_path))
    with running(tmp_path, settings=settings) as service:
        assert [each.id for each in service.writer.snapshot().notices] == ["settings.damaged"]


def test_what_root_did_meanwhile_is_on_the_pages_until_it_was_read(tmp_path: Path) -> None:
    layout = Places(tmp_path)
    layout.state.mkdir(parents=True)
    with running(layout.state, layout=layout) as service, closing(service.writer.listen()) as heard:
        write_told(layout.told, "back", phrase("box.went_back", given="0.3.0", why="A reason."), anew=True)
        while (shown := heard.get(20)) is not None and not shown.notices:
            pass
        assert shown is not None
        assert "Version 0.3.0 did not start well" in begin_page(service)
        service.writer.read_notices()
    with running(layout.state, layout=layout) as service:
        assert "Version 0.3.0" not in begin_page(service)


class Restored:
    """The games and the sources of a table of which a backup was restored."""

    def __init__(self) -> None:
        self.cameras: list[int | str] = []

    def look_anew(self) -> None:
        """All games are others now."""

    def use(self, source: SourceConfig) -> None:
        self.cameras.append(source.camera)


def test_what_a_restored_backup_says_of_the_camera_counts_at_once(tmp_path: Path) -> None:
    table, settings = Restored(), Settings(tmp_path, read_config)
    for camera in (3, 3, 4):
        (tmp_path / "settings.toml").write_text(f'version = 1\n[source]\nkind = "camera"\ncamera = {camera}\n')
        _read_again(cast(Any, table), settings, cast(Any, table))
    assert table.cameras == [3, 4]


def test_names_go_after_the_time_that_the_config_says(tmp_path: Path) -> None:
    """The games were played in January of 2026, by a clock of the test."""
    written(tmp_path)
    with running(tmp_path, names_days=0) as service:
        names = {each.name for each in service.writer.snapshot().players}
    assert names
    assert not names & {"A", "B"}
    with running(tmp_path, names_days=30) as service:
        assert [each.name for each in service.writer.snapshot().players] == ["A", "B"]


def test_two_services_cannot_share_a_folder(tmp_path: Path) -> None:
    config = Config(server=ServerConfig("127.0.0.1", 0), folder=tmp_path)
    with running(tmp_path), pytest.raises(JournalError):
        serve(config, ready=print, tell=print, stop=Event())


def test_a_folder_that_nobody_may_look_into_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests may run as root, who may look everywhere: so the system is asked in vain here."""
    really, folder = os.stat, tmp_path / "hidden"

    def hidden(path: Any, *args: Any, **also: Any) -> os.stat_result:
        if str(path).startswith(str(folder)):
            raise PermissionError(13, "Permission denied")
        return really(path, *args, **also)

    folder.mkdir()
    monkeypatch.setattr(os, "stat", hidden)
    settings = Settings(folder, lambda _: Config(server=ServerConfig("127.0.0.1", 0), folder=folder))
    with pytest.raises(JournalError) as error:
        serve(settings.config, ready=print, tell=print, stop=Event(), settings=settings)
    assert error.value.phrase == phrase("journal.no_folder", where=str(folder), given="Permission denied")


def test_a_port_in_use_is_told_and_leaves_nothing_open(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = Config(server=ServerConfig("127.0.0.1", taken.getsockname()[1]), folder=tmp_path)
        with pytest.raises(HardwareError):
            serve(config, ready=print, tell=print, stop=Event())
    with running(tmp_path) as service:
        assert health(service)["ok"]


def test_systemd_hears_that_the_service_is_ready(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        notifier = Notifier({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "30000000"})
        notifier.tell("READY=1", "STATUS=here")
        assert systemd.recv(100) == b"READY=1\nSTATUS=here"
    assert notifier.watchdog_s == 30.0
    notifier.tell("WATCHDOG=1")


def test_without_systemd_nobody_is_told() -> None:
    notifier = Notifier({})
    notifier.tell("READY=1")
    assert notifier.watchdog_s is None


def test_a_watchdog_for_another_process_is_not_ours() -> None:
    assert Notifier({"NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}).watchdog_s is None


@pytest.mark.parametrize(
    ("writer_s", "eyes_s", "lamps_s", "moving"),
    [(95.0, 95.0, 95.0, True), (80.0, 95.0, 95.0, False), (95.0, 80.0, 95.0, False), (95.0, 95.0, 80.0, False)])
def test_the_watchdog_is_fed_only_while_writer_eyes_supervisor_and_lamps_turn(
    writer_s: float, eyes_s: float, lamps_s: float, moving: bool
) -> None:
    writer, eyes = SimpleNamespace(alive_s=writer_s), SimpleNamespace(alive_s=eyes_s)
    service = Service(cast(Any, writer), ("127.0.0.1", 0), cast(Any, eyes), turns=(lambda: lamps_s,))
    assert service.moving(100.0) is moving


def test_buttons_that_can_no_longer_be_heard_end_the_service() -> None:
    service = Service(cast(Any, None), ("127.0.0.1", 0), cast(Any, None), alive={"pages": lambda: True, "pins": bool})
    assert service.dead() == "pins"


def test_pages_are_encrypted_when_the_config_says_so(tmp_path: Path) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with running(tmp_path, tls=True) as service:
        assert len(service.fingerprint) == 95
        address = f"https://127.0.0.1:{service.address[1]}/invite"
        with urllib.request.urlopen(address, timeout=10, context=trusting) as answer:
            assert service.fingerprint in answer.read().decode()
