"""What is asked to be laid where, and where it is found to lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.games import registry
from companion.table import Body, Piece
from tests.vision.excerpt import arrangement, enrolment, excerpt, white
from vision.enrolment.picture_set import LaidPiece
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate, plan_pictures
from vision.enrolment.placement_search import locate_pieces
from vision.enrolment.plan_text import draw_plan, plan_rows
from vision.fiducials.tag_corners import CARD_CORNERS_MM
from vision.imaging.camera import spin
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import CardSeen
from vision.photometry.bare_picture import bare_table
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

COINS = tuple(Piece(f"coin:{number}", "coin", (30.0, 30.0, 3.0), True) for number in range(200))
BOARD = Piece("board:x", "board", (300.0, 200.0, 2.0), False)


def sizes() -> dict[str, Piece]:
    return {piece.name: piece for piece in excerpt().pieces}


def asked() -> tuple[PlannedPicture, ...]:
    return plan_pictures(excerpt().pieces, arrangement().cards, arrangement().view)


def test_drinks_stand_on_the_table_twice_at_other_places_and_once_in_crates() -> None:
    pictures = asked()
    assert [each.what for each in pictures] == ["bare", "table", "table", "crates", "empty_crates"]
    drinks = {piece.name for piece in excerpt().pieces if piece.kind == "drink"}
    _, first, second, crates, empty = pictures
    assert {laid.appearance for laid in first.pieces} == {laid.appearance for laid in second.pieces} == drinks
    then = {laid.appearance: laid.at_mm for laid in first.pieces}
    assert sum(then[laid.appearance] == laid.at_mm for laid in second.pieces) < 6
    groups = group_by_crate(crates, sizes())
    assert [(thing.appearance, len(inside)) for thing, inside in groups] == [("crate", 6)] * 6
    assert Counter(each.appearance for _, inside in groups for each in inside) == Counter(drinks)
    assert [laid.appearance for laid in empty.pieces] == ["crate"] * 3


def test_pieces_lie_clear_of_each_other_and_of_the_cards_and_are_seen_whole() -> None:
    lens, view = arrangement().view.lens, arrangement().view
    cards = [CARD_CORNERS_MM @ spin(card.turn_deg).T + card.at_mm for card in arrangement().cards]
    for picture in asked():
        outlines = []
        for thing, _ in group_by_crate(picture, sizes()):
            outline = outline_mm(Body("", "", thing.at_mm, sizes()[thing.appearance].size_mm, thing.turn_deg))
            px = view.project_at(outline, 0.0)
            assert (px > 0).all()
            assert (px < (lens.width, lens.height)).all()
            outlines.append(outline.astype(np.float32))
        for one, other in combinations([*outlines, *(card.astype(np.float32) for card in cards)], 2):
            if not any(one is card for card in cards):
                shared, _ = cv2.intersectConvexConvex(one, other)
                assert shared == 0


def test_what_has_no_room_comes_in_another_picture_and_a_board_lies_alone() -> None:
    pictures = plan_pictures([BOARD, *COINS], arrangement().cards, arrangement().view)
    assert [laid.appearance for laid in pictures[1].pieces] == ["board:x"]
    flat = pictures[2:]
    assert len(flat) > 1
    assert Counter(laid.appearance for each in flat for laid in each.pieces) == Counter(coin.name for coin in COINS)


def test_crates_that_are_used_upside_down_are_not_filled() -> None:
    upside_down = Piece("crate_upside_down", "upside_down_crate", (31.0, 46.0, 12.0), False)
    pictures = plan_pictures([*excerpt().pieces, upside_down], arrangement().cards, arrangement().view,
                             registry.kinds("crate-wars"))
    assert [each.what for each in pictures] == ["bare", "flat", "table", "table"]


def test_a_plan_shows_things_and_cards_where_they_lie() -> None:
    cards = (CardSeen(0, (0.0, 0.0), 0.0), CardSeen(1, (210.0, 0.0), 0.0))
    things = [LaidPiece("a", (70.0, 56.0), 0.0), LaidPiece("b", (140.0, 56.0), 0.0), LaidPiece("c", (70.0, 28.0), 0.0)]
    front = "[0]" + 27 * " " + "[1]"
    assert draw_plan(things, cards) == ["          1         2", "", "          3", "", front]
    assert [(y, [number for number, _ in row]) for y, row in plan_rows(things)] == [(56.0, [1, 2]), (28.0, [3])]


# ---------------------------------------------------------------- where it really lies


@cache
def bare() -> Bare:
    """The table of the excerpt without its pieces."""
    covered = []
    for each in excerpt().enrolments:
        mask = np.zeros(enrolment(0).shape[:2], np.uint8)
        for laid in each.pieces:
            size = sizes()[laid.appearance].size_mm
            outline = outline_mm(Body("", "", laid.at_mm, (size[0] + 24, size[1] + 24, 0.0), laid.turn_deg))
            px = np.concatenate([arrangement().view.project_at(outline, z) for z in (0.0, size[2])])
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(px).astype(np.int32)), (1,))
        covered.append(mask > 0)
    return Bare(bare_table([enrolment(index) for index in range(len(covered))], covered), arrangement().view, white())


def scene(index: int) -> Scene:
    return Scene(enrolment(index), arrangement().view, white(), bare(), None)


def off_by_hand(laid: LaidPiece, randomly: np.random.Generator) -> LaidPiece:
    x, y = randomly.uniform(-5, 5, 2)
    return replace(laid, at_mm=(laid.at_mm[0] + x, laid.at_mm[1] + y))


@pytest.mark.parametrize(("index", "within_mm"), [(0, 1.2), (3, 1.0)])
def test_what_was_laid_some_mm_off_is_found_where_it_lies(index: int, within_mm: float) -> None:
    true = excerpt().enrolments[index].pieces[:12]
    randomly = np.random.default_rng(7)
    found = locate_pieces(scene(index), PlannedPicture("given", tuple(off_by_hand(laid, randomly) for laid in true)),
                          sizes())
    assert all(each.lies for each in found)
    off = [float(np.hypot(*np.subtract(each.laid.at_mm, laid.at_mm))) for each, laid in zip(found, true)]
    assert max(off) < within_mm
    assert np.median(off) < 0.7


def test_where_nothing_lies_that_is_told() -> None:
    found = locate_pieces(scene(3), PlannedPicture("given", excerpt().enrolments[0].pieces[:6]), sizes())
    assert all(each.is_empty and not each.lies for each in found)


def test_drinks_in_a_crate_lie_where_the_crate_was_laid() -> None:
    true = excerpt().enrolments[3].pieces[1]
    shifted = replace(true, at_mm=(true.at_mm[0] + 4, true.at_mm[1] - 3))
    drink = LaidPiece("red/stub_can", (shifted.at_mm[0] + 7, shifted.at_mm[1]), true.turn_deg)
    crate, inside = locate_pieces(scene(3), PlannedPicture("crates", (shifted, drink)), sizes())
    assert np.hypot(*np.subtract(crate.laid.at_mm, true.at_mm)) < 1.0
    assert np.hypot(*np.subtract(inside.laid.at_mm, np.add(true.at_mm, (7, 0)))) < 1.2
