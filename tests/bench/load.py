"""What 200 open phones cost the table, some of them stuck: `python -m tests.bench.load` (`make bench-load`).

Measured: the first page after a start; `/health` for another phone while the table changes; how soon a change has come
to the last phone that reads; what a phone over the limit is told; how soon the service stops with all of them open. All
phones have addresses of their own. The exit code is 1 when a promise is broken.
"""

from __future__ import annotations

import json
import re
import select
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Final

from tests.bench.door.attacks import NAMES, STREAM, connect
from tests.bench.door.health import Answered, measure
from tests.bench.door.running import Running, running
from tests.bench.page import ROOT, machine, table, write_parts

PHONES: Final = 200
STUCK: Final = 4
"""So many of the phones never read."""
CHANGES: Final = 20
BETWEEN_S: Final = 0.4
WATCHED_S: Final = 10.0
STARTS: Final = 5
PATIENCE_S: Final = 10.0
"""No change is waited for longer."""

PROMISED: Final = {"first page": 2.0, "health": 0.1, "change": 0.4, "stop": 2.0}
"""Seconds."""


@dataclass
class Heard:
    """Phones that read their streams in one thread. `newest`: the number of the last news, and when it came, by
    phone."""

    phones: list[socket.socket]
    newest: dict[int, tuple[int, float]] = field(default_factory=dict)
    over: Event = field(default_factory=Event)

    def listen(self) -> None:
        poll, by_number = select.poll(), {phone.fileno(): phone for phone in self.phones}
        rest = dict.fromkeys(by_number, b"")
        for number in by_number:
            poll.register(number, select.POLLIN)
        while not self.over.is_set():
            for number, _ in poll.poll(50):
                got = by_number[number].recv(1 << 18)
                if not got:
                    poll.unregister(number)
                    continue
                text = rest[number] + got
                if told := re.findall(rb"\nid: (\d+)\n", text):
                    self.newest[number] = int(told[-1]), time.monotonic()
                rest[number] = text[-16:]

    def all_told(self, number: int) -> float | None:
        """When the last phone was told news of at least this number; None while one was not."""
        told = list(self.newest.values())
        if len(told) < len(self.phones) or any(each < number for each, _ in told):
            return None
        return max(at_s for _, at_s in told)


@dataclass(frozen=True)
class Load:
    """What came of it. `changes_s`: of each change, until the last phone knew."""

    phones: int
    first_page_s: list[float]
    health: Answered
    changes_s: list[float]
    refused: tuple[bytes, bytes]
    """Status line and `Retry-After` of the phone that was one too many."""
    stop_s: float


def first_page_s() -> float:
    """Seconds from the start of the command until the first page is there."""
    with tempfile.TemporaryDirectory() as folder:
        since_s = time.monotonic()
        with running(Path(folder)) as service:
            assert b"<html" in service.ask("/")
            return time.monotonic() - since_s


def opened(service: Running, stack: ExitStack, count: int, first: int = 0, stuck: int = 0) -> list[socket.socket]:
    """So many phones that watch, each from an address of its own, the first of them `stuck`: they never read, and what
    the kernels of both sides hold for them is so little that the service itself is left with the rest."""
    phones = [stack.enter_context(
        connect(service.port, f"127.0.{1 + n // 200}.{1 + n % 200}", is_narrow=n - first < stuck))
        for n in range(first, first + count)]
    for phone in phones:
        phone.sendall(STREAM)
    return phones


def watched(service: Running) -> int:
    return int(json.loads(service.ask("/health"))["streams"])


def load(phones: int = PHONES, stuck: int = STUCK, changes: int = CHANGES, watched_s: float = WATCHED_S,
         starts: int = STARTS) -> Load:
    """Opens the phones, changes the table, and asks meanwhile."""
    starting_s = [first_page_s() for _ in range(starts)]
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service, ExitStack() as stack:
        service.do({"type": "start_game", "seq": 0, "header": NAMES})
        every = opened(service, stack, phones, stuck=stuck)
        heard = Heard(every[stuck:])
        listening = Thread(target=heard.listen, daemon=True)
        listening.start()
        service.wait_for(lambda: watched(service) == phones and heard.all_told(1) is not None)
        changes_s = [change_s(service, heard, number) for number in range(changes)]
        health = while_it_changes(service, watched_s)
        refused = one_too_many(service, stack, phones)
        stop_s = service.stop()
        heard.over.set()
        listening.join()
    return Load(phones, starting_s, health, changes_s, refused, stop_s)


