"""Options and set-ups: reading them strictly, dealing them, the set-ups with a name (WC 3)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.engine import Json, Seat, form
from companion.errors import IllegalError, phrase
from companion.games.war_chest.board import Faction
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.units import UNITS

UNITS_EACH: Final = {2: 4, 4: 3}
"""How many units a seat has, by the number of players."""
FACTIONS: Final[tuple[Faction, Faction]] = ("raven", "wolf")

FIRST_GAME: Final = (
    ("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"),
)
"""WC 3.6: seat 0 begins."""
BATTLES: Final[Mapping[str, tuple[tuple[Coin, ...], tuple[Coin, ...]]]] = {
    "gaugamela": (
        ("knight", "light_cavalry", "pikeman", "marshall"), ("cavalry", "footman", "mercenary", "royal_guard"),
    ),
    "bannockburn": (
        ("archer", "cavalry", "lancer", "footman"), ("light_cavalry", "pikeman", "warrior_priest", "swordsman"),
    ),
    "crecy": (("archer", "ensign", "knight", "royal_guard"), ("cavalry", "crossbowman", "lancer", "scout")),
}
"""WC 3.7: the army that is named first is seat 0's."""


def read_options(given: Mapping[str, Json]) -> Mapping[str, Json]:
    """`knowledge` (WC 9), `royal_guard` (WC 6.13), `preview_second_hand` (WC 3.10)."""
    found = form.fields(given, "options", [], ["knowledge", "royal_guard", "preview_second_hand"])
    return {
        "knowledge": form.one_of(found.get("knowledge", "open"), "options.knowledge", ("open", "referee")),
        "royal_guard": form.one_of(
            found.get("royal_guard", "revised"), "options.royal_guard", ("revised", "original")
        ),
        "preview_second_hand": form.truth(found.get("preview_second_hand", False), "options.preview_second_hand"),
    }


def read_setup(given: Json, players: int) -> Json:
    """`{"units": [[unit, …] a seat], "initiative": SEAT, "factions": ["raven", "wolf", …]}`."""
    found = form.fields(given, "setup", ["units", "initiative"], ["factions"])
    units = [
        [
            form.one_of(unit, f"setup.units[{seat}][{i}]", UNITS)
            for i, unit in enumerate(form.items(each, f"setup.units[{seat}]", UNITS_EACH[players]))
        ]
        for seat, each in enumerate(form.items(found["units"], "setup.units", players))
    ]
    every = [unit for own in units for unit in own]
    for unit in every:
        if every.count(unit) > 1:
            raise IllegalError("WC 3.1", phrase("wc.no.unit_twice", unit=unit))
    return {
        "units": units,
        "initiative": form.whole(found["initiative"], "setup.initiative", 0, players - 1),
        "factions": _factions(found.get("factions", factions(players)), players),
    }


def _factions(given: Json, players: int) -> list[str]:
    listed = form.items(given, "setup.factions", players)
    named = [form.one_of(each, f"setup.factions[{i}]", FACTIONS) for i, each in enumerate(listed)]
    if named not in (factions(players), factions(players, "wolf")):
        raise IllegalError("WC 3.4", phrase("wc.no.factions"))
    return named


def factions(players: int, first: Faction = "raven") -> list[str]:
    """The seats' factions in turn, seat 0's given."""
    other = FACTIONS[1 - FACTIONS.index(first)]
    return [first if seat % 2 == 0 else other for seat in range(players)]


def random_setup(players: int, rng: Random) -> Json:
    """WC 3.5: random units, a random seat begins."""
    cards = rng.sample([*UNITS], players * UNITS_EACH[players])
    each = UNITS_EACH[players]
    units = [cards[seat * each:(seat + 1) * each] for seat in range(players)]
    return setup(units, rng.randrange(players))


def first_game(_: int, __: Random) -> Json:
    """WC 3.6."""
    return setup(FIRST_GAME, 0)


def battle(name: str, _: int, rng: Random) -> Json:
    """WC 3.7: the armies of a battle; a random seat begins."""
    return setup(BATTLES[name], rng.randrange(2))


def setup(units: tuple[tuple[Coin, ...], ...] | list[list[Coin]], initiative: Seat) -> Json:
    """A set-up with the usual factions."""
    return {
        "units": [list(own) for own in units], "initiative": initiative, "factions": factions(len(units)),
    }
