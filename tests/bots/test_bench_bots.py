from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

import pytest

import companion

FILE = Path(companion.__file__).parents[1] / "docs" / "bench_bots.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_bots", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_bots"] = module
    spec.loader.exec_module(module)
    return module


def test_the_interval_is_that_of_wilson(bench) -> None:
    low, high = bench.wilson(0.7, 100)
    assert (round(low, 3), round(high, 3)) == (0.604, 0.781)
    assert bench.wilson(1.0, 10)[1] == pytest.approx(1.0)


def test_time_is_that_of_the_bots_own_thread_whatever_else_the_machine_does(bench) -> None:
    assert bench.Player("search", 0.5).budget().clock_s is time.thread_time


def test_a_match_goes_on_where_it_stopped_and_swaps_seats(bench, tmp_path: Path) -> None:
    match = bench.Match("pick-and-pack", bench.Player("greedy"), bench.Player("random"), 0.8, games=2)
    first = bench.play_match(match, tmp_path)
    file = next(tmp_path.iterdir())
    file.write_text(file.read_text() + '{"result": 1.0, "pl', encoding="utf-8")
    more = bench.play_match(bench.replace(match, games=3), tmp_path)
    assert [each.result for each in more[:2]] == [each.result for each in first]
    assert len(more) == len(bench.read_match(file)) == 3
    again = bench.play_game(match, 1)
    assert (again.result, again.plies) == (first[1].result, first[1].plies)


def test_reading_a_match_that_is_being_played_leaves_its_file_alone(bench, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    line = bench.json.dumps(vars(bench.Played(1.0, 30, 9.0, 99, 8.0, "an end")))
    file.write_text(f'{line}\n{{"resul', encoding="utf-8")
    assert len(bench.read_match(file)) == 1
    assert file.read_text() == f'{line}\n{{"resul'


def test_a_match_without_an_aim_ends_with_its_time(bench, tmp_path: Path) -> None:
    match = bench.Match("pick-and-pack", bench.Player("random"), bench.Player("random"), minutes=0.0)
    assert bench.play_match(match, tmp_path) == []


def test_every_game_is_played_at_every_pairing(bench) -> None:
    names = [match.name for match in bench.matches()]
    assert len(names) == len(set(names)) == 15


def test_the_page_says_where_more_time_is_not_shown_to_help(bench, tmp_path: Path) -> None:
    for name, results in (("war-chest", [1.0] * 10), ("pick-and-pack", [1.0, 0.5, 0.0])):
        games = [bench.Played(result, 30, 9.0, 99, 8.0, "an end") for result in results]
        lines = "".join(bench.json.dumps(vars(each)) + "\n" for each in games)
        (tmp_path / f"{name}-search2s-search0.2s.jsonl").write_text(lines, encoding="utf-8")
    text = "\n".join(bench.section(tmp_path, list(bench.matches())))
    assert "More time plays better in war-chest (10 games)" in text
    assert "reaches down to 50 %: pick-and-pack (3 games)" in text


def test_matches_with_less_time_stand_in_a_table_of_their_own(bench, tmp_path: Path) -> None:
    (tmp_path / "times-0.1").mkdir()
    line = bench.json.dumps(vars(bench.Played(1.0, 30, 9.0, 99, 8.0, "an end")))
    (tmp_path / "times-0.1" / "crate-wars-search0.2s-search0.02s.jsonl").write_text(line + "\n", encoding="utf-8")
    text = "\n".join(bench.section(tmp_path, list(bench.matches())))
    assert "multiplied by 0.1" in text
    assert "| crate-wars | search 0.2 s : search 0.02 s | 1 |" in text


def test_the_section_is_put_into_the_page_and_replaced_there(bench, tmp_path: Path, monkeypatch) -> None:
    page = tmp_path / "benchmarks.md"
    monkeypatch.setattr(bench, "PAGE", page)
    page.write_text("# Benchmarks\n\n<!-- rules -->\nfast\n<!-- /rules -->\n", encoding="utf-8")
    for text in ("one", r"two \1"):
        bench.write_page(text)
    assert page.read_text() == (
        "# Benchmarks\n\n<!-- rules -->\nfast\n<!-- /rules -->\n\n<!-- bots -->\ntwo \\1\n<!-- /bots -->\n"
    )
    assert "not played yet" in "\n".join(bench.section(tmp_path, list(bench.matches()))).lower()
