from typing import Any

import pytest

from companion.cli.scoring import Played, Score, match_spots, score
from companion.engine import Ply, record
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.rules import Place

SETUP = {"colours": ["green", "red"], "first": 1}
PLIES = [
    Ply(1, Place("red/tall_can", "c4")), Ply(0, Place("green/stub_can", "d4")), Ply(1, Place("red/stub_can", "a1")),
]
WRONG = Ply(1, Place("red/short_can", "c4"))
SIZES = {"red/stub_can": 12.0, "red/tall_can": 12.0}


def played() -> Played:
    states = [GAME.start(SETUP, GAME.read_options({}, 2), 2)]
    for ply in PLIES:
        states.append(GAME.apply(states[-1], ply))
    return Played(GAME, SETUP, states)


def line(frame: int, *plies: Ply[Any], first: int = 1, **also: Any) -> dict[str, Any]:
    given = [record.write_ply(GAME, first + i, ply) for i, ply in enumerate(plies)]
    times = {"watch": 1.0, "read": 2.0, "interpret": 3.0}
    free = {"frame": frame, "state": "free", "cards": [], "believed": [], "seen": []}
    return free | {"plies": given, "ms": times} | also


def true(frame: int, ply: int, free: bool = True) -> dict[str, Any]:
    return {"frame": frame, "free": free, "ply": ply, "cards": [], "pieces": []}


def scored(lines: list[dict[str, Any]], truth: list[dict[str, Any]]) -> Score:
    return score([{"setup": None}, *lines], truth, played(), SIZES)


def counts(total: Score) -> tuple[int, int, int, int]:
    return total.right, total.asked, total.missed, total.silently_wrong


@pytest.mark.parametrize(("lines", "truth", "expected"), [
    # each ply at the look that shows it, two of them at once
    ([line(0, PLIES[0]), line(1, *PLIES[1:], first=2)], [true(0, 1), true(1, 3)], (3, 0, 0, 0)),
    # settled by a question
    ([line(0, PLIES[0], asked=[{"choices": []}])], [true(0, 1)], (0, 1, 0, 0)),
    # a look late
    ([line(0), line(1, PLIES[0])], [true(0, 1), true(1, 1)], (0, 0, 1, 0)),
    # never
    ([line(0), line(1)], [true(0, 1), true(1, 1)], (0, 0, 1, 0)),
    # only the first of two
    ([line(0, PLIES[0])], [true(0, 2)], (1, 0, 1, 0)),
    # wrong, and never taken back
    ([line(0, WRONG), line(1)], [true(0, 1), true(1, 2)], (0, 0, 1, 1)),
    # wrong, taken back while the table stood
    ([line(0, WRONG), line(1, PLIES[0], taken_back=1)], [true(0, 1), true(1, 1)], (0, 1, 0, 0)),
    # wrong, taken back a look later, still before the next ply
    ([line(0, WRONG), line(1), line(2, PLIES[0], taken_back=1)], [true(0, 1), true(1, 1), true(2, 1)], (0, 1, 0, 0)),
    # wrong, taken back only together with the next ply
    ([line(0, WRONG), line(1, *PLIES[:2], taken_back=1)], [true(0, 1), true(1, 2)], (1, 0, 0, 1)),
    # given out although nobody moved
    ([line(0, PLIES[0]), line(1, PLIES[1], first=2)], [true(0, 1), true(1, 1)], (1, 0, 0, 1)),
])  # fmt: skip
def test_plies_are_judged_by_the_state_they_lead_to(lines: Any, truth: Any, expected: Any) -> None:
    assert counts(scored(lines, truth)) == expected


def test_a_free_look_that_is_not_read_has_all_its_spots_wrong() -> None:
    truth = true(0, 0) | {"pieces": [{"appearance": "red/stub_can", "at": [0, 0], "visible": 1.0}]}

    total = scored([{"frame": 0, "state": "hand", "cards": [], "plies": [], "ms": {"watch": 1.0}}], [truth])

    assert (total.free_unread, total.spots, total.spots_right, total.tables_right) == (1, 1, 0, 0)


def test_a_busy_look_that_is_read_is_counted() -> None:
    assert scored([line(0)], [true(0, 0, free=False)]).busy_read == 1


def test_the_set_up_leaves_out_who_begins() -> None:
    total = score([{"setup": {"colours": ["green", None], "first": None}}], [], played(), SIZES)

    assert total.setup == {"told": 1, "right": 1, "open": 1}


def stand(name: str | None, x: float, *among: str) -> dict[str, Any]:
    return {"appearance": name, "at": [x, 0.0], "spot": "stock:0", "among": list(among)}


def piece(name: str, x: float, visible: float = 1.0) -> dict[str, Any]:
    return {"appearance": name, "at": [x, 0.0], "visible": visible}


STUB, TALL = "red/stub_can", "red/tall_can"


@pytest.mark.parametrize(("stands", "pieces", "expected"), [
    ([stand(STUB, 1.0)], [piece(STUB, 0.0)], (1, 1, 0)),
    ([stand(STUB, 7.0)], [piece(STUB, 0.0)], (2, 0, 0)),  # too far: one missing, one where nothing is
    ([stand(None, 0.0, STUB, TALL)], [piece(STUB, 0.0)], (1, 0, 1)),
    ([stand(None, 0.0, TALL)], [piece(STUB, 0.0)], (1, 0, 0)),
    ([stand(TALL, 0.0), stand(STUB, 5.0)], [piece(STUB, 0.0)], (2, 1, 0)),  # the same appearance first
    ([], [piece(STUB, 0.0, visible=0.2)], (0, 0, 0)),
    ([stand(STUB, 0.0)], [piece(STUB, 0.0, visible=0.2)], (0, 0, 0)),
    ([stand(TALL, 0.0)], [piece(STUB, 0.0, visible=0.2)], (1, 0, 0)),
])  # fmt: skip
def test_spots_are_matched_by_place(stands: Any, pieces: Any, expected: tuple[int, int, int]) -> None:
    assert match_spots(stands, pieces, SIZES) == expected


def test_pooling_adds_counts_and_keeps_the_highest_memory() -> None:
    pooled = Score(plies=2, peak_mb=100.0)
    pooled += Score(plies=3, peak_mb=90.0, watch_ms=[1.0, 2.0])

    assert (pooled.plies, pooled.peak_mb, pooled.json()["watch_ms"]) == (5, 100.0, {"median": 1.0, "p95": 2.0})
