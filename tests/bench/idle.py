"""What the idle service costs: `python tests/bench/idle.py [SOURCE]` prints one JSON object.

`ready_s` from the start of the command until its pages answer; `pss_mb` the proportional set size of each of its
processes once the eyes have read a free table, and of all together.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
PORT = 18099
PATIENCE_S = 600.0


def measure(source: str) -> dict[str, Any]:
    """Starts the service twice: once to learn the pieces, once to be measured."""
    with tempfile.TemporaryDirectory() as state:
        if source != "none":
            _run(source, state, settle=True)
        return _run(source, state, settle=source != "none")


def _run(source: str, state: str, settle: bool) -> dict[str, Any]:
    command = [sys.executable, "-m", "companion.cli.main", "run", "--source", source]
    command += ["--port", str(PORT), "--state", state]
    started_s = time.monotonic()
    service = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for("/health", lambda _: True)
        ready_s = time.monotonic() - started_s
        if settle:
            _wait_for("/eyes.json", lambda said: bool(said["picture"]))
            time.sleep(5.0)  # some more looks, until memory stands still
        found = {_name(pid): round(pss_mb(pid), 1) for pid in _family(service.pid)}
    finally:
        service.terminate()
        service.wait()
    return {"source": Path(source).name, "ready_s": round(ready_s, 2), "pss_mb": found | {"all": sum(found.values())}}


def pss_mb(pid: int) -> float:
    """Proportional set size of a process in MB."""
    said = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    found = re.search(r"^Pss:\s+(\d+) kB", said, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def _family(pid: int) -> list[int]:
    children = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += [int(each) for each in (task / "children").read_text(encoding="ascii").split()]
    return [pid, *(each for child in sorted(set(children)) for each in _family(child))]


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    return next((word for word in reversed(words) if word.startswith("companion.")), str(pid))


def _wait_for(page: str, good: Any) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{page}", timeout=5) as answer:
                if good(json.load(answer)):
                    return
        except OSError:
            pass
        time.sleep(0.02)
    raise TimeoutError(page)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1] if len(sys.argv) > 1 else str(EXCERPT))) + "\n")
