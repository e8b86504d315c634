"""The part `service` of the benchmarks: how soon pages answer, and how much memory the idle service takes."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.idle import measure
from tests.bench.page import EXCERPTS


def service() -> Iterator[str]:
    """How soon the pages answer, and how much memory service and eyes take together while nothing moves."""
    found = measure(str(EXCERPTS / "kamikaze-1"))
    memory = found["memory_mb"]
    worst, usual = (", ".join(f"{name} {mb:.0f} MB" for name, mb in memory[when].items() if name != "all")
                    for when in ("worst", "median"))
    yield "## Service\n"
    yield "`python -m tests.bench.idle`: `companion run` with the picture set that comes with it, its pieces learned"
    yield "already; proportional set size (PSS) of all its processes from the first free table that was read, looked"
    yield f"at {memory['moments']} times. Libraries count whole: as where nobody else has them loaded.\n"
    yield f"- pages answer after {found['ready_s']:.2f} s (promised: 2 s)"
    yield f"- memory at the worst moment: {memory['worst']['all']:.0f} MB (promised: 150 MB): {worst}"
    yield f"- memory at the median moment: {memory['median']['all']:.0f} MB: {usual}"
