"""Where the spots of a game lie, in millimetres: what eyes look at and what every board drawing is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.table.kinds import PieceKind
from companion.table.pieces import Appearance, Placement, Point, Spot

Outline = Literal["rect", "round", "hex"]
Heap = Literal["spread", "pile", "alike"]
"""How the pieces of a zone lie: each by itself; all on one pile, the last on top; equal ones on piles together (one or
several of each kind). How many a pile has cannot be seen."""


@dataclass(frozen=True, slots=True)
class Body:
    """A thing that carries places: a crate, a board. The eyes measure its actual pose.

    `at_mm` (its centre) and `turn_deg` (anticlockwise) are its expected pose in the layout's own frame: x to the right
    and y away from seat 0, origin at the front left corner of everything that the layout draws. `size_mm` is x by y by
    height at turn 0.
    """

    spot: Spot
    appearance: Appearance
    at_mm: Point
    size_mm: tuple[float, float, float]
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """A spot that holds one piece, or one stack, at a fixed position.

    `at_mm` is the centre in the layout's own frame, as drawn. With `on` it lies on that body and moves with it
    (`at_mm` is still given in the layout's frame, for the expected pose of the body); `on` may also name a place on
    which bodies are put down and moved (see `standing`). `floor_mm` is the height of the foot of a piece above the
    table; up to `stack` pieces lie on one another, of which the top one is seen. `under` names a place whose pieces lie
    on top of this one's: while it holds something, this one is occluded.
    """

    spot: Spot
    at_mm: Point
    size_mm: Point
    kinds: tuple[str, ...]
    outline: Outline = "rect"
    on: Spot | None = None
    floor_mm: float = 0.0
    turn_deg: float = 0.0
    under: Spot | None = None
    stack: int = 1


@dataclass(frozen=True, slots=True)
class Zone:
    """An area in which pieces stand anywhere: a stock, a supply. Four corners in the layout's own frame,
    anticlockwise from the front left; a set-up may move it on the real table. `seat` owns it, None: everybody's."""

    spot: Spot
    corners_mm: tuple[Point, Point, Point, Point]
    kinds: tuple[str, ...]
    seat: int | None = None
    heap: Heap = "spread"


@dataclass(frozen=True, slots=True)
class Layout:
    """All spots of one game as set up. `block` names the area (a zone of the table, such as `grid`) in which the bodies
    stand as one group; their quarter turn is settled by where the seats sit. `carriers` is how many bodies stand on
    places that carry others, where the game neither adds one nor takes one away.

    `kinds` are those of the game's pieces, the same in all its layouts; `lines` is what else a drawing of the board
    shows, each a line through points in the layout's frame; `seat_colours` are the colours of the seats' pieces, where
    the game gives each seat one; layouts that differ in nothing else are equal.
    """

    bodies: tuple[Body, ...]
    places: tuple[Place, ...]
    zones: tuple[Zone, ...]
    size_mm: Point
    block: Spot | None = None
    kinds: tuple[PieceKind, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()
    carriers: int | None = None
    seat_colours: tuple[str, ...] = field(default=(), compare=False)

    def kind(self, name: str) -> PieceKind:
        """The kind of that name; one that the layout does not list is flat and round."""
        return next((kind for kind in self.kinds if kind.name == name), PieceKind(name))

    def kind_of(self, appearance: Appearance, made_for: Sequence[str] = ()) -> PieceKind:
        """The kind of a piece that stands on a spot made for these kinds."""
        claimed = next((kind for kind in self.kinds if kind.claims(appearance)), None)
        return claimed or self.kind(made_for[0] if made_for else "")


def standing(layout: Layout, placement: Placement) -> Layout:
    """The layout with the bodies that stand now, where bodies are themselves put down on places and moved.

    A place that carries other places (a cell of a lattice on which crates stand) is a body with those places while a
    piece stands on it, and is left out with them while it is empty. Other layouts stay as they are.
    """
    carriers = {place.on for place in layout.places} - {body.spot for body in layout.bodies} - {None}
    if not carriers:
        return layout
    bodies = tuple(
        Body(place.spot, placement[place.spot][0], place.at_mm, (*place.size_mm, place.floor_mm), place.turn_deg)
        for place in layout.places
        if place.spot in carriers and placement.get(place.spot)
    )
    there = {body.spot for body in (*layout.bodies, *bodies)} | {None}
    places = tuple(place for place in layout.places if place.spot not in carriers and place.on in there)
    return replace(layout, bodies=layout.bodies + bodies, places=places)
