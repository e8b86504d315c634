"""The power goes at any moment of an installation: the old version or the new one starts, with all of its files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.box import launch
from companion.box.install import install
from companion.box.layout import Places
from companion.box.machine import Machine
from companion.box.origin import Origin
from tests.box.power_cuts import Disk, copy_of, lines_of

CUTS = 60
ROOMS = (
    "box/install.py", "box/versions.py", "box/system_files.py", "box/update.py", "box/updater.py",
    "box/test_power_cuts.py")
PROGRAM = "#!/bin/sh\nexec {python} \"$@\"\n"
FILES = 40
MINE = "# mine\nversion = 2\n"


def build(folder: Path, origin: Origin) -> None:
    """A version with some files, one of which says which version it is."""
    (folder / "bin").mkdir(parents=True)
    for number in range(FILES):
        (folder / f"module_{number}.py").write_text(f"VERSION = {origin.version!r}\n")
    program = folder / "bin/python"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)


def install_version(root: Path, version: str, disk: Disk | None = None) -> None:
    layout = Places(root)
    origin = Origin(root, version, version, version)
    install(layout, origin, Machine(layout), build, disk.flush if disk else lambda folder: None, lambda line: None)


def started(root: Path) -> str:
    """Which version starts; fails unless all of its files are there."""
    folder = next(launch.versions_of(Places(root).opt))
    versions = {(folder / f"module_{number}.py").read_text() for number in range(FILES)}
    assert len(versions) == 1, versions
    assert (folder / "bin/python").read_text() == PROGRAM.format(python=sys.executable)
    return versions.pop().split("'")[1]


def unit_is_whole(root: Path) -> bool:
    unit = (root / "etc/systemd/system/companion.service").read_text()
    return unit == "# as an older version had it\n" or unit.endswith("WantedBy=multi-user.target\n")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("machine") / "root"
    root.mkdir()
    install_version(root, "1.0")
    return root


def test_without_a_cut_the_new_version_starts_and_the_old_one_is_kept(machine: Path, tmp_path: Path) -> None:
    root = copy_of(machine, tmp_path / "root")
    install_version(root, "2.0")
    assert started(root) == "2.0"
    assert [each.name for each in launch.versions_of(Places(root).opt)] == ["0002-2.0", "0001-1.0"]


def cut(machine: Path, root: Path, at: int, rng: Random) -> str:
    copy_of(machine, root)
    (root / "etc/systemd/system/companion.service").write_text("# as an older version had it\n")
    disk = Disk(root)
    with disk.hears_fsync():
        lines_of(lambda: install_version(root, "2.0", disk), ROOMS, at)
    disk.cut(rng)
    assert unit_is_whole(root)
    subprocess.run([root / "opt/companion/start", "--ended"], env={"RUNTIME_DIRECTORY": str(root)}, check=True)
    found = started(root)
    install_version(root, "3.0")  # and it can be installed over again
    assert started(root) == "3.0"
    return found


@pytest.mark.long
def test_a_cut_at_any_moment_leaves_a_version_that_starts(machine: Path, tmp_path: Path) -> None:
    whole = copy_of(machine, tmp_path / "whole")
    lines = lines_of(lambda: install_version(whole, "2.0"), ROOMS)
    rng, found = Random(1), list[str]()
    for number in range(CUTS):
        at = rng.randrange(1, lines + lines // 10)  # some after the last line, as in the minute after
        found.append(cut(machine, tmp_path / f"cut-{number}", at, rng))
        shutil.rmtree(tmp_path / f"cut-{number}")
    assert set(found) == {"1.0", "2.0"}, "both sides of the change were met"


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 1.2])
def test_some_cuts(machine: Path, tmp_path: Path, share: float) -> None:
    whole = copy_of(machine, tmp_path / "whole")
    lines = lines_of(lambda: install_version(whole, "2.0"), ROOMS)
    assert cut(machine, tmp_path / "cut", int(lines * share), Random(int(share * 10))) in ("1.0", "2.0")


def test_a_version_written_without_a_flush_would_be_found(machine: Path, tmp_path: Path) -> None:
    """The control: the simulated cut does empty what nobody flushed."""
    root = copy_of(machine, tmp_path / "root")
    disk = Disk(root)
    install_version(root, "2.0")
    disk.cut(Random(1))
    with pytest.raises(AssertionError):
        assert started(root) == "2.0"


def test_what_was_configured_stays_and_the_same_version_is_not_made_again(machine: Path, tmp_path: Path) -> None:
    root = copy_of(machine, tmp_path / "root")
    for name in ("companion.toml", "update.toml"):
        (root / "etc/companion" / name).write_text(MINE)
    install_version(root, "1.0")
    assert [each.name for each in Places(root).versions.iterdir()] == ["0001-1.0"]
    assert (root / "etc/companion/companion.toml").read_text() == MINE
    assert (root / "etc/companion/update.toml").read_text() == MINE


def test_a_build_that_fails_leaves_nothing_and_the_old_version_in_use(machine: Path, tmp_path: Path) -> None:
    root = copy_of(machine, tmp_path / "root")
    layout = Places(root)

    def broken(folder: Path, origin: Origin) -> None:
        build(folder, origin)
        raise subprocess.CalledProcessError(1, "pip")

    with pytest.raises(subprocess.CalledProcessError):
        install(layout, Origin(root, "2.0", "2.0", "2.0"), Machine(layout), broken, lambda _: None, lambda _: None)
    assert started(root) == "1.0"
    assert len(list(layout.versions.iterdir())) == 1


def test_old_versions_go_and_those_in_use_stay(machine: Path, tmp_path: Path) -> None:
    root = copy_of(machine, tmp_path / "root")
    for version in ("2.0", "3.0", "4.0", "5.0"):
        install_version(root, version)
    assert sorted(each.name for each in Places(root).versions.iterdir()) == ["0004-4.0", "0005-5.0"]
