"""Writes its parts into docs/reliability.md: `python -m tests.bench.door [attacks|stops]…`."""

from __future__ import annotations

import sys

from tests.bench.door import health, stops
from tests.bench.page import ROOT, machine, write_parts

PARTS = {"attacks": health.report, "stops": stops.report}


def main(wanted: list[str]) -> None:
    for name in wanted or PARTS:
        part = "\n".join([*PARTS[name](), "", machine()])
        sys.stdout.write(part + "\n")
        write_parts({name: part}, ROOT / "docs" / "reliability.md")


if __name__ == "__main__":
    main(sys.argv[1:])
