from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.bot_games import Pairing, Played, Player, games_kept, pairings, play_game, play_pairing
from tests.bench.bots import section, wilson
from tests.bench.page import write_parts


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson(0.7, 100)
    assert (round(low, 3), round(high, 3)) == (0.604, 0.781)
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)


def test_time_is_that_of_the_bots_own_thread_whatever_else_the_machine_does() -> None:
    assert Player("search", 0.5).budget().clock_s is time.thread_time


def test_a_match_goes_on_where_it_stopped_and_swaps_seats(tmp_path: Path) -> None:
    pairing = Pairing("pick-and-pack", Player("greedy"), Player("random"), 0.8, games=2)
    first = play_pairing(pairing, tmp_path)
    file = next(tmp_path.iterdir())
    file.write_text(file.read_text() + '{"result": 1.0, "pl', encoding="utf-8")
    more = play_pairing(replace(pairing, games=3), tmp_path)
    assert [each.result for each in more[:2]] == [each.result for each in first]
    assert len(more) == len(games_kept(file)) == 3
    again = play_game(pairing, 1)
    assert (again.result, again.plies) == (first[1].result, first[1].plies)


def test_reading_a_pairing_that_is_being_played_leaves_its_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    line = json.dumps(vars(Played(1.0, 30, 9.0, 99, 8.0, "an end")))
    file.write_text(f'{line}\n{{"resul', encoding="utf-8")
    assert len(games_kept(file)) == 1
    assert file.read_text() == f'{line}\n{{"resul'


def test_a_match_without_an_aim_ends_with_its_time(tmp_path: Path) -> None:
    pairing = Pairing("pick-and-pack", Player("random"), Player("random"), minutes=0.0)
    assert play_pairing(pairing, tmp_path) == []


def test_every_game_is_played_at_every_pairing() -> None:
    names = [pairing.name for pairing in pairings()]
    assert len(names) == len(set(names)) == 15


def test_the_page_says_where_more_time_is_not_shown_to_help(tmp_path: Path) -> None:
    for name, results in (("war-chest", [1.0] * 10), ("pick-and-pack", [1.0, 0.5, 0.0])):
        games = [Played(result, 30, 9.0, 99, 8.0, "an end") for result in results]
        lines = "".join(json.dumps(vars(each)) + "\n" for each in games)
        (tmp_path / f"{name}-search2s-search0.2s.jsonl").write_text(lines, encoding="utf-8")
    text = "\n".join(section(tmp_path, list(pairings())))
    assert "More time plays better in war-chest (10 games)" in text
    assert "reaches down to 50 %: pick-and-pack (3 games)" in text


def test_pairinges_with_less_time_stand_in_a_table_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "times-0.1").mkdir()
    line = json.dumps(vars(Played(1.0, 30, 9.0, 99, 8.0, "an end")))
    (tmp_path / "times-0.1" / "crate-wars-search0.2s-search0.02s.jsonl").write_text(line + "\n", encoding="utf-8")
    text = "\n".join(section(tmp_path, list(pairings())))
    assert "multiplied by 0.1" in text
    assert "| crate-wars | search 0.2 s : search 0.02 s | 1 |" in text


def test_the_section_is_put_into_the_page_and_replaced_there(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text("# Benchmarks\n\n<!-- rules -->\nfast\n<!-- /rules -->\n", encoding="utf-8")
    for text in ("one", r"two \1"):
        write_parts({"bots": text}, page)
    assert page.read_text() == (
        "# Benchmarks\n\n<!-- rules -->\nfast\n<!-- /rules -->\n\n<!-- bots -->\ntwo \\1\n<!-- /bots -->\n"
    )
    assert "not played yet" in "\n".join(section(tmp_path, list(pairings()))).lower()
