"""The book of rounds of fresh sets: which seeds come next, what is kept of a set, how it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.evaluate import Evaluated
from companion.cli.judge_plies import PlyTrouble
from companion.cli.scoring import Score
from tests.bench.fresh import maker, rounds

SPEC = {"game": "yuzu-twist", "look": {"light": {"preset": "bulb"}, "table": {"kind": "pine"}}, "camera": {"tilt": 3.5},
        "disturb": {"things": [{"kind": "mug"}]}}


def a_score() -> Score:
    score = Score(plies=10, right=8, asked=1, missed=1, spots=100, spots_right=97, spots_open=2, free=12, busy=5)
    score.setup.update(told=30, right=30, open=2)
    score.watch_ms, score.read_ms, score.first_read_ms, score.peak_mb = [2.0, 2.4], [80.0, 90.0, 250.0], [1500.0], 240.4
    score.troubles.append(PlyTrouble(7, "missed", [], []))
    return score


def a_round(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "yuzu-twist-2000.json").write_text(json.dumps(SPEC))
    read = Evaluated(tmp_path / "yuzu-twist-2000", [{"setup": None, "sight": "fair"}], [], {}, a_score())
    found = rounds.measured(read)
    return {"seeds": [2000, 2001], "sets": [found | {"commit": "abc"}]}


@pytest.mark.parametrize(("seeds", "comes"), [
    ((2000, 2001), True),  # not finished, or to be told again
    ((2002, 2003), True),
    ((2002, 2002), True),
    ((2003, 2004), False),  # skips one
    ((2001, 2002), False),  # has been seen
    ((2002, 2001), False),
])
def test_no_seed_is_skipped_and_none_is_used_twice(seeds: tuple[int, int], comes: bool) -> None:
    assert (rounds.must_come_next(*seeds, [{"seeds": [2000, 2001]}]) is None) is comes


def test_the_first_round_begins_with_2000() -> None:
    assert rounds.must_come_next(2000, 2002, []) is None
    assert rounds.must_come_next(2001, 2002, []) == "the next round begins with seed 2000"


def test_a_set_is_told_with_its_table_its_counts_and_its_misses(tmp_path: Path) -> None:
    told = "\n".join(rounds.report([a_round(tmp_path)]))
    assert "Commit abc; 1 sets, 0 lost. 9 sets are still to be made." in told
    row = "8/10 (80.00 %) | 1 | 1 | 0 | 1/100 (1.00 %) | 2/100 (2.00 %) | 12, 0 | 5, 0 | 30, 0, 2 |"
    assert f"| yuzu-twist-2000 | bulb | pine | 3.5 | mug | fair | {row}" in told
    assert f"| **all** |  |  |  | – |  | {row}" in told
    assert "- yuzu-twist-2000, frame 7: missed." in told


def test_times_are_told_of_each_set_and_of_all_looks(tmp_path: Path) -> None:
    found = a_round(tmp_path)
    other = found["sets"][0] | {"set": "yuzu-twist-2001", "every_ms": found["sets"][0]["every_ms"] | {
        "read_ms": [10.0] * 17, "first_read_ms": [700.0]}}

    told = "\n".join(rounds.report([found | {"sets": [found["sets"][0], other]}]))

    assert "| yuzu-twist-2000 | 2, 2 | 90, 250 | 1500 | –, – | 240 |" in told
    assert "| **all** | 2, 2 | 10, 90 | 1500 | –, – | 240 |" in told


def test_times_are_told_of_the_last_rounds_alone(tmp_path: Path) -> None:
    told = "\n".join(rounds.report([a_round(tmp_path)] * (rounds.TIMES_TOLD + 1)))

    assert told.count("Times in ms") == rounds.TIMES_TOLD


def test_without_a_maker_it_says_where_it_looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAKER", str(tmp_path))
    with pytest.raises(SystemExit, match="MAKER="):
        maker.folder()


def test_every_round_but_the_newest_is_finished() -> None:
    for each in rounds.rounds()[:-1]:
        first, last = each["seeds"]
        assert len(each["sets"]) == len(rounds.GAMES) * (last - first + 1), f"round {first} is not finished"


def test_a_set_of_each_of_three_games_is_made_worse() -> None:
    sets = [Path(f"{game}-{seed}") for seed in (2002, 2003) for game in rounds.GAMES]
    assert [each.name for each in rounds.made_worse(sets)] == ["crate-wars-2002", "kamikaze-cans-2002",
                                                                "pick-and-pack-2002"]


def test_worse_pictures_are_told_below_the_round(tmp_path: Path) -> None:
    counts = {name: value for name, value in a_round(tmp_path)["sets"][0].items() if name in (*rounds.COUNTED, "setup")}
    worse = [{"set": "yuzu-twist-2000", "pictures": "half the pixels"} | counts]
    told = "\n".join(rounds.report([a_round(tmp_path) | {"worse": worse}]))
    assert "| yuzu-twist-2000 | half the pixels | 8/10 (80.00 %) | 1 | 1 | 0 | 1/100 (1.00 %) |" in told
