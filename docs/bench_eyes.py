"""What `bench.py eyes` measures: sets read whole, single looks, how sure they are, pieces learned at another table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.cli.chain import Answerer, build
from companion.cli.evaluate import compared, evaluate
from companion.cli.played import opened_by, played
from companion.cli.scoring import Score, reliability
from companion.games import registry
from companion.words import load

EXCERPTS = Path(__file__).parent.parent / "tests" / "data"
Scored = Sequence[tuple[str, Score]]


def eyes() -> Iterator[str]:
    """The committed excerpts, and beside them the sets in the folder TABLES."""
    yield "## Eyes and interpretation\n"
    yield "`companion evaluate SET…`: each set is read by `companion read --answer` in its own process, on one core,"
    yield "and compared with what was really there. A set-up counts what the table can tell of it, a spot every piece"
    yield "that can be seen and everything that was seen where nothing is."
    yield "\n### The excerpts that come with the project (`tests/data`)\n"
    yield from _whole([(folder.name, _evaluated(folder)) for folder in _sets(EXCERPTS)])
    folders = _sets(Path(os.environ.get("TABLES") or "../shared/tables"))
    yield "\n### Whole sets\n"
    if not folders:
        yield "The whole sets were not there."
        return
    found = [(folder.name, _evaluated(folder)) for folder in folders]
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
    yield "\n### Pieces learned at another table\n"
    yield "The pieces are enrolled from the other set of the same game, under another camera and light; only the bare"
    yield "table and the cards are this set's own. Pieces that the other set does not have are this set's own too.\n"
    yield from _crossed(folders)


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
    yield from _table(
        ["set", "free, unread", "busy, read", "set-up right, wrong, open", "spots wrong", "spots open", "tables right",
         "plies", "right", "asked", "missed", "silently wrong", "first ms", "read ms, p95", "watch ms",
         "interpret ms, p95", "MB"],
        [[name, f"{s.free}, {s.free_unread}", f"{s.busy}, {s.busy_read}",
          f"{s.setup['right']}, {s.setup['told'] - s.setup['right']}, {s.setup['open']}",
          _share(s.spots - s.spots_right - s.spots_open, s.spots), _share(s.spots_open, s.spots),
          _share(s.tables_right, s.tables), f"{s.plies}", f"{s.right}", f"{s.asked}", f"{s.missed}",
          f"{s.silently_wrong}", _ms(j["first_read_ms"]), _spread(j["read_ms"]), _ms(j["watch_ms"]["median"], 1),
          _spread(j["interpret_ms"]), f"{s.peak_mb:.0f}"] for name, s in found for j in [s.json()]])


def _looks(found: Scored) -> Iterator[str]:
    rows = []
    for name, score in found:
        look = score.look.json()
        pairs = [look["occupied"], look["colour"], look["family"], *look["shape"].values(), look["faces"],
                 look["clear_faces"]]
        rows.append([name, *(_share(pair["right"], pair["of"]) for pair in pairs)])
    yield from _table(["set", "empty or occupied", "colour", "can or bottle", "shape, lid < 0.3 mm", "0.3–0.7 mm",
                       "≥ 0.7 mm", "faces", "no reflection"], rows)


def _reliability(pooled: Score) -> Iterator[str]:
    pieces, plies = reliability(pooled.look.sure), reliability(pooled.sure_plies)
    limits = [*(each["from"] for each in pieces[1:]), 1.0]
    rows = [[f"{100 * a['from']:g}–{100 * limit:g} %", _share(a["right"], a["said"]), _share(b["right"], b["said"])]
            for a, b, limit in reversed(list(zip(pieces, plies, limits, strict=True))) if a["said"] or b["said"]]
    yield from _table(["said with", "pieces by one look: right", "plies given out unasked: right"], rows)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"|---|{'--:|' * (len(titles) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _share(count: int, whole: int) -> str:
    return f"{count}/{whole} ({100 * count / whole:.2f} %)" if whole else "–"


def _ms(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _spread(found: dict[str, Any]) -> str:
    return f"{_ms(found['median'])}, {_ms(found['p95'])}"


# --- pieces of another table ------------------------------------------------------------------------------------------


def _crossed(folders: Sequence[Path]) -> Iterator[str]:
    by_game: dict[str, list[Path]] = {}
    for folder in folders:
        by_game.setdefault(opened_by(folder / "record.jsonl").game.id, []).append(folder)
    rows = []
    for pair in by_game.values():
        for mine, other in ((a, b) for a in pair for b in pair if a != b):
            print(f"  {mine.name} with the pieces of {other.name} …", file=sys.stderr)
            rows.append(_row_of_crossed(mine, other))
    yield from _table(["set", "pieces of", "pieces in common", "spots right, one look", "colour", "can or bottle",
                       "shape, lid ≥ 0.7 mm", "faces", "spots wrong", "plies right, asked, silently wrong"], rows)


def _row_of_crossed(mine: Path, other: Path) -> list[str]:
    common, score = played_with(mine, other)
    look = score.look.json()
    clear = list(look["shape"].values())[-1]
    wrong = score.spots - score.spots_right - score.spots_open
    return [mine.name, other.name, str(common), _share(score.spots_one_look, score.spots),
            *(_share(pair["right"], pair["of"]) for pair in (look["colour"], look["family"], clear, look["faces"])),
            _share(wrong, score.spots), f"{score.right}, {score.asked}, {score.silently_wrong} of {score.plies}"]


def played_with(mine: Path, other: Path) -> tuple[int, Score]:
    """How many pieces of the other set are in this one too, and how this set is read when they are learned there."""
    import cv2

    from vision.enrol import enrol_set
    from vision.pictureset import read_set

    cv2.setNumThreads(1)  # as `companion read` does
    known = read_set(mine)
    own, others = enrol_set(known), enrol_set(read_set(other))
    names = {piece.name for piece in own.pieces} & {piece.name for piece in others.pieces}
    mixed = replace(others, pieces=own.pieces, bare=own.bare, cards=own.cards, references=own.references,
                    **{part: _mixed(getattr(own, part), getattr(others, part), names) for part in ("faces", "prints")})
    record = mine / "record.jsonl"
    words = load("en", [registry.game(id).words for id in registry.ids()])
    chain = build(known, opened_by(record), words, Answerer.of(played(record)), confidence=True, pieces=mixed)
    return len(names), compared(mine, list(chain.lines(known))).score


def _mixed(own: Any, others: Any, names: set[str]) -> dict[str, Any]:
    return {name: others[name] if name in names and name in others else each for name, each in own.items()}
