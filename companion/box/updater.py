"""`python -m companion.box.updater`: what root's oneshot unit runs. Does what is wished, or judges a version on trial.

From where a version comes stands in `/etc/companion/update.toml`, which only root writes.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.box import versions
from companion.box.install import build_version
from companion.box.layout import Places
from companion.box.machine import Machine
from companion.box.origin import Origin, newest_wheel, origin_of, version_key
from companion.box.updating import Updating
from companion.box.wish import take_wish
from companion.errors import InvalidError, phrase
from companion.words import load

SERVICE_USER: Final = "companion"
GIT_S: Final = 600.0
A_LIBRARY: Final = "flask"
"""Whose wheel tells a folder made by `pip wheel` from one in which a wheel alone was put."""
SOURCE_KEYS: Final = ("wheels", "folder", "git")


def main() -> int:
    """Exit code: 0 it is told how it went."""
    layout = Places()
    with alone(layout), ExitStack() as kept:
        updating = updating_of(layout)
        said = updating.judge()
        match take_wish(layout.state):
            case "update":
                said = updating.update(lambda: source_of(layout.sources, kept))
            case "back":
                said = updating.back()
            case _:
                pass
    if said is not None:
        sys.stdout.write(load().say(said) + "\n")
    return 0


@contextmanager
def alone(layout: Places) -> Iterator[None]:
    """One update at a time: who comes second waits."""
    layout.opt.mkdir(parents=True, exist_ok=True)
    with (layout.opt / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def updating_of(layout: Places) -> Updating:
    """The updates of this machine."""
    return Updating(layout, Machine(layout), build_version, versions.flush, as_service)


def source_of(sources: Path, kept: ExitStack) -> Origin:
    """The newest version where root said; what is fetched is gone with `kept`. Raises `InvalidError`."""
    try:
        given = tomllib.loads(sources.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidError(phrase("box.no_sources", where=str(sources), given=str(error))) from error
    named = [(key, given[key]) for key in SOURCE_KEYS if isinstance(given.get(key), str)]
    if len(named) != 1 or len(given) != 1:
        raise InvalidError(phrase("box.one_source", where=str(sources)))
    key, where = named[0]
    if key == "wheels":
        return origin_of(newest_wheel(Path(where)), Path(where))
    return origin_of(where) if key == "folder" else tagged(where, kept)


def tagged(address: str, kept: ExitStack, tag: str = "") -> Origin:
    """The newest tag of a git repository, or this one. Raises `InvalidError`."""
    if address.startswith("-") or tag.startswith("-"):
        raise InvalidError(phrase("box.no_git", where=address, given="-"))
    if not tag:
        lines = _git(address, "ls-remote", "--tags", "--refs", address).splitlines()
        tags = [line.rpartition("refs/tags/")[2] for line in lines]
        known = [each for each in tags if each.lstrip("v")[:1].isdigit()]
        if not known:
            raise InvalidError(phrase("box.no_tag", where=address))
        tag = max(known, key=lambda each: version_key(each.lstrip("v")))
    folder = kept.enter_context(TemporaryDirectory(prefix="companion-"))
    _git(address, "clone", "--quiet", "--depth", "1", "--branch", tag, address, f"{folder}/companion")
    return origin_of(f"{folder}/companion", told=f"{address} {tag}")


def named(given: str, kept: ExitStack) -> Callable[[], Origin]:
    """What root names on the command line: a wheel, a folder, or `git+ADDRESS@TAG`."""
    if given.startswith("git+"):
        address, _, tag = given.removeprefix("git+").rpartition("@")
        return lambda: tagged(address, kept, tag) if address else tagged(tag, kept)
    return lambda: origin_of(given, wheels_beside(Path(given)))


def wheels_beside(given: Path) -> Path | None:
    """The folder of a wheel that lies among those of its libraries: all is taken from there, without a network."""
    return given.parent if given.suffix == ".whl" and any(given.parent.glob(f"{A_LIBRARY}-*.whl")) else None


def _git(address: str, *command: str) -> str:
    environ = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            ["git", *command], capture_output=True, text=True, check=True, timeout=GIT_S, env=environ)
    except FileNotFoundError as error:
        raise InvalidError(phrase("box.git_missing")) from error
    except subprocess.SubprocessError as error:
        why = str(getattr(error, "stderr", "") or error).strip()[-300:]
        raise InvalidError(phrase("box.no_git", where=address, given=why)) from error
    return done.stdout


def as_service(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """As the service's user, with nothing of root's surroundings."""
    environ = {"PATH": "/usr/bin:/bin", "HOME": "/var/lib/companion", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, user=SERVICE_USER, group=SERVICE_USER, extra_groups=[], umask=0o027, env=environ, cwd="/",
        capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
