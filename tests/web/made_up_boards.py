"""Boards that no game has: every kind of piece, place, body and tray once, small enough to be read as text."""

from __future__ import annotations

from markupsafe import Markup

from companion.table import EMPTY, SHAPES, Body, Emblem, Layout, PieceKind, Place, Placement, Point, Stroke, Zone
from companion.table.layout import Heap
from web.draw import PieceStyle, board

PITCH_MM = 40.0
KINDS = (
    PieceKind("drink", "upright", drawn="drink"),
    PieceKind("coin"),
    PieceKind("tile", outline="square"),
    PieceKind("card", outline="card"),
    PieceKind("tray", outline="square", paint="#F2EAD3", emblem=Emblem(
        (Stroke("M-33 3A33 33 0 1 1 33 3Z", fill="#C8321F"), Stroke("M0 -30q10 -16 20 -10", stroke="#3F7A2E", width=6)),
        ink="#FFFFFF")),
    PieceKind("blank", lettered=False, paint="silver"),
    PieceKind("pawn", "upright", drawn="pawn", lettered=False, paint="black"),
    PieceKind("crate", "upright", found="rim", drawn="frame", lettered=False),
    PieceKind("shut", "upright", found="silhouette", drawn="lid", lettered=False),
)
STYLE = PieceStyle({"coin:archer": 0, "coin:light_cavalry": 1, "coin:7": 9, "card:wizard_of_the_hills": 2}.get,
                   ("#0072B2", "#E69F00", "#123456"))
FLAT = {
    "coin": (("coin:archer",), ("coin:light_cavalry",), ("coin:7",), ("coin:back",), ("coin:100", "coin:500"),
             ("coin:archer",) * 7, ("coin:knight", "pawn:1"), ("coin:tall_can",), ("what is that",)),
    "tile": (("tile:red:rush_order",), ("tile:tall_can",), ("tile:blue",), ("tile:back",), ("tile:knight",) * 2,
             ("tray:4",), ("tray:12", "tray:12"), ("tray:light_cavalry",)),
    "card": (("card:red",), ("card:square_sides",), ("card:back",), ("card:wizard_of_the_hills",), ("card:x",) * 3),
    "pawn": (("pawn:1",), ("blank:1",), ("blank:2", "pawn:1"), (), (EMPTY,)),
}
"""What lies on the flat places, by the kind that they are made for."""


def flat_pieces() -> Markup:
    """Flat pieces of every form, alone and on piles, with and without a player."""
    places, placement = [], dict[str, tuple[str, ...]]()
    for row, (kind, lying) in enumerate(FLAT.items()):
        for column, pieces in enumerate(lying):
            spot = f"{kind}-{column}"
            places.append(Place(spot, (PITCH_MM * column, -PITCH_MM * row), (20, 24), (kind,)))
            placement[spot] = pieces
    layout = Layout((), tuple(places), (), (360, 160), kinds=KINDS)
    return board(layout, placement, title="flat pieces", style=STYLE)


def drinks() -> Markup:
    """Every shape, of one player, of the other, and of nobody, in rooms of three sizes."""
    places, placement = [], dict[str, tuple[str, ...]]()
    for row, (colour, wide_mm) in enumerate((("red", 13.0), ("yellow", 15.4), ("glimmer", 22.0))):
        for column, shape in enumerate(SHAPES):
            spot = f"{colour}-{column}"
            places.append(Place(spot, (PITCH_MM * column, -PITCH_MM * row), (wide_mm, wide_mm + 1), (f"drink-{row}",)))
            placement[spot] = (f"{colour}/{shape}",)
    kinds = tuple(PieceKind(f"drink-{row}", "upright", drawn="drink") for row in range(3))
    layout = Layout((), tuple(places), (), (240, 120), kinds=kinds)
    owner = {f"red/{shape}": 0 for shape in SHAPES} | {f"yellow/{shape}": 7 for shape in SHAPES}
    return board(layout, placement, title="drinks", style=PieceStyle(owner.get))


