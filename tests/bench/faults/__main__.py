"""`python -m tests.bench.faults`: see the package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from tests.bench.faults import kinds
from tests.bench.faults.kinds import STREAMS
from tests.bench.page import ROOT, machine, table, write_parts

JUMPS: Final = 100
FILLED: Final = 20
FORBIDDEN: Final = 10
STOPPED: Final = 10
RUN_OUT: Final = 10


def report() -> Iterator[str]:
    """The part `faults` of the page."""
    yield "## Faults while it runs\n"
    yield "`python -m tests.bench.faults`: somebody plays, the fault happens, somebody plays on. Afterwards each"
    yield "command that was acknowledged is looked for in the journal. *Refused*: answered with a reason instead. The"
    yield "clock is one that is shown to the service's processes; every fifth jump ends with `kill -9`. The disk is an"
    yield "ext4 of its own; it turns read-only as it does when its file system finds a fault (`remount,abort`)."
    yield "Memory runs out in a control group with a limit of its own, as a greedy program beside takes it. Eyes that"
    yield "hang: *Stops and hangs*.\n"
    rows = [
        kinds.clock(JUMPS).row("the clock jumps, up to 30 years either way"),
        kinds.full(FILLED).row("the disk fills"),
        kinds.read_only(FORBIDDEN).row("the disk turns read-only"),
        kinds.stopped(STOPPED).row(f"SIGTERM while {STREAMS} phones watch"),
        kinds.out_of_memory(RUN_OUT).row("memory runs out"),
    ]
    yield from table(("what", "how often", "acknowledged", "refused", "lost", "and"), rows)


def main() -> int:
    part = "\n".join([*report(), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"faults": part}, ROOT / "docs" / "reliability.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
