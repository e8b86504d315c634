"""How long a contact may bounce: `python -m tests.bench.bounces` writes the part `bounces` of docs/reliability.md.

Simulated: gpiozero's own pins and ours over a chip that debounces as the kernel does, and contacts that bounce at
random.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from hardware.buttons import BOUNCE_S
from tests.bench.page import ROOT, table, write_parts
from tests.hardware.bouncing import MAX_EDGES, pressed

PRESSES = 300
BOUNCE_MS = (1, 5, 10, 20, 50, 80, 110)
SHORTEST_S, LONGEST_S = 0.12, 0.6
"""How long a finger holds a button that is pressed shortly."""


def counted(library: str, bounce_ms: int) -> int:
    """How many gestures came of the presses."""
    rng = Random(bounce_ms)
    held_s = [rng.uniform(SHORTEST_S, LONGEST_S) for _ in range(PRESSES)]
    with pressed(library, held_s, bounce_ms / 1000, seed=bounce_ms) as gestures:
        return len(gestures)


def report() -> Iterator[str]:
    yield "## Bouncing contacts\n"
    yield f"`python -m tests.bench.bounces`: {PRESSES} short presses ({SHORTEST_S:g} to {LONGEST_S:g} s) of a contact"
    yield f"that closes and opens with up to {MAX_EDGES} edges at random in so many milliseconds, simulated; how many"
    yield f"presses came of them. The pins are debounced for {1000 * BOUNCE_S:.0f} ms, by which it is told later.\n"
    yield from table(("bouncing for", "by lgpio", "by RPi.GPIO"), [
        (f"{each} ms", f"{counted('lgpio', each)} of {PRESSES}", f"{counted('rpigpio', each)} of {PRESSES}")
        for each in BOUNCE_MS])


if __name__ == "__main__":
    part = "\n".join(report())
    sys.stdout.write(part + "\n")
    write_parts({"bounces": part}, ROOT / "docs" / "reliability.md")
