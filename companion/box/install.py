"""A version beside the old one, then in its place: `python3 -m companion.box.install`, called by `systemd/install.sh`.

Nothing that people configured is changed. The last line is said when everything is on the disk.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from companion.box import system_files, versions
from companion.box.layout import Places
from companion.box.machine import Machine
from companion.box.origin import Origin, newest_wheel, origin_of
from companion.box.versions import Flush
from companion.errors import InvalidError
from companion.words import load

VERSION_BYTES: Final = 700_000_000
"""A version with its libraries, and some room."""

BuildVersion = Callable[[Path, Origin], object]
"""Makes the Python environment of a version in this folder. Raises `OSError`."""
TellLine = Callable[[str], object]


def main(arguments: Sequence[str]) -> int:
    """Installs; exit code 0 done, 1 not, and what was there runs as before."""
    parser = argparse.ArgumentParser(prog="install.sh", description="Installs the companion, or another version of it.")
    parser.add_argument("--from", dest="given", required=True, help="a working folder or a wheel")
    parser.add_argument(
        "--wheels", type=Path, help="take everything from this folder of wheels, the companion too if it is there: "
        "nothing is downloaded")
    parser.add_argument("--root", type=Path, default=Path("/"), help="install into this root instead of the machine")
    args = parser.parse_args(arguments)
    layout = Places(args.root)
    before = versions.in_use(layout)
    try:
        there = args.wheels is not None and any(args.wheels.glob("tabletop_companion-*.whl"))
        origin = origin_of(newest_wheel(args.wheels) if there else args.given, args.wheels)
        install(layout, origin, Machine(layout), build_version, versions.flush, say)
    except (OSError, InvalidError, subprocess.CalledProcessError) as error:
        why = load().say(error.phrase) if isinstance(error, InvalidError) else f"{error}."
        same = versions.in_use(layout) == before
        say(f"Not installed: {why} What was there before is as it was." if same else
            f"The new version is in place, but the machine is not prepared for it: {why} Run this again.")
        return 1
    return 0


def install(layout: Places, origin: Origin, machine: Machine, build: BuildVersion, flush: Flush, say: TellLine) -> None:
    """Makes the version, puts it in use, starts it. Raises `OSError`, and then the old one is still in use."""
    folder = beside(layout, origin, build, flush, say)
    put_in_use(layout, folder, flush)
    machine.prepare()
    flush(layout.opt)
    flush(layout.config.parent)
    machine.restart()
    versions.prune(layout, flush)
    flush(layout.opt)
    say(closing_line(machine))


def beside(layout: Places, origin: Origin, build: BuildVersion, flush: Flush, say: TellLine) -> Path:
    """The folder of a whole version of this origin; made beside the others unless the one in use is just that."""
    for folder in (layout.versions, layout.config.parent, layout.told.parent):
        folder.mkdir(parents=True, exist_ok=True)
    old = versions.in_use(layout)
    if old is not None and versions.what_it_is(old).get("digest") == origin.digest:
        say(f"Version {origin.version} is installed already, as it is here.")
        return old
    free = shutil.disk_usage(layout.opt).free
    if free < VERSION_BYTES:
        raise OSError(28, f"{VERSION_BYTES >> 20} MB are needed and {free >> 20} MB are free", str(layout.opt))
    folder = versions.next_folder(layout, origin.version)
    try:
        build(folder, origin)
        versions.complete(folder, flush, version=origin.version, source=origin.told, digest=origin.digest)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def put_in_use(layout: Places, folder: Path, flush: Flush) -> None:
    """This version starts from now on, with its own units."""
    if layout.is_real:  # as that version has them, which may be older or newer than this one
        subprocess.run([folder / "bin/python", "-m", "companion.box.install", "--place"], check=True)
    else:
        system_files.place(layout, pins_here())
    flush(layout.config.parent)
    versions.switch(layout, folder, flush)


def build_version(folder: Path, origin: Origin) -> None:
    """By `prepare.sh`, which knows what a Pi needs. Raises `CalledProcessError`."""
    script = system_files.files_folder() / "prepare.sh"
    wheels = ["--wheels", str(origin.wheels)] if origin.wheels else []
    subprocess.run(  # not where somebody stands: that folder may be gone
        ["sh", script, "--venv", folder, "--copy", "--from", origin.path, *wheels], check=True, cwd="/")
    subprocess.run([folder / "bin/python", "-m", "companion.main.check"], check=True)


def pins_here() -> str:
    """Whose pins a first config names."""
    return "lgpio" if Path("/proc/device-tree/system/linux,revision").exists() else "mock"


def closing_line(machine: Machine) -> str:
    """What the person who installs reads last."""
    if not machine.runs_systemd:
        return "The companion is installed. It starts with the machine."
    if machine.is_well():
        return "The companion runs. Its address: journalctl -u companion -n 5"
    why = machine.state().get("why", "journalctl -u companion -n 20 says why.")
    return f"The companion is installed but does not start: {why} Its page says what can be done."


def say(line: str) -> None:
    """To whoever installs."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--place"]:
        for name in system_files.place(Places(), pins_here()):
            say(f"  {name}")
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
