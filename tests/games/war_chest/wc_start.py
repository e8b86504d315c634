"""The start of War Chest for tests."""

from __future__ import annotations

from typing import Any

from companion.games.war_chest.rules import new_table, start

FIRST = (("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"))


def begin(units: Any = FIRST, initiative: int = 0, **options: bool) -> Any:
    return start(new_table(units, ("raven", "wolf") * (len(units) // 2), **options), initiative)
