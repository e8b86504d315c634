"""Every piece of a placement as it is drawn: where, in which form, how large, and on which others it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.table import SHAPES, Appearance, Layout, PieceKind, Place, Placement, Point, Spot, Zone, shape_of
from web.draw.trays import Pile, PieceRoom, Tray

DRINK_ROOM = PieceRoom(15.2, 15.2, 0.86, 1.3, min_pieces=6)
"""Of a drink in a tray. There is room for six, so that a tray does not shrink while a stock is played."""
HEX_SHARE = 0.66
"""How much of a hex's depth a piece on it takes."""
PLACE_SHARE = 0.96
"""How much of any other place."""
LOOSE_CARD_MM, LOOSE_PIECE_MM = 19.0, 30.0
"""How wide cards and other flat pieces are drawn in a tray where no place says it."""
BETWEEN_MM = 2.0
"""Between two flat pieces in a tray."""
CARD_RATIO = 1.43
"""A card's height by its width."""
RIM = 1.24
"""What lies under another piece is drawn so much larger, so that its rim can be seen."""
PAWN_SHARE, PAWN_ASIDE = 0.56, 0.24
"""A pawn's width, and how far aside it stands on another piece, by that piece's width."""


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """One piece as drawn: `key` names it between two drawings, so that it can glide; `level` counts a stack from 0.

    `form` is `drink`, `round`, `square` or `card`, `wide_mm` how wide it is drawn (a drink: the room it has).
    """

    key: str
    appearance: Appearance
    kind: PieceKind
    spot: Spot
    at: Point
    form: str
    wide_mm: float
    level: int = 0
    stacked: int = 1


def draw_pieces(
    layout: Layout, placement: Placement, trays: Sequence[Tray], rooms: Mapping[Spot, PieceRoom]
) -> tuple[DrawnPiece, ...]:
    """Every piece, in the order in which they are drawn: what lies flat first, then from the back to the front."""
    sizes = smallest_sizes(layout)
    places = {place.spot: place for place in layout.places}
    zones = {zone.spot: zone for zone in layout.zones}
    loose = {tray.spot: tray for tray in trays}
    layered: list[tuple[int, DrawnPiece]] = []
    for spot, pieces in placement.items():
        if spot in loose:
            made_for, wide = zones[spot].kinds, loose[spot].scale * rooms[spot].piece_mm
            layered += [(1, piece) for pile, at in zip(loose[spot].piles, loose[spot].centres)
                        for piece in _pile(layout, pile, spot, at, made_for, wide)]
        elif spot in places:
            layered += _on_place(layout, placement, places[spot], pieces, sizes)
    layered.sort(key=lambda each: (each[0], _is_pawn(each[1].kind), each[1].at[1], each[1].level))
    return _keyed([each for _, each in layered])


def smallest_sizes(layout: Layout) -> dict[str, float]:
    """How wide pieces of each kind are drawn: as wide as the smallest place for them allows."""
    sizes: dict[str, float] = {}
    for place in layout.places:
        for kind in place.kinds:
            sizes[kind] = min(sizes.get(kind, _width_on(place)), _width_on(place))
    return sizes


def room_in(zone: Zone, layout: Layout, sizes: Mapping[str, float]) -> PieceRoom:
    """How much room a piece has in a tray."""
    kind = layout.kind(zone.kinds[0] if zone.kinds else "")
    if kind.drawn == "drink":
        return DRINK_ROOM
    is_card = kind.outline == "card"
    wide = sizes.get(kind.name, LOOSE_CARD_MM if is_card else LOOSE_PIECE_MM)
    deep = CARD_RATIO * wide if is_card else wide
    return PieceRoom(wide + BETWEEN_MM, deep + BETWEEN_MM, 0.7, 1.0, BETWEEN_MM)


def _width_on(place: Place) -> float:
    return min(place.size_mm) * (HEX_SHARE if place.outline == "hex" else PLACE_SHARE)


def _is_pawn(kind: PieceKind) -> bool:
    return kind.drawn == "pawn"


def _form_of(kind: PieceKind, appearance: Appearance) -> str:
    return "drink" if kind.drawn == "drink" and shape_of(appearance) in SHAPES else kind.outline


def _on_place(
    layout: Layout, placement: Placement, place: Place, pieces: tuple[Appearance, ...], sizes: Mapping[str, float]
) -> list[tuple[int, DrawnPiece]]:
    """The pieces of a place, each with its layer: 0 for what lies below others."""
    wide = min(sizes.get(place.kinds[0], _width_on(place)), _width_on(place)) * (RIM if place.under else 1.0)
    pile = _pile(layout, Pile(tuple(pieces)), place.spot, (place.at_mm[0], -place.at_mm[1]), place.kinds, wide)
    if place.under in placement:  # only its rim can be seen
        pile = [replace(each, stacked=len(pile) + 1) for each in pile]
    first = layout.kind_of(pieces[0] if pieces else "", place.kinds)
    layer = 0 if place.under or first.outline == "card" else 1
    return [(layer, each) for each in pile]


def _pile(
    layout: Layout, pile: Pile, spot: Spot, at: Point, made_for: tuple[str, ...], wide: float
) -> list[DrawnPiece]:
    """The pieces of a pile; a pawn on top stands in a corner, so that what it stands on can be read."""
    known = [(piece, layout.kind_of(piece, made_for)) for piece in pile.pieces]
    flat = [each for each in known if not _is_pawn(each[1])]
    drawn = [DrawnPiece("", piece, kind, spot, at, _form_of(kind, piece), wide, level, len(flat))
             for level, (piece, kind) in enumerate(flat)]
    aside = PAWN_ASIDE * wide if flat else 0.0
    drawn += [DrawnPiece("", piece, kind, spot, (at[0] + aside, at[1] - aside), kind.outline, PAWN_SHARE * wide)
              for piece, kind in known if _is_pawn(kind)]
    return drawn


def _keyed(drawn: Sequence[DrawnPiece]) -> tuple[DrawnPiece, ...]:
    counts: dict[Appearance, int] = {}
    found = []
    for each in drawn:
        counts[each.appearance] = counts.get(each.appearance, 0) + 1
        found.append(replace(each, key=f"{each.appearance}#{counts[each.appearance]}"))
    return tuple(found)
