"""Odd things at a table of cans: noticed within two looks, named with the place, and put right again."""

from __future__ import annotations

import pytest

from tests.odd_tables.pasted import as_in, copied, glowing, in_light, knocked_over, nudged, phone
from tests.odd_tables.tables import Story, Table, check, opened_table

pytestmark = pytest.mark.long
RED, GREEN = (60, 50, 170), (50, 90, 50)


@pytest.fixture(scope="module")
def table(learned_once: None) -> Table:
    return opened_table("kamikaze-1")


def test_a_bottle_knocked_over(table: Table) -> None:
    c5 = table.px("grid:c5", 3)
    lying = knocked_over(as_in(table[3], table[0], c5, 75), c5, 110, 45, RED)
    check(table, Story([table[0], table[3]], [lying] * 2, [table[3], table[3], table[4]], 2, "changed at c5", c5))


def test_a_phone_on_the_crates(table: Table) -> None:
    at_px = table.px("grid:c5", 3, (45.0, -45.0))
    odd = phone(table[3], at_px, (180, 90))
    check(table, Story([table[0], table[3]], [odd] * 2, [table[3], table[3], table[4]], 2, " f2", at_px))


def test_a_bottle_that_is_missing(table: Table) -> None:
    odd = as_in(table[4], table[0], table.px("grid:c5", 3), 75)
    check(table, Story([table[0], table[3], table[4]], [odd] * 2, [table[4], table[4], table[6]], 3,
                       "missing from c5"))


def test_a_can_of_the_player_who_has_just_played(table: Table) -> None:
    """Where the look does not tell whose can it is, it is asked."""
    b2 = table.px("grid:b2", 9)
    odd = copied(table[0], table[9], b2, (b2[0] + 103, b2[1] - 2), 30)
    check(table, Story([table[0]], [odd] * 2, [table[0], table[0], table[3]], 1, "?"))


def test_two_plies_at_once(table: Table) -> None:
    check(table, Story([table[0]], [table[4]] * 2, [table[4], table[6]], 3, ""))


def test_a_ply_taken_back_and_played_again(table: Table) -> None:
    check(table, Story([table[0], table[3], table[4]], [table[3]] * 2, [table[4], table[6]], 3, ""))


def test_the_camera_bumped(table: Table) -> None:
    odd, later = (nudged(table[n], (12.0, -9.0), 1.0) for n in (3, 4))
    check(table, Story([table[0], table[3]], [odd] * 2, [later, later], 2, ""))


def test_a_card_bumped(table: Table) -> None:
    odd, later = (table.with_card_bumped(n) for n in (3, 4))
    check(table, Story([table[0], table[3]], [odd] * 2, [later, later], 2, "card 2"))


@pytest.mark.parametrize(("gain", "tint"), [(0.45, (1.0, 1.0, 1.0)), (0.8, (0.8, 1.0, 1.1))])
def test_lights_off_and_on(table: Table, gain: float, tint: tuple[float, float, float]) -> None:
    odd = in_light(table[3], gain, tint)
    check(table, Story([table[0], table[3]], [odd] * 2, [in_light(table[4], gain, tint), table[4], table[6]], 3, ""))


def test_an_led_that_tints_the_table(table: Table) -> None:
    at_px = table.px("grid:c5", 3, (-85.0, -100.0))
    odd = [glowing(table[3], at_px, 60.0, light) for light in ((5.0, 35.0, 5.0), (5.0, 5.0, 40.0))]
    check(table, Story([table[0], table[3]], odd, [table[3], table[4]], 2, ""))
