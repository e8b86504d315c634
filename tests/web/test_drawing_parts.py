"""Parts of drawings by their numbers: extents, labels, close-ups, colours, names."""

from __future__ import annotations

import math

import pytest
from markupsafe import Markup

from companion.table import Layout, PieceKind, Place
from web.draw import SEAT_COLOURS, board, paint_of, says_letters, seat_colour, seat_icon, short_name, symbols, tail
from web.draw.board import STYLE
from web.draw.colours import ink_on, piece_paint
from web.draw.extents import NOWHERE, Extent, extent_of, union, with_square, within
from web.draw.faces import face_paint
from web.draw.moves import PieceMove, piece_moves
from web.draw.svg import number, tag

ONE, OTHER = Extent(1, 2, 4, 8), Extent(-3, 3, 2, 20)


def test_extents_have_sides_grow_and_are_joined() -> None:
    assert (ONE.width, ONE.height, ONE.grown(0.5)) == (3, 6, Extent(0.5, 1.5, 4.5, 8.5))
    assert union([ONE, OTHER]) == union(iter([OTHER, ONE])) == Extent(-3, 2, 4, 20)
    assert union([]) == Extent(0, 0, 0, 0)
    assert with_square(NOWHERE, (3, -4), 2) == Extent(1, -6, 5, -2)
    assert with_square(Extent(1, -6, 5, -2), (0, 0), 1) == Extent(-1, -6, 5, 1)
    assert with_square(Extent(1, -6, 5, -2), (6, -8), 1) == Extent(1, -9, 7, -2)


@pytest.mark.parametrize(("turn_deg", "half"), [
    (0, (10, 3)), (90, (3, 10)), (180, (10, 3)), (30, (5 * math.sqrt(3) * 2 / 2 + 1.5, 5 + 1.5 * math.sqrt(3))),
    (150, (5 * math.sqrt(3) + 1.5, 5 + 1.5 * math.sqrt(3))),
])
def test_a_turned_rectangle_has_an_upright_extent(turn_deg: float, half: tuple[float, float]) -> None:
    found = extent_of((100, 50), (20, 6), turn_deg)
    assert (found.left, found.top, found.right, found.bottom) == pytest.approx(
        (100 - half[0], -50 - half[1], 100 + half[0], -50 + half[1]))


@pytest.mark.parametrize(("middle", "half", "low", "high", "found"), [
    (5, 2, 0, 10, 5), (1, 2, 0, 10, 2), (9, 2, 0, 10, 8), (-50, 2, 0, 10, 2), (3, 5, 0, 10, 5), (3, 6, 0, 10, 5),
    (3, 6, 4, 8, 6), (3, 2, 4, 8, 6), (7, 1, 4, 8, 7),
])
def test_a_stretch_is_shifted_so_that_it_stays_between_its_ends(
    middle: float, half: float, low: float, high: float, found: float
) -> None:
    assert within(middle, half, low, high) == found


@pytest.mark.parametrize(("value", "text"), [
    (0, "0"), (0.0, "0"), (1, "1"), (1.5, "1.5"), (1.25, "1.25"), (1.256, "1.26"), (100.0, "100"), (-2.1, "-2.1"),
    (0.004, "0"), (10, "10"),
])
def test_numbers_have_two_decimals_at_most(value: float, text: str) -> None:
    assert number(value) == text


def test_elements_are_written_as_svg_spells_them() -> None:
    assert tag("g") == "<g/>"
    assert tag("g", "") == "<g></g>"
    assert tag("svg", tag("a", "<"), "&", viewBox="0 0 1 1", stroke_width=0.126, n=2, left_out=None, for_='"') == (
        '<svg viewBox="0 0 1 1" stroke-width="0.13" n="2" for="&#34;"><a>&lt;</a>&amp;</svg>')


PAINTED = {"red": "#D8402C", "RED": "#D8402C", "glimmer": "#93BE37", "dusk": "#5637BE", "haze": "#BEBE37",
           "plum": "#BE37B0", "": "#BE3737"}


@pytest.mark.parametrize(("name", "paint"), PAINTED.items())
def test_a_colour_that_nobody_has_foreseen_has_a_paint_of_its_own(name: str, paint: str) -> None:
    assert paint_of(name) == paint


@pytest.mark.parametrize(("paint", "is_dark"), [
    ("#FFFFFF", True), ("#000000", False), ("#680A8C", False), ("#226267", False), ("#088663", True), ("#0083C1", True),
    ("#078917", False), ("#E32A06", False), ("#657980", False), ("#4D7A9F", True), ("#08828F", True),
])
def test_ink_is_dark_where_the_paint_is_light(paint: str, is_dark: bool) -> None:
    assert ink_on(paint) == ("#15171E" if is_dark else "#FFFFFF")


