"""From what lies on the board back to the set-up: trays by their apples, tiles at the ends (PP 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine import Json, OpenPart, SetupPath
from companion.engine.form import CELLS
from companion.engine.recognise import NameCosts, leaves, open_parts, settled
from companion.games.pick_and_pack.layout import GRABBER, SEAT_COLOURS
from companion.games.pick_and_pack.setup import OF_EACH_TILE, START_APPLES, TRAYS
from companion.games.pick_and_pack.state import ENDS, SIZE, TILES
from companion.table import Spot

_FACES: Final = {GRABBER if apples == START_APPLES else f"tray:{apples}": apples for apples in TRAYS}
"""The apples of a tray by what shows: the grabber stands on the tray with six."""


def setup_seen(costs: Mapping[Spot, Sequence[NameCosts]]) -> Json:
    """The set-up as the board shows it, with null for what cannot be settled, and for who begins."""
    faces = settled([_at(costs, f"grid:{cell}") for cell in CELLS], {face: TRAYS[n] for face, n in _FACES.items()})
    apples = [None if face is None else _FACES[face] for face in faces]
    return {
        "trays": [apples[row * SIZE : (row + 1) * SIZE] for row in range(SIZE)],
        "tiles": [_tiles(costs, seat) for seat in (0, 1)],
        "first": None,
    }


def _tiles(costs: Mapping[Spot, Sequence[NameCosts]], seat: int) -> dict[str, list[str | None]]:
    prefix = f"tile:{SEAT_COLOURS[seat]}:"
    places = [(end, line) for end in ENDS[seat] for line in range(1, SIZE + 1)]
    faces = settled(
        [_at(costs, f"end:{end}:{line}") for end, line in places], {f"{prefix}{tile}": OF_EACH_TILE for tile in TILES}
    )
    tiles = [None if face is None else face.removeprefix(prefix) for face in faces]
    return {end: tiles[i * SIZE : (i + 1) * SIZE] for i, end in enumerate(ENDS[seat])}


def _at(costs: Mapping[Spot, Sequence[NameCosts]], spot: Spot) -> NameCosts:
    """The place's one sight; a place that was not seen may hold anything."""
    return next(iter(costs.get(spot, ())), {})


def setup_open(setup: Json) -> Sequence[OpenPart]:
    """What is not settled: apples and tiles of which some are left."""
    apples = _left(TRAYS, setup["trays"])
    tiles = [_left(dict.fromkeys(TILES, OF_EACH_TILE), own) for own in setup["tiles"]]

    def choices(path: SetupPath) -> tuple[Spot | None, list[Json]]:
        match path:
            case ("trays", int(row), int(column)):
                return f"grid:{CELLS[row * SIZE + column]}", apples
            case ("tiles", int(seat), str(end), int(line)):
                return f"end:{end}:{line + 1}", tiles[seat]
        return None, [0, 1]

    return open_parts(setup, choices)


def _left(supply: Mapping[Json, int], settled: Json) -> list[Json]:
    used = Counter(value for _, value in leaves(settled))
    return [value for value, number in supply.items() if used[value] < number]


def setup_parts(setup: Json) -> Mapping[SetupPath, Json]:
    """Each tray and each tile by its place."""
    return {path: value for path, value in leaves(setup) if path != ("first",) and value is not None}
