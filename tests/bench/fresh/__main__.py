"""`python -m tests.bench.fresh --seeds 2000-2001`: makes a round of sets, evaluates it, keeps it.

    --specs FOLDER     renders kept specs instead and prints what they come to: regression, no round
    --render           makes the sets only: they may be made before the last change if nobody looks at them
    --page             writes the page once more, with causes that were written into the rounds since
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.evaluate import evaluate
from companion.cli.score_table import text_table
from tests.bench.fresh import maker, rounds
from tests.bench.page import PAGE, write_parts


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes picture sets that nobody has seen, and evaluates them.")
    parser.add_argument("--seeds", default="", help="FIRST-LAST; the first follows the last round's")
    parser.add_argument("--specs", type=Path)
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    if args.specs is not None:
        print(text_table([(each.name, evaluate(each)) for each in maker.from_specs(args.specs)]))
    elif not args.page:
        _round(args.seeds, render_only=args.render)
    write_parts({"fresh": "\n".join(rounds.report(rounds.rounds()))}, PAGE)


def _round(seeds: str, *, render_only: bool) -> None:
    first, _, last = seeds.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal():
        raise SystemExit("Which seeds? make fresh SEEDS=2000-2001")
    low, high = int(first), int(last or first)
    if reason := rounds.must_come_next(low, high, rounds.rounds()):
        raise SystemExit(f"No seed is skipped and none is used twice: {reason}.")
    sets = maker.sweep(low, high)
    if not render_only:
        rounds.measure(low, high, sets)


if __name__ == "__main__":
    main()
