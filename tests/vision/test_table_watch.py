"""A camera or a card that is pushed: `bumped` while it moves, measured anew once it stands. On drawn tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from companion.errors import phrase
from companion.table import Piece
from tests.vision.drawn_table import LENS, DrawnTable
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.pipeline.table_watch import TableWatch, Watched
from vision.presence.play_area import PlayArea, survey

STREAM_S, APART_S = 0.2, 4.0
TABLE = DrawnTable()
ZONE = ((150.0, 60.0), (450.0, 60.0), (450.0, 270.0), (150.0, 270.0))
PIECES = (Piece("coin", "coin", (40.0, 40.0, 3.0), round=True),)


def play_area(arrangement: Arrangement) -> PlayArea:
    return survey(arrangement.view, [ZONE], [(card.at_mm, card.turn_deg) for card in arrangement.cards], PIECES)


class Watch:
    """A table that is watched, at first long enough to be known."""

    def __init__(self, table: DrawnTable = TABLE) -> None:
        self.watch = TableWatch(LENS, None, (), play_area)
        self._number, self._at_s = 0, 0.0
        assert self.see([table, table])[-1].state == "free"

    def see(self, tables: Iterable[DrawnTable], every_s: float = STREAM_S) -> list[Watched]:
        found = []
        for table in tables:
            self._number, self._at_s = self._number + 1, self._at_s + every_s
            found.append(self.watch.look(table.frame(self._number, self._at_s)))
        return found

    def states(self, tables: Iterable[DrawnTable], every_s: float = STREAM_S) -> list[str]:
        return [each.state for each in self.see(tables, every_s)]

    def measure(self, table: DrawnTable) -> Arrangement:
        return self.watch.measure(table.frame(self._number, self._at_s))


@pytest.fixture
def watched() -> Watch:
    return Watch()


def test_a_table_at_rest_is_free(watched: Watch) -> None:
    assert watched.states([TABLE] * 3) == ["free"] * 3


def test_while_the_camera_is_pushed_it_is_bumped_and_free_once_it_stands(watched: Watch) -> None:
    pushed = [TABLE.seen_from(mm) for mm in (6.0, 13.0, 21.0)]
    seen = watched.see(pushed)
    assert [each.state for each in seen] == ["bumped"] * 3
    assert {each.why for each in seen} == {phrase("eyes.bumped")}
    assert {each.cards for each in seen} == {()}
    stands, still = watched.see([pushed[-1]] * 2)
    assert (stands.state, still.state) == ("free", "free")
    assert [card.card for card in stands.cards] == [0, 1, 2, 3]
    assert still.cards == ()
    assert watched.watch.arrangement is not None
    stands_at = watched.watch.arrangement.view.position_mm[:2] - find_cards(TABLE.frame(0, 0.0).image, LENS
                                                                          ).view.position_mm[:2]
    assert stands_at == pytest.approx(np.array([21.0, 0.0]), abs=1.0)


def test_while_it_is_pushed_nothing_is_measured_anew(watched: Watch) -> None:
    before = watched.watch.arrangement
    watched.see(TABLE.seen_from(mm) for mm in (6.0, 13.0))
    assert watched.watch.arrangement is before


def test_a_camera_that_was_pushed_between_two_looks_is_not_bumped(watched: Watch) -> None:
    assert watched.states([TABLE.seen_from(15.0)] * 2, APART_S) == ["free"] * 2


def test_a_camera_that_is_pushed_back_is_free_at_once(watched: Watch) -> None:
    assert watched.states([TABLE.seen_from(8.0)]) == ["bumped"]
    assert watched.states([TABLE] * 2)[-1] == "free"


def test_while_a_card_is_pushed_it_is_bumped_and_measured_anew_once_it_lies_still(watched: Watch) -> None:
    pushed = [TABLE.with_card(2, mm) for mm in (8.0, 16.0, 24.0)]
    assert watched.states(pushed) == ["bumped"] * 3
    assert watched.states([pushed[-1]] * 2)[-1] == "free"
    found = watched.measure(pushed[-1])
    assert found.bumped == phrase("eyes.card_bumped", card=2)
    card = next(card for card in found.cards if card.card == 2)
    assert card.at_mm == pytest.approx((584.0, 330.0), abs=1.0)


@pytest.mark.parametrize("right_mm", [-24.0, 13.0, 40.0])
def test_a_card_at_the_border_that_was_pushed_with_the_camera_between_two_looks_is_no_hand(right_mm: float) -> None:
    table = DrawnTable(looks_at_mm=(300.0, 92.0))
    pushed = table.with_card(2, right_mm).seen_from(1.0)
    seen = Watch(table).see([pushed, pushed], APART_S)
    assert [each.state for each in seen] == ["free"] * 2
    card = next(card for card in seen[0].cards if card.card == 2)
    assert card.at_mm == pytest.approx((560.0 + right_mm, 330.0), abs=1.5)


def test_an_arm_beside_a_card_that_was_pushed_with_the_camera_is_a_hand() -> None:
    arm = tuple(((286.0 + 0.4 * y, float(y)), 20.0) for y in range(200, 365, 8))
    table = DrawnTable(looks_at_mm=(300.0, 92.0))
    reaching = replace(table, things=arm).with_card(2, 13.0).seen_from(1.0)
    assert Watch(table).states([reaching] * 2, APART_S) == ["hand"] * 2


def test_something_that_moves_on_a_card_only_moves(watched: Watch) -> None:
    things = [DrawnTable(things=(((590.0 + mm, 345.0), 11.0),)) for mm in (0.0, 20.0)]
    assert watched.states(things) == ["moving"] * 2
    assert watched.watch.arrangement is not None
    assert watched.measure(things[-1]).bumped is None


def test_what_moves_over_a_table_whose_camera_stands_again_is_not_the_camera(watched: Watch) -> None:
    there = TABLE.seen_from(15.0)
    waving = [DrawnTable(looks_at_mm=there.looks_at_mm, things=(((300.0 + mm, -90.0), 90.0),))
              for mm in (0, 20, 40, 60)]
    states = watched.states([there, *waving])
    assert states[0] == "bumped"
    assert states[2:] == ["moving"] * 3
    assert watched.states([there] * 2)[-1] == "free"
