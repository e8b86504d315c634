"""Updates with a way back, on a fake root: no version is ever lost, whatever goes wrong and whenever the power goes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from companion.box import launch
from companion.box.layout import Places
from companion.box.machine import Machine
from companion.box.origin import Origin
from companion.box.updater import named, source_of
from companion.box.updating import Updating
from companion.box.wish import WISH_NAME, leave_wish, read_told, take_wish
from companion.errors import InvalidError, phrase
from tests.box.power_cuts import Disk, copy_of, lines_of
from tests.box.test_power_cuts import CUTS, build, install_version, started

ROOMS = ("box/install.py", "box/versions.py", "box/system_files.py", "box/updating.py", "box/test_power_cuts.py")


class FakeMachine(Machine):
    """Runs nothing; versions named here are never well."""

    def __init__(self, layout: Places, broken: Sequence[str] = ()) -> None:
        super().__init__(layout)
        self._broken, self._of = broken, layout.root
        self.runs = True

    def restart(self) -> None:
        self.runs = True

    def stop(self) -> None:
        self.runs = False

    def is_well(self, wait_s: float = 0.0) -> bool:
        return self.runs and started(self._of) not in self._broken

    def state(self) -> dict[str, str]:
        return {"why": "A reason."}


def served(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Whatever is asked of the service's user goes well; all versions write the same journal."""
    return subprocess.CompletedProcess(command, 0, "2", "")


def updating(
    root: Path, broken: Sequence[str] = (), as_service: Callable[..., subprocess.CompletedProcess[str]] = served,
    flush: Callable[[Path], object] = lambda folder: None,
) -> Updating:
    layout = Places(root)
    return Updating(layout, FakeMachine(layout, broken), build, flush, as_service)


def origin(version: str) -> Origin:
    return Origin(Path("/nowhere"), version, version, version)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("machine") / "root"
    (root / "var/lib/companion").mkdir(parents=True)
    install_version(root, "1.0")
    return root


@pytest.fixture
def root(machine: Path, tmp_path: Path) -> Path:
    return copy_of(machine, tmp_path / "root")


def test_a_version_that_is_well_is_in_use(root: Path) -> None:
    assert updating(root).update(lambda: origin("2.0")) == phrase("box.updated", given="2.0")
    assert started(root) == "2.0"
    told = read_told(Places(root).told)
    assert (told.is_, told.what, told.serial) == ("done", phrase("box.updated", given="2.0"), 1)
    assert not Places(root).trial.exists()


def test_a_version_that_is_not_well_goes_and_the_old_one_is_back(root: Path) -> None:
    said = updating(root, ["2.0"]).update(lambda: origin("2.0"))
    assert said == phrase("box.went_back", given="2.0", why="A reason.")
    assert started(root) == "1.0"
    assert read_told(Places(root).told).is_ == "back"


