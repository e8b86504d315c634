"""What a round of fresh sets came to: measured once, kept in a file, told in a table."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.cli.evaluate import Evaluated, evaluated
from companion.cli.scoring import Score, quantile
from tests.bench.changed_pictures import WAYS
from tests.bench.eyes import setup
from tests.bench.page import ROOT, share, table
from tests.bench.worse import read_changed

KEPT: Final = Path(__file__).with_name("rounds")
FIRST_SEED: Final = 2000
COUNTED: Final = ("plies", "right", "asked", "missed", "silently_wrong", "spots", "spots_right", "spots_open", "free",
                  "free_unread", "busy", "busy_read")
TIMED: Final = ("watch_ms", "read_ms", "interpret_ms", "first_read_ms")
GAMES: Final = ("kamikaze-cans", "yuzu-twist", "crate-wars", "pick-and-pack", "war-chest")
"""The maker makes a set of each, a seed."""
WORSE_SETS: Final = 3
WORSE_WAYS: Final = ("another light", "poorer camera", "half the pixels")
"""So many sets of a round, of as many games, are evaluated once more in pictures that were made worse in these ways."""
TIMES_TOLD: Final = 2
"""Times are told of so many of the last rounds: they are those of the code of that day."""
MAX_MISSED: Final = 2
"""More plies missed than this is a lost table."""


def rounds() -> list[dict[str, Any]]:
    """All rounds that were ever begun, by their seeds."""
    found = [json.loads(path.read_text("utf-8")) for path in KEPT.glob("*.json")]
    return sorted(found, key=lambda each: each["seeds"][0])


def must_come_next(first: int, last: int, known: Sequence[Mapping[str, Any]]) -> str | None:
    """Why these seeds are no round, in words; None when they are: the next ones, or those of a round that was begun."""
    for each in known:
        if each["seeds"] == [first, last]:
            return None
    following = max((each["seeds"][1] + 1 for each in known), default=FIRST_SEED)
    return None if first == following <= last else f"the next round begins with seed {following}"


def measure(first: int, last: int, sets: Sequence[Path]) -> dict[str, Any]:
    """Evaluates what of a round is not evaluated yet, and keeps it set by set."""
    kept = KEPT / f"{first}.json"
    found: dict[str, Any] = (json.loads(kept.read_text("utf-8")) if kept.exists()
                             else {"seeds": [first, last], "sets": []})
    KEPT.mkdir(exist_ok=True)
    known = {each["set"] for each in found["sets"]}
    for folder in sets:
        if folder.name not in known:
            found["sets"].append(measured(evaluated(folder)))
            _keep(kept, found)
    worse = found.setdefault("worse", [])
    done = {(each["set"], each["pictures"]) for each in worse}
    for folder in made_worse(sets):
        for how in WORSE_WAYS:
            if (folder.name, how) not in done:
                worse.append({"set": folder.name, "pictures": how} | _counts(read_changed(folder, WAYS[how])))
                _keep(kept, found)
    return found


def made_worse(sets: Sequence[Path]) -> list[Path]:
    """Those sets of a round whose pictures are made worse: the first of each game, in order of the games' names."""
    first: dict[str, Path] = {}
    for folder in sorted(sets, key=lambda each: each.name):
        first.setdefault(folder.name.rpartition("-")[0], folder)
    return list(first.values())[:WORSE_SETS]


def _keep(kept: Path, found: Mapping[str, Any]) -> None:
    kept.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _counts(score: Score) -> dict[str, Any]:
    told = score.json()
    return {name: told[name] for name in COUNTED} | {"setup": score.setup}


def measured(found: Evaluated) -> dict[str, Any]:
    """One set: what kind of table it is, counts, times, and its misses, whose causes people write into the file."""
    folder, score = found.folder, found.score
    spec, told = json.loads((folder.parent / f"{folder.name}.json").read_text("utf-8")), score.json()
    return {
        "set": folder.name, "sight": found.lines[0]["sight"], "commit": commit(), "game": spec["game"],
        "light": spec["look"]["light"]["preset"],
        "table": spec["look"]["table"]["kind"], "tilt": spec["camera"]["tilt"],
        "things": [each["kind"] for each in spec.get("disturb", {}).get("things", [])],
        **_counts(score),
        "ms": {name: told[name] for name in TIMED}, "peak_mb": score.peak_mb,
        "every_ms": {name: [round(each, 1) for each in getattr(score, name)] for name in TIMED},
        "misses": [{"frame": each.frame, "what": each.what, "cause": ""} for each in score.troubles],
    }


