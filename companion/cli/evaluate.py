"""`companion evaluate`: reads picture sets as `read --answer` does and compares with what was really there."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.engine import Json
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
    parser.add_argument("--html", type=Path, metavar="FOLDER", help="also write a report with pictures, to look at")


def run(args: argparse.Namespace, words: Words) -> int:
    """Evaluates the sets; gives 0."""
    from companion.cli.score_table import text_table
    from companion.cli.scoring import Score

    pooled, found = Score(), []
    for folder in args.sets:
        found.append(evaluated(folder))
        pooled += found[-1].score
    if args.json:
        sets = [{"set": each.name} | each.score.json() for each in found]
        print(json.dumps({"sets": sets, "all": pooled.json()}))
    else:
        print(text_table([*((each.name, each.score) for each in found), ("all", pooled)]))
    if args.html is not None:
        from companion.cli.report import write_report

        print(write_report(args.html, found, pooled), file=sys.stderr)
    return 0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A set that was read and compared: what was read, what was true, and the score. `sizes`: the smaller side of each
    appearance in mm."""

    folder: Path
    lines: list[Json]
    truth: list[Json]
    sizes: dict[str, float]
    score: Score

    @property
    def name(self) -> str:
        """The set's name."""
        return self.folder.resolve().name


def evaluate(folder: Path) -> Score:
    """The score of one set."""
    return evaluated(folder).score


def evaluated(folder: Path) -> Evaluated:
    """Reads a set and compares. Its truth is opened here only, after the reading process has ended."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "read.jsonl"
        peak_mb = _read(folder, out)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    found = compared(folder, lines)
    found.score.peak_mb = peak_mb
    return found


def compared(folder: Path, lines: list[Json]) -> Evaluated:
    """What was read of a set beside its truth."""
    from companion.cli.judge_spots import with_faces
    from companion.cli.played import played
    from companion.cli.scoring import score
    from companion.cli.set_pictures import dazzled, eye_of, views
    from vision.enrolment.picture_set import read_set, read_truth

    pictures, true, game = read_set(folder), read_truth(folder), played(folder / "record.jsonl")
    pieces: dict[str, Json] = {each.name: {"kind": each.kind, "size": each.size_mm} for each in pictures.pieces}
    faces = with_faces(pieces, game.game.layout(game.setup).kinds)
    eye, in_light = None, {}
    by_frame = {each["frame"]: each["pieces"] for each in true if each["free"]}
    for frame, image, view in views(pictures, list(by_frame)):
        eye = eye or eye_of(view)
        in_light[frame] = dazzled(image, view, by_frame[frame], faces)
    sizes = {each.name: min(each.size_mm[:2]) for each in pictures.pieces}
    found = score(lines, true, game, pieces, eye, in_light)
    return Evaluated(folder, lines, true, sizes, found)


def _read(folder: Path, out: Path) -> float:
    """Runs `companion read` in a process of its own; gives its highest resident memory in MB."""
    command = [sys.executable, "-m", "companion.cli.main", "read", str(folder), "--out", str(out), "--confidence"]
    process = subprocess.Popen([*command, "--answer", str(folder / "record.jsonl")])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return round(usage.ru_maxrss / 1024, 1)
