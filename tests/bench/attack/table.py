"""The table that is attacked: a service of its own with an open game, a host, a guest who sits, and strangers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.bench.attack.phones import Phone
from tests.bench.door.running import Running, running

KAMIKAZE: Final[dict[str, Any]] = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0}}


@dataclass
class Table:
    """`host` began the game, `guest` sits on seat 0, nobody on seat 1."""

    service: Running
    host: Phone
    guest: Phone
    _number: Iterator[int] = field(default_factory=lambda: count(20))

    def stranger(self) -> Phone:
        """A phone that was never here, from an address of its own."""
        number = next(self._number)
        return Phone(self.service.port, f"127.0.{number // 200 + 1}.{number % 200 + 2}")

    def begin(self, header: Mapping[str, Any] = KAMIKAZE) -> None:
        """The host begins a game; the guest sits down on seat 0."""
        answer = self.host.do(self.seq(), type="start_game", header=header)
        assert answer.status == 200, answer.text
        sat = self.guest.form("/sit", {"seat": "0"})
        assert sat.status == 303, sat.text

    def seq(self) -> int:
        """The sequence number of now, which a refused command tells."""
        told = self.host.do(-1, type="pause", on=True).json()
        return int(told["seq"]) if isinstance(told, dict) else 0

    def goes_on(self) -> bool:
        """Whether the writer still writes: the guest's phone pauses the table, and goes on."""
        return all(self.guest.do(self.seq(), type="pause", on=on).status == 200 for on in (True, False))


Attempt = Callable[[Table], str | None]


@contextmanager
def table() -> Iterator[Table]:
    """A service whose first phone is the host."""
    with TemporaryDirectory() as folder, running(Path(folder) / "state") as service:
        host = Phone(service.port, "127.0.0.2")
        host.get("/host")
        found = Table(service, host, Phone(service.port, "127.0.0.3"))
        found.begin()
        yield found
