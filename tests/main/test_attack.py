"""A hostile guest gets nowhere: all attempts of `make attack`, against a service that runs."""

from __future__ import annotations

import pytest

from tests.bench.attack.__main__ import ROOMS
from tests.bench.attack.table import table

pytestmark = pytest.mark.long


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_that_a_guest_tries_gets_through(room: str) -> None:
    with table() as attacked:
        assert {name: said for name, attempt in ROOMS[room].items() if (said := attempt(attacked))} == {}
