"""The gate on painted tables: what is a hand, what a thing beside the play area, what pieces; with what may lie where.

The small picture shows a play area from 80 to 240 across and 50 to 130 down; a piece covers 60 of its pixels, a
millimetre is 0.4 of them.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import phrase
from tests.vision.drawn_table import DrawnTable
from vision.imaging.frame import Image
from vision.presence.play_area import PlayArea
from vision.presence.table_gate import TableGate
from vision.presence.verdict import Verdict

Rect = tuple[int, int, int, int]
"""Left, top, width, height."""

BLUE, SKIN = (170, 60, 40), (130, 160, 220)
FREE = Verdict("free")


def area() -> PlayArea:
    play, cards = np.zeros((180, 320), np.uint8), np.zeros((180, 320), np.uint8)
    play[50:130, 80:240] = 255
    cards[10:30, 10:30] = 255
    return PlayArea(play, cards, 60.0, 0.4)


def table(*things: tuple[Rect, tuple[int, int, int]], shade: int = 0) -> Image:
    """A mottled grey table with a white card, and coloured rectangles on it."""
    noise = np.random.default_rng(1).integers(0, 12, (180, 320, 1))
    image = np.asarray(cv2.blur((np.full((180, 320, 3), 120 + shade) + noise).astype(np.uint8), (5, 5)), np.uint8)
    image[10:30, 10:30] = 235
    for (left, top, width, height), colour in things:
        image[top:top + height, left:left + width] = colour
    return image


def gate(*references: Image) -> TableGate:
    return TableGate(area(), references)


def seen(*looks: Image, every_s: float = 5.0) -> list[str]:
    """The states of looks after an empty table."""
    watch = gate(table())
    assert watch.look(table(), 0.0) == FREE
    return [watch.look(image, every_s * number).state for number, image in enumerate(looks, 1)]


@pytest.mark.parametrize(("rect", "colour", "state"), [
    ((120, 80, 9, 9), BLUE, "free"),  # a piece in the play area
    ((120, 80, 40, 30), BLUE, "free"),  # whatever lies in the play area only
    ((30, 80, 7, 7), BLUE, "free"),  # small things beside it
    ((30, 80, 12, 12), BLUE, "free"),  # a thing, larger than a piece, where none stands
    ((30, 80, 14, 14), SKIN, "free"),  # one of skin colour: it is square, and no arm leads to it
    ((120, 0, 6, 2), SKIN, "hand"),  # the end of a finger
    ((120, 0, 6, 2), BLUE, "free"),
    ((0, 80, 5, 5), BLUE, "hand"),  # from outside, and too small to be judged
    ((0, 80, 20, 20), BLUE, "free"),  # a thing at the border
    ((0, 80, 60, 30), SKIN, "hand"),
    ((0, 60, 140, 20), SKIN, "hand"),  # an arm that reaches in
    ((0, 80, 3, 4), BLUE, "free"),  # smaller than a fingertip
    ((12, 12, 15, 15), BLUE, "free"),  # on a card
])
def test_what_is_new_is_a_hand_or_is_not(rect: Rect, colour: tuple[int, int, int], state: str) -> None:
    assert seen(table((rect, colour))) == [state]


def test_a_hand_whose_sleeve_is_as_the_table_is_a_hand() -> None:
    assert seen(table(((30, 80, 30, 8), SKIN), ((30, 80, 8, 30), SKIN))) == ["hand"]


def test_no_arm_is_what_neither_comes_from_outside_nor_reaches_the_play_area_however_long_its_shadow_is() -> None:
    upright = ((30, 40, 14, 100), BLUE)
    assert seen(table(upright, ((30, 126, 40, 14), BLUE))) == ["free"]
    assert seen(table(upright, ((0, 126, 44, 14), BLUE))) == ["hand"]


def test_small_changes_beside_the_play_area_that_are_many_are_no_pieces() -> None:
    few, many = ([((30, 60 + 20 * n, 7, 7), SKIN) for n in range(number)] for number in (3, 4))
    assert seen(table(*few)) == ["free"], "147 pixels, and two and a half pieces are 150"
    assert seen(table(*many)) == ["hand"]


def test_what_stays_beside_the_play_area_is_a_thing_after_two_seconds() -> None:
    thing = table(((0, 80, 30, 20), SKIN))
    assert seen(thing, thing, thing, every_s=1.0) == ["hand", "hand", "free"]
    moved = table(((0, 90, 30, 20), SKIN))
    assert seen(thing, moved, thing, moved, every_s=1.0) == ["hand", "hand", "free", "hand"]


def test_a_hand_that_comes_again_to_where_one_lay_did_not_stay() -> None:
    hand = table(((0, 80, 30, 20), SKIN))
    assert seen(hand, table(), hand, every_s=3.0) == ["hand", "free", "hand"]


def test_a_dogs_head_over_the_table_is_not_read_and_the_game_goes_on_without_it() -> None:
    def head(colour: tuple[int, int, int]) -> Image:
        image = table()
        cv2.ellipse(image, (170, 20), (38, 70), 10.0, 0.0, 360.0, colour, -1)
        cv2.ellipse(image, (130, 30), (14, 34), 30.0, 0.0, 360.0, colour, -1)
        return image

    for fur in ((60, 95, 150), (30, 34, 40), (200, 215, 225)):
        assert seen(head(fur), head(fur), table()) == ["hand", "hand", "free"]


def test_what_is_as_long_as_an_arm_never_becomes_a_thing() -> None:
    for length, states in ((80, ["hand", "free"]), (86, ["hand", "hand"])):  # 210 mm are 84 pixels
        thing = table(((0, 140, length, 20), SKIN))
        assert seen(thing, thing) == states


def test_what_does_not_keep_quite_still_is_a_thing_only_if_it_is_shorter() -> None:
    for length, states in ((70, ["hand", "free"]), (76, ["hand", "hand"])):  # 180 mm are 72 pixels
        assert seen(table(((0, 140, length, 20), SKIN)), table(((0, 141, length, 20), SKIN))) == states


def test_a_long_thing_that_came_to_rest_only_then_is_still_from_then_on() -> None:
    first, then = table(((0, 140, 76, 20), SKIN)), table(((0, 141, 76, 20), SKIN))
    assert seen(first, then, then) == ["hand", "hand", "free"]
    assert seen(first, then, first, then, every_s=1.5) == ["hand", "hand", "free", "free"], "each is as it once lay"
    again = table(((0, 142, 76, 20), SKIN))
    assert seen(first, then, again, first) == ["hand", "hand", "hand", "free"]


def test_what_lies_partly_on_the_play_area_never_becomes_a_thing() -> None:
    for top, states in ((125, ["hand", "free"]), (110, ["hand", "hand"])):
        thing = table(((120, top, 20, 180 - top), SKIN))
        assert seen(thing, thing) == states


def test_what_has_no_skin_may_reach_into_the_play_area() -> None:
    assert seen(table(((120, 110, 30, 70), BLUE)), table(((110, 0, 30, 70), BLUE))) == ["free", "free"]


def test_what_a_hand_hid_for_a_minute_is_doubted_again() -> None:
    thing = table(((0, 80, 30, 20), SKIN))
    for away_s, state in ((55.0, "free"), (65.0, "hand")):
        watch = gate(table())
        assert watch.look(thing, 0.0).state == "hand"
        assert watch.look(table(((0, 60, 90, 60), SKIN)), away_s - 1.0).state == "hand"
        assert watch.look(thing, away_s).state == state


def test_a_thing_that_was_there_at_enrolment_may_come_and_go() -> None:
    thing = table(((0, 140, 90, 30), SKIN))
    watch = gate(table(), thing)
    looks = table(), thing, table(), thing
    assert [watch.look(image, 5.0 * number).state for number, image in enumerate(looks)] == ["free"] * 4
    assert watch.look(table(((0, 80, 60, 30), SKIN)), 30.0).state == "hand"


def test_while_the_picture_moves_only_the_last_free_look_tells_what_is_new() -> None:
    """What comes may be a hand until the picture rests: then it looks as at enrolment, if it was there."""
    thing, arm = ((0, 140, 90, 30), SKIN), ((0, 60, 140, 20), SKIN)
    watch = gate(table(), table(thing))
    looks = ((table(), "free"), (table(thing), "hand"), (table(thing), "free"),
             (table(arm), "hand"), (table(arm), "hand"))
    assert [watch.look(image, 0.1 * number).state for number, (image, _) in enumerate(looks)] == [
        state for _, state in looks]


def test_a_large_thing_with_a_speck_beside_it_is_not_scattered() -> None:
    thing, speck = ((250, 60, 30, 30), BLUE), ((290, 60, 4, 5), BLUE)
    assert seen(table(thing), table(thing, speck)) == ["free", "free"]


def test_a_hand_over_a_card_is_judged_with_what_it_covers() -> None:
    """Beside the card there is but a sleeve to be seen."""
    paper, sleeve, hand = ((200, 60, 30, 30), (235, 235, 235)), ((7, 0, 26, 33), BLUE), ((10, 8, 20, 22), (30, 40, 75))
    watch = gate(table(paper))
    looks = table(paper), table(paper, sleeve, hand), table(paper, ((12, 12, 15, 15), (50, 50, 50)))
    states = [watch.look(image, 5.0 * number).state for number, image in enumerate(looks)]
    assert states == ["free", "hand", "free"], "the last is a card that was moved or shaded"


def test_darker_light_is_nothing_new() -> None:
    assert seen(table(shade=-20), table(shade=10)) == ["free", "free"]


@pytest.mark.parametrize(("apart_s", "states"), [(0.7, ["free", "moving", "free"]), (0.71, ["free", "free", "free"])])
def test_pictures_of_a_stream_are_compared(apart_s: float, states: list[str]) -> None:
    piece = table(((120, 80, 12, 12), BLUE))
    watch = gate(table())
    assert [watch.look(image, apart_s * n).state for n, image in enumerate((table(), piece, piece))] == states


def test_what_moves_is_told_and_where() -> None:
    watch = gate(table())
    watch.look(table(), 0.0)
    assert watch.look(table(((120, 80, 12, 12), BLUE)), 0.1) == Verdict("moving", phrase("eyes.moving"), moves=True)
    on_card = table(((120, 80, 12, 12), BLUE), ((12, 12, 10, 10), BLUE))
    moving = watch.look(on_card, 0.2)
    assert (moving.state, moving.moves, moving.at_cards) == ("moving", True, True)
    hand = watch.look(table(((0, 80, 60, 30), SKIN)), 0.3)
    assert (hand.state, hand.moves, hand.at_cards) == ("hand", True, False)


def test_what_rests_as_a_hand_over_a_card_may_be_the_card_that_was_moved() -> None:
    paper, sleeve, hand = ((200, 60, 30, 30), (235, 235, 235)), ((7, 0, 26, 33), BLUE), ((10, 8, 20, 22), (30, 40, 75))
    over_card, beside = table(paper, sleeve, hand), table(paper, ((0, 80, 60, 30), SKIN))
    for image, at_s, at_cards in ((over_card, 5.0, True), (beside, 5.0, False), (over_card, 0.1, False)):
        watch = gate(table(paper))
        watch.look(table(paper), 0.0)
        verdict = watch.look(image, at_s)
        assert (verdict.state, verdict.at_cards) == ("hand", at_cards)


def test_what_rests_over_a_card_is_said_also_between_two_lamps_that_are_tried() -> None:
    sleeve, hand = ((7, 0, 26, 33), BLUE), ((10, 8, 20, 22), (30, 40, 75))
    other = ((0, 100, 90, 30), SKIN), ((60, 80, 30, 70), SKIN)
    watch = gate(table())
    watch.look(table(), 0.0)
    for at_s in (5.0, 5.4, 5.8):
        verdict = watch.look(table(sleeve, hand, *other), at_s)
        assert (verdict.state, verdict.at_cards) == ("hand", True)


def test_a_hand_that_rests_is_judged_seldom_and_its_going_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, hand, judged_s = gate(table()), table(((0, 60, 140, 20), SKIN)), list[float]()
    watch.look(table(), 0.0)

    def judge(watch: TableGate, small: Image, at_s: float, *about: object) -> Verdict:
        judged_s.append(at_s)
        return Verdict("free") if small is not hand else Verdict("hand", moves=at_s == 1.0)

    monkeypatch.setattr(TableGate, "_judge", judge)
    stream = [(hand, 1.0), *((hand, 1.0 + n / 10) for n in range(1, 6)), (table(), 1.65), (table(), 1.75)]
    assert [watch.look(image, at_s).state for image, at_s in stream] == 6 * ["hand"] + 2 * ["free"]
    assert judged_s == pytest.approx([1.0, 1.1, 1.5, 1.65, 1.75])


def test_a_person_who_says_that_the_table_is_free_is_believed_at_once() -> None:
    watch, hand = gate(table()), table(((0, 60, 140, 20), SKIN))
    assert [watch.look(hand, at_s).state for at_s in (1.0, 1.1)] == ["hand", "hand"]
    watch.accept(hand)
    assert watch.look(hand, 1.2) == FREE


def test_few_pixels_that_move_are_noise() -> None:
    watch = gate(table())
    watch.look(table(), 0.0)
    assert watch.look(table(((120, 80, 4, 4), BLUE)), 0.1).state == "free"
    assert watch.look(table(((120, 80, 4, 4), BLUE), ((150, 80, 9, 9), BLUE)), 0.2).state == "moving"


def test_without_anything_known_two_pictures_alike_are_the_beginning() -> None:
    watch = gate()
    assert watch.look(table(), 0.0) == Verdict("moving", phrase("eyes.moving"))
    assert watch.look(table(((120, 80, 12, 12), BLUE)), 50.0) == Verdict("moving", phrase("eyes.moving"))
    assert watch.look(table(((120, 80, 12, 12), BLUE)), 90.0) == FREE
    assert watch.look(table(((0, 80, 60, 30), SKIN)), 95.0).state == "hand"


def test_a_picture_that_lies_beside_the_last_is_shifted() -> None:
    rng = np.random.default_rng(4)
    spotted = np.asarray(cv2.GaussianBlur(rng.integers(0, 255, (220, 360, 3)).astype(np.uint8), (0, 0), 2.0), np.uint8)
    whole = np.asarray(cv2.normalize(spotted, spotted.copy(), 0, 255, cv2.NORM_MINMAX), np.uint8)
    watch = gate(whole[20:200, 20:340])
    assert watch.look(whole[20:200, 20:340], 0.0) == FREE
    verdict = watch.look(whole[24:204, 23:343], 5.0)
    assert (verdict.state, verdict.shifted, verdict.moves) == ("hand", True, False)
    hand = whole[20:200, 20:340].copy()
    hand[80:120, :60] = SKIN
    assert watch.look(hand, 10.0).state == "hand"
    assert not watch.look(hand, 10.1).shifted


def test_what_is_known_is_turned_to_where_the_camera_stands_now() -> None:
    before, after = DrawnTable(things=(((300.0, 160.0), 30.0),)), DrawnTable(
        looks_at_mm=(330.0, 180.0), things=(((300.0, 160.0), 30.0),))
    was, now = before.frame(0, 0.0).small, after.frame(1, 0.0).small
    play, cards = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)
    watch = TableGate(PlayArea(play, cards, 60.0, 0.3), [was])
    watch.look(was, 0.0)
    watch.realign(before.view, after.view, PlayArea(play, cards, 61.0, 0.3))
    assert watch.area.piece_px == 61.0
    inner = np.s_[12:-12, 16:-16]
    for known in (watch._free, *watch._references):
        assert known is not None
        assert np.median(cv2.absdiff(known[inner], now[inner])) <= 1
        assert np.mean(cv2.absdiff(known[inner], now[inner]) > 30) < 0.01
    unseen = watch._unseen > 0
    assert unseen[:, -8:].all()
    assert unseen[:5].all()
    assert not unseen[12:, :-16].any()
    watch.accept(now)
    assert not watch._unseen.any()
