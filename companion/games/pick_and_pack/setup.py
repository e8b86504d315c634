"""Set-ups of Pick & Pack: reading, checking, dealing (PP 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NoReturn

from companion.engine import Json, form
from companion.engine.form import CELLS
from companion.errors import IllegalError, Phrase, PhraseArg, phrase
from companion.games.pick_and_pack.state import ENDS, SIZE, TILES, Row, State
from companion.table import seat_phrase

TRAYS: Final[Mapping[int, int]] = {1: 10, 2: 8, 3: 7, 4: 6, 5: 4, 6: 1}
"""How many trays there are, by their apples (PP 1.2)."""
START_APPLES: Final = 6
"""The grabber starts on the one tray with so many."""
OF_EACH_TILE: Final = 2


def read_trays(given: Json) -> list[list[int]]:
    """Six rows of six trays, row 1 first."""
    where = "setup.trays"
    rows = [
        [form.whole(each, f"{where}[{i}][{k}]", 1, 6) for k, each in enumerate(form.items(row, f"{where}[{i}]", SIZE))]
        for i, row in enumerate(form.items(given, where, SIZE))
    ]
    counts = Counter(apples for row in rows for apples in row)
    for apples, number in TRAYS.items():
        if counts[apples] != number:
            _forbid("PP 1.2", "trays", where=where, apples=apples, number=counts[apples], want=number)
    return rows


def read_setup(given: Json) -> Json:
    """The set-up, checked whole."""
    found = form.fields(given, "setup", ("trays", "tiles", "first"))
    tiles = form.items(found["tiles"], "setup.tiles", 2)
    return {
        "trays": read_trays(found["trays"]),
        "tiles": [_read_tiles(each, f"setup.tiles[{seat}]", ENDS[seat]) for seat, each in enumerate(tiles)],
        "first": form.whole(found["first"], "setup.first", 0, 1),
    }


def _read_tiles(given: Json, where: str, ends: Sequence[str]) -> dict[str, list[str]]:
    found = form.fields(given, where, ends)
    read = {
        end: [
            form.one_of(each, f"{where}.{end}[{i}]", TILES)
            for i, each in enumerate(form.items(found[end], f"{where}.{end}", SIZE))
        ]
        for end in ends
    }
    counts = Counter(tile for row in read.values() for tile in row)
    for tile in TILES:
        if counts[tile] != OF_EACH_TILE:
            _forbid("PP 1.5", "tiles", where=where, tile=tile, number=counts[tile])
    return read


def _forbid(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"pp.no.{reason}", **args))


def deal_trays(rng: Random) -> list[list[int]]:
    """The trays in random places."""
    shuffled = [apples for apples, number in TRAYS.items() for _ in range(number)]
    rng.shuffle(shuffled)
    return [shuffled[row * SIZE : (row + 1) * SIZE] for row in range(SIZE)]


def deal(rng: Random) -> Json:
    """Trays and tiles in random places."""
    return {
        "trays": deal_trays(rng),
        "tiles": [_deal_tiles(ends, rng) for ends in ENDS],
        "first": rng.randrange(2),
    }


def _deal_tiles(ends: Sequence[str], rng: Random) -> dict[str, list[str]]:
    shuffled = rng.sample(TILES * OF_EACH_TILE, SIZE * len(ends))
    return {end: list(shuffled[i * SIZE : (i + 1) * SIZE]) for i, end in enumerate(ends)}


def start(setup: Json) -> State:
    """The state before the first ply: the grabber stands on the tray with six apples."""
    trays = tuple(apples for row in setup["trays"] for apples in row)
    red, blue = ((_row(tiles[ends[0]]), _row(tiles[ends[1]])) for tiles, ends in zip(setup["tiles"], ENDS))
    return State(setup["first"], trays, trays.index(START_APPLES), (red, blue))


def _row(tiles: Sequence[str]) -> Row:
    return tuple(tiles)


def instructions(setup: Json) -> tuple[Phrase, ...]:
    """How to lay the table: the rows from the front, the tiles of each end, the grabber."""
    steps = [
        phrase("pp.lay_row", row=row, apples=tuple(apples)) for row, apples in enumerate(setup["trays"], start=1)
    ]
    for seat, tiles in enumerate(setup["tiles"]):
        who = seat_phrase(seat)
        steps += [phrase("pp.lay_tiles", seat=who, end=end, tiles=tuple(tiles[end])) for end in ENDS[seat]]
    trays = [apples for row in setup["trays"] for apples in row]
    steps.append(phrase("pp.lay_grabber", cell=CELLS[trays.index(START_APPLES)]))
    return tuple(steps)
