"""`companion evaluate`: reads picture sets as `read --answer` does and compares with what was really there."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.words import Words

if TYPE_CHECKING:
    from companion.cli.scoring import Score


def add(commands: Any) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "evaluate",
        help="read picture sets and compare with what is known of them",
        description="Reads each set as `companion read --answer` with the set's own record does, in its own process, "
        "then compares the answers with the set's truth: spots, tables, plies, times and memory.",
    )
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET", help="folders of picture sets")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")


def run(args: argparse.Namespace, words: Words) -> int:
    """Evaluates the sets; gives 0."""
    from companion.cli.scoring import Score

    pooled, rows = Score(), []
    for folder in args.sets:
        score = evaluate(folder)
        rows.append((folder.resolve().name, score))
        pooled += score
    if args.json:
        sets = [{"set": name} | score.json() for name, score in rows]
        print(json.dumps({"sets": sets, "all": pooled.json()}))
    else:
        print(table([*rows, ("all", pooled)]))
    return 0


def evaluate(folder: Path) -> Score:
    """The score of one set. Its truth is opened here only, after the reading process has ended."""
    from companion.cli.chain import opened_by, states_of
    from companion.cli.scoring import Played, score
    from vision.pictureset import read_set, truth

    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "read.jsonl"
        peak_mb = _read(folder, out)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    record = folder / "record.jsonl"
    opened = opened_by(record)
    sizes = {piece.name: min(piece.size_mm[:2]) for piece in read_set(folder).pieces}
    result = score(lines, truth(folder), Played(opened.game, opened.setup, states_of(record)), sizes)
    result.peak_mb = peak_mb
    return result


def _read(folder: Path, out: Path) -> float:
    """Runs `companion read` in a process of its own; gives its highest resident memory in MB."""
    command = [sys.executable, "-m", "companion.cli.main", "read", str(folder), "--out", str(out)]
    process = subprocess.Popen([*command, "--answer", str(folder / "record.jsonl")])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return round(usage.ru_maxrss / 1024, 1)


def table(rows: list[tuple[str, Score]]) -> str:
    """The scores as a table for a terminal, a column a set."""
    columns = [("", [name for name, _ in rows])]
    for title, tell in _ROWS:
        columns.append((title, [tell(score.json()) for _, score in rows]))
    widths = [max(len(cells[i]) for _, cells in columns) for i in range(len(rows))]
    return "\n".join(
        f"{title:24}" + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths)) for title, cells in columns
    )


def _of(count: int, whole: int) -> str:
    return f"{count}/{whole} {100 * count / whole:.2f} %" if whole else "–"


_ROWS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("frames, free", lambda s: f"{s['frames']}, {s['free']}"),
    ("set-up right, open", lambda s: f"{s['setup']['right']} of {s['setup']['told']}, {s['setup']['open']}"),
    ("cards mm, worst", lambda s: f"{s['cards_mm']['median']}, {s['cards_mm']['worst']}"),
    ("cards °, worst", lambda s: f"{s['cards_deg']['median']}, {s['cards_deg']['worst']}"),
    ("spots right", lambda s: _of(s["spots_right"], s["spots"])),
    ("spots open", lambda s: _of(s["spots_open"], s["spots"])),
    ("spots right, one look", lambda s: _of(s["spots_one_look"], s["spots"])),
    ("tables without error", lambda s: _of(s["tables_right"], s["tables"])),
    ("plies right", lambda s: _of(s["right"], s["plies"])),
    ("plies asked", lambda s: _of(s["asked"], s["plies"])),
    ("plies missed", lambda s: _of(s["missed"], s["plies"])),
    ("plies silently wrong", lambda s: str(s["silently_wrong"])),
    ("free looks not read", lambda s: _of(s["free_unread"], s["free"])),
    ("busy looks read", lambda s: _of(s["busy_read"], s["busy"])),
    ("watch ms, p95", lambda s: f"{s['watch_ms']['median']}, {s['watch_ms']['p95']}"),
    ("first reading ms", lambda s: str(s["first_read_ms"])),
    ("read ms, p95", lambda s: f"{s['read_ms']['median']}, {s['read_ms']['p95']}"),
    ("interpret ms, p95", lambda s: f"{s['interpret_ms']['median']}, {s['interpret_ms']['p95']}"),
    ("peak memory MB", lambda s: str(s["peak_mb"])),
)
"""Title and cell of each row."""