def still_things() -> Markup:
    """Bodies of every kind, places of every outline, lines, and what words call them by."""
    bodies = (
        Body("board:red", "board:red", (60, 60), (120, 120, 3)),
        Body("crate:1", "crate", (150, 100), (50, 40, 60), 90),
        Body("crate:2", "crate", (150, 20), (50, 40, 60), 270),
        Body("crate:3", "crate", (-30, 62), (30, 30, 60)),
        Body("crate:4,1", "crate", (62, 150), (30, 30, 60)),
        Body("crate:12", "crate", (62, -40), (30, 30, 60)),
        Body("shut:5", "shut:navy", (150, 62), (30, 30, 60), 30),
        Body("empty:6", "crate", (500, 500), (30, 30, 60)),
    )
    places = (
        *(Place(f"cell:{column}{row}", (20 + 22 * x, 20 + 26 * y), (18, 20), ("coin",), on="board:red")
          for x, column in enumerate("abc") for y, row in enumerate("12")),
        Place("round", (100, 60), (18, 14), ("coin",), "round", on="board:red"),
        Place("hex:1,-2", (100, 90), (20, 18), ("coin",), "hex"),
        Place("turned", (20, 100), (18, 10), ("tile",), turn_deg=30, on="board:red"),
        Place("marked", (60, 100), (18, 18), ("tile",), on="board:red"),
        Place("marker", (60, 100), (18, 18), ("tile",), under="marked"),
        Place("unmarked", (85, 100), (18, 18), ("tile",), "round", under="nothing"),
        *(Place(f"in-{n}", body.at_mm, (12, 16), ("coin",), on=body.spot) for n, body in enumerate(bodies[1:7])),
    )
    lines = (((20, 20), (64, 46.5)), ((0, 0), (5, 0), (5, 5)))
    layout = Layout(bodies, places, (), (200, 200), kinds=KINDS, lines=lines)
    return board(layout, {"marked": ("tile:a", "tile:b"), "marker": ("tile:c",), "unmarked": ("tile:d",),
                          "hex:1,-2": ("coin:king",), "turned": ("tile:e",)}, title="still things", style=STYLE)


def _zone(
    spot: str, left_front: Point, wide: float, deep: float, kind: str, seat: int | None = None, heap: Heap = "spread"
) -> Zone:
    left, front = left_front
    right, back = left + wide, front + deep
    return Zone(spot, ((left, front), (right, front), (right, back), (left, back)), (kind,) if kind else (), seat, heap)


TRAYS = Layout(
    (Body("board:1", "board", (100, 100), (100, 60, 3)),),
    tuple(Place(f"{kind}-{n}", (60 + 20 * n, 100), (size, size + 2), (kind,), on="board:1")
          for n, (kind, size) in enumerate((("coin", 16), ("coin", 14), ("tile", 18), ("card", 15), ("none", 12)))),
    (_zone("drinks", (60, 0), 80, 40, "drink", seat=0), _zone("many", (150, 0), 40, 40, "drink", seat=4),
     _zone("coins", (60, 160), 50, 40, "coin", seat=1, heap="alike"),
     _zone("pile", (120, 160), 50, 40, "tile", heap="pile"),
     _zone("cards", (0, 60), 40, 80, "card"), _zone("few", (0, 150), 30, 30, "", seat=2),
     _zone("right", (165, 60), 30, 90, "pawn"),
     _zone("amidst", (70, 104), 60, 12, "coin", seat=1), _zone("nothing", (80, 78), 44, 10, "drink")),
    (200, 200), kinds=KINDS,
)
ON_TRAYS: Placement = {
    "drinks": ("red/stub_can", "blue/tall_can", "red/tallest_bottle"),
    "many": ("green/tall_can", "green/stub_can", "green/odd", *(f"purple/{shape}" for shape in SHAPES),
             "blue/stub_can"),
    "coins": ("coin:knight", "coin:archer", "coin:knight"), "pile": ("tile:red", "tile:blue:wolf", "tile:back"),
    "cards": tuple(f"card:{n}" for n in range(7)), "few": ("thing:b", "thing:a"), "right": ("pawn:1", "pawn:2"),
    "amidst": tuple(f"coin:{n}" for n in range(9)), "board:1": ("board",), "coin-0": ("coin:wolf", "pawn:3"),
    "coin-1": ("coin:back",), "tile-2": ("orange/stub_can",), "card-3": ("card:king",), "none-4": ("coin:x",),
}


BEFORE: Placement = {
    **{spot: pieces for spot, pieces in ON_TRAYS.items() if spot not in ("tile-2", "card-3")},
    "coin-0": ("coin:back", "pawn:3"), "coin-1": ("coin:wolf", "coin:king"), "coins": ("coin:archer", "coin:knight"),
    "many": (*ON_TRAYS["many"], "orange/stub_can"),
}  # fmt: skip
"""`ON_TRAYS`, a ply earlier: pieces went from place to place, off a place, into a tray, and out of one."""


def last_ply() -> Markup:
    """Zones on every side and amidst the board, spread, on piles, and one a kind of piece; and what a ply did there."""
    return board(TRAYS, ON_TRAYS, title="last ply", before=BEFORE, style=STYLE, unsure={"coin-0", "card:3"})
