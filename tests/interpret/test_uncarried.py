"""Places on a carrier that is not seen: empty where it is surely gone, and not looked at where that is doubtful."""

from __future__ import annotations

import pytest

from companion.interpret.evidence import TableTracks
from companion.interpret.layout_index import index_layout
from companion.interpret.weighing import weigh
from companion.table import EMPTY, Observation, Sight
from tests.interpret.fuzz_selfplay import made_up

INDEX = index_layout(made_up("yuzu-twist", 0, 1).layout)
SLOT, CELL = next(iter(INDEX.carrier.items()))


@pytest.mark.parametrize(("nats", "against"), [(2.5, 0.0), (8.9, 0.0), (9.0, 15.0), (30.0, 15.0)])
def test_a_doubtful_carrier_says_nothing_of_what_it_carries(nats: float, against: float) -> None:
    sights = (Sight(CELL, (0, 0), {EMPTY: 0.0, "crate": -nats}), Sight("slot:x", (9, 9), {EMPTY: 0.0, "red/can": -1.0}))

    evidence = weigh(Observation(0.0, sights), TableTracks(), INDEX)

    assert evidence.place_cost(SLOT, ()) == 0.0
    assert evidence.place_cost(SLOT, ("red/can",)) == against
    assert evidence.likeliest(SLOT) == []
