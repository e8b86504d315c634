"""docs/benchmarks.md: parts between comments, each written by the program that measured it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
EXCERPTS = ROOT / "tests" / "data"


def write_parts(measured: Mapping[str, str], page: Path) -> None:
    """Puts these parts into the page, in place of the old ones or at its end; the other parts keep their text."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    for name, part in measured.items():
        whole = f"<!-- {name} -->\n{part}\n<!-- /{name} -->"
        if f"<!-- {name} -->" in text:
            pattern = rf"<!-- {name} -->\n.*?\n<!-- /{name} -->"
            text = re.sub(pattern, whole.replace("\\", r"\\"), text, flags=re.S)
        else:
            text = f"{text.rstrip()}\n\n{whole}\n"
    page.write_text(text, encoding="utf-8")


def machine() -> str:
    """What machine this is, as far as it matters."""
    import cv2
    import numpy as np

    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith(("model name", "Model"))), platform.machine())
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    software = f"Python {platform.python_version()}, OpenCV {cv2.__version__}, NumPy {np.__version__}"
    system = f"{platform.system()} {platform.machine()}"
    return f"Machine: {cpu}, {os.cpu_count()} cores, {memory_gb:.0f} GB; {system}, {software}."


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows with a title for each column, in Markdown."""
    yield f"| {' | '.join(titles)} |"
    yield f"|---|{'--:|' * (len(titles) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def share(count: int, whole: int) -> str:
    """So many of so many, and in per cent."""
    return f"{count}/{whole} ({100 * count / whole:.2f} %)" if whole else "–"