def commit() -> str:
    """The commit of the code, with a word if it was changed since, but for what is kept of rounds."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", f":(exclude){KEPT.relative_to(ROOT)}")
    return _git("describe", "--always") + ("-dirty" if changed else "")


def _git(*asked: str) -> str:
    return subprocess.run(["git", *asked], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def report(known: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The part `fresh` of docs/benchmarks.md."""
    yield "## Tables that nobody had seen\n"
    yield "`make fresh SEEDS=FIRST-LAST` makes sets of other tables, other light, cameras and prints, and evaluates"
    yield "each once. A table is lost when more than two of its plies were missed.\n"
    for number, each in enumerate(known, 1):
        sets = each["sets"]
        lost = sum(one["missed"] > MAX_MISSED for one in sets)
        low, high = each["seeds"]
        to_come = len(GAMES) * (high - low + 1) - len(sets)
        commits = ", ".join(dict.fromkeys(one["commit"] for one in sets))
        yield f"### Seeds {low} to {high}\n"
        unfinished = f" {to_come} sets are still to be made." if to_come else ""
        yield f"Commit {commits}; {len(sets)} sets, {lost} lost.{unfinished}\n"
        yield from table(["set", "light", "table", "tilt", "things", "sight", "plies right", "asked", "missed",
                          "silently wrong", "spots wrong", "spots open", "free, unread", "busy, read",
                          "set-up right, wrong, open"],
                         [_row(one) for one in (*sets, _pooled(sets))])
        yield from _misses(sets)
        if number > len(known) - TIMES_TOLD:
            yield "\nTimes in ms (median, 95th percentile) on one core, and the peak of memory in MB:\n"
            yield from table(["set", "watch", "read", "first read", "interpretation", "memory"],
                             list(_times(sets)))
        if worse := each.get("worse"):
            yield "\nOne set each of three games once more, in pictures that were made worse as in the part above:\n"
            yield from table(["set", "pictures", "plies right", "asked", "missed", "silently wrong", "spots wrong",
                              "free, unread", "busy, read", "set-up right, wrong, open"],
                             [[one["set"], one["pictures"], *_told(one)] for one in (*worse, _pooled(worse))])


def _told(one: Mapping[str, Any]) -> list[str]:
    wrong = one["spots"] - one["spots_right"] - one["spots_open"]
    return [share(one["right"], one["plies"]), f"{one['asked']}", f"{one['missed']}", f"{one['silently_wrong']}",
            share(wrong, one["spots"]), f"{one['free']}, {one['free_unread']}", f"{one['busy']}, {one['busy_read']}",
            setup(one["setup"])]


def _row(one: Mapping[str, Any]) -> list[str]:
    wrong = one["spots"] - one["spots_right"] - one["spots_open"]
    return [one["set"], one["light"], one["table"], f"{one['tilt']}", ", ".join(one["things"]) or "–",
            one.get("sight", "–"), share(one["right"], one["plies"]), f"{one['asked']}", f"{one['missed']}",
            f"{one['silently_wrong']}",
            share(wrong, one["spots"]), share(one["spots_open"], one["spots"]), f"{one['free']}, {one['free_unread']}",
            f"{one['busy']}, {one['busy_read']}", setup(one["setup"])]


def _pooled(sets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts = {name: sum(one["setup"][name] for one in sets) for name in ("told", "right", "open")}
    return {"set": "**all**", "pictures": "", "light": "", "table": "", "tilt": "", "things": [], "sight": "",
            "setup": counts, **{name: sum(one[name] for one in sets) for name in COUNTED}}


def _times(sets: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The times of each set, and those of all looks together, where each was kept."""
    for one in sets:
        yield [one["set"], *_told_ms(one["ms"]), f"{one['peak_mb']:.0f}"]
    if sets and all("every_ms" in one for one in sets):
        every = {name: [ms for one in sets for ms in one["every_ms"][name]] for name in TIMED}
        pooled: dict[str, Any] = {
            name: {"median": quantile(ms, 0.5), "p95": quantile(ms, 0.95)} for name, ms in every.items()}
        pooled["first_read_ms"] = quantile(every["first_read_ms"], 1.0)
        yield ["**all**", *_told_ms(pooled), f"{max(one['peak_mb'] for one in sets):.0f}"]


def _told_ms(ms: Mapping[str, Any]) -> Iterator[str]:
    for name in ("watch_ms", "read_ms", "first_read_ms", "interpret_ms"):
        each = ms[name]
        both = each if isinstance(each, Mapping) else {"median": each}
        yield ", ".join("–" if value is None else f"{value:.0f}" for value in both.values())


def _misses(sets: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    found = [(one["set"], miss) for one in sets for miss in one["misses"]]
    if found:
        yield "\nWhat was not simply right:\n"
        for name, miss in found:
            yield f"- {name}, frame {miss['frame']}: {miss['what']}. {miss['cause']}".rstrip()
