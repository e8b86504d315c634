"""Odd things at a table of apple trays: noticed within two looks, named with the place, and put right again."""

from __future__ import annotations

import pytest

from tests.odd_tables.pasted import as_in, copied, glowing, in_light, knocked_over, nudged, phone
from tests.odd_tables.tables import Story, Table, check, opened_table

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def table(learned_once: None) -> Table:
    return opened_table("pick-1")


def test_a_bottle_knocked_over_between_the_trays(table: Table) -> None:
    odd = knocked_over(table[2], table.px("grid:b2"), 120, 40, (60, 120, 60))
    check(table, Story([table[0], table[2]], [odd] * 2, [table[2], table[4]], 2, "changed at b2",
                       table.px("grid:b2")))


def test_a_phone_on_the_trays(table: Table) -> None:
    odd = phone(table[2], table.px("grid:b5"), (170, 85))
    check(table, Story([table[0], table[2]], [odd] * 2, [table[2], table[4]], 2, "changed at b5",
                       table.px("grid:b5")))


def test_a_tray_that_is_missing(table: Table) -> None:
    odd = as_in(table[2], table[8], table.px("grid:b5"), 50)
    check(table, Story([table[0], table[2]], [odd] * 2, [table[2], table[2], table[4]], 2, "missing from b5"))


def test_a_tray_laid_where_none_may_be_laid(table: Table) -> None:
    """On the cell from which the first one was taken."""
    odd = copied(table[4], table[4], table.px("grid:b2", 4), table.px("grid:f4"), 45)
    check(table, Story([table[0], table[2], table[4]], [odd] * 2, [table[4], table[4], table[5]], 3, "stands on f4"))


def test_two_plies_at_once(table: Table) -> None:
    check(table, Story([table[0]], [table[4]] * 2, [table[4], table[5]], 3, ""))


def test_a_ply_taken_back_and_played_again(table: Table) -> None:
    check(table, Story([table[0], table[2], table[4]], [table[2]] * 2, [table[4], table[5]], 3, ""))


def test_the_camera_bumped(table: Table) -> None:
    odd, later = (nudged(table[n], (12.0, -9.0), 1.0) for n in (2, 4))
    check(table, Story([table[0], table[2]], [odd] * 2, [later, later], 2, ""))


def test_a_card_bumped(table: Table) -> None:
    odd, later = (table.with_card_bumped(n) for n in (2, 4))
    check(table, Story([table[0], table[2]], [odd] * 2, [later, later], 2, "card 2"))


def test_lights_off_and_on(table: Table) -> None:
    odd, later = (in_light(table[n], 0.5) for n in (2, 4))
    check(table, Story([table[0], table[2]], [odd] * 2, [later, table[4], table[5]], 3, ""))


def test_an_led_that_tints_the_table(table: Table) -> None:
    at_px = table.px("grid:b2", 0, (0.0, -100.0))
    odd = [glowing(table[2], at_px, 60.0, light) for light in ((5.0, 35.0, 5.0), (5.0, 5.0, 40.0))]
    check(table, Story([table[0], table[2]], odd, [table[2], table[4]], 2, ""))
