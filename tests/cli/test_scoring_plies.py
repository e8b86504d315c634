"""How plies are judged: by where they lead, at the look that shows them, on every game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.judge_plies import PlyCounts, PlyJudge
from companion.cli.played import Played, opened_by, played, replayed
from companion.engine import Ply, record
from companion.engine.record import OpenedGame
from companion.games import registry
from companion.games.kamikaze_cans.actions import Move, Place

DATA = Path(__file__).parents[1] / "data"
Line = dict[str, Any]


def opened(id: str, setup: Any, options: Any = None) -> OpenedGame:
    game = registry.game(id)
    filled = game.read_options(options or {}, 2)
    return OpenedGame(game, {}, filled, setup, 2, game.start(setup, filled, 2))


CANS = opened("kamikaze-cans", {"colours": ["green", "red"], "first": 1})
PLIES: list[Ply[Any]] = [
    Ply(1, Place("red/tall_can", "c4")), Ply(0, Place("green/stub_can", "d4")), Ply(1, Place("red/stub_can", "a1")),
]
WRONG: Ply[Any] = Ply(1, Place("red/short_can", "c4"))
ILLEGAL: Ply[Any] = Ply(0, Move("a1", "b6"))


def line(*plies: Ply[Any], of: OpenedGame = CANS, taken_back: int = 0, choices: Any = None) -> Line:
    given = [record.write_ply(of.game, 1, ply, confidence=0.995) for ply in plies]
    asked = [] if choices is None else [
        {"choices": [[of.game.write_action(ply.action) for ply in choice] for choice in choices]}
    ]
    return {"plies": given, "taken_back": taken_back, "asked": asked}


def judged(true: Played, looks: list[tuple[Line, int]]) -> PlyCounts:
    """The counts after these looks, each with the number of plies played so far."""
    counts = PlyCounts()
    judge = PlyJudge(true, counts)
    for said, done in looks:
        judge.hear(said)
        judge.look(done)
    judge.close()
    assert counts.right + counts.asked + counts.missed + counts.silently_wrong >= counts.plies
    return counts


def numbers(counts: PlyCounts) -> tuple[int, int, int, int]:
    return counts.right, counts.asked, counts.missed, counts.silently_wrong


FIRST, SECOND, THIRD = PLIES


@pytest.mark.parametrize(("looks", "expected"), [
    # each ply at the look that shows it, two of them at once
    ([(line(FIRST), 1), (line(SECOND, THIRD), 3)], (3, 0, 0, 0)),
    # settled by a question
    ([(line(FIRST, choices=[[WRONG], [FIRST]]), 1)], (0, 1, 0, 0)),
    # one of two settled by a question
    ([(line(FIRST, SECOND, choices=[[SECOND], [WRONG]]), 2)], (1, 1, 0, 0)),
    # a question that did not hold it
    ([(line(FIRST, choices=[[WRONG], [THIRD]]), 1)], (0, 0, 1, 0)),
    # a question that nobody answered
    ([(line(choices=[[WRONG], [THIRD]]), 1)], (0, 0, 1, 0)),
    # a look late
    ([(line(), 1), (line(FIRST), 1)], (0, 0, 1, 0)),
    # a look late, together with the next one, which is in time
    ([(line(), 1), (line(FIRST, SECOND), 2)], (1, 0, 1, 0)),
    # never
    ([(line(), 1), (line(), 1)], (0, 0, 1, 0)),
    # only the first of two, and the second a look late
    ([(line(FIRST), 2), (line(SECOND), 2)], (1, 0, 1, 0)),
    # wrong, and never taken back
    ([(line(WRONG), 1), (line(), 2)], (0, 0, 1, 1)),
    # wrong at the end
    ([(line(WRONG), 1)], (0, 0, 0, 1)),
    # wrong, taken back while the table stood
    ([(line(WRONG), 1), (line(FIRST, taken_back=1), 1)], (0, 1, 0, 0)),
    # wrong, taken back a look later, still before the next ply
    ([(line(WRONG), 1), (line(), 1), (line(FIRST, taken_back=1), 1)], (0, 1, 0, 0)),
    # wrong, taken back only together with the next player's ply
    ([(line(WRONG), 1), (line(FIRST, SECOND, taken_back=1), 2)], (1, 0, 0, 1)),
    # given out although nobody moved
    ([(line(FIRST), 1), (line(SECOND), 1)], (1, 0, 0, 1)),
    # given out although nobody moved, and taken back
    ([(line(FIRST), 1), (line(SECOND), 1), (line(taken_back=1), 1)], (1, 0, 0, 0)),
    # what cannot be played, an action of no game, an unknown player: wrong, and no crash
    ([(line(ILLEGAL), 1)], (0, 0, 0, 1)),
    ([({"plies": [{"player": 1, "action": {"type": "fly"}}]}, 1)], (0, 0, 0, 1)),
    ([({"plies": [{"player": 9, "action": {"type": "place", "drink": "red/tall_can", "to": "c4"}}]}, 1)], (0, 0, 0, 1)),
    # more taken back than was given out
    ([(line(FIRST, taken_back=5), 1)], (1, 0, 0, 0)),
    # wrong once; what comes after is right by itself
    ([(line(WRONG), 1), (line(SECOND), 2), (line(THIRD), 3)], (2, 0, 0, 1)),
])  # fmt: skip
def test_plies_of_one_game(looks: Any, expected: Any) -> None:
    assert numbers(judged(replayed(CANS, PLIES), looks)) == expected


def test_a_busy_line_may_give_out_plies_too() -> None:
    counts = PlyCounts()
    judge = PlyJudge(replayed(CANS, PLIES), counts)
    judge.hear(line(FIRST))
    judge.hear(line())
    judge.look(1)

    assert numbers(counts) == (1, 0, 0, 0)


def test_confidence_is_kept_of_what_was_not_asked() -> None:
    counts = judged(replayed(CANS, PLIES), [(line(FIRST), 1), (line(SECOND, choices=[[SECOND]]), 2), (line(WRONG), 3)])

    assert counts.sure == [(0.995, True), (0.995, False)]


# --- games with chance, invisible plies and hidden things -------------------------------------------------------------


def whole(name: str) -> Played:
    return played(DATA / name / "record.jsonl")


def ply_lines(true: Played, name: str) -> list[Line]:
    of = opened_by(DATA / name / "record.jsonl")
    return [line(ply, of=of) for ply in true.plies]


def both(*lines: Line) -> Line:
    return {"plies": [ply for each in lines for ply in each["plies"]], "taken_back": 0, "asked": []}


def test_a_vend_counts_once_and_waits_for_what_comes_out() -> None:
    true = whole("crate-wars-1")
    place, vend, vended, after = ply_lines(true, "crate-wars-1")[:4]

    assert [ply.player for ply in true.plies[:4]] == [1, 0, "chance", 1]
    assert numbers(judged(true, [(place, 1), (both(vend, vended), 3), (after, 4)])) == (3, 0, 0, 0)
    assert numbers(judged(true, [(place, 1), (vend, 2), (vended, 3), (after, 4)])) == (3, 0, 0, 0)
    assert numbers(judged(true, [(place, 1), (line(), 2), (both(vend, vended), 3), (after, 4)])) == (3, 0, 0, 0)
    assert numbers(judged(true, [(place, 1), (vend, 3), (both(vended, after), 4)])) == (2, 0, 1, 0)


def yuzu() -> tuple[Played, list[Line]]:
    game = registry.game("yuzu-twist")
    of = opened("yuzu-twist", game.read_setup(game.deal(2, game.read_options({}, 2), Random(1)), {}, 2))
    first, other = of.setup["first"], 1 - of.setup["first"]
    actions = [
        (first, {"type": "crate", "crate": "A", "to": [0, 0], "turn": True}),
        (first, {"type": "swap", "a": [0, 0], "b": [1, 0]}),
        (first, {"type": "swap", "a": [4, 4], "b": [5, 4]}),
        (other, {"type": "crate", "crate": "B", "to": [1, 0], "turn": True}),
        (other, {"type": "swap", "a": [0, 0], "b": [1, 0]}),
        (other, {"type": "done"}),
        (first, {"type": "crate", "crate": "C", "to": [2, 0], "turn": True}),
    ]
    plies = [Ply(player, game.read_action(action)) for player, action in actions]
    return replayed(of, plies), [line(ply, of=of) for ply in plies]


def test_a_question_about_a_vend_counts_though_what_comes_out_is_seen_later() -> None:
    true = whole("crate-wars-1")
    place, vend, vended, after = ply_lines(true, "crate-wars-1")[:4]
    for choices, expected in (([[vend["plies"][0]["action"]]], (2, 1, 0, 0)), ([], (2, 0, 1, 0))):
        asked = {**vend, "asked": [{"choices": choices}]}
        assert numbers(judged(true, [(place, 1), (asked, 2), (vended, 3), (after, 4)])) == expected


def test_swaps_may_come_in_another_order() -> None:
    true, (crate, one, two, *_) = yuzu()

    assert numbers(judged(true, [(crate, 1), (both(two, one), 3)])) == (3, 0, 0, 0)


def test_what_changes_nothing_visible_may_come_with_the_next_ply_or_early() -> None:
    true, said = yuzu()
    crate_c = said[6]

    assert true.is_visible == (True, True, True, True, True, False, True)
    assert numbers(judged(true, [(both(*said[:3]), 3), (both(*said[3:5]), 6), (both(said[5], crate_c), 7)])) == (
        7, 0, 0, 0)
    assert numbers(judged(true, [(both(*said[:3]), 3), (both(*said[3:6]), 6), (crate_c, 7)])) == (7, 0, 0, 0)
    assert numbers(judged(true, [(both(*said[:3]), 3), (both(*said[3:5]), 6), (line(), 7)])) == (5, 0, 2, 0)


def test_what_changes_nothing_visible_at_the_end_is_not_counted() -> None:
    true, said = yuzu()
    true = replayed(opened("yuzu-twist", true.setup), true.plies[:6])

    assert numbers(judged(true, [(both(*said[:3]), 3), (both(*said[3:5]), 6)])) == (5, 0, 0, 0)
    assert numbers(judged(true, [(both(*said[:3]), 3), (both(*said[3:6]), 6)])) == (5, 0, 0, 0)


def test_a_ply_of_the_same_player_does_not_end_the_time_to_take_back() -> None:
    true, said = yuzu()
    wrong = line(Ply(true.plies[0].player, true.game.read_action(
        {"type": "crate", "crate": "B", "to": [1, 0], "turn": True}
    )), of=opened("yuzu-twist", true.setup))  # fmt: skip
    corrected = both(said[0], said[1]) | {"taken_back": 1}

    assert numbers(judged(true, [(wrong, 1), (corrected, 2)])) == (1, 1, 0, 0)


def test_war_chest_is_judged_by_what_a_table_shows() -> None:
    of = opened_by(DATA / "war-chest-1" / "record.jsonl")
    lines = (DATA / "war-chest-1" / "record.jsonl").read_text(encoding="utf-8").splitlines()
    told = [record.read_ply(json.loads(each), of.game) for each in lines[1:]]
    true = replayed(of, told)
    said = ply_lines(true, "war-chest-1")

    assert of.options["knowledge"] == "referee"
    assert said[0]["plies"][0]["action"] == {"type": "draw"}  # no coins
    assert [ply.player for ply in true.plies] == ["chance", 1, 0, 1, 0, 1, 0, "chance"]
    assert numbers(judged(true, [(line(), 0), (both(*said[:2]), 2), (both(*said[2:5]), 5), (both(*said[5:7]), 8)])) == (
        6, 0, 0, 0)
    with_coins = line(told[0], told[1], of=of)  # a reader that guesses the hands is not compared by them
    assert numbers(judged(true, [(with_coins, 2), (both(*said[2:]), 8)])) == (6, 0, 0, 0)


@pytest.mark.parametrize("name", ["crate-wars-1", "yuzu-1", "pick-1", "war-chest-1", "kamikaze-1"])
def test_a_record_given_out_as_it_was_played_is_right(name: str) -> None:
    true = whole(name)
    looks = [json.loads(each) for each in (DATA / name / "frames.jsonl").read_text(encoding="utf-8").splitlines()]
    said, given, found = ply_lines(true, name), 0, []
    for look in looks:
        if look["free"]:
            found.append((both(*said[given : look["ply"]]), look["ply"]))
            given = look["ply"]
    counts = judged(true, found)

    assert counts.right == counts.plies > 2
