"""Where close-ups look, what moves as one, and in which order and how closely things lie in trays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.table import SHAPES, Body, Layout, Place, PieceKind, Placement
from tests.web.made_up_boards import TRAYS
from web.draw import board, piece_moves
from web.draw.last_ply import moved_as_one
from web.draw.plan import make_plan

COIN = ("coin:a",)


@pytest.mark.parametrize(("before", "after", "view"), [
    ({}, {}, "13.1 -152.78 183.4 128.53"),
    ({"coin-0": COIN}, {"coin-1": COIN}, "38 -124 64 48"),
    ({"coin-0": COIN}, {"none-4": COIN}, "48.48 -138.64 103.04 77.28"),
    ({"coin-0": COIN}, {}, "28 -124 64 48"),
    ({}, {"cards": COIN}, "13.1 -97.46 64 48"),
    ({"cards": COIN}, {"right": COIN}, "9.3 -160.14 191 143.25"),
    ({"cards": COIN}, {"card-3": COIN}, "88 -124 64 48"),
    ({}, {"pile": ("tile:a",)}, "87.86 -152.78 76.03 57.02"),
    ({}, {"drinks": ("red/stub_can",)}, "28.21 -86.77 64.17 48.13"),
    ({"pile": ("tile:a",)}, {"drinks": ("tile:a",)}, "20.38 -140.58 123.28 92.46"),
    ({}, {"few": ("thing:a",)}, "13.1 -139.45 92.4 69.3"),
    ({}, {"few": ("thing:a",), "many": ("red/stub_can",)}, "13.1 -136.09 138.57 103.93"),
])
def test_a_close_up_looks_at_what_changed(before: Placement, after: Placement, view: str) -> None:
    assert f'viewBox="{view}"' in board(TRAYS, after, title="", before=before, crop=True)


def crates(spots: int, others: int) -> tuple[Layout, Placement, Placement]:
    """Two crates with so many drinks in each, which change places but for `others` in the second."""
    places = tuple(Place(f"{crate}:{n}", (10.0 * n, 50.0 * m), (9, 9), ("drink",), on=f"crate:{m}")
                   for m, crate in enumerate("ab") for n in range(spots))
    bodies = tuple(Body(f"crate:{n}", "crate", (20, 50 * n), (50, 20, 60)) for n in range(2))
    before = {place.spot: (f"red/{place.spot}",) for place in places}
    moved = {place.spot: before[place.spot] for place in places[spots:][:others]}
    after = {place.spot: moved.get(place.spot, (f"blue/{place.spot}",)) for place in places}
    return Layout(bodies, places, (), (100, 100)), before, after


@pytest.mark.parametrize(("spots", "others", "bodies"), [
    (4, 0, {"crate:0", "crate:1"}), (5, 1, {"crate:0"}), (3, 0, set()), (4, 4, {"crate:0"})])
def test_bodies_are_moved_as_one_with_all_that_stands_in_them(spots: int, others: int, bodies: set[str]) -> None:
    layout, before, after = crates(spots, others)
    found = moved_as_one(layout, after, piece_moves(before, after))
    on_them = {place.spot for place in layout.places if place.on in bodies}
    assert found == bodies | on_them
    assert moved_as_one(layout, {**after, "a:0": ()}, piece_moves(before, {**after, "a:0": ()})) == (
        found if spots > 4 else found - {"crate:0", *(f"a:{n}" for n in range(spots))}) - {"a:0"}


def test_drinks_lie_by_colour_and_height_and_other_things_by_name() -> None:
    zone = replace(TRAYS.zones[0], corners_mm=((0, 0), (900, 0), (900, 9), (0, 9)))
    lying = ("thing:b", "red/tall_can", "zebra", "red/stub_can", "blue/x/y", "apple", "blue/tallest_bottle", "red/odd")
    plan = make_plan(replace(TRAYS, zones=(zone,)), {"drinks": lying})
    assert [piece.appearance for piece in sorted(plan.pieces, key=lambda piece: piece.at)] == [
        "apple", "blue/x/y", "blue/tallest_bottle", "red/odd", "red/stub_can", "red/tall_can", "thing:b", "zebra"]


@pytest.mark.parametrize(("wide_mm", "rows"), [(84.4, 1), (83.9, 2), (120.0, 1), (15.0, 6)])
def test_drinks_stand_closer_before_they_begin_a_new_row(wide_mm: float, rows: int) -> None:
    body = Body("crate", "crate", (wide_mm / 2, 50), (wide_mm, 20, 60))
    zone = replace(TRAYS.zones[0], corners_mm=((0, 0), (wide_mm, 0), (wide_mm, 9), (0, 9)))
    layout = Layout((body,), (), (zone,), (wide_mm, 60), kinds=(PieceKind("drink", "upright", drawn="drink"),))
    plan = make_plan(layout, {"drinks": tuple(f"red/{shape}" for shape in SHAPES), "crate": ("crate",)})
    assert len({piece.at[1] for piece in plan.pieces}) == rows
