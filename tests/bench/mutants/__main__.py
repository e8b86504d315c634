"""Draws mutants, runs the tests against them, and writes the part `mutants` of docs/tests.md.

    python -m tests.bench.mutants --seed 7              # 420 mutants
    python -m tests.bench.mutants --seed 7 --count 60   # a quick look
    python -m tests.bench.mutants --table               # the page once more from build/mutants.json, with new verdicts
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import monotonic

from tests.bench.mutants import mutmut
from tests.bench.mutants.judged import Verdict, as_toml, read_judged
from tests.bench.mutants.mutmut import Change
from tests.bench.mutants.sample import drawn
from tests.bench.page import ROOT, share, table, write_parts

PAGE = ROOT / "docs" / "tests.md"
KEPT = ROOT / "build" / "mutants.json"
COUNT = 420
AIM = 0.85
FOUND = ("killed", "segfault", "suspicious")
"""A test failed, or Python itself did."""
NOT_FOUND = ("survived", "no tests")


@dataclass(frozen=True)
class Tried:
    """A mutant of the sample, and what became of it. Those that were found tell no change."""

    area: str
    name: str
    became: str
    change: Change | None


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws mutants, runs the tests against them, writes docs/tests.md.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--table", action="store_true", help="run nothing, write the page with new verdicts")
    args = parser.parse_args()
    if not args.table:
        _keep(args.seed, args.count)
    kept = json.loads(KEPT.read_text("utf-8"))
    tried = [Tried(each["area"], each["name"], each["became"], _change(each["change"])) for each in kept["tried"]]
    judged = read_judged()
    write_parts({"mutants": "\n".join(page(tried, judged, kept["seed"], kept["all"], kept["minutes"]))}, PAGE)
    for each in tried:
        if each.became in NOT_FOUND and each.change and each.change not in judged:
            print(as_toml(each.change))
    print(f"{PAGE}: {100 * score(tried, judged):.1f} % found")
    raise SystemExit(score(tried, judged) < AIM)


def _keep(seed: int, count: int) -> None:
    """Tries a sample, and keeps what became of it."""
    began_s = monotonic()
    names = mutmut.make()
    sample = drawn(names, seed, count)
    became = mutmut.attempt([name for those in sample.values() for name in those])
    tried = [Tried(area, name, became[name], None if became[name] in FOUND else mutmut.change(name))
             for area, those in sample.items() for name in those]
    KEPT.parent.mkdir(exist_ok=True)
    told = {"seed": seed, "all": len(names), "minutes": (monotonic() - began_s) / 60, "tried": [*map(asdict, tried)]}
    KEPT.write_text(json.dumps(told, indent=1), encoding="utf-8")


def _change(told: Mapping[str, Sequence[str]] | None) -> Change | None:
    return Change(str(told["module"]), str(told["function"]), tuple(told["lines"])) if told else None


def _ends(tried: Sequence[Tried], judged: Mapping[Change, Verdict]) -> Mapping[str, list[Tried]]:
    """The mutants by how they ended: found, survived, equal to the code, timed out."""
    ends: dict[str, list[Tried]] = {"found": [], "survived": [], "equivalent": [], "timeout": []}
    for each in tried:
        verdict = judged.get(each.change) if each.change else None
        end = "found" if each.became in FOUND else "survived" if each.became in NOT_FOUND else "timeout"
        ends["equivalent" if end == "survived" and verdict and verdict.equivalent else end].append(each)
    return ends


def score(tried: Sequence[Tried], judged: Mapping[Change, Verdict]) -> float:
    """The share of those found among all that could be: equivalents and time-outs do not count."""
    ends = _ends(tried, judged)
    return len(ends["found"]) / max(len(ends["found"]) + len(ends["survived"]), 1)


def page(tried: Sequence[Tried], judged: Mapping[Change, Verdict], seed: int, number: int, minutes: float
         ) -> Iterator[str]:
    """The part of docs/tests.md."""
    yield f"`make mutants SEED={seed}`: {len(tried)} of {number:,} mutants, in {minutes:.0f} minutes."
    yield "Equivalents and time-outs count neither as found nor as survivors.\n"
    areas = list(dict.fromkeys(each.area for each in tried))
    rows = [[area, *_figures([each for each in tried if each.area == area], judged)] for area in areas]
    yield from table(["area", "tried", "found", "survived", "equivalent", "timed out"],
                     [*rows, ["**all**", *_figures(tried, judged)]])
    for end, head in (("survived", "Survivors"), ("equivalent", "Equivalents"), ("timeout", "Time-outs")):
        listed = _ends(tried, judged)[end]
        if listed:
            yield f"\n### {head}\n"
            yield from _listed(listed, judged)


def _figures(tried: Sequence[Tried], judged: Mapping[Change, Verdict]) -> list[str]:
    ends = _ends(tried, judged)
    found, survived = len(ends["found"]), len(ends["survived"])
    return [str(len(tried)), share(found, found + survived), str(survived), str(len(ends["equivalent"])),
            str(len(ends["timeout"]))]


def _listed(tried: Sequence[Tried], judged: Mapping[Change, Verdict]) -> Iterator[str]:
    """A line a mutant: where, what it changes, a word on it."""
    for each in tried:
        if each.change:
            verdict = judged.get(each.change)
            lines = " ".join(f"`` {line} ``" for line in each.change.lines)
            yield f"- `{each.change.place}`: {lines}" + (f" {verdict.word}" if verdict else "")


if __name__ == "__main__":
    main()
