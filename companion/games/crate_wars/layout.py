"""Where things lie in Crate Wars, in millimetres: the machine, the line of crates, a card on each side, supplies."""

from __future__ import annotations

from typing import Final

from companion.games.crate_wars.state import COLOUR_PLAYER, CRATES
from companion.table import DRINK_KIND, Body, Layout, PieceKind, Place, Point, Zone
from companion.table.crate import CRATE_MM

CRATE: Final = "crate_upside_down"
MACHINE: Final = "machine"
YEN_100: Final = "yen:100"
YEN_500: Final = "yen:500"

KINDS: Final = (
    DRINK_KIND,
    PieceKind("coin", heads=("yen",)),
    PieceKind("card", outline="card"),
    PieceKind("upside_down_crate", "upright", found="silhouette", drawn="lid", lettered=False, heads=(CRATE,)),
    PieceKind(MACHINE, "upright", found="print", drawn="board", lettered=False),
)

MACHINE_MM: Final = (70.0, 60.0, 90.0)
CARD_MM: Final = (44.0, 63.0)
COIN_MM: Final = (24.0, 24.0)

PITCH_MM: Final = 60.0
"""From crate to crate."""
SIZE_MM: Final = (600.0, 412.0)
LINE_Y_MM: Final = 206.0
FIRST_X_MM: Final = 155.0
MACHINE_X_MM: Final = 45.0
COINS_X_MM: Final = 557.0

# how far from the middle of the line things of a seat lie
BESIDE_MM: Final = 49.5
CARD_AWAY_MM: Final = 109.5
SUPPLY_AWAY_MM: Final = 177.5
COINS_AWAY_MM: Final = 87.5
YEN_AWAY_MM: Final = 12.0


def layout() -> Layout:
    """All spots; they are the same for every set-up. Seat 0 is in front, seat 1 behind the line."""
    crates = tuple(
        Body(f"line:{crate}", CRATE, (_x_mm(crate), LINE_Y_MM), CRATE_MM) for crate in CRATES
    )
    machine = Body("machine", MACHINE, (MACHINE_X_MM, LINE_Y_MM), MACHINE_MM)
    places = [place for crate in CRATES for place in (*_yen(crate), *(_card(seat, crate) for seat in (0, 1)))]
    zones = [zone for seat in (0, 1) for zone in _zones(seat)]
    return Layout((machine, *crates), tuple(places), tuple(zones), SIZE_MM, kinds=KINDS)


def _x_mm(crate: int) -> float:
    return FIRST_X_MM + PITCH_MM * (crate - 1)


def _y_mm(seat: int, away_mm: float) -> float:
    return LINE_Y_MM - away_mm if seat == COLOUR_PLAYER else LINE_Y_MM + away_mm


def _yen(crate: int) -> tuple[Place, ...]:
    """The coins that tell a crate's worth lie on it in two stacks, the front one first; the first crate's only coin
    lies in its middle."""
    if crate == 1:
        return (_coins(crate, 0, 0.0),)
    return _coins(crate, 0, -YEN_AWAY_MM), _coins(crate, 1, YEN_AWAY_MM)


def _coins(crate: int, number: int, away_mm: float) -> Place:
    return Place(
        f"yen:{crate}:{number}", (_x_mm(crate), LINE_Y_MM + away_mm), COIN_MM, ("coin",), outline="round",
        on=f"line:{crate}", floor_mm=CRATE_MM[2], stack=(crate + 1 - number) // 2,
    )


def _card(seat: int, crate: int) -> Place:
    return Place(
        f"card:{seat}:{crate}", (_x_mm(crate), _y_mm(seat, CARD_AWAY_MM)), CARD_MM, ("card",),
        turn_deg=0.0 if seat == COLOUR_PLAYER else 180.0,
    )


def _zones(seat: int) -> list[Zone]:
    middle = (_x_mm(1) + _x_mm(6)) / 2
    zones = [
        _zone(f"supply:{seat}", (middle, _y_mm(seat, SUPPLY_AWAY_MM)), (220.0, 55.0), "drink", seat),
        _zone(f"coins:{seat}", (COINS_X_MM, _y_mm(seat, COINS_AWAY_MM)), (83.0, 75.0), "coin", seat),
    ]
    for crate in CRATES:
        x = _x_mm(crate)
        zones.append(_zone(f"beside:{seat}:{crate}", (x, _y_mm(seat, BESIDE_MM)), (58.0, 49.0), "drink", seat))
        zones.append(_zone(f"won:{seat}:{crate}", (x, _y_mm(seat, CARD_AWAY_MM)), CARD_MM, "drink", seat))
    return zones


def _zone(spot: str, middle_mm: Point, size_mm: Point, kind: str, seat: int) -> Zone:
    (x, y), (w, h) = middle_mm, (size_mm[0] / 2, size_mm[1] / 2)
    return Zone(spot, ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)), (kind,), seat)
