"""Scores as rows of text: for a terminal, and for the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from companion.cli.judge_spots import SHIFT_CLASSES_MM
from companion.cli.scoring import Score

CellText = Callable[[dict[str, Any]], str]


def text_table(scores: Sequence[tuple[str, Score]]) -> str:
    """The scores as a table for a terminal, a column a set."""
    titles, rows = rows_of(scores)
    columns = [("", titles), *rows]
    widths = [max(len(cells[i]) for _, cells in columns) for i in range(len(scores))]
    return "\n".join(
        f"{title:26}" + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths)) for title, cells in columns
    )


def rows_of(scores: Sequence[tuple[str, Score]]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The names of the sets, and each row's title with its cells."""
    found = [score.json() for _, score in scores]
    return [name for name, _ in scores], [(title, [tell(each) for each in found]) for title, tell in _ROWS]


def of(count: int, whole: int) -> str:
    """`right/of share`."""
    return f"{count}/{whole} {100 * count / whole:.2f} %" if whole else "–"


def _pair(*keys: str) -> CellText:
    def tell(score: dict[str, Any]) -> str:
        found: Any = score["look"]
        for key in keys:
            found = found[key]
        return of(found["right"], found["of"])

    return tell


def _spread(key: str, other: str) -> CellText:
    def tell(score: dict[str, Any]) -> str:
        median, far = score[key]["median"], score[key][other]
        return "–" if median is None else f"{median}, {far}"

    return tell


_ROWS: Final[tuple[tuple[str, CellText], ...]] = (
    ("frames, free", lambda s: f"{s['frames']}, {s['free']}"),
    ("free looks not read", lambda s: of(s["free_unread"], s["free"])),
    ("busy looks read", lambda s: of(s["busy_read"], s["busy"])),
    ("cards mm, worst", _spread("cards_mm", "worst")),
    ("cards °, worst", _spread("cards_deg", "worst")),
    ("board mm, worst", _spread("board_mm", "worst")),
    ("crates mm, worst", _spread("crates_mm", "worst")),
    ("set-up right, open", lambda s: f"{s['setup']['right']} of {s['setup']['told']}, {s['setup']['open']}"),
    ("one look: empty or not", _pair("occupied")),
    ("  colour of drinks", _pair("colour")),
    ("  can or bottle", _pair("family")),
    *((f"  shape, lid {name}", _pair("shape", name)) for _, name in SHIFT_CLASSES_MM),
    ("  faces", _pair("faces")),
    ("  faces, no reflection", _pair("clear_faces")),
    ("  all spots", lambda s: of(s["spots_one_look"], s["spots"])),
    ("spots right", lambda s: of(s["spots_right"], s["spots"])),
    ("spots open", lambda s: of(s["spots_open"], s["spots"])),
    ("tables without error", lambda s: of(s["tables_right"], s["tables"])),
    ("plies right", lambda s: of(s["right"], s["plies"])),
    ("plies asked", lambda s: of(s["asked"], s["plies"])),
    ("plies missed", lambda s: of(s["missed"], s["plies"])),
    ("plies silently wrong", lambda s: str(s["silently_wrong"])),
    ("watch ms, p95", _spread("watch_ms", "p95")),
    ("first reading ms", lambda s: str(s["first_read_ms"])),
    ("read ms, p95", _spread("read_ms", "p95")),
    ("interpret ms, p95", _spread("interpret_ms", "p95")),
    ("peak memory MB", lambda s: str(s["peak_mb"])),
)
"""Title and cell of each row, stage by stage."""