def test_seats_have_their_own_colours_or_those_of_their_drinks() -> None:
    assert [seat_colour(seat) for seat in range(8)] == [*SEAT_COLOURS, *SEAT_COLOURS[:2]]
    assert (seat_colour(3, "red"), seat_colour(3, "")) == ("#D8402C", SEAT_COLOURS[3])


@pytest.mark.parametrize(("piece", "paint"), [
    ("red/stub_can", "#D8402C"), ("archer/gold", "#D3A62B"), ("red_archer/gold", "#D3A62B"), ("red_archer", "#D8402C"),
    ("archer", "#37BE52"), ("glimmer/stub_can", "#93BE37"),
])
def test_a_piece_has_the_paint_that_its_name_says(piece: str, paint: str) -> None:
    assert piece_paint(piece) == paint


@pytest.mark.parametrize(("piece", "kind", "owner", "paint"), [
    ("coin:red", PieceKind("coin", paint="silver"), "#111111", "#B9BFC6"),
    ("coin:red", PieceKind("coin", paint="#123456"), None, "#123456"),
    ("coin:red_archer", PieceKind("coin"), "#111111", "#D8402C"), ("tile:red/x", PieceKind("tile"), None, "#D8402C"),
    ("red:blue", PieceKind("tile"), None, "#2E70D1"), ("coin:7", PieceKind("coin"), "#111111", "#111111"),
    ("coin:7", PieceKind("coin"), None, "#DCC684"), ("coin:back", PieceKind("coin"), None, "#8C8371"),
    ("tile:tall_can", PieceKind("tile"), None, "#8C8371"), ("coin:1", PieceKind("coin", paint=""), None, "#DCC684"),
    ("coin:dusk", PieceKind("coin"), None, paint_of("coin:dusk")),
])
def test_a_flat_piece_has_the_paint_of_its_kind_its_name_or_its_owner(
    piece: str, kind: PieceKind, owner: str | None, paint: str
) -> None:
    assert face_paint(piece, kind, owner) == paint


@pytest.mark.parametrize(("piece", "short", "last", "says"), [
    ("coin:light_cavalry", "LC", "light_cavalry", True), ("coin:royal:wolf", "Wo", "royal:wolf", True),
    ("card:wizard_of_the_hills", "WOT", "wizard_of_the_hills", True), ("tile:red:rush_order", "RO", "rush_order", True),
    ("tile:red", "Re", "red", False), ("coin:back", "", "back", False), ("yen:100", "100", "100", False),
    ("card:tall_can", "TC", "tall_can", False), ("archer/gold", "Ar", "archer/gold", False),
    ("archer", "Ar", "archer", False),
    ("coin:archer/gold", "Ar", "archer/gold", False), ("coin:", "", "", False), ("a:green:b:c", "C", "b:c", True),
    ("coin:12_b", "1B", "12_b", True),
])
def test_a_piece_has_a_short_name_and_a_long_one(piece: str, short: str, last: str, says: bool) -> None:
    assert (short_name(piece), tail(piece), says_letters(piece)) == (short, last, says)


def test_pieces_that_stand_elsewhere_are_paired_in_the_order_of_their_spots() -> None:
    before = {"a": ("x", "x", "y"), "b": ("z",), "c": ("x",), "e": ("v",)}
    after = {"a": ("x",), "b": ("x", "z"), "d": ("x", "w", "x"), "e": ("v", "v")}
    assert piece_moves(before, after) == (
        PieceMove("x", "a", "b"), PieceMove("x", "c", "d"), PieceMove("x", None, "d"), PieceMove("y", "a", None),
        PieceMove("w", None, "d"), PieceMove("v", None, "e"))


def test_a_drawing_for_itself_has_its_style_its_symbols_and_a_width() -> None:
    layout = Layout((), (Place("p", (10, 10), (20, 20), ("coin",)),), (), (20, 20))
    plain, own = (board(layout, {}, title="<x>", standalone=each) for each in (False, True))
    assert plain == (
        '<svg class="board" role="img" aria-label="&lt;x&gt;" viewBox="-3.5 -23.5 27 27"><title>&lt;x&gt;</title>'
        '<g transform="translate(10 -10)">'
        '<rect x="-9.55" y="-9.55" width="19.1" height="19.1" rx="1.6" class="place"/></g>'
        '<g aria-hidden="true"/></svg>')
    begin, end = plain.split("</title>")
    begin = begin.replace("<svg ", Markup('<svg xmlns="http://www.w3.org/2000/svg" '))
    begin = begin.replace(' 27 27"', Markup(' 27 27" width="27mm"'))
    assert own == f"{begin}</title><style>{STYLE.read_text('utf-8')}</style>{symbols()}{end}"


def test_a_seat_has_an_icon() -> None:
    assert seat_icon(7, "#123456") == (
        '<svg class="icon" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">'
        '<use href="#s-1" x="-1.1" y="-1.1" width="2.2" height="2.2" color="#123456"/></svg>')
