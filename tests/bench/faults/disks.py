"""The disk of a service that runs fills, or turns read-only: an ext4 of its own, in a namespace of its own."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.door.running import Running, running
from tests.bench.faults.playing import Playing

DISK_MB: Final = 24
PLIES: Final = 4


class NoDiskError(Exception):
    """Why no such disk can be had here."""


@dataclass
class Disk:
    """A file that is a disk, seen by one service at a time."""

    image: Path
    state: Path

    @classmethod
    def made(cls, folder: Path) -> Disk:
        """A new one. Raises `NoDiskError`."""
        disk = cls(folder / "disk.img", folder / "state")
        disk.state.mkdir()
        with disk.image.open("wb") as file:
            file.truncate(DISK_MB * 1_000_000)
        _call("mkfs.ext4", "-q", "-m", "0", str(disk.image))
        _call(*disk.under, "true")
        return disk

    @property
    def under(self) -> tuple[str, ...]:
        """A command before others, which see the disk as the state folder."""
        mounted = f'mount -o loop {self.image} {self.state} && exec "$@"'
        return "unshare", "-m", "sh", "-c", mounted, "sh"

    @contextmanager
    def running(self) -> Iterator[Running]:
        """A service with this disk."""
        with running(self.state, under=self.under) as service:
            yield service

    def fill(self, service: Running) -> None:
        """Not a byte more goes on it."""
        with suppress(OSError), (self._seen_by(service) / "filling").open("wb") as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()

    def make_room(self, service: Running) -> None:
        (self._seen_by(service) / "filling").unlink()

    def forbid(self, service: Running) -> None:
        """The file system finds a fault and allows no more writing, as ext4 does on a card that dies."""
        _call("nsenter", f"--target={service.process.pid}", "--mount", "mount", "-o", "remount,abort", str(self.state))

    def mend(self) -> None:
        """The card in another machine: its file system is put right."""
        subprocess.run(["e2fsck", "-fy", str(self.image)], capture_output=True, check=False)

    @contextmanager
    def opened(self) -> Iterator[Path]:
        """The state folder, while no service runs."""
        _call("mount", "-o", "loop", str(self.image), str(self.state))
        try:
            yield self.state
        finally:
            _call("umount", str(self.state))

    def _seen_by(self, service: Running) -> Path:
        return Path(f"/proc/{service.process.pid}/root{self.state}")


def full(disk: Disk, rounds: int, seed: int = 1) -> tuple[Playing, float]:
    """The disk fills so many times while it is played, and there is room again. Gives what was played, and the seconds
    from the first refusal until the page says why, at worst."""
    playing, told_s = Playing(Random(seed)), [0.0]
    with disk.running() as service:
        for _ in range(rounds):
            assert playing.plies(service, PLIES)
            disk.fill(service)
            while playing.ply(service):  # there is still room in what SQLite has
                pass
            told_s.append(_told(service))
            disk.make_room(service)
            service.wait_for(lambda: playing.ply(service))
            service.wait_for(lambda: json.loads(service.ask("/health"))["journal"])
        service.stop()
    return playing, max(told_s)


def read_only(disk: Disk, rounds: int, seed: int = 1) -> tuple[Playing, float]:
    """The same for a file system that allows no more writing; afterwards the service is started anew."""
    playing, told_s = Playing(Random(seed)), [0.0]
    for _ in range(rounds):
        with disk.running() as service:
            assert playing.plies(service, PLIES)
            disk.forbid(service)
            while playing.ply(service):
                pass
            told_s.append(_told(service))
            assert service.ask("/"), "the page is there all the same"
            service.stop()
        disk.mend()
    with disk.running() as service:
        assert playing.plies(service, PLIES)
        service.stop()
    return playing, max(told_s)


def _told(service: Running) -> float:
    since_s = time.monotonic()
    service.wait_for(lambda: json.loads(service.ask("/table.json"))["trouble"])
    return time.monotonic() - since_s


def _call(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoDiskError(str(getattr(error, "stderr", "") or error).strip()) from error
