"""`python -m tests.bench.things --seeds 1-2`: how many things are taken for hands, and hands for things.

Makes small pictures by the maker (`MAKER` is its folder), one table a game and seed, some two minutes each, in
`build/things`; what is there stays. Each picture is judged by itself after the first look at its table. Prints, for
each table and in all, how many pictures of each kind were taken for free, and the frames that were judged wrongly.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from companion.errors import SightError
from tests.bench.fresh import maker
from tests.vision.score_gate import watch_of
from vision.enrolment.picture_set import make_small, read_picture, read_set, read_truth
from vision.presence.table_gate import TableGate

GAMES = ("kamikaze-cans", "yuzu-twist", "crate-wars", "pick-and-pack", "war-chest")
MADE = maker.BUILT.parent / "things"


def judge(folder: Path) -> tuple[Counter[tuple[str, bool]], list[str]]:
    """How many pictures of each kind were taken for free (True) or not, and the ones judged wrongly."""
    known = read_set(folder)
    watch = watch_of(known)
    base = known.frame(0)
    watch.look(base)
    area = watch.area
    assert area is not None
    references = [make_small(read_picture(each.picture, known.lens)) for each in known.enrolments]
    counted: Counter[tuple[str, bool]] = Counter()
    wrong = []
    for line in list(read_truth(folder))[1:]:
        gate = TableGate(area, references)
        gate.accept(base.small)
        is_free = gate.look(known.frame(int(line["frame"])).small, 60.0).state == "free"
        counted[str(line["what"]), is_free] += 1
        if is_free != bool(line["free"]):
            wrong.append(f"{line['frame']} {line['what']}")
    return counted, wrong


def make(game: str, seed: int) -> Path:
    """The pictures of a table."""
    return maker.by_script(Path(__file__).with_name("pictures.py"), MADE / f"{game}-{seed}", game, str(seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", required=True, help="FIRST-LAST")
    parser.add_argument("--games", default=",".join(GAMES))
    args = parser.parse_args()
    first, _, last = args.seeds.partition("-")
    total: Counter[tuple[str, bool]] = Counter()
    for seed in range(int(first), int(last or first) + 1):
        for game in args.games.split(","):
            folder = make(game, seed)
            try:
                counted, wrong = judge(folder)
            except SightError as error:
                print(f"{folder.name}: cannot be begun with ({error.phrase.id})", flush=True)
                continue
            total += counted
            print(f"{folder.name}: {told(counted)}; wrongly: {', '.join(wrong) or 'none'}", flush=True)
    print(f"all: {told(total)}")


def told(counted: Counter[tuple[str, bool]]) -> str:
    """Of each kind, how many were taken for free."""
    judged = Counter(kind for kind, _ in counted.elements())
    return ", ".join(f"{kind} {counted[kind, True]} of {judged[kind]} free" for kind in sorted(judged))


if __name__ == "__main__":
    main()