def change_s(service: Running, heard: Heard, number: int) -> float:
    """Seconds from a command until the last phone that reads knows what came of it."""
    before = max(each for each, _ in heard.newest.values())
    seq = int(json.loads(service.ask("/table.json"))["seq"])
    since_s = time.monotonic()
    assert service.do({"type": "pause", "seq": seq, "on": number % 2 == 0})["ok"]
    while (last_s := heard.all_told(before + 1)) is None:
        if time.monotonic() - since_s > PATIENCE_S:
            return float("inf")
        time.sleep(0.005)
    time.sleep(BETWEEN_S)
    return last_s - since_s


def while_it_changes(service: Running, watched_s: float) -> Answered:
    """How soon another phone is answered while the table changes five times a second."""
    over = Event()

    def change() -> None:
        seq, on = 0, False
        while not over.wait(0.2):
            on = not on
            seq = service.do({"type": "pause", "seq": seq, "on": on}, "127.0.0.77").get("seq", seq)

    changing = Thread(target=change, daemon=True)
    changing.start()
    try:
        return measure(service, watched_s)
    finally:
        over.set()
        changing.join()


def one_too_many(service: Running, stack: ExitStack, phones: int) -> tuple[bytes, bytes]:
    """Opens as many phones as may watch, and one more: what that one is told."""
    most = int(json.loads(service.ask("/health"))["most"])
    opened(service, stack, most - phones, phones)
    service.wait_for(lambda: watched(service) == most)
    (last,) = opened(service, stack, 1, most)
    head = last.recv(4096)
    after = re.search(rb"\r\nRetry-After: (\d+)", head)
    return head.split(b"\r\n")[0], after[1] if after else b""


def broken(found: Load) -> Iterator[str]:
    """The promises that were not kept."""
    if max(found.first_page_s, default=0.0) > PROMISED["first page"]:
        yield "first page"
    if found.health.at(0.99) > 1000 * PROMISED["health"]:
        yield "health"
    if max(found.changes_s) > PROMISED["change"]:
        yield "change"
    if not found.refused[0].startswith(b"HTTP/1.1 503 ") or not found.refused[1]:
        yield "one too many"
    if found.stop_s > PROMISED["stop"]:
        yield "stop"


def report(found: Load) -> Iterator[str]:
    """The part `load` of the page."""
    changes, starts, health = sorted(found.changes_s), sorted(found.first_page_s), found.health
    status, after = (each.decode() for each in found.refused)
    yield "## Two hundred phones\n"
    yield f"`make bench-load`: {found.phones} phones watch an open game, each from an address of its own, and {STUCK}"
    yield "of them never read. *Health*: asked over new connections while the table changes five times a second.\n"
    shares = (f"{health.at(share):.0f} ms" for share in (0.5, 0.99, 1.0))
    yield from table(("what", "promised", "median", "99 %", "worst"), [
        ("`/health` for another phone", "99 % in 100 ms", *shares),
        (f"a change, until the last of {found.phones - STUCK} phones knows, {len(changes)} times", "400 ms",
         f"{1000 * changes[len(changes) // 2]:.0f} ms", "–", f"{1000 * changes[-1]:.0f} ms"),
        (f"the first page after a start, {len(starts)} times", "2 s", f"{starts[len(starts) // 2]:.2f} s", "–",
         f"{starts[-1]:.2f} s"),
        ("from SIGTERM to the end, with all phones there are places for", "2 s", "–", "–", f"{found.stop_s:.2f} s"),
    ])
    yield f"\nA phone too many is told: {status.partition(' ')[2].title()}, Retry-After: {after}."


def main() -> int:
    found = load()
    part = "\n".join([*report(found), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"load": part}, ROOT / "docs" / "reliability.md")
    for name in (unkept := list(broken(found))):
        sys.stderr.write(f"not kept: {name}\n")
    return 1 if unkept else 0


if __name__ == "__main__":
    sys.exit(main())
