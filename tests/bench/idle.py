"""What the idle service costs: `python -m tests.bench.idle [SOURCE]` prints one JSON object.

`ready_s` from the start of the command until its pages answer; `memory_mb` the proportional set size (PSS) of all its
processes from the moment the eyes have read a free table, looked at every few hundredths of a second: the median and
the worst moment, and each process's share of both. Pages of files (libraries) that several processes show are counted
once, whole: on a machine where others run Python, too, the kernel's own figure would be smaller.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.page import EXCERPTS
from tests.box.installed import free_port

EXCERPT = EXCERPTS / "kamikaze-1"
PATIENCE_S = 600.0
WATCHED_S, EVERY_S = 20.0, 0.02

Sizes = Mapping[str, float]
"""MB by process."""


def measure(source: str, watched_s: float = WATCHED_S) -> dict[str, Any]:
    """Starts the service twice: once to learn the pieces, once to be measured."""
    with tempfile.TemporaryDirectory() as state:
        if source != "none":
            run_once(source, state, settle=True, watched_s=0.0)
        return run_once(source, state, settle=source != "none", watched_s=watched_s)


def run_once(source: str, state: str, settle: bool, watched_s: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "companion.cli.main", "run", "--source", source]
    port = free_port()
    command += ["--port", str(port), "--state", state]
    started_s = time.monotonic()
    service = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/health", lambda _: True)
        ready_s = time.monotonic() - started_s
        if settle:
            _wait_for(f"http://127.0.0.1:{port}/eyes.json", lambda said: bool(said["picture"]))
        moments = list(_moments(service.pid, watched_s))
    finally:
        service.terminate()
        service.wait()
    return {"source": Path(source).name, "ready_s": round(ready_s, 2), "memory_mb": _summary(moments)}


def _summary(moments: list[Sizes]) -> dict[str, Any]:
    by_size = sorted(moments, key=lambda sizes: sum(sizes.values()))
    worst = {name: round(mb, 1) for name, mb in by_size[-1].items()}
    names = by_size[-1].keys()
    usual = {name: round(median(sizes[name] for sizes in by_size if name in sizes), 1) for name in names}
    return {
        "moments": len(moments),
        "median": usual | {"all": round(median(sum(sizes.values()) for sizes in by_size), 1)},
        "worst": worst | {"all": round(sum(by_size[-1].values()), 1)},
    }


def _moments(pid: int, watched_s: float) -> Iterator[Sizes]:
    """The sizes of a process and its children, again and again; at least once."""
    until_s = time.monotonic() + watched_s
    while True:
        try:
            yield sizes_mb(family(pid))
        except FileNotFoundError:  # one of them ended just now
            continue
        if time.monotonic() > until_s:
            return
        time.sleep(EVERY_S)


def sizes_mb(pids: list[int]) -> Sizes:
    """The memory of some processes. A part of a file belongs to the first of them that shows most of it."""
    own, shown = dict.fromkeys(pids, 0), dict[tuple[str, str], tuple[int, int]]()
    for pid in pids:
        for part, anonymous_kb, file_kb in _parts(pid):
            own[pid] += anonymous_kb
            if file_kb > shown.get(part, (0, pid))[0]:
                shown[part] = file_kb, pid
    for file_kb, pid in shown.values():
        own[pid] += file_kb
    return {_name(pid): kb / 1024 for pid, kb in own.items()}


def _parts(pid: int) -> Iterator[tuple[tuple[str, str], int, int]]:
    """Of each part of memory: which part of which file it shows, kB of its own, and kB as they are in the file."""
    for told in re.split(r"\n(?=[0-9a-f]+-[0-9a-f]+ )", Path(f"/proc/{pid}/smaps").read_text(encoding="utf-8")):
        _, _, offset, _, file, *_ = told.split("\n")[0].split(maxsplit=5)
        kb = {name: int(value) for name, value in re.findall(r"^(\w+):\s+(\d+) kB", told, re.MULTILINE)}
        if kb:
            yield (file, offset), kb["Anonymous"], kb["Rss"] - kb["Anonymous"]


def family(pid: int) -> list[int]:
    children = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += [int(each) for each in (task / "children").read_text(encoding="ascii").split()]
    return [pid, *(each for child in sorted(set(children)) for each in family(child))]


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    return next((word for word in reversed(words) if word.startswith("companion.")), str(pid))


def _wait_for(page: str, good: Any) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        try:
            with urllib.request.urlopen(page, timeout=5) as answer:
                if good(json.load(answer)):
                    return
        except OSError:
            pass
        time.sleep(0.02)
    raise TimeoutError(page)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1] if len(sys.argv) > 1 else str(EXCERPT))) + "\n")
