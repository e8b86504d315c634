"""How soon `/health` answers others while one address attacks, and while 200 phones watch."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Final

from tests.bench.door.attacks import ATTACKS, NAMES, STREAM, connect
from tests.bench.door.running import Running, running
from tests.bench.page import table

WATCHED_S: Final = 10.0
BETWEEN_S: Final = 0.02
STREAMS: Final = 200


@dataclass(frozen=True)
class Answered:
    """How long answers took, in ms, how many never came, and how many bytes the state folder grew by."""

    ms: list[float]
    failed: int
    grown: int

    def at(self, share: float) -> float:
        """So many answers took no longer; one that never came took longer than any."""
        return sorted([*self.ms, *[float("inf")] * self.failed])[int(share * (len(self.ms) + self.failed - 1))]


def measure(service: Running, watched_s: float = WATCHED_S) -> Answered:
    """Asks for `/health` over new connections from an address of its own."""
    ms, failed, before = [], 0, size(service.state)
    until_s = time.monotonic() + watched_s
    while time.monotonic() < until_s:
        since_s = time.monotonic()
        try:
            service.ask("/health", timeout_s=10)
            ms.append(1000 * (time.monotonic() - since_s))
        except OSError:
            failed += 1
        time.sleep(BETWEEN_S)
    return Answered(ms, failed, size(service.state) - before)


def size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def under_attack(name: str) -> Answered:
    """What others are answered during an attack on a service with an open game."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        service.do({"type": "start_game", "seq": 0, "header": NAMES})  # the first phone is the host
        service.ask("/host/pin", body=b"pin=yuzu-1972")
        service.ask("/sit", body=b"seat=0")
        attacker = subprocess.Popen([sys.executable, "-m", "tests.bench.door.attacks", name, str(service.port)])
        try:
            time.sleep(3.0)
            return measure(service)
        finally:
            attacker.kill()
            attacker.wait()


@contextmanager
def watching(service: Running, count: int = STREAMS) -> Iterator[list[int]]:
    """So many phones watch, each from an address of its own; gives how many bytes they have heard, in all."""
    heard, over = [0], Event()
    with ExitStack() as opened:
        phones = [opened.enter_context(connect(service.port, f"127.0.{1 + n // 200}.{1 + n % 200}"))
                  for n in range(count)]
        for phone in phones:
            phone.sendall(STREAM)
        listening = Thread(target=_listen, args=(phones, heard, over), daemon=True)
        listening.start()
        service.wait_for(lambda: json.loads(service.ask("/health"))["streams"] == count)
        try:
            yield heard
        finally:
            over.set()
            listening.join()


def _listen(phones: list[socket.socket], heard: list[int], over: Event) -> None:
    poll, by_number = select.poll(), {phone.fileno(): phone for phone in phones}
    for number in by_number:
        poll.register(number, select.POLLIN)
    while not over.is_set() and by_number:
        for number, _ in poll.poll(100):
            try:
                got = len(by_number[number].recv(65536))
            except OSError:
                got = 0
            heard[0] += got
            if not got:
                poll.unregister(number)
                with suppress(ConnectionRefusedError):  # the service has ended
                    again = _opened_again(by_number.pop(number))
                    by_number[again.fileno()] = again
                    poll.register(again.fileno(), select.POLLIN)
    for phone in by_number.values():
        phone.close()


def _opened_again(phone: socket.socket) -> socket.socket:
    """A stream ends with its game: the phone opens the next one, as browsers do."""
    with phone:
        again = connect(phone.getpeername()[1], phone.getsockname()[0])
    again.sendall(STREAM)
    return again


def with_streams() -> Answered:
    """What is answered while 200 phones watch a table that changes five times a second."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        service.do({"type": "start_game", "seq": 0, "header": NAMES})
        over = Event()

        def change() -> None:
            seq, on = 1, False
            while not over.wait(0.2):
                on = not on
                seq = service.do({"type": "pause", "seq": seq, "on": on}, "127.0.0.77").get("seq", seq)

        with watching(service):
            changing = Thread(target=change, daemon=True)
            changing.start()
            answered = measure(service)
            over.set()
            changing.join()
        return answered


def report() -> Iterator[str]:
    """The part `attacks` of the page."""
    rows = [(words, under_attack(name)) for name, (words, _) in ATTACKS.items()]
    rows.append((f"{STREAMS} phones watch a table that changes five times a second", with_streams()))
    yield "## The door\n"
    yield "`make bench-door`: a hostile phone (one address, 127.0.0.66, a process of its own) attacks a service with an"
    yield "open game; another phone asks for `/health` over new connections, 50 a second, for ten seconds. Promised:"
    yield "99 % within 100 ms. *Grown*: the state folder in these ten seconds.\n"
    yield from table(
        ("what the hostile phone does", "answers", "none", "median", "99 %", "worst", "grown"),
        [(words, str(len(each.ms)), str(each.failed), *(f"{each.at(share):.0f} ms" for share in (0.5, 0.99, 1.0)),
          f"{each.grown / 1000:.0f} kB") for words, each in rows])
