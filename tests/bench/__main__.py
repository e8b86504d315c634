"""`make bench`: measures the companion on this machine and writes docs/benchmarks.md. Takes an hour.

    python -m tests.bench [rules] [eyes] [worse] [service] [referee]  # all parts, or only these; others keep their text
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator

from tests.bench.eyes import eyes
from tests.bench.page import PAGE, machine, write_parts
from tests.bench.referee import referee
from tests.bench.rules import rules
from tests.bench.service import service
from tests.bench.worse import worse

PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "rules": rules, "eyes": eyes, "worse": worse, "service": service, "referee": referee,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the companion on this machine, writes docs/benchmarks.md.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)} (all)")
    wanted = parser.parse_args().parts or list(PARTS)
    measured = {}
    for name, measure in PARTS.items():
        if name in wanted:
            print(f"measuring {name} …", file=sys.stderr)
            measured[name] = "\n".join(measure())
    write_parts(measured, PAGE)
    text = re.sub(r"^Machine: .*$", machine(), PAGE.read_text(encoding="utf-8"), count=1, flags=re.M)
    PAGE.write_text(text, encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
