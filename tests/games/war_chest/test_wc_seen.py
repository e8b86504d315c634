from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.war_chest import GAME
from companion.games.war_chest.units import UNITS
from companion.table import EMPTY


def costs_of(setup: Any, doubt: float = 30.0) -> dict[str, list[dict[str, float]]]:
    """What clear eyes see of a set-up before the first ply: piles show one thing each."""
    players = len(setup["units"])
    options = GAME.read_options({}, players)
    placed = GAME.placement(GAME.start(setup, options, players))
    names = sorted({f"coin:{unit}" for unit in UNITS} | {f"{kind}:{f}" for kind in ("marker", "initiative")
                                                        for f in ("raven", "wolf")})
    found: dict[str, list[dict[str, float]]] = {}
    for where, pieces in placed.items():
        tops = dict.fromkeys(pieces) if where.startswith("supply") else pieces[:1]
        found[where] = [{EMPTY: 40.0} | {name: 0.0 if name == piece else doubt for name in names} for piece in tops]
    return found


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("front", ["raven", "wolf"])
def test_a_set_up_is_told_from_what_lies_on_the_table(players: int, front: str) -> None:
    for seed in range(10):
        setup = GAME.deal(players, {}, Random(seed))
        if front == "wolf":
            setup["factions"] = setup["factions"][::-1]
        assert GAME.setup_seen(costs_of(setup), {}, players) == setup


def test_what_is_in_doubt_is_left_open() -> None:
    setup = GAME.deal(2, {}, Random(1))
    seen = costs_of(setup)
    first = setup["units"][0][0]
    other = next(unit for unit in UNITS if unit not in setup["units"][0] + setup["units"][1])
    seen["supply:0"][0][f"coin:{other}"] = 2.0
    del seen[f"initiative:{setup['initiative']}"]
    told = GAME.setup_seen(seen, {}, 2)
    assert told["units"][0][0] is None
    assert told["units"][0][1:] == setup["units"][0][1:]
    assert told["initiative"] is None
    seen["supply:0"].append({EMPTY: 0.0, f"coin:{first}": 30.0})  # only a shadow
    assert GAME.setup_seen(seen, {}, 2)["units"][0][1:] == setup["units"][0][1:]
    seen["supply:0"].append({EMPTY: 20.0, f"coin:{first}": 0.0})  # a fifth pile: which are the army's?
    assert GAME.setup_seen(seen, {}, 2)["units"][0] == [None] * 4


def test_one_card_of_each_unit_settles_what_one_pile_alone_leaves_open() -> None:
    setup = GAME.deal(2, {}, Random(1))
    seen = costs_of(setup)
    one, two = setup["units"][0][:2]
    seen["supply:0"][0][f"coin:{two}"] = 2.0  # but that unit is clearly the other pile
    assert GAME.setup_seen(seen, {}, 2) == setup
    assert one != two


def test_nothing_seen_tells_nothing() -> None:
    assert GAME.setup_seen({}, {}, 2) == {"units": [[None] * 4] * 2, "initiative": None, "factions": None}


def test_hopeless_pictures_are_answered_at_all() -> None:
    blank = {EMPTY: 9.0} | {f"coin:{unit}": float(i) / 10 for i, unit in enumerate(UNITS)}
    seen = {f"supply:{seat}": [blank] * 3 for seat in range(4)}
    told = GAME.setup_seen(seen, {}, 4)
    assert {unit for own in told["units"] for unit in own} == {None}
