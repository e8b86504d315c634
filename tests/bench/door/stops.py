"""How soon the service ends with 200 streams open, and how soon eyes that hang are told and started again."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.bench.door.health import STREAMS, watching
from tests.bench.door.running import Running, running
from tests.bench.idle import WATCHED_S, family, run_once
from tests.bench.page import EXCERPTS, table

EXCERPT: Final = str(EXCERPTS / "kamikaze-1")
TRIES: Final = 3


def _nothing(_: Running) -> None: ...


def _started(service: Running) -> None:
    service.wait_for(service.eyes_pid)


def _learning(service: Running) -> None:
    service.wait_for(lambda: "learning" in service.eyes()["words"])
    time.sleep(1.0)


def _seen(service: Running) -> None:
    service.wait_for(lambda: service.eyes()["picture"])


def _hung(service: Running) -> None:
    _seen(service)
    os.kill(_eyes(service), signal.SIGSTOP)


def _hung_at_start(service: Running) -> None:
    _started(service)
    os.kill(_eyes(service), signal.SIGSTOP)


def _eyes(service: Running) -> int:
    pid = service.eyes_pid()
    assert pid is not None
    return pid


STATES: Final[Mapping[str, tuple[str, bool, Callable[[Running], object]]]] = {
    "no eyes": ("none", False, _nothing),
    "starting": (EXCERPT, True, _started),
    "learning": (EXCERPT, False, _learning),
    "seeing": (EXCERPT, True, _seen),
    "hung": (EXCERPT, True, _hung),
    "hung while starting": (EXCERPT, True, _hung_at_start),
}
"""The state of the eyes: their source, whether the pieces were learned before, and how the state is reached."""


def learned() -> tempfile.TemporaryDirectory[str]:
    """A state folder in which the pieces of the excerpt are learned."""
    folder = tempfile.TemporaryDirectory()
    with running(Path(folder.name), EXCERPT) as service:
        _seen(service)
    return folder


def stop_s(state: Path, name: str) -> float:
    """Seconds until the service has ended."""
    source, _, reach = STATES[name]
    with running(state, source) as service, watching(service):
        reach(service)
        children = family(service.process.pid)[1:]
        took_s = service.stop()
        assert not list(filter(_runs, children)), "something of it is left"
        return took_s


def _runs(pid: int) -> bool:
    """Whether a process is there, and not merely waited for: a child's child is init's to bury."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return "State:\tZ" not in status


def hang_s(state: Path) -> tuple[float, float]:
    """Seconds until eyes that hang are told, and until others run in their place."""
    with running(state, EXCERPT) as service:
        _seen(service)
        old = _eyes(service)
        since_s = time.monotonic()
        os.kill(old, signal.SIGSTOP)
        service.wait_for(lambda: service.eyes()["state"] == "gone")
        told_s = time.monotonic() - since_s
        service.wait_for(lambda: service.eyes_pid() not in (None, old))
        return told_s, time.monotonic() - since_s


def report() -> Iterator[str]:
    """The part `stops` of the page."""
    folder = learned()
    rows, hangs = [], []
    with folder as known:
        for name, (_, is_learned, _) in STATES.items():
            times = []
            for _ in range(TRIES):
                with tempfile.TemporaryDirectory() as fresh:
                    times.append(stop_s(Path(known if is_learned else fresh), name))
            rows.append((name, f"{min(times):.2f} s", f"{max(times):.2f} s"))
        hangs = [hang_s(Path(known)) for _ in range(TRIES)]
        idle = run_once(EXCERPT, known, settle=True, watched_s=WATCHED_S)["memory_mb"]
    yield "## Stops and hangs\n"
    yield f"`make bench-door`: `companion run`, {STREAMS} phones watching, each from an address of its own; from"
    yield f"SIGTERM until all its processes have ended, the quickest and the slowest of {TRIES}. Promised: 2 s.\n"
    yield from table(("the eyes are", "quickest", "slowest"), rows)
    told_s, again_s = (max(each) for each in zip(*hangs))
    yield f"\nEyes that were stopped (SIGSTOP), {TRIES} times: told after at most {told_s:.1f} s (promised: 5 s),"
    yield f"others run in their place after at most {again_s:.1f} s (promised: 15 s)."
    yield from memory(idle)


def memory(found: Mapping[str, Any]) -> Iterator[str]:
    """What the idle service takes with eyes, at its worst moment."""
    worst = found["worst"]
    shares = ", ".join(f"{name} {mb:.0f} MB" for name, mb in worst.items() if name != "all")
    yield f"\nIdle with eyes (`python -m tests.bench.idle`): {worst['all']:.0f} MB at the worst of"
    yield f"{found['moments']} moments (promised: 180 MB): {shares}."