def test_one_that_fails_its_rehearsal_is_never_in_use(root: Path) -> None:
    def refusing(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        code = 2 if "companion.box.rehearsal" in command else 0
        return subprocess.CompletedProcess(command, code, "2", "In the config nobody knows the key x.y.")

    said = updating(root, as_service=refusing).update(lambda: origin("2.0"))
    assert said == phrase("box.rehearsal", given="In the config nobody knows the key x.y.")
    assert started(root) == "1.0"


def test_a_version_that_cannot_be_made_is_told_in_words(root: Path) -> None:
    def broken(folder: Path, origin: Origin) -> None:
        raise subprocess.CalledProcessError(1, ["pip", "install"])

    layout = Places(root)
    said = Updating(layout, FakeMachine(layout), broken, lambda folder: None, served).update(lambda: origin("2.0"))
    assert said == phrase("box.not_made")
    assert started(root) == "1.0"


def test_without_a_backup_nothing_is_changed(root: Path) -> None:
    (Places(root).state / "journal.sqlite").touch()

    def refusing(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 2 if "backup" in command else 0, "", "The disk is full.")

    said = updating(root, as_service=refusing).update(lambda: origin("2.0"))
    assert said == phrase("box.no_backup", given="The disk is full.")
    assert started(root) == "1.0"


def test_games_come_back_with_a_version_that_writes_another_journal(root: Path) -> None:
    (Places(root).state / "journal.sqlite").touch()
    asked: list[list[str]] = []

    def served_by(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        asked.append([str(each) for each in command])
        return subprocess.CompletedProcess(command, 0, "3" if "0002" in str(command[0]) else "2", "")

    updating(root, ["2.0"], served_by).update(lambda: origin("2.0"))
    restored = [command for command in asked if "restore" in command]
    assert len(restored) == 1
    assert restored[0][0].endswith("0001-1.0/bin/python")
    assert restored[0][4].endswith("backups/before-0002-2.0.zip")


def test_the_newest_is_told_and_nothing_is_made(root: Path) -> None:
    assert updating(root).update(lambda: origin("1.0")) == phrase("box.newest", given="1.0")
    assert len(list(Places(root).versions.iterdir())) == 1


def test_back_and_forth(root: Path) -> None:
    assert updating(root).back() == phrase("box.no_before")
    updating(root).update(lambda: origin("2.0"))
    assert updating(root).back() == phrase("box.updated", given="1.0")
    assert started(root) == "1.0"
    assert updating(root).back() == phrase("box.updated", given="2.0")


def test_a_version_that_cannot_read_the_games_is_not_gone_back_to(root: Path) -> None:
    updating(root).update(lambda: origin("2.0"))

    def served_by(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, str(command[0]), "")

    assert updating(root, as_service=served_by).back() == phrase("box.before_too_old", given="1.0")
    assert started(root) == "2.0"


@pytest.mark.parametrize("fault", [InvalidError(phrase("box.git_missing")), OSError(28, "full")])
def test_what_cannot_be_found_is_told(root: Path, fault: Exception) -> None:
    def find() -> Origin:
        raise fault

    updating(root).update(find)
    assert read_told(Places(root).told).is_ == "failed"
    assert started(root) == "1.0"


def cut(machine: Path, root: Path, at: int, rng: Random, broken: Sequence[str]) -> str:
    """The power goes at this line; the machine starts again, and root's unit judges what it finds."""
    copy_of(machine, root)
    disk = Disk(root)
    with disk.hears_fsync():
        lines_of(lambda: updating(root, broken, flush=disk.flush).update(lambda: origin("2.0")), ROOMS, at)
    disk.cut(rng)
    first = started(root)
    updating(root, broken).judge()
    assert not Places(root).trial.exists()
    assert started(root) not in broken
    assert first in ("1.0", "2.0")
    return started(root)


@pytest.mark.long
@pytest.mark.parametrize("broken", [[], ["2.0"]], ids=["well", "not well"])
def test_a_cut_at_any_moment_of_an_update_leaves_a_version_that_is_well(
    machine: Path, tmp_path: Path, broken: list[str]
) -> None:
    whole = copy_of(machine, tmp_path / "whole")
    lines = lines_of(lambda: updating(whole, broken).update(lambda: origin("2.0")), ROOMS)
    rng, found = Random(2), list[str]()
    for number in range(CUTS):
        at = rng.randrange(1, lines + lines // 10)
        found.append(cut(machine, tmp_path / f"cut-{number}", at, rng, broken))
        shutil.rmtree(tmp_path / f"cut-{number}")
    assert set(found) == ({"1.0"} if broken else {"1.0", "2.0"})


@pytest.mark.parametrize("share", [0.8, 0.95, 1.1])
def test_some_cuts_of_an_update(machine: Path, tmp_path: Path, share: float) -> None:
    whole = copy_of(machine, tmp_path / "whole")
    lines = lines_of(lambda: updating(whole).update(lambda: origin("2.0")), ROOMS)
    assert cut(machine, tmp_path / "cut", int(lines * share), Random(3), []) in ("1.0", "2.0")


@pytest.mark.parametrize("content", ["rm -rf /", "", "update\n", "x" * 10_000])
def test_a_wish_is_one_of_two_words_and_is_taken_once(tmp_path: Path, content: str) -> None:
    (tmp_path / WISH_NAME).write_text(content)
    assert take_wish(tmp_path) == ("update" if content == "update\n" else None)
    assert list(tmp_path.iterdir()) == []
    leave_wish(tmp_path, "back")
    assert take_wish(tmp_path) == "back"


def test_a_wish_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("update")
    (tmp_path / WISH_NAME).symlink_to("elsewhere")
    assert take_wish(tmp_path) is None
    assert (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("content", ["", "[", "wheels = 3", 'wheels = "/a"\nfolder = "/b"', 'url = "http://evil"'])
def test_sources_are_one_line_of_roots(tmp_path: Path, content: str) -> None:
    (tmp_path / "update.toml").write_text(content)
    with ExitStack() as kept, pytest.raises(InvalidError):
        source_of(tmp_path / "update.toml", kept)


def test_the_newest_tag_of_a_repository_is_found(tmp_path: Path) -> None:
    place = tmp_path / "repository"
    place.mkdir()
    git = ["git", "-C", str(place), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    for version in ("0.9.0", "0.10.0"):
        (place / "pyproject.toml").write_text(f'[project]\nname = "tabletop-companion"\nversion = "{version}"\n')
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", version], check=True)
        subprocess.run([*git, "tag", f"v{version}"], check=True)
    (tmp_path / "update.toml").write_text(f"git = {json.dumps(place.as_uri())}\n")
    with ExitStack() as kept:
        found = source_of(tmp_path / "update.toml", kept)
        assert found.version == "0.10.0"
        assert found.told.endswith("v0.10.0")


def test_a_wheel_of_another_package_is_named(tmp_path: Path) -> None:
    from zipfile import ZipFile

    wheel = tmp_path / "tabletop_companion-9.9.9-py3-none-any.whl"
    with ZipFile(wheel, "w") as out:
        out.writestr("requests-1.dist-info/METADATA", "Name: requests\nVersion: 1\n")
    (tmp_path / "update.toml").write_text(f"wheels = {json.dumps(str(tmp_path))}\n")
    with ExitStack() as kept, pytest.raises(InvalidError) as refused:
        source_of(tmp_path / "update.toml", kept)
    assert refused.value.phrase.id == "box.other_package"
    wheel.write_bytes(b"PK")
    with ExitStack() as kept, pytest.raises(InvalidError) as refused:
        source_of(tmp_path / "update.toml", kept)
    assert refused.value.phrase.id == "box.broken_wheel"


@pytest.mark.parametrize(("beside", "offline"), [
    ("flask-3.1-py3-none-any.whl", True), ("other-1-py3-none-any.whl", False)])
def test_a_wheel_among_those_of_its_libraries_needs_no_network(tmp_path: Path, beside: str, offline: bool) -> None:
    from zipfile import ZipFile

    wheel = tmp_path / "tabletop_companion-9.9.9-py3-none-any.whl"
    with ZipFile(wheel, "w") as out:
        out.writestr("tabletop_companion-9.9.9.dist-info/METADATA", "Name: tabletop-companion\nVersion: 9.9.9\n")
    (tmp_path / beside).touch()
    with ExitStack() as kept:
        found = named(str(wheel), kept)()
    assert (found.version, found.wheels) == ("9.9.9", tmp_path if offline else None)


def test_what_is_no_whole_version_is_never_put_in_use(root: Path) -> None:
    (Places(root).versions / "0001-1.0" / launch.COMPLETE_NAME).rename(root / "kept")
    with pytest.raises(StopIteration):
        started(root)
