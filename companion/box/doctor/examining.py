"""All that is looked at, in one order."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion.box import versions
from companion.box.doctor import machine, service
from companion.box.doctor.service import Running
from companion.box.layout import Places
from companion.box.wish import read_told
from companion.errors import CompanionError, Phrase, phrase
from companion.games import registry
from companion.session import config
from companion.session.backup.making import journal_figures
from companion.session.config import Config
from companion.session.config_file import tables_in
from companion.session.kept_pieces import kept_piece_files
from companion.session.journal.schema import JOURNAL_NAME
from hardware import doctor as parts
from hardware.doctor import Finding


@dataclass(frozen=True, slots=True)
class Subject:
    """Which companion is examined: its config file, what that says, why it cannot be read, whether it is the
    installed one."""

    file: Path | None
    config: Config
    wrong: Phrase | None = None
    is_installed: bool = False


def subject(file: Path | None, layout: Places, environ: Mapping[str, str] = os.environ) -> Subject:
    """The companion that is meant: of the file, else the installed one with the surroundings of its unit, else one
    without a config."""
    installed = file is None and layout.config.exists()
    file = layout.config if installed else file
    state = layout.state if installed else config.default_folder(environ)
    try:
        given = {} if file is None else tables_in(file)
        found = config.read_config(given, Path() if file is None else file.parent)
        if "folder" not in given.get("state", {}):
            found = replace(found, folder=state)
        return Subject(file, found, None, installed)
    except CompanionError as error:
        return Subject(file, Config(folder=state), error.phrase, installed)


def examine_all(asked: Subject, layout: Places, running: Running | None = None) -> Iterator[Finding]:
    """Everything, the camera last. `running` is given where the service itself looks. Never raises."""
    settings = asked.config
    running = running or service.ask(settings, layout.root / "run/companion")
    yield of_version(layout)
    if asked.wrong is not None:
        yield Finding(False, asked.wrong)
    elif asked.file is not None:
        yield Finding(True, phrase("doctor.config", where=str(asked.file)))
    if asked.is_installed and (anew := read_told(layout.told_of_config).what) is not None:
        yield Finding(True, anew)
    yield from service.findings(running, asked.is_installed)
    yield from (Finding(False, why) for why in registry.broken_packages())
    yield journal(settings.folder)
    yield pieces(settings)
    if settings.keep.folder is not None:
        yield keeping(settings.keep.folder, settings.keep.mb)
    yield from machine.machine_findings(layout.root, settings.folder)
    if running.holds:
        yield service.pins(running)
        yield service.camera(running)
    else:
        yield from parts.examine(settings)


def of_version(layout: Places) -> Finding:
    """Which versions of what."""
    try:
        ours = version("tabletop-companion")
    except PackageNotFoundError:
        ours = "?"
    used = versions.in_use(layout)
    return Finding(True, phrase(
        "doctor.versions", given=ours, python=platform.python_version(), system=system(layout.root),
        where=str(used or Path(__file__).parents[3])))


def system(root: Path) -> str:
    """The name of the operating system, and of the board where there is one."""
    name = platform.system()
    with suppress(OSError, StopIteration):
        lines = (root / "etc/os-release").read_text(encoding="utf-8").splitlines()
        name = next(line.split("=")[1].strip('"') for line in lines if line.startswith("PRETTY_NAME="))
    with suppress(OSError):
        name += ", " + (root / "proc/device-tree/model").read_text(encoding="utf-8").strip("\0\n")
    return name


def journal(folder: Path) -> Finding:
    """Whether the games can be read."""
    if not (folder / JOURNAL_NAME).exists():
        return Finding(True, phrase("doctor.no_journal"))
    if not os.access(folder / JOURNAL_NAME, os.R_OK):
        return Finding(True, phrase("doctor.journal_rights", where=str(folder)))
    games, last = journal_figures(folder / JOURNAL_NAME)
    if not games and not last:
        empty = (folder / JOURNAL_NAME).stat().st_size < 100_000
        return Finding(empty, phrase("doctor.no_journal" if empty else "doctor.journal_bad", where=str(folder)))
    return Finding(True, phrase("doctor.journal", given=games))


def keeping(folder: Path, mb: int) -> Finding:
    """Whether what the camera sees can be kept where the config says."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if there.is_dir() and os.access(there, os.W_OK):
        return Finding(True, phrase("keep.told", where=str(folder), number=mb))
    return Finding(False, phrase("doctor.keep", where=str(folder)))


def pieces(settings: Config) -> Finding:
    """Whether the eyes know the pieces; not yet is a state, with the next step."""
    source = settings.source
    if source.kind not in ("camera",):
        return Finding(True, phrase("doctor.pieces_unneeded"))
    if source.pieces is not None:
        well = source.pieces.is_file()
        return Finding(well, phrase("doctor.pieces" if well else "doctor.pieces_gone", where=str(source.pieces)))
    known = kept_piece_files(settings.folder)
    return Finding(True, phrase("doctor.pieces_of", given=", ".join(known)) if known else phrase("doctor.no_pieces"))
