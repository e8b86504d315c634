"""The installer, the unit, the safe mode, updates and the way back, run for real: systemd starts, stops and watches.

Each test is a machine of its own. They skip, with the reason, where no such machine can be had.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd import real_root
from tests.systemd.real_root import NoRootError, RealMachine, machine

pytestmark = pytest.mark.long

OLD_CONFIG = "# mine\n[server]\nport = 8080   # as it was\n"
INSTALL = ("sh", "/srv/companion/systemd/install.sh", "--wheels", "/srv/wheels")
SOURCE = "/etc/companion/update.toml"
CONFIG = "/etc/companion/companion.toml"
BROKEN = "[server]\nport = 8080\nprot = 1\n"


@pytest.fixture(scope="session")
def fresh(of_all_workers: Path) -> Path:
    """A Debian with the wheels of all libraries, and this working folder as it was cloned."""
    root = of_all_workers / "fresh-root"
    try:
        archive = real_root.base()
        with real_root.alone("fresh"):
            if not root.exists():
                new = root.with_name("fresh-root.new")
                new.mkdir()
                subprocess.run(["tar", "-xf", archive, "-C", new], check=True)
                real_root.wheels(new / "srv/wheels")
                real_root.working_folder(new / "srv/companion")
                real_root.wheel_of(new / "srv/companion", new / "srv/wheels")
                new.rename(root)
    except NoRootError as error:
        pytest.skip(str(error))
    return root


@pytest.fixture(scope="session")
def installed(fresh: Path, of_all_workers: Path) -> Path:
    """The same, with the companion installed over a config of an older version."""
    root = of_all_workers / "installed-root"
    with real_root.alone("installed"):
        if not root.exists():
            with machine(fresh, of_all_workers / "installing") as box:
                (box.root / "etc/companion").mkdir()
                (box.root / "etc/companion/companion.toml").write_text(OLD_CONFIG)
                started(box)
                done = box.done(*INSTALL)
                assert done.returncode == 0, done.stdout + done.stderr
                assert done.stdout.splitlines()[-1].startswith("The companion runs."), done.stdout
                box.off()
                subprocess.run(["cp", "-a", str(box.root), str(root)], check=True)
    return root


def started(box: RealMachine, *options: str) -> None:
    box.boot(options=options)
    try:
        box.is_up()
    except NoRootError as error:
        pytest.skip(str(error))


@pytest.fixture
def box(installed: Path, tmp_path: Path) -> Iterator[RealMachine]:
    """A machine with the companion, switched on: it starts by itself."""
    with machine(installed, tmp_path / "machine") as made:
        started(made)
        made.wait(lambda: made.ask("/health")[0] == 200 or None)
        yield made


def test_it_is_installed_once_and_what_was_configured_stays(box: RealMachine) -> None:
    assert "I have read it" in box.page("was of an older version and is written anew", "/start")
    kept = box.root / "etc/companion/companion.toml.version-1"
    assert kept.read_text() == OLD_CONFIG
    config = (box.root / CONFIG[1:]).read_text()
    assert all(line in config for line in OLD_CONFIG.splitlines())
    before = everything(box)
    again = box.done(*INSTALL)
    assert again.returncode == 0, again.stderr
    assert "is installed already, as it is here." in again.stdout
    assert "The companion runs." in again.stdout
    assert everything(box) == before
    assert box.ask("/", port=80)[0] == 200, "whoever leaves the port out is led on"


def everything(box: RealMachine) -> dict[str, str]:
    """What is configured, and which files are installed."""
    files = ("etc/companion", "etc/systemd/system", "opt/companion", "usr/local/bin", "etc/avahi/services")
    found = {}
    for folder in files:
        for path in sorted((box.root / folder).rglob("*")):
            if "versions/" not in str(path) and path.name != "lock":
                where = str(path.relative_to(box.root))
                found[where] = str(path.readlink()) if path.is_symlink() else path.read_text() if path.is_file() else ""
    return found | {each.name: "version" for each in (box.root / "opt/companion/versions").iterdir()}


def test_it_runs_as_its_own_user_locked_in_and_the_doctor_is_content(box: RealMachine) -> None:
    said = box.run("cat", f"/proc/{box.shows('MainPID')['MainPID']}/status")
    assert "\nCapEff:\t0000000000000000\n" in said
    assert "\nNoNewPrivs:\t1\n" in said
    assert box.run("id", "-u", "companion").strip() == said.split("\nUid:\t")[1].split("\t")[0]
    exposure = box.done("systemd-analyze", "security", "--threshold=20", "companion.service")
    assert exposure.returncode == 0, exposure.stdout
    for unit in ("companion.service", "companion-update.service", "companion-update.path", "companion-door.socket"):
        verified = box.done("systemd-analyze", "verify", f"/etc/systemd/system/{unit}")
        assert (verified.returncode, verified.stderr) == (0, "")
    doctor = box.done("companion", "doctor")
    assert doctor.returncode == 0, doctor.stdout
    assert "✓ The service runs and answers." in doctor.stdout
    assert "was of an older version" in doctor.stdout


def test_whatever_is_said_for_years_the_log_keeps_to_its_size(box: RealMachine) -> None:
    flood = "base64 -w 30000 /dev/urandom | head -c 200000000 | systemd-cat -t flood"
    assert box.done("sh", "-c", flood).returncode == 0
    box.run("journalctl", "--sync")
    kept = sum(file.stat().st_blocks * 512 for file in (box.root / "var/log/journal").rglob("*.journal"))
    assert 40_000_000 < kept < 110 * 1024**2, "the flood was kept, as far as there is room for it"
    assert box.ask("/health")[0] == 200


def test_killed_or_hung_it_is_back(box: RealMachine) -> None:
    first = box.shows("MainPID")["MainPID"]
    box.run("kill", "-KILL", first)
    second = box.wait(lambda: other_than(box, first))
    box.wait(lambda: box.ask("/health")[0] == 200 or None)
    box.run("kill", "-STOP", second)
    box.wait(lambda: other_than(box, second), within_s=60.0)
    box.wait(lambda: box.ask("/health")[0] == 200 or None)
    assert box.shows("NRestarts")["NRestarts"] == "2"


def other_than(box: RealMachine, pid: str) -> str | None:
    found = box.shows("MainPID", "ActiveState")
    return found["MainPID"] if found["MainPID"] not in ("0", pid) and found["ActiveState"] == "active" else None


def test_a_root_that_can_only_be_read_is_enough_with_a_partition_for_the_data(
    installed: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with machine(installed, tmp_path / "machine") as box:
        for _ in range(2):
            started(box, "--read-only", f"--bind={data}:/var/lib/companion")
            assert box.done("touch", "/opt/companion/x").returncode != 0, "nothing can be written there"
            box.wait(lambda: box.ask("/health")[0] == 200 or None)
            assert '"journal":true' in box.ask("/health")[1].replace(" ", "")
            box.off()
    assert (data / "journal.sqlite").exists()


def test_a_config_with_a_mistake_ends_in_a_page_that_helps(box: RealMachine) -> None:
    (box.root / CONFIG[1:]).write_text(BROKEN)
    box.run("systemctl", "restart", "--no-block", "companion.service")
    page = box.page("The companion does not start")
    assert "nobody knows the key server.prot" in page
    assert box.shows("NRestarts", "ActiveState") == {"NRestarts": "3", "ActiveState": "active"}
    said = [line for line in box.journal().splitlines() if "nobody knows the key" in line]
    assert 3 <= len(said) <= 5, said
    assert box.ask("/safe/config", "x=1")[0] == 200
    page = box.page("I go on with the last good one", "/start")
    assert (box.root / CONFIG[1:]).read_text() == BROKEN, "only root changes it"


def test_an_update_is_told_and_one_that_does_not_start_goes_back_by_itself(
    box: RealMachine, tmp_path: Path
) -> None:
    given = box.root / "srv/wheels"
    newer = real_root.working_folder(tmp_path / "newer", "0.9.1")
    real_root.wheel_of(newer, given)
    shutil.rmtree(newer)
    said = box.done("companion", "update", "--from", "/srv/wheels/tabletop_companion-0.9.1-py3-none-any.whl")
    assert (said.returncode, said.stdout) == (0, "Version 0.9.1 is in use.\n"), said.stderr
    assert "I have read it" in box.page("Version 0.9.1 is in use.", "/start")
    box.ask("/notices", "back=/")
    assert "0.9.1" not in box.ask("/start")[1], "read"

    broken = real_root.working_folder(tmp_path / "broken", "0.9.2", spoil)
    real_root.wheel_of(broken, given)
    shutil.rmtree(broken)
    (box.root / SOURCE[1:]).write_text('wheels = "/srv/wheels"\n')
    assert box.ask("/machine", "wish=update")[0] == 200, "the host's phone asks, root's unit does it"
    page = box.page("did not start well", "/start", within_s=900.0)
    assert "Version 0.9.2 did not start well, so that the one before is in use again." in page
    assert "a fault of the test" in page
    assert "-0.9.1" in str((box.root / "opt/companion/current").readlink())

    flask = next(given.glob("flask-*.whl"))
    refused = box.done("companion", "update", "--from", f"/srv/wheels/{flask.name}")
    assert refused.returncode == 1
    assert "is a wheel of Flask, not of the companion" in refused.stdout + refused.stderr


def spoil(folder: Path) -> None:
    """A version that can be loaded and passes its rehearsal, and then does not start."""
    module = folder / "companion/main/service.py"
    spoilt = "\n\ndef serve(*_: object, **__: object) -> int:\n    raise RuntimeError('a fault of the test')\n"
    module.write_text(module.read_text() + spoilt)


def test_it_goes_and_leaves_the_games_unless_all_is_to_go(box: RealMachine) -> None:
    assert box.done("sh", "/srv/companion/systemd/uninstall.sh").stdout.startswith("The companion is gone. Its games")
    assert (box.root / "var/lib/companion/journal.sqlite").exists()
    assert (box.root / CONFIG[1:]).exists()
    assert not (box.root / "opt/companion").exists()
    assert box.run("systemctl", "list-unit-files", "companion*", "--no-legend") == ""
    assert box.done("sh", "/srv/companion/systemd/uninstall.sh", "--all").returncode == 0
    left = box.run("find", "/etc", "/opt", "/var/lib", "/usr/local", "/usr/lib/systemd", "-name", "*companion*")
    assert left == ""


@pytest.fixture
def card(fresh: Path, tmp_path: Path) -> Iterator[RealMachine]:
    """A machine whose first partition a person has prepared, with everything but a network."""
    with machine(fresh, tmp_path / "machine") as made:
        boot = made.root / "boot/firmware"
        boot.mkdir(parents=True)
        script = (real_root.REPOSITORY / "systemd/firstboot/companion-firstboot.sh").read_text()
        (boot / "companion-firstboot.sh").write_text(script.replace("=REPOSITORY", "=file:///srv/repository"))
        (made.root / "etc/pip.conf").write_text("[install]\nno-index = true\nfind-links = /srv/wheels\n")
        yield made


def plug_in(box: RealMachine) -> None:
    """Now the repository can be reached."""
    box.run("sh", "-c", "cd /srv/companion && git init -q . && git add -A && git -c user.name=a -c user.email=a@b "
            "commit -qm a && git clone -q --bare /srv/companion /srv/repository")
    box.run("systemctl", "restart", "--no-block", "companion-firstboot.service")


def test_cloud_init_installs_it_at_the_first_start_also_where_the_network_comes_later(card: RealMachine) -> None:
    seed = card.root / "var/lib/cloud/seed/nocloud"
    seed.mkdir(parents=True)
    shutil.copy(real_root.REPOSITORY / "systemd/firstboot/user-data", seed)
    (seed / "meta-data").write_text("instance-id: first\n")
    started(card)
    card.wait(lambda: "is not installed yet" in card.journal() or None)
    plug_in(card)
    card.page("<title>")
    assert card.wait(lambda: "The companion is installed: open http://tabletop.local" in card.journal() or None)
    assert "disabled" in card.run("systemctl", "is-enabled", "companion-firstboot.service")


def test_firstrun_leaves_it_to_the_next_start(card: RealMachine) -> None:
    boot = card.root / "boot/firmware"
    line = ("systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=poweroff "
            "systemd.unit=kernel-command-line.target")
    shutil.copy(real_root.REPOSITORY / "systemd/firstboot/firstrun.sh", boot)
    (boot / "firstrun.sh").chmod(0o755)  # as everything is on a FAT partition
    (boot / "firstrun-imager.sh").write_text("echo imager > /srv/imager\nrm -f /boot/firmware/firstrun.sh\nexit 0\n")
    (boot / "cmdline.txt").write_text(f"console=tty1 root=PARTUUID=1 {line}\n")
    card.boot(*line.split())
    card.ended()
    assert (card.root / "srv/imager").read_text() == "imager\n"
    assert (boot / "cmdline.txt").read_text() == "console=tty1 root=PARTUUID=1\n"
    assert sorted(each.name for each in boot.iterdir()) == ["cmdline.txt", "companion-firstboot.sh"]
    started(card)
    plug_in(card)
    card.page("<title>")
