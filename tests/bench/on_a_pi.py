"""How long a Raspberry Pi may take, estimated: `python -m tests.bench.on_a_pi` writes a part of docs/on-a-pi.md.

Measured is processor time on this machine, which other programs on it change little; a Pi is taken to need so many
times as much. Nothing of it was measured on a Pi.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench.door.running import running
from tests.bench.page import EXCERPTS, ROOT, machine, table, write_parts

SLOWER: Final = {"Raspberry Pi 5": (2, 2.5), "Raspberry Pi 4": (4, 6)}
"""How many times as long one core takes, from and to: an assumption, from what others say of the same libraries."""
EXCERPT: Final = EXCERPTS / "kamikaze-1"
STARTS: Final = 3


def start_s() -> float:
    """Processor time of the service until its pages answer."""
    found = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as state, running(Path(state)) as service:
            fields = Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
            found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return statistics.median(found)


def looks_s() -> list[float]:
    """Processor time of each look at the excerpt's pictures, on one core; the first finds the table."""
    import cv2

    from companion.games import registry
    from vision.enrolment.enrol import enrol_set
    from vision.enrolment.picture_set import read_set
    from vision.pipeline.reader import Reader

    cv2.setNumThreads(1)
    known = read_set(EXCERPT)
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    layout = registry.game(known.game).layout(header["setup"])
    reader = Reader(known.lens, enrol_set(known, layout.kinds), layout, known.zones, known.seats)
    found = []
    for frame in known.frames():
        began_s = time.process_time()
        reader.look(frame)
        found.append(time.process_time() - began_s)
    return found


def report(started_s: float, looked_s: list[float]) -> Iterator[str]:
    """The part `estimates` of the page."""
    yield "## How long a Pi may take: an estimate\n"
    yield "`python -m tests.bench.on_a_pi`: processor time on one core of the machine below; a core of a Pi is taken to"
    ratios = " and ".join(f"{low:g} to {high:g} times ({name})" for name, (low, high) in SLOWER.items())
    yield f"need {ratios} as much. No"
    yield "figure of a Pi was measured. A first start after switching on reads from the card besides.\n"
    rows = [("the pages answer after a start", started_s), ("the first look, which finds the table", looked_s[0]),
            ("a look at pictures of Kamikaze Cans, the median", statistics.median(looked_s[1:])),
            ("the slowest of these", max(looked_s[1:]))]
    yield from table(
        ("what", "here", *SLOWER),
        [(what, f"{s:.2f} s", *(f"{low * s:.1f}–{high * s:.1f} s" for low, high in SLOWER.values()))
         for what, s in rows])


def main() -> int:
    part = "\n".join([*report(start_s(), looks_s()), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"estimates": part}, ROOT / "docs" / "on-a-pi.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
