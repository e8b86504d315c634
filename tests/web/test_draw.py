from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from random import Random

import pytest

from companion.engine import Ply
from companion.games import registry
from companion.table import SHAPES, Body, Layout, Place, Zone
from tests.web import web_tables
from web.draw import PieceStyle, board, paint_of, piece_moves, seat_colour
from web.draw.colours import PAINTS, ink_on
from web.draw.faces import says_letters, short_name, tail
from web.draw.plan import make_plan
from web.draw.svg import number, tag

LAYOUT = Layout(
    bodies=(Body("board", "board", (50, 50), (100, 100, 3)),),
    places=(Place("hex:0", (30, 30), (20, 18), ("coin",), "hex", "board"),
            Place("hex:1", (70, 70), (20, 18), ("coin",), "round")),
    zones=(Zone("supply:0", ((0, -60), (100, -60), (100, -10), (0, -10)), ("coin",), 0),),
    size_mm=(100, 160),
)


def pieces(svg: str) -> dict[str, str]:
    root = ET.fromstring(f'<x xmlns:xlink="x">{svg}</x>')
    return {each.attrib["data-piece"]: each.attrib["transform"] for each in root.iter() if "data-piece" in each.attrib}


def test_every_piece_of_a_placement_is_drawn_once() -> None:
    shown = web_tables.table()
    layout, placement = web_tables.drawn(shown)
    drawn = pieces(board(layout, placement, title="x"))
    assert len(drawn) == sum(len(each) for each in placement.values()) == 12


@pytest.mark.parametrize("players", range(2, 7))
def test_no_two_pieces_and_no_two_trays_lie_on_each_other(players: int) -> None:
    shown = web_tables.table(web_tables.placing(players), players)
    layout, placement = web_tables.drawn(shown)
    plan = make_plan(layout, placement)
    points = [stand.at for stand in plan.pieces]
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 11 for n, a in enumerate(points) for b in points[:n])
    boxes = [tray.extent for tray in plan.trays] + [plan.core]
    for n, a in enumerate(boxes):
        for b in boxes[:n]:
            assert a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top
    assert all(plan.view.left < x < plan.view.right and plan.view.top < y < plan.view.bottom for x, y in points)


def test_a_tray_keeps_its_size_while_its_stock_is_played() -> None:
    full, later = web_tables.table([]), web_tables.table()
    sizes = [[tray.extent for tray in make_plan(*web_tables.drawn(each)).trays] for each in (full, later)]
    assert sizes[0] == sizes[1]


def test_games_with_hexes_stacks_and_unknown_pieces_are_drawn_too() -> None:
    placement = {"hex:0": ("archer/gold", "archer/gold"), "supply:0": ("<odd>",)}
    svg = board(LAYOUT, placement, title="A & B", standalone=True)
    assert "A &amp; B" in svg
    assert ">2</text>" in svg, "a stack shows its height"
    assert "<odd>" not in svg
    ET.fromstring(svg)


def test_a_move_an_arrival_and_a_loss_are_told_apart() -> None:
    told = piece_moves({"a": ("x",), "b": ("y",), "c": ("z", "z")}, {"b": ("x",), "c": ("z",), "d": ("w",)})
    assert {(each.appearance, each.before, each.after) for each in told} == {
        ("x", "a", "b"), ("y", "b", None), ("z", "c", None), ("w", None, "d")}


def test_the_last_ply_has_a_halo_and_a_path_and_its_close_up_holds_it() -> None:
    shown = web_tables.table()
    layout, placement = web_tables.drawn(shown)
    whole = board(layout, placement, title="x", before=shown.before)
    assert 'class="halo"' in whole
    assert 'class="way"' in whole
    near = board(layout, placement, title="x", before=shown.before, crop=True)
    left, top, wide, tall = map(float, ET.fromstring(near).attrib["viewBox"].split())
    plan = make_plan(layout, placement)
    at = plan.find("grid:c6", "green/tall_can")
    assert at is not None
    assert left < at.at[0] < left + wide
    assert top < at.at[1] < top + tall
    assert wide < plan.view.width


def test_drinks_bear_their_owners_shape_and_their_letter() -> None:
    shown = web_tables.table()
    layout, placement = web_tables.drawn(shown)
    svg = board(layout, placement, title="x", style=PieceStyle(lambda piece: int(piece.startswith("red"))))
    assert 'href="#s-0"' in svg
    assert 'href="#s-1"' in svg
    assert svg.count('class="letter"') == 12


def test_every_shape_has_its_own_symbol_and_every_colour_its_paint() -> None:
    from web.draw.pieces import symbols

    assert all(f'id="p-{shape}"' in symbols() for shape in SHAPES)
    assert len(set(PAINTS.values())) == len(PAINTS) - 1, "grey is spelt in two ways"
    assert paint_of("glimmer") == paint_of("glimmer") != paint_of("dusk")
    assert seat_colour(0) == "#0072B2"
    assert seat_colour(0, "red") == paint_of("red")
    assert ink_on("#FFFFFF") != ink_on("#000000")


