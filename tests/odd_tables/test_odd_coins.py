"""Odd things at a table of coins: noticed within two looks, named with the place, and put right again."""

from __future__ import annotations

import pytest

from tests.odd_tables.pasted import as_in, copied, glowing, in_light, knocked_over, nudged, phone
from tests.odd_tables.tables import Story, Table, check, opened_table

pytestmark = pytest.mark.long
KNIGHT = "hex:2,-3:0"


@pytest.fixture(scope="module")
def table(learned_once: None) -> Table:
    return opened_table("war-chest-1")


@pytest.fixture(scope="module")
def middle(table: Table) -> tuple[int, int]:
    """The hex in the middle of the board."""
    (ax, ay), (bx, by) = table.px("marker:-1,-2"), table.px("marker:1,2")
    return (ax + bx) // 2, (ay + by) // 2


def test_a_bottle_knocked_over_on_the_board(table: Table, middle: tuple[int, int]) -> None:
    odd = knocked_over(table[1], middle, 130, 50, (60, 120, 60))
    check(table, Story([table[0], table[1]], [odd] * 2, [table[1], table[2]], 3, "hex 0,0", middle))


def test_a_phone_on_the_board(table: Table, middle: tuple[int, int]) -> None:
    odd = phone(table[1], middle, (170, 85))
    check(table, Story([table[0], table[1]], [odd] * 2, [table[1], table[1], table[2]], 3, "hex 0,0", middle))


def test_a_coin_where_none_may_be_deployed(table: Table, middle: tuple[int, int]) -> None:
    odd = copied(table[2], table[2], table.px(KNIGHT, 2), middle, 45)
    check(table, Story([table[0], table[1], table[2]], [odd] * 2, [table[2], table[2], table[3]], 4,
                       "knight stands on hex 0,0"))


def test_a_coin_taken_away_is_a_ply_taken_back(table: Table) -> None:
    odd = as_in(table[2], table[0], table.px(KNIGHT, 2), 60)
    check(table, Story([table[0], table[1], table[2]], [odd] * 2, [table[2], table[3]], 4, ""))


def test_two_plies_at_once(table: Table) -> None:
    check(table, Story([table[0]], [table[2]] * 2, [table[3]], 4, ""))


def test_a_ply_taken_back_and_played_again(table: Table) -> None:
    check(table, Story([table[0], table[1], table[2]], [table[1]] * 2, [table[2], table[3]], 4, ""))


def test_the_camera_bumped(table: Table) -> None:
    odd, later = (nudged(table[n], (12.0, -9.0), 1.0) for n in (1, 2))
    check(table, Story([table[0], table[1]], [odd] * 2, [later, later], 3, ""))


def test_a_card_bumped(table: Table) -> None:
    odd, later = (table.with_card_bumped(n) for n in (1, 2))
    check(table, Story([table[0], table[1]], [odd] * 2, [later, later], 3, "card 2"))


def test_lights_off_and_on(table: Table) -> None:
    odd, later = (in_light(table[n], 0.5) for n in (1, 2))
    check(table, Story([table[0], table[1]], [odd] * 2, [later, table[2], table[3]], 4, ""))


def test_an_led_that_tints_the_table(table: Table) -> None:
    at_px = table.px("marker:-1,-2", 0, (-35.0, -72.0))
    odd = [glowing(table[1], at_px, 60.0, light) for light in ((5.0, 35.0, 5.0), (5.0, 5.0, 40.0))]
    check(table, Story([table[0], table[1]], odd, [table[1], table[2]], 3, ""))
