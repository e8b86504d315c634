"""The part `eyes` of the benchmarks: sets read whole, single looks, and how sure they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.cli.evaluate import evaluate
from companion.cli.scoring import Score, reliability
from tests.bench.other_table import crossed
from tests.bench.page import EXCERPTS, ROOT, share, table

Scored = Sequence[tuple[str, Score]]


def eyes() -> Iterator[str]:
    """The sets in the folder TABLES; without them the excerpts that come with the project."""
    yield "## Eyes and interpretation\n"
    yield "`companion evaluate SET…`: each set is read by `companion read --answer` in its own process, on one core,"
    yield "and compared with what was really there. A set-up counts what the table can tell of it, a spot every piece"
    yield "that can be seen and everything that was seen where nothing is. Times are by the clock: a load above the"
    yield "number of cores slows them down."
    folders = set_folders()
    if folders[0].parent == EXCERPTS:
        yield "Whole sets were not there: these are the excerpts that come with the project (`tests/data`)."
    yield "\n### Sets\n"
    found = [(folder.name, _evaluated(folder)) for folder in folders]
    yield f"The machine's load at the end: {os.getloadavg()[2]:.1f} on {os.cpu_count()} cores.\n"
    pooled = Score()
    for _, score in found:
        pooled += score
    yield from _whole([*found, ("**all**", pooled)])
    yield "\n### One look alone\n"
    yield "Shapes are counted by how far 4 mm of height shift the lid on the table: under 0.3 mm one look cannot tell."
    yield "Faces are coins, tiles, trays, cards and markers; the last column leaves out those in a reflection.\n"
    yield from _looks([*found, ("**all**", pooled)])
    yield "\n### How sure, and how often right\n"
    yield from _reliability(pooled)
    yield "\n### Drinks learned at another table\n"
    yield "Drinks are learned from the set whose drinks look most alike, under another camera, table and light; all"
    yield "else is this set's own. (Coins, cards, tiles and trays are printed differently in each of these sets.)\n"
    yield from crossed(folders)


def set_folders() -> list[Path]:
    """The sets in the folder TABLES; without them the excerpts that come with the project."""
    return _sets(Path(os.environ.get("TABLES") or ROOT.parent / "shared" / "tables")) or _sets(EXCERPTS)


def _sets(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [each for each in sorted(folder.iterdir()) if (each / "set.json").is_file() and
            (each / "frames.jsonl").is_file()]


def _evaluated(folder: Path) -> Score:
    print(f"  {folder.name} …", file=sys.stderr)
    return evaluate(folder)


# --- tables -----------------------------------------------------------------------------------------------------------


def _whole(found: Scored) -> Iterator[str]:
    yield from table(
        ["set", "free, unread", "busy, read", "set-up right, wrong, open", "spots wrong", "spots open", "tables right",
         "plies", "right", "asked", "missed", "silently wrong", "first ms", "read ms, p95", "watch ms",
         "interpret ms, p95", "MB"],
        [[name, f"{s.free}, {s.free_unread}", f"{s.busy}, {s.busy_read}",
          setup(s.setup), share(s.spots - s.spots_right - s.spots_open, s.spots), share(s.spots_open, s.spots),
          share(s.tables_right, s.tables), f"{s.plies}", f"{s.right}", f"{s.asked}", f"{s.missed}",
          f"{s.silently_wrong}", _ms(j["first_read_ms"]), _spread(j["read_ms"]), _ms(j["watch_ms"]["median"], 1),
          _spread(j["interpret_ms"]), f"{s.peak_mb:.0f}"] for name, s in found for j in [s.json()]])


def setup(counts: Mapping[str, int]) -> str:
    """What was told of a set-up rightly and wrongly, and what was left open: `Score.setup`, or the same of a file."""
    return f"{counts['right']}, {counts['told'] - counts['right']}, {counts['open']}"


def _looks(found: Scored) -> Iterator[str]:
    rows = []
    for name, score in found:
        look = score.look.json()
        pairs = [look["occupied"], look["colour"], look["family"], *look["shape"].values(), look["faces"],
                 look["clear_faces"]]
        rows.append([name, *(share(pair["right"], pair["of"]) for pair in pairs)])
    yield from table(["set", "empty or occupied", "colour", "can or bottle", "shape, lid < 0.3 mm", "0.3–0.7 mm",
                       "≥ 0.7 mm", "faces", "no reflection"], rows)


def _reliability(pooled: Score) -> Iterator[str]:
    pieces, plies = reliability(pooled.look.sure), reliability(pooled.sure_plies)
    limits = [*(each["from"] for each in pieces[1:]), 1.0]
    rows = [[f"{100 * a['from']:g}–{100 * limit:g} %", share(a["right"], a["said"]), share(b["right"], b["said"])]
            for a, b, limit in reversed(list(zip(pieces, plies, limits, strict=True))) if a["said"] or b["said"]]
    yield from table(["said with", "pieces by one look: right", "plies given out unasked: right"], rows)


def _ms(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _spread(found: dict[str, Any]) -> str:
    return f"{_ms(found['median'])}, {_ms(found['p95'])}"