def test_the_layout_of_a_body_that_lies_turned_is_kept_in_view() -> None:
    turned = replace(LAYOUT, bodies=(Body("board", "board", (50, 50), (100, 20, 3), 90),), places=(), zones=())
    plan = make_plan(turned, {"board": ("x",)})
    assert plan.core.height == pytest.approx(100)
    assert plan.core.width == pytest.approx(20)


def test_text_in_a_drawing_is_escaped_and_numbers_are_short() -> None:
    assert tag("text", "a<b", x=1.50, class_="c") == '<text x="1.5" class="c">a&lt;b</text>'
    assert number(-0.001) == "-0" or number(-0.001) == "0"


@pytest.mark.parametrize(("appearance", "short"), [
    ("coin:light_cavalry", "LC"), ("coin:archer", "Ar"), ("yen:100", "100"), ("archer/gold", "Ar"), ("", "")])
def test_a_token_bears_what_fits_of_its_name(appearance: str, short: str) -> None:
    assert short_name(appearance) == short


@pytest.mark.parametrize("id", registry.ids())
def test_every_game_is_drawn_from_its_layout_alone(id: str) -> None:
    game, rng = registry.game(id), Random(1)
    options = game.read_options({}, 2)
    setup = game.deal(2, options, rng)
    placement = game.view(game.start(setup, options, 2), "room").placement
    ET.fromstring(board(game.layout(setup), placement, title=id, before={}))


def test_a_zone_between_bodies_is_drawn_where_it_lies() -> None:
    game = registry.game("crate-wars")
    options = game.read_options({}, 2)
    setup = game.deal(2, options, Random(1))
    state = game.start(setup, options, 2)
    for drink in state.supplies[0][:11]:
        state = game.apply(state, Ply(state.on_turn, game.read_action({"type": "place", "drink": drink, "crate": 4})))
        state = replace(state, on_turn=0)
    layout = game.layout(setup)
    plan = make_plan(layout, game.placement(state))
    card = next(place for place in layout.places if place.spot == "card:0:4")
    crate = next(body for body in layout.bodies if body.spot == "line:4")
    drawn = [stand.at for stand in plan.pieces if stand.spot == "beside:0:4"]
    assert len(drawn) == len(set(drawn)) == 11
    for x, y in drawn:
        assert abs(x - crate.at_mm[0]) < 30
        assert -crate.at_mm[1] + 23 < y < -card.at_mm[1] - 31


def test_equal_coins_lie_on_piles_and_of_a_discard_pile_only_the_top_is_seen() -> None:
    zones = tuple(replace(LAYOUT.zones[0], spot=heap, heap=heap) for heap in ("alike", "pile", "spread"))
    coins = ("coin:archer", "coin:knight", "coin:archer")
    plan = make_plan(replace(LAYOUT, zones=zones), dict.fromkeys(("alike", "pile", "spread"), coins))
    points = {heap: {stand.at for stand in plan.pieces if stand.spot == heap} for heap in ("alike", "pile", "spread")}
    assert [len(points[heap]) for heap in ("alike", "pile", "spread")] == [2, 1, 3]
    svg = board(replace(LAYOUT, zones=zones[1:2]), {"pile": coins}, title="x")
    assert (svg.count(">Ar</text>"), svg.count(">Kn</text>"), svg.count(">3</text>")) == (1, 0, 1)


def test_a_board_is_drawn_no_larger_than_its_places_and_what_carries_nothing_not_at_all() -> None:
    machine = Body("machine", "machine", (300, 50), (40, 40, 90))
    plan = make_plan(replace(LAYOUT, bodies=(*LAYOUT.bodies, machine)), {})
    assert [body.spot for body in plan.bodies] == ["board"]
    assert plan.bodies[0].size_mm[0] < 100
    assert plan.core.right < 110


def test_a_crate_that_was_moved_is_marked_as_one() -> None:
    game = registry.game("yuzu-twist")
    options = game.read_options({}, 2)
    state = game.start(game.deal(2, options, Random(1)), options, 2)
    ply = next(ply for ply in game.legal(state) if getattr(ply.action, "to", None) != (0, 0) and not ply.action.turn)
    after = game.apply(state, ply)
    svg = board(game.layout(game.deal(2, options, Random(1))), game.placement(after), title="x",
                before=game.placement(state))
    assert svg.count('class="halo frame"') == 1
    assert svg.count('class="halo"') == 0


def test_what_the_letters_on_pieces_mean_is_said_but_for_numbers_and_colours() -> None:
    shown = {piece: says_letters(piece) for piece in
             ("coin:archer", "tile:red:rush_order", "tray:4", "card:red", "card:tall_can", "coin:back", "red/stub_can")}
    assert [piece for piece, told in shown.items() if told] == ["coin:archer", "tile:red:rush_order"]
    assert [tail(piece) for piece in ("coin:royal:wolf", "tile:red:rush_order")] == ["royal:wolf", "rush_order"]
