"""Whatever is wrong: after three starts that fail there is a page that says it in words, and never a fourth try."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.box import launch
from companion.box.safe.deeds import BACKUPS
from tests.box.installed import Installed

pytestmark = pytest.mark.wide

GOOD = "[server]\nport = PORT\n"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Installed]:
    made = Installed(tmp_path, GOOD)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.stop()


def safe_page(box: Installed) -> str:
    """What the page says after starts that failed: one of them real, the others, which take seconds, only counted."""
    box.fail(1)
    assert launch.read_lives(box.runtime) == (1, 1)
    launch.write_lives(box.runtime, launch.MAX_FAILED, launch.MAX_FAILED)
    box.start()
    status, page = box.ask()
    assert status == 200
    assert "The companion does not start" in page
    box.wait(lambda: box.told().get("is") == "safe" or None)
    return page


@pytest.mark.long
def test_the_third_failure_is_the_last(box: Installed) -> None:
    box.write("[server]\nport = PORT\nprot = 1\n")
    box.fail(3)
    box.start()
    assert "The companion does not start" in box.ask()[1]


@pytest.mark.long
def test_ten_short_lives_are_a_loop_too(box: Installed) -> None:
    launch.write_lives(box.runtime, 0, launch.MAX_SHORT)
    box.start()
    assert "It ended without saying why" in box.ask()[1]


@pytest.mark.parametrize(("config", "said"), [
    ("[server]\nport = PORT\nprot = 1\n", "nobody knows the key server.prot. Did you mean port?"),
    pytest.param("[server]\nport = PORT\n[pins\n", "is not valid TOML", marks=pytest.mark.long),
    pytest.param("[server]\nport = PORT\n[pins]\nseats = [[5, 17], [5, 18]]\n", "pin 5 is used twice",
                 marks=pytest.mark.long),
    pytest.param("[server]\nport = PORT\n\0", "is not valid TOML", marks=pytest.mark.long),
], ids=["an unknown key", "bad TOML", "a pin twice", "a NUL"])  # fmt: skip
def test_a_config_with_a_mistake_is_told(box: Installed, config: str, said: str) -> None:
    box.write(config)
    assert said in safe_page(box)


@pytest.mark.long
def test_a_port_that_is_taken_is_told_at_another(box: Installed) -> None:
    with closing(socket.create_server(("0.0.0.0", box.port))):
        box.fail(1)
        launch.write_lives(box.runtime, launch.MAX_FAILED, launch.MAX_FAILED)
        process = box.start()
        assert process.stderr is not None
        line = process.stderr.readline()
        port = int(line.split("port ")[1].split(" ")[0])
        assert port != box.port
        assert f"Another program already listens on port {box.port}" in box.ask(port=port)[1]


def run_first(box: Installed, folder: Path, program: str) -> None:
    """Every Python of this companion runs the program before anything else."""
    (folder / "sitecustomize.py").write_text(program)
    environ = {**box.environ(), "PYTHONPATH": f"{folder}:{box.environ()['PYTHONPATH']}"}
    box.environ = lambda: environ  # type: ignore[method-assign]


@pytest.mark.long
def test_a_held_pin_is_told(box: Installed, tmp_path: Path) -> None:
    """Which part, at which pin, and what to do, where another program holds a pin."""
    run_first(box, tmp_path,
              "import gpiozero.pins.mock as m\n"
              "def held(self, *a, **k): raise OSError('GPIO busy')\n"
              "m.MockPin._set_function = held\n")
    page = safe_page(box)
    assert "GPIO5" in page
    assert "or give the button of seat A another pin" in page


@pytest.mark.long
def test_a_fault_of_the_program_is_told_with_its_trace_in_the_log(box: Installed, tmp_path: Path) -> None:
    run_first(box, tmp_path,
              "import companion.session.journal.opening as o\nimport companion.session.journal as j\n"
              "def broken(*a, **k): raise RuntimeError('a fault of the test')\n"
              "o.open_journal = j.open_journal = broken\n")
    page = safe_page(box)
    assert "That is a fault of the companion itself" in page
    assert "RuntimeError: a fault of the test" in page


@pytest.mark.long
def test_a_state_folder_that_is_a_file_is_told(box: Installed) -> None:
    box.state.rmdir()
    box.state.write_text("")
    assert "cannot be used" in safe_page(box)


def mounted(tmp_path: Path, options: str) -> tuple[str, ...]:
    """A command before others: in a namespace of its own in which the state folder is a small disk."""
    script = f'mount -t tmpfs -o size=1m tmpfs {tmp_path}/state && {options} && exec "$@"'
    if subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode:
        pytest.skip("mounts cannot be made here (root is needed)")
    return ("unshare", "-m", "sh", "-c", script, "sh")


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
@pytest.mark.parametrize(("options", "said"), [
    ("{{ head -c 2000000 /dev/zero > {state}/full || true; }} 2>/dev/null", "The disk is full"),
    ("mount -o remount,ro {state}", "can only be read"),
], ids=["full", "read-only"])  # fmt: skip
def test_a_disk_that_takes_nothing_is_told(box: Installed, tmp_path: Path, options: str, said: str) -> None:
    under = mounted(tmp_path, options.format(state=box.state))
    box.fail(1, under)
    launch.write_lives(box.runtime, launch.MAX_FAILED, launch.MAX_FAILED)
    box.start(under)
    status, page = box.ask()
    assert (status, said in page) == (200, True), page


def test_nothing_is_tried_again_until_somebody_says_so(box: Installed) -> None:
    box.write("[server]\nport = PORT\nprot = 1\n")
    safe_page(box)
    assert box.ask("/eyes")[0] == 503
    assert '"ok":false' in box.ask("/health")[1].replace(" ", "")
    box.write(GOOD)
    assert "I am starting" in box.ask("/safe/again", b"")[1]
    assert box.gone() == 0
    box.start()
    assert "The companion does not start" not in box.ask()[1]
    box.wait(lambda: box.told().get("is") == "running" or None)
    assert box.stop() == 0


@pytest.mark.long
def test_the_last_good_config_counts_until_the_file_is_changed(box: Installed) -> None:
    box.start()
    box.ask()
    assert box.stop() == 0
    box.write("[server]\nport = PORT\nprot = 1\n")
    assert "Start with the last good config" in safe_page(box)
    box.ask("/safe/config", b"")
    assert box.gone() == 0
    box.start()
    page = box.ask()[1]
    assert "I go on with the last good one" in page
    box.stop()
    box.write("[server]\nport = PORT\nprot = 2\n")
    assert "prot" in box.fail(1)


@pytest.mark.long
def test_a_kept_backup_is_restored(box: Installed) -> None:
    box.start()
    box.ask()
    box.stop()
    (box.state / BACKUPS).mkdir()
    kept = box.state / BACKUPS / "before-0001.zip"
    made = [*command_of(box), "backup", str(kept), "--state", str(box.state)]
    subprocess.run(made, env=box.environ(), check=True, capture_output=True)
    box.write("nothing = 1\n[server]\nport = PORT\n")
    assert "before-0001.zip" in safe_page(box)
    assert box.ask("/safe/restore", b"backup=../x.zip")[0] == 400
    status, page = box.ask("/safe/restore", b"backup=before-0001.zip")
    assert (status, "role=\"status\"" in page) == (200, True), page
    assert list(box.state.glob("before-restore-*"))


def command_of(box: Installed) -> list[str]:
    return [str(box.opt / "current/bin/python"), "-m", "companion.cli.main"]


@pytest.mark.long
def test_a_pin_keeps_strangers_out(box: Installed) -> None:
    from web.sitting.pin import Pin
    from web.sitting.store import SeatStore

    store = SeatStore(box.state)
    Pin(store, lambda: 0.0).choose("2468")
    store.close()
    box.write("nothing = 1\n[server]\nport = PORT\n")
    safe_page(box)
    assert box.ask("/safe/again", b"pin=1111")[0] == 403
    assert box.ask("/safe/again", b"pin=2468")[0] == 200


@pytest.mark.long
def test_a_page_of_another_site_can_do_nothing(box: Installed) -> None:
    box.write("nothing = 1\n[server]\nport = PORT\n")
    safe_page(box)
    assert box.ask("/safe/again", b"", Origin="http://evil.example")[0] == 400
    assert box.ask(Host="evil.example")[0] == 400
    assert box.ask("/safe/delete", b"")[0] == 404
