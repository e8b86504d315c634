"""From what stands on the table back to the set-up: the armies by their supplies, the initiative by its marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from companion.engine import Json, OpenPart, SetupPath
from companion.engine.recognise import SETTLED_NATS, UNKNOWN_NATS, NameCosts, open_parts, settled
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.setup import FACTIONS, UNITS_EACH, factions
from companion.games.war_chest.units import UNITS
from companion.table import EMPTY, Spot


def setup_seen(costs: Mapping[Spot, Sequence[NameCosts]], players: int) -> Json:
    """The set-up as the table shows it before the first ply, with null for what cannot be settled.

    Each pile of a supply is one thing, so a supply that shows another number of things is left open.
    """
    things = {where: [thing for thing in found if thing.get(EMPTY, inf) > 0] for where, found in costs.items()}
    each = UNITS_EACH[players]
    whole = [seat for seat in range(players) if len(things.get(f"supply:{seat}", ())) == each]
    piles = [pile for seat in whole for pile in things[f"supply:{seat}"]]
    names = settled(piles, {f"coin:{unit}": 1 for unit in UNITS})
    units: list[list[Coin | None]] = [[None] * each for _ in range(players)]
    for i, seat in enumerate(whole):
        found = names[i * each : (i + 1) * each]
        units[seat] = [None if name is None else name.removeprefix("coin:") for name in found]
    return {"units": units, "initiative": _initiative(things, players), "factions": _factions(things, players)}


def _initiative(things: Mapping[Spot, Sequence[NameCosts]], players: int) -> int | None:
    """Whose zone the initiative marker lies in; None unless exactly one zone has something in it."""
    holders = [seat for seat in range(players) if things.get(f"initiative:{seat}")]
    return holders[0] if len(holders) == 1 else None


def _factions(things: Mapping[Spot, Sequence[NameCosts]], players: int) -> list[str] | None:
    """The seats' factions by the markers that lie in front of each side, and by the initiative marker."""
    prices = [0.0, 0.0]
    for side in (0, 1):
        for which, own in ((0, FACTIONS[side]), (1, FACTIONS[1 - side])):
            for thing in things.get(f"markers:{side}", ()):
                prices[which] += thing.get(f"marker:{own}", UNKNOWN_NATS)
            for seat in range(side, players, 2):
                for thing in things.get(f"initiative:{seat}", ()):
                    prices[which] += thing.get(f"initiative:{own}", UNKNOWN_NATS)
    if abs(prices[0] - prices[1]) < SETTLED_NATS:
        return None
    return factions(players, FACTIONS[0] if prices[0] < prices[1] else FACTIONS[1])


def setup_open(setup: Json) -> Sequence[OpenPart]:
    """What is not settled: units that nobody has yet, who begins, the factions."""
    players = len(setup["units"])
    taken = {unit for own in setup["units"] for unit in own}

    def choices(path: SetupPath) -> tuple[Spot | None, list[Json]]:
        match path:
            case ("units", int(seat), int()):
                return f"supply:{seat}", [unit for unit in UNITS if unit not in taken]
            case ("initiative",):
                return None, list(range(players))
        return "board", [factions(players, first) for first in FACTIONS]

    return open_parts(setup, choices)


def setup_parts(setup: Json) -> Mapping[SetupPath, Json]:
    """Each unit's seat, in whatever order it has them, and the factions. The initiative is who begins."""
    parts: dict[SetupPath, Json] = {}
    parts |= {("unit", unit): seat for seat, own in enumerate(setup["units"]) for unit in own if unit is not None}
    return parts if setup["factions"] is None else parts | {("factions",): setup["factions"]}
