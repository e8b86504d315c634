import pytest

from companion.interpret.handling import exchange_nats, touch_nats
from companion.interpret.tracks import Track


def track(x: float = 0.0, turn_deg: float | None = 0.0, looks: int = 1, folds: int = 1) -> Track:
    return Track("hex:0,0", (x, 0.0), {"coin:knight": 0.0}, looks, turn_deg, folds=folds)


def test_a_coin_that_lies_as_before_was_left_alone() -> None:
    alone, handled = touch_nats(track(), track(0.3, 1.5), quarter=False)

    assert alone == 0.0
    assert handled > 4.0


def test_a_coin_with_another_turn_was_handled() -> None:
    alone, handled = touch_nats(track(), track(0.3, 60.0), quarter=False)

    assert handled == 0.0
    assert alone > 7.0


def test_a_nudge_is_not_taken_for_a_coin_laid_anew() -> None:
    alone, handled = touch_nats(track(), track(1.8, 2.0), quarter=False)

    assert abs(alone - handled) < 2.0  # less than the price of a ply


def test_a_tray_that_was_shifted_a_little_was_sooner_handled_than_a_coin() -> None:
    tray = touch_nats(track(), track(1.5, 2.0), quarter=True)
    coin = touch_nats(track(), track(1.5, 2.0), quarter=False)

    assert tray[1] < coin[1]


def test_a_tray_turned_by_a_quarter_was_handled() -> None:
    assert touch_nats(track(), track(2.0, 91.0), quarter=True)[0] > 4.0
    assert touch_nats(track(), track(1.0, 130.0), quarter=True)[0] > 7.0


@pytest.mark.parametrize("turns", [(None, 0.0), (0.0, None), (None, None)])
@pytest.mark.parametrize("moved_mm", [0.1, 2.0, 4.0])
def test_without_a_turn_the_centres_tell_hardly_anything(turns: tuple[float | None, float | None], moved_mm: float
                                                         ) -> None:
    """Its face is hardly seen, and so is where it lies."""
    assert max(touch_nats(track(turn_deg=turns[0]), track(moved_mm, turns[1]), quarter=False)) < 0.1


def test_where_the_eyes_saw_no_change_nothing_was_handled() -> None:
    was = track(turn_deg=None)

    assert touch_nats(was, track(turn_deg=None, looks=0), quarter=False)[1] > 5.0
    assert touch_nats(track(), track(2.5, 20.0, looks=0), quarter=False)[0] > 2.0  # no change since a later look


def test_a_half_turn_of_a_square_that_stayed_where_it_was_may_be_misread() -> None:
    half_turned = touch_nats(track(), track(0.3, 180.0), quarter=True)

    assert half_turned[0] < 2.5
    assert touch_nats(track(), track(0.3, 180.0), quarter=False)[0] > 7.0  # nothing but its print tells how a coin lies


def test_the_turn_is_compared_round_the_circle() -> None:
    assert touch_nats(track(turn_deg=179.5), track(turn_deg=-179.5), quarter=False)[0] == 0.0


def test_a_face_that_looks_the_same_at_twelve_turns_tells_how_far_it_is_from_the_nearest() -> None:
    was = track(turn_deg=10.0, folds=12)

    assert touch_nats(was, track(0.1, 220.5, folds=12), quarter=False)[0] == 0.0, "7 times 30 degrees and half a one"
    assert touch_nats(was, track(1.5, 24.0, folds=12), quarter=False)[0] > 7.0, "no sleeve turns it so far"
    assert touch_nats(was, track(1.5, 41.0), quarter=False) == touch_nats(was, track(1.5, 41.0, folds=12), False)
    assert 5.0 < touch_nats(was, track(1.5, folds=12), False)[0] < 7.0, "ten degrees off"


def test_what_was_read_anew_while_all_else_was_not_was_sooner_handled() -> None:
    moved = track(0.9, None)
    usual, rare = touch_nats(track(turn_deg=None), moved, False), touch_nats(track(turn_deg=None), moved, False, 0.03)

    assert usual[1] > 0.0  # it is thought to lie as it lay
    assert rare[0] > 1.0
    assert touch_nats(track(), track(looks=0), False, 0.03) == touch_nats(track(), track(looks=0), False)


@pytest.mark.parametrize(("was_deg", "moved_mm", "now_deg", "looks", "quarter", "anew_share", "alone", "handled"), [
    (0.0, 0.0, 0.0, 1, False, 1.0, 0.0, 7.0414), (0.0, 0.3, 1.5, 1, False, 1.0, 0.0, 6.5915),
    (0.0, 0.9, 4.0, 1, False, 1.0, 0.0, 3.5276), (0.0, 1.8, 6.0, 1, False, 1.0, 2.2509, 0.0),
    (0.0, 2.4, -12.0, 1, False, 1.0, 5.9814, 0.0), (0.0, 1.0, 170.0, 1, False, 1.0, 7.6009, 0.0),
    (350.0, 0.5, 10.0, 1, False, 1.0, 7.5986, 0.0), (0.0, 0.3, 1.5, 1, True, 1.0, 0.0, 4.6458),
    (0.0, 0.9, 4.0, 1, True, 1.0, 0.0, 1.9962), (0.0, 0.5, 91.0, 1, True, 1.0, 0.8179, 0.0),
    (0.0, 1.2, 130.0, 1, True, 1.0, 7.6009, 0.0), (0.0, 0.4, 178.0, 1, True, 1.0, 0.9329, 0.0),
    (0.0, 0.5, 1.0, 1, False, 0.03, 0.0, 2.9566), (0.0, 0.9, 2.0, 1, True, 0.5, 0.0, 2.44),
    (None, 0.9, None, 1, False, 1.0, 0.0, 0.0032), (None, 0.9, 0.0, 1, False, 0.1, 2.2241, 0.0),
    (0.0, 0.9, None, 1, True, 1.0, 0.0, 0.0032), (0.0, 0.0, 0.0, 0, False, 0.03, 0.0, 7.0414),
    (0.0, 0.4, 0.0, 0, False, 0.03, 0.0, 3.2469), (None, 2.5, None, 0, False, 1.0, 0.0002, 0.0),
    (0.0, 0.0, 1.0, 0, False, 0.2, 0.0, 5.3082), (None, 9.0, None, 1, False, 1.0, 0.005, 0.0),
    (None, 30.0, None, 1, False, 1.0, 0.0, 0.0),
])
def test_what_places_and_turns_tell_in_nats(
    was_deg: float | None, moved_mm: float, now_deg: float | None, looks: int, quarter: bool, anew_share: float,
    alone: float, handled: float,
) -> None:
    was, now = track(turn_deg=was_deg), track(moved_mm, now_deg, looks)
    assert touch_nats(was, now, quarter, anew_share) == pytest.approx((alone, handled), abs=1e-4)
    if anew_share == 1.0:
        assert touch_nats(was, now, quarter) == touch_nats(was, now, quarter, 1.0)


def test_where_the_eyes_saw_no_change_no_piece_was_exchanged() -> None:
    was = track(turn_deg=None)
    other_reading = Track("hex:0,0", (0.0, 0.0), {"coin:knight": 0.1}, 0)

    assert exchange_nats(was, track(turn_deg=None, looks=0)) == (0.0, pytest.approx(3.91, abs=0.01))
    assert exchange_nats(was, track(turn_deg=None)) == (0.0, 0.0)
    assert exchange_nats(was, other_reading) == (0.0, 0.0), "it changed at a look in between"
