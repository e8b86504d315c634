"""The doctor: the installed companion, the machine's own files, and a report that tells nobody's name."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest

from companion.box.doctor import examining, machine, service
from companion.box.doctor.report import report, without_secrets
from companion.box.doctor.service import Running
from companion.box.layout import Places
from companion.session.config import Config, ServerConfig, SourceConfig
from companion.words import load
from hardware.doctor import Finding


def ids(findings: Iterator[Finding]) -> list[tuple[bool, str]]:
    return [(each.well, each.sentence.id) for each in findings]


def put(root: Path, where: str, text: str) -> None:
    (root / where).parent.mkdir(parents=True, exist_ok=True)
    (root / where).write_text(text)


def test_without_a_config_the_installed_one_is_examined(tmp_path: Path) -> None:
    put(tmp_path, "etc/companion/companion.toml", '[server]\nport = 8123\n')
    asked = examining.subject(None, Places(tmp_path), {})
    assert (asked.is_installed, asked.config.server.port) == (True, 8123)
    assert asked.config.folder == Places(tmp_path).state, "as its unit has it"
    assert examining.subject(None, Places(tmp_path / "none"), {}).is_installed is False


def test_a_config_with_a_mistake_is_a_finding(tmp_path: Path) -> None:
    put(tmp_path, "etc/companion/companion.toml", "[server]\nprot = 1\n")
    asked = examining.subject(None, Places(tmp_path), {})
    found = list(examining.examine_all(asked, Places(tmp_path), Running()))
    assert (False, "config.unknown_key") in ids(iter(found))
    assert all("\n" not in load().sentence(each.sentence) for each in found), "one line each"


@pytest.mark.parametrize(("running", "found"), [
    (Running(), (False, "doctor.service_down")),
    (Running({"ok": False}, True, "A reason."), (False, "doctor.safe")),
    (Running({"ok": True}), (True, "doctor.service")),
])
def test_the_service_is_told(running: Running, found: tuple[bool, str]) -> None:
    assert found in ids(service.findings(running, is_installed=True))


def test_a_camera_that_the_service_holds_is_told_as_such(tmp_path: Path) -> None:
    asked = examining.Subject(None, Config(folder=tmp_path, source=SourceConfig(kind="camera", camera="picamera2")))
    holding = Running({"ok": True, "eyes": "free", "pins": True, "journal": True})
    found = ids(examining.examine_all(asked, Places(tmp_path), holding))
    assert (True, "doctor.camera_held") in found
    assert (True, "doctor.pins_held") in found
    assert not any("picamera2" in id for _, id in found), "nothing is opened"
    lost = Running({"ok": False, "eyes": "gone", "pins": False, "journal": False})
    found = ids(examining.examine_all(asked, Places(tmp_path), lost))
    for id in ("doctor.eyes_gone", "doctor.pins_deaf", "doctor.journal_stuck"):
        assert (False, id) in found


def test_a_camera_that_is_not_there_is_told_in_words_and_not_by_a_librarys_dumps(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = examining.Subject(None, Config(folder=tmp_path, source=SourceConfig(kind="camera", camera=57)))
    found = list(examining.examine_all(asked, Places(tmp_path), Running()))
    assert [id for is_well, id in ids(iter(found)) if not is_well and id.startswith("hw.")] == ["hw.no_camera"]
    assert capfd.readouterr() == ("", "")


def test_it_is_told_what_is_kept_of_what_the_camera_sees_and_whether_it_can_be(tmp_path: Path) -> None:
    well = examining.keeping(tmp_path / "kept" / "here", 50)
    assert (well.well, well.sentence.id, dict(well.sentence.args)["number"]) == (True, "keep.told", 50)
    (tmp_path / "file").write_text("")
    assert examining.keeping(tmp_path / "file" / "kept", 50).sentence.id == "doctor.keep"


def test_a_fresh_set_up_without_pieces_is_well_and_told_what_comes_next(tmp_path: Path) -> None:
    settings = Config(folder=tmp_path, source=SourceConfig(kind="camera"))
    assert (examining.pieces(settings).well, examining.pieces(settings).sentence.id) == (True, "doctor.no_pieces")
    put(tmp_path, "pieces/war-chest.pieces", "")
    assert examining.pieces(settings).sentence.id == "doctor.pieces_of"
    gone = Config(folder=tmp_path, source=SourceConfig(kind="camera", pieces=tmp_path / "x"))
    assert examining.pieces(gone).well is False


@pytest.mark.parametrize(("bits", "found"), [
    (None, []), (0x0, [(True, "doctor.power")]), (0x50005, [(False, "doctor.power_low")]),
    (0x50000, [(False, "doctor.power_was_low")]),
])
def test_a_weak_power_supply_is_told(bits: int | None, found: list[tuple[bool, str]]) -> None:
    assert ids(machine.power(bits)) == found


@pytest.mark.parametrize(("degrees", "found"), [("45000", (True, "doctor.heat")), ("85000", (False, "doctor.hot"))])
def test_heat_is_told(tmp_path: Path, degrees: str, found: tuple[bool, str]) -> None:
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", degrees)
    put(tmp_path, "sys/class/thermal/thermal_zone1/temp", "no number")
    assert ids(machine.heat(tmp_path)) == [found]


def test_the_clock_the_name_and_memory_are_told(tmp_path: Path) -> None:
    assert machine.clock(tmp_path, 0.0).well is False
    assert machine.clock(tmp_path, 2e9).sentence.id == "doctor.clock_alone"
    put(tmp_path, "run/systemd/timesync/synchronized", "")
    assert machine.clock(tmp_path, 2e9).sentence.id == "doctor.clock"
    assert machine.name(tmp_path).packages == ("avahi-daemon",)
    put(tmp_path, "run/avahi-daemon/pid", "1")
    assert machine.name(tmp_path).sentence.id == "doctor.name"
    put(tmp_path, "proc/meminfo", "MemTotal: 1 kB\nMemAvailable:  50000 kB\n")
    assert ids(machine.memory(tmp_path)) == [(False, "doctor.memory_low")]


def test_a_journal_that_is_none_is_told(tmp_path: Path) -> None:
    assert examining.journal(tmp_path).sentence.id == "doctor.no_journal"
    (tmp_path / "journal.sqlite").write_bytes(b"x" * 200_000)
    assert examining.journal(tmp_path).well is False


class Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        said = json.dumps({"ok": False, "safe": True, "why": ["A reason."]}).encode()
        self.send_response(503)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def test_the_safe_mode_is_asked_too(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Health) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        running = service.ask(Config(server=ServerConfig(port=server.server_address[1])), tmp_path)
        server.shutdown()
        thread.join()
    assert running.is_safe
    assert not running.holds


def test_a_report_has_no_names_no_passwords_and_no_pictures_unless_asked(tmp_path: Path) -> None:
    config = ('[wifi]\nname = "Home"\npassword = "secret123"\n[game]\nplayers = ["Ann",\n "Ben"]\n'
              '[table]\n"name" = "Kitchen"\n[server]\nport = 1\n')
    put(tmp_path, "etc/companion/companion.toml", config)
    put(tmp_path, "run/companion/log.txt", "a line")
    put(tmp_path, "state/evidence/1.jpg", "picture")
    file, state = Places(tmp_path).config, tmp_path / "state"
    made = ZipFile(io.BytesIO(report([], load(), Places(tmp_path), file, state)))
    everything = b"".join(made.read(name) for name in made.namelist())
    for secret in (b"Home", b"secret123", b"Ann", b"Ben", b"Kitchen", b"picture"):
        assert secret not in everything
    assert b"port = 1" in everything
    assert b"a line" in everything
    asked = ZipFile(io.BytesIO(report([], load(), Places(tmp_path), file, state, names=True, pictures=True)))
    assert asked.read("config.toml").decode() == config
    assert "pictures/1.jpg" in asked.namelist()


@pytest.mark.parametrize("line", [
    'password = "x"', "password='x'", '"password" = "x"', "  password=\"x\" # mine", "wifi.password = \"x\"",
    'wifi = {name = "x", password = "x"}', 'players = ["x"]',
])  # fmt: skip
def test_secrets_are_found_however_they_are_written(line: str) -> None:
    assert "x" not in without_secrets(line)
