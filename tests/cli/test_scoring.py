"""Spots, set-ups, times and pooling; how plies are judged stands in test_scoring_plies.py."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cli.judge_spots import LookContext, Matched, OneLook, judge_look, match_spots
from companion.cli.played import Played, replayed
from companion.cli.scoring import Score, reliability, score
from companion.engine.record import OpenedGame
from companion.games import registry

SETUP = {"colours": ["green", "red"], "first": 1}
PIECES = {name: {"kind": "drink", "size": [12.0, 12.0, 12.0]} for name in ("red/stub_can", "red/tall_can")}
SIZES = dict.fromkeys(PIECES, 12.0)


def played(id: str = "kamikaze-cans", setup: Any = SETUP) -> Played:
    game = registry.game(id)
    options = game.read_options({}, 2)
    return replayed(OpenedGame(game, {}, options, setup, 2, game.start(setup, options, 2)), [])


def line(frame: int, **also: Any) -> dict[str, Any]:
    times = {"watch": 1.0, "read": 2.0, "interpret": 3.0}
    return {"frame": frame, "state": "free", "cards": [], "believed": [], "seen": [], "plies": [], "ms": times} | also


def true(frame: int, ply: int, free: bool = True) -> dict[str, Any]:
    return {"frame": frame, "free": free, "ply": ply, "cards": [], "pieces": []}


def scored(lines: list[dict[str, Any]], truth: list[dict[str, Any]]) -> Score:
    return score([{"setup": None}, *lines], truth, played(), PIECES)


def test_a_free_look_that_is_not_read_has_all_its_spots_wrong() -> None:
    truth = true(0, 0) | {"pieces": [{"appearance": "red/stub_can", "at": [0, 0], "visible": 1.0}]}

    total = scored([{"frame": 0, "state": "hand", "cards": [], "plies": [], "ms": {"watch": 1.0}}], [truth])

    assert (total.free_unread, total.spots, total.spots_right, total.tables_right) == (1, 1, 0, 0)


def test_a_busy_look_that_is_read_is_counted() -> None:
    assert scored([line(0)], [true(0, 0, free=False)]).busy_read == 1


def test_the_set_up_leaves_out_who_begins() -> None:
    total = score([{"setup": {"colours": ["green", None], "first": None}}], [], played(), PIECES)

    assert total.setup == {"told": 1, "right": 1, "open": 1}


def test_a_set_up_that_was_told_wrongly_counts_as_told() -> None:
    total = score([{"setup": {"colours": ["red", "blue"], "first": None}}], [], played(), PIECES)

    assert total.setup == {"told": 2, "right": 0, "open": 0}


def test_a_set_up_nobody_saw_is_open() -> None:
    assert scored([], []).setup == {"told": 0, "right": 0, "open": 2}


def test_crates_may_have_other_letters_and_supplies_another_order() -> None:
    game = registry.game("crate-wars")
    from random import Random

    setup = game.read_setup(game.deal(2, game.read_options({}, 2), Random(1)), {}, 2)
    told = {**setup, "supplies": [supply[::-1] for supply in setup["supplies"]], "first": None}
    told["supplies"][1] = [None, *told["supplies"][1][1:]]

    total = score([{"setup": told}], [], played("crate-wars", setup), PIECES)

    assert total.setup == {"told": 47, "right": 47, "open": 1}


def stand(name: str | None, x: float, *among: str, **also: Any) -> dict[str, Any]:
    return {"appearance": name, "at": [x, 0.0], "spot": "stock:0", "among": list(among), **also}


def piece(name: str, x: float, visible: float = 1.0, z: float = 0.0) -> dict[str, Any]:
    return {"appearance": name, "at": [x, 0.0], "visible": visible, "z": z}


STUB, TALL = "red/stub_can", "red/tall_can"


def counts(matched: list[Matched]) -> tuple[int, int, int]:
    spots = [each.answer for each in matched if each.counts]
    return len(spots), spots.count("right"), spots.count("open")


@pytest.mark.parametrize(("stands", "pieces", "expected"), [
    ([stand(STUB, 1.0)], [piece(STUB, 0.0)], (1, 1, 0)),
    ([stand(STUB, 7.0)], [piece(STUB, 0.0)], (2, 0, 0)),  # too far: one missing, one where nothing is
    ([stand(None, 0.0, STUB, TALL)], [piece(STUB, 0.0)], (1, 0, 1)),
    ([stand(None, 0.0, TALL)], [piece(STUB, 0.0)], (1, 0, 0)),
    ([stand(TALL, 0.0), stand(STUB, 5.0)], [piece(STUB, 0.0)], (2, 1, 0)),  # the same appearance first
    ([], [piece(STUB, 0.0)], (1, 0, 0)),
    ([], [piece(STUB, 0.0, visible=0.2)], (0, 0, 0)),
    ([stand(STUB, 0.0)], [piece(STUB, 0.0, visible=0.2)], (0, 0, 0)),
    ([stand(None, 0.0, STUB)], [piece(STUB, 0.0, visible=0.2)], (0, 0, 0)),
    ([stand(TALL, 0.0)], [piece(STUB, 0.0, visible=0.2)], (1, 0, 0)),
    # a stack of which only the top was misread is one wrong spot, whether what is below is believed or not
    ([stand(TALL, 0.0)], [piece(STUB, 0.0, visible=0.1), piece(STUB, 0.0)], (1, 0, 0)),
    ([stand(STUB, 0.0), stand(TALL, 0.0)], [piece(STUB, 0.0, visible=0.1), piece(STUB, 0.0)], (2, 1, 0)),
    ([stand(STUB, 0.0), stand(STUB, 0.0)], [piece(STUB, 0.0, visible=0.1), piece(STUB, 0.0)], (1, 1, 0)),
])  # fmt: skip
def test_spots_are_matched_by_place(stands: Any, pieces: Any, expected: tuple[int, int, int]) -> None:
    assert counts(match_spots(stands, pieces, SIZES)) == expected


def test_large_pieces_are_found_within_their_reach() -> None:
    crate = [piece("crate", 0.0)]

    assert counts(match_spots([stand("crate", 13.0)], crate, {"crate": 31.0})) == (1, 1, 0)
    assert counts(match_spots([stand("crate", 14.5)], crate, {"crate": 31.0})) == (2, 0, 0)
    assert counts(match_spots([stand("board", 15.5)], [piece("board", 0.0)], {"board": 300.0})) == (2, 0, 0)


def test_a_table_is_right_when_no_spot_is_wrong() -> None:
    stands = [stand(STUB, 0.0), stand(None, 40.0, STUB, TALL)]
    truth = true(0, 0) | {"pieces": [piece(STUB, 0.0), piece(TALL, 40.0)]}

    assert scored([line(0, believed=stands)], [truth]).tables_right == 1
    assert scored([line(0, believed=[*stands, stand(TALL, 80.0)])], [truth]).tables_right == 0
    assert scored([line(0, believed=stands[:1])], [truth]).tables_right == 0


# --- one look ---------------------------------------------------------------------------------------------------------


KINDS = {STUB: "drink", TALL: "drink", "tray:1": "tray", "tray:2": "tray", "crate": "crate"}
EYE = (0.0, 0.0, 600.0)


def looked(stands: list[Any], pieces: list[Any], empty: int = 0, dazzled: frozenset[int] = frozenset()) -> OneLook:
    total = OneLook()
    judge_look(total, match_spots(stands, pieces, SIZES), LookContext(EYE, empty, KINDS, dazzled))
    return total


def test_a_look_tells_empty_from_occupied() -> None:
    look = looked([stand(STUB, 0.0), stand(STUB, 90.0)], [piece(TALL, 0.0), piece(STUB, 40.0)], empty=10).json()

    assert look["occupied"] == {"of": 12, "right": 10}  # one was not seen, and one was seen where nothing is


def test_a_look_is_judged_by_colour_family_and_shape() -> None:
    names = ["red/stub_can", "red/tall_can", "red/tallest_bottle", "blue/stub_can"]
    total = OneLook()
    for name in names:
        judge_look(total, match_spots([stand(name, 200.0)], [piece(STUB, 200.0)], SIZES), LookContext(EYE, 0, KINDS))

    look = total.json()
    assert look["colour"] == {"right": 3, "of": 4}
    assert look["family"] == {"right": 3, "of": 4}
    assert look["shape"]["≥ 0.7 mm"] == {"right": 2, "of": 4}
    assert total.confused[STUB, "red/tall_can"] == 1


@pytest.mark.parametrize(("x", "name"), [(30.0, "< 0.3 mm"), (60.0, "0.3–0.7 mm"), (150.0, "≥ 0.7 mm")])
def test_shapes_are_counted_by_how_far_height_shifts_a_lid(x: float, name: str) -> None:
    shapes = looked([stand(STUB, x)], [piece(STUB, x)]).json()["shape"]

    assert {each for each, found in shapes.items() if found["of"]} == {name}


def test_faces_in_a_reflection_are_counted_apart() -> None:
    stands = [stand("tray:1", 0.0), stand("tray:2", 40.0)]
    look = looked(stands, [piece("tray:1", 0.0), piece("tray:1", 40.0)], dazzled=frozenset({1})).json()

    assert (look["faces"], look["clear_faces"]) == ({"right": 1, "of": 2}, {"right": 1, "of": 1})


def test_bodies_are_neither_drinks_nor_faces_but_measured() -> None:
    crates = PIECES | {"crate": {"kind": "crate", "size": [31.0, 46.0, 12.0]}}
    truth = true(0, 0) | {"pieces": [piece("crate", 0.0)]}
    total = score([{"setup": None}, line(0, seen=[stand("crate", 0.5)])], [truth], played(), crates)

    assert total.json()["crates_mm"] == {"median": 0.5, "worst": 0.5}
    assert total.json()["look"]["faces"]["of"] == 0


def test_confidence_is_held_against_what_was_right() -> None:
    total = looked([stand(STUB, 0.0, confidence=0.995), stand(TALL, 40.0, confidence=0.6)],
                   [piece(STUB, 0.0), piece(STUB, 40.0)])  # fmt: skip

    classes = {each["from"]: (each["said"], each["right"]) for each in reliability(total.sure)}
    assert (classes[0.99], classes[0.5], classes[0.95]) == ((1, 1), (1, 0), (0, 0))
    assert sum(said for said, _ in classes.values()) == 2


# --- pooling ----------------------------------------------------------------------------------------------------------


def test_pooling_adds_counts_and_keeps_the_highest_memory() -> None:
    pooled = Score(plies=2, peak_mb=100.0, look=looked([stand(STUB, 0.0)], [piece(STUB, 0.0)]))
    pooled += Score(plies=3, peak_mb=90.0, watch_ms=[1.0, 2.0], look=looked([stand(TALL, 0.0)], [piece(STUB, 0.0)]))

    found = pooled.json()
    assert (pooled.plies, pooled.peak_mb, found["watch_ms"]) == (5, 100.0, {"median": 1.0, "p95": 2.0})
    assert found["look"]["colour"] == {"right": 2, "of": 2}
    assert sum(each["right"] for each in found["look"]["shape"].values()) == 1


def test_scores_are_json() -> None:
    import json

    assert json.loads(json.dumps(scored([line(0)], [true(0, 0)]).json()))["tables_right"] == 1
