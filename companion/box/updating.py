"""Another version in place of the one in use, with a way back: by root, for whom `companion.box.updater` calls it.

    backup → a version beside the old one → its first start rehearsed on a copy → in use, on trial → well, or back

The power may go at any moment. `trial.json` is on the disk before the link is changed and goes only once the new
version is well or the old one is in use again; with it there when the machine starts, the trial is judged then.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.box import versions
from companion.box.install import BuildVersion, beside, put_in_use
from companion.box.launch import is_whole
from companion.box.layout import Places
from companion.box.machine import Machine
from companion.box.origin import Origin
from companion.box.versions import Flush, what_it_is, write_file
from companion.box.wish import write_told
from companion.errors import InvalidError, Phrase, phrase

KEPT_BACKUPS: Final = 3
AsService = Callable[[Sequence[str | Path]], subprocess.CompletedProcess[str]]
"""Runs a command as the service's user."""


@dataclass(frozen=True, slots=True)
class VersionTrial:
    """A version on trial, the one to go back to, and the backup that was made before."""

    new: str
    old: str
    backup: str


class Updating:
    """One machine's updates."""

    def __init__(
        self, layout: Places, machine: Machine, build: BuildVersion, flush: Flush, as_service: AsService
    ) -> None:
        self._layout, self._machine, self._build, self._flush = layout, machine, build, flush
        self._as_service = as_service

    def update(self, find: Callable[[], Origin]) -> Phrase:
        """Puts what `find` finds in use, if it is another; says how it went. Never raises for what can go wrong."""
        self._tell("running", phrase("box.updating"))
        try:
            origin = find()
            old = versions.in_use(self._layout)
            new = beside(self._layout, origin, self._build, self._flush, lambda _: None)
            if old is None or new == old:
                return self._tell("done", phrase("box.newest", given=origin.version))
            return self._try(new, old)
        except InvalidError as error:
            return self._tell("failed", error.phrase)
        except subprocess.SubprocessError:
            return self._tell("failed", phrase("box.not_made"))
        except OSError as error:
            return self._tell("failed", phrase("box.not_updated", given=str(error)))

    def back(self) -> Phrase:
        """Puts the version before in use; says how it went."""
        old = versions.in_use(self._layout)
        new = self._layout.before.resolve()
        if old is None or new == old or not is_whole(new):
            return self._tell("failed", phrase("box.no_before"))
        if self._schema(new) != self._schema(old):
            return self._tell("failed", phrase("box.before_too_old", given=what_it_is(new).get("version", "?")))
        try:
            return self._try(new, old)
        except InvalidError as error:
            return self._tell("failed", error.phrase)
        except subprocess.SubprocessError:
            return self._tell("failed", phrase("box.not_made"))
        except OSError as error:
            return self._tell("failed", phrase("box.not_updated", given=str(error)))

    def judge(self) -> Phrase | None:
        """A version on trial is well, or the old one is put back. None: none is on trial."""
        trial = self._trial()
        if trial is None:
            self._end_trial()
            return None
        used = versions.in_use(self._layout)
        if used is None or used.name != trial.new:
            self._end_trial()
            return self._tell("failed", phrase("box.cut_off"))
        if self._machine.is_well():
            self._end_trial()
            versions.prune(self._layout, self._flush)
            return self._tell("done", phrase("box.updated", given=what_it_is(used).get("version", "?")))
        return self._go_back(trial, used)

    def _try(self, new: Path, old: Path) -> Phrase:
        backup = self._backup(new.name)
        self._rehearse(new, backup)
        self._flush(self._layout.state)
        told = {"new": new.name, "old": old.name, "backup": str(backup or "")}
        write_file(self._layout.trial, json.dumps(told).encode(), 0o644)
        self._machine.stop()
        put_in_use(self._layout, new, self._flush)
        self._start()
        told_of = self.judge()
        assert told_of is not None
        return told_of

    def _go_back(self, trial: VersionTrial, new: Path) -> Phrase:
        said = self._machine.state()
        why = said.get("why") or "".join(said.get("trace", "").splitlines()[-1:])
        old = self._layout.versions / trial.old
        self._machine.stop()
        if trial.backup and self._schema(new) != self._schema(old):
            self._as_service([self._python(old), "-m", "companion.cli.main", "restore", trial.backup,
                              "--state", self._layout.state])
        put_in_use(self._layout, old, self._flush)
        self._start()
        given = what_it_is(new).get("version", "?")
        well = self._machine.is_well()
        self._end_trial()
        if well:  # nobody is to go back to it
            self._layout.before.unlink(missing_ok=True)
            versions.remove(new, self._flush)
        return self._tell("back" if well else "failed", phrase(
            "box.went_back" if well else "box.neither", given=given, why=why or phrase("safe.unknown")))

    def _start(self) -> None:
        self._machine.prepare()
        self._machine.restart()

    def _backup(self, name: str) -> Path | None:
        """A backup of all that is there; None where nothing is. Raises `InvalidError`."""
        old, folder = versions.in_use(self._layout), self._layout.state / "backups"
        if old is None or not (self._layout.state / "journal.sqlite").exists():
            return None
        file = folder / f"before-{name}.zip"
        self._as_service(["mkdir", "-p", folder])
        self._as_service(["rm", "-f", file])
        made = self._as_service(
            [self._python(old), "-m", "companion.cli.main", "backup", file, "--state", self._layout.state])
        if made.returncode:
            raise InvalidError(phrase("box.no_backup", given=made.stderr.strip()[-300:]))
        for each in sorted(folder.glob("before-*.zip"))[:-KEPT_BACKUPS]:
            self._as_service(["rm", "-f", each])
        return file

    def _rehearse(self, new: Path, backup: Path | None) -> None:
        """The new version reads the config and opens a copy of the journal. Raises `InvalidError`."""
        given = [backup] if backup else []
        done = self._as_service(
            [self._python(new), "-m", "companion.box.rehearsal", "--config", self._layout.config, *given])
        if done.returncode:
            raise InvalidError(phrase("box.rehearsal", given=done.stderr.strip()[-300:]))

    def _schema(self, version: Path) -> str:
        asked = "from companion.session.journal import schema; print(schema.VERSION)"
        return self._as_service([self._python(version), "-c", asked]).stdout.strip()

    def _python(self, version: Path) -> Path:
        return version / "bin/python"

    def _trial(self) -> VersionTrial | None:
        with suppress(OSError, ValueError, LookupError, TypeError):
            told = json.loads(self._layout.trial.read_bytes())
            return VersionTrial(str(told["new"]), str(told["old"]), str(told["backup"]))
        return None

    def _end_trial(self) -> None:
        if self._layout.trial.exists():
            self._layout.trial.unlink()
            self._flush(self._layout.opt)

    def _tell(self, what: str, said: Phrase) -> Phrase:
        """Keeps it where the pages find it."""
        return write_told(self._layout.told, what, said, anew=what == "running")
