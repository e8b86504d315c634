from __future__ import annotations

import configparser
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.box.layout import Places
from companion.box.system_files import place
from companion.main.service import STUCK_S
from companion.session import config
from hardware.pins import on_a_pi

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "systemd"
UNIT = FOLDER / "companion.service"
UNITS = [
    FOLDER / name for name in (
        "companion.service", "companion-update.service", "companion-update.path", "companion-door.socket",
        "companion-door@.service")]
SYSTEM_UNITS = Path("/usr/lib/systemd/system")

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None or not SYSTEM_UNITS.is_dir(),
    reason="systemd-analyze is not installed (apt install systemd)",
)


def verify(machine: Path, unit: str, name: str = UNIT.name) -> subprocess.CompletedProcess[str]:
    """What systemd says of the unit on a machine of its own, on which the companion is installed."""
    shutil.copytree(SYSTEM_UNITS, machine / "usr/lib/systemd/system", symlinks=True)
    programs = machine / "opt/companion/current/bin"
    programs.mkdir(parents=True)
    for program in (programs / "python", machine / "opt/companion/start"):
        shutil.copy("/bin/true", program)
    units = machine / "etc/systemd/system"
    units.mkdir(parents=True)
    for beside in UNITS:
        shutil.copy(beside, units)
    file = units / name
    file.write_text(unit)
    return subprocess.run(
        ["systemd-analyze", "verify", f"--root={machine}", str(file)], capture_output=True, text=True, check=False
    )


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_the_units_without_a_word(tmp_path: Path, unit: Path) -> None:
    said = verify(tmp_path, unit.read_text(), unit.name)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


@needs_systemd
@pytest.mark.parametrize("wrong", ["WatchdogSecs=30", "Restart=sometimes", "ExecStop=/opt/companion/nothing"])
def test_a_wrong_line_would_be_noticed(tmp_path: Path, wrong: str) -> None:
    said = verify(tmp_path, UNIT.read_text().replace("[Install]", f"{wrong}\n\n[Install]"))
    assert said.stderr != ""


@needs_systemd
@pytest.mark.parametrize("unit", [UNIT, FOLDER / "companion-door@.service"], ids=lambda unit: unit.name)
def test_what_the_network_reaches_is_locked_in_well(unit: Path) -> None:
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout


def test_the_service_restarts_is_watched_and_leaves_no_lamp_lit() -> None:
    unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(UNIT)
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert service["User"] == "companion"
    assert service["Restart"] == "always"
    assert int(service["WatchdogSec"]) > 0
    assert "hardware.off" in service["ExecStopPost"]
    assert "GPIOZERO_PIN_FACTORY" not in service["Environment"], "the config says which pins; a plain Debian has none"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert service["OOMPolicy"] == "continue"
    assert int(service["OOMScoreAdjust"]) < 0
    assert service["RuntimeDirectoryPreserve"] == "restart", "counts of failed starts outlive a restart"


def test_a_hung_service_is_back_in_half_a_minute() -> None:
    unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(UNIT)
    seconds = (unit["Service"][name] for name in ("WatchdogSec", "TimeoutAbortSec", "RestartSec"))
    assert STUCK_S + sum(map(int, seconds)) <= 30


def test_devices_are_allowed_by_the_names_that_systemd_knows() -> None:
    allowed = [line for line in UNIT.read_text().splitlines() if line.startswith("DeviceAllow=")]
    assert allowed
    assert all(line.startswith("DeviceAllow=char-") for line in allowed)


@pytest.mark.parametrize("factory", ["lgpio", "mock"])
def test_the_config_that_is_installed_can_be_read(tmp_path: Path, factory: str) -> None:
    place(Places(tmp_path), factory)
    read = config.load_config(Places(tmp_path).config)
    assert read.pins.factory == factory
    assert read.source.kind is None, "the first page asks"
    lines = (FOLDER / "companion.toml").read_text().splitlines()
    uncommented = [line.removeprefix("# ") for line in lines if line.startswith(("# [source]", "# kind", "# camera ="))]
    said = config.read_config(tomllib.loads("\n".join(uncommented)))
    assert (said.source.kind, said.source.camera) == ("camera", "picamera2")


@pytest.mark.parametrize("script", ["prepare.sh", "install.sh", "uninstall.sh"])
def test_the_scripts_are_sound(script: str) -> None:
    subprocess.run(["sh", "-n", str(FOLDER / script)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", str(FOLDER / script)], check=True)


not_on_a_pi = pytest.mark.skipif(on_a_pi(), reason="on a Pi its own Python is taken")


LACKING = 'case "$*" in *version_info*) exit 0 ;; *) exit 1 ;; esac'
"""A Python that is new enough, on a machine that lacks everything else."""


def prepare(tmp_path: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Runs the preparation on a machine that has only these programs, given as lines of shell."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "tr", "cat", "cksum", "env", "true", "touch"):
        if (found := shutil.which(name)) is not None:
            (tools / name).symlink_to(found)
    for name, line in programs.items():
        program = tools / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    return subprocess.run(
        ["sh", str(FOLDER / "prepare.sh"), "--venv", str(tmp_path / "venv")],
        env={"PATH": str(tools), "HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@not_on_a_pi
def test_an_old_python_is_told(tmp_path: Path) -> None:
    said = prepare(tmp_path, python3='case "$*" in -V) echo Python 3.9.2 ;; *) exit 1 ;; esac')
    assert said.returncode == 1
    assert said.stderr.startswith("The companion needs Python 3.11 or newer; python3 is Python 3.9.2.")


@not_on_a_pi
def test_what_apt_cannot_give_is_one_line_to_run(tmp_path: Path) -> None:
    said = prepare(tmp_path, python3=LACKING)
    assert said.returncode == 1
    assert "sudo apt install --no-install-recommends python3-venv libgl1 libglib2.0-0" in said.stderr
    assert not (tmp_path / "venv").exists()


@not_on_a_pi
@pytest.mark.parametrize(("user", "sudo"), [(0, "exit 1"), (1000, 'shift; exec "$@"')])
def test_what_is_missing_comes_from_apt_after_its_lists_were_renewed(tmp_path: Path, user: int, sudo: str) -> None:
    log = tmp_path / "asked"
    apt = f'echo "$*" >> {log}; case "$*" in *update*) touch {log}.new ;; *) [ -e {log}.new ] ;; esac'
    prepare(tmp_path, python3=LACKING, id=f"echo {user}", sudo=sudo, apt_get=apt)
    install, update, again = log.read_text().splitlines()
    assert install == again
    assert install.startswith("install -y -q --no-install-recommends python3-venv libgl1 libglib2.0-0 libsm6")
    assert update == "update -q"


@not_on_a_pi
def test_nobody_is_asked_for_a_password(tmp_path: Path) -> None:
    said = prepare(tmp_path, python3=LACKING, id="echo 1000", sudo="exit 1", apt_get="exit 0")
    assert "sudo apt install" in said.stderr
