"""The measured poses of the bodies of a layout: each kind of body has its own finder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.table import EMPTY, Body, Layout, Point, Sight, Spot, found_by, standing
from companion.table.crate import RIM_MM
from vision.bodies.crate_block import CrateBlock
from vision.imaging.layout_pose import places_on
from vision.bodies.crate_lattice import CrateLattice
from vision.bodies.printed_body import PrintedBody
from vision.bodies.silhouette_body import SilhouetteBody
from vision.imaging.arrays import Floats
from vision.imaging.layout_pose import LayoutFrame
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

BODY_NATS = 30.0
"""The log-likelihood ratio of a fitted body against `EMPTY`."""

CRATE = "crate"


class Finder(Protocol):
    """Finds some of the bodies, look after look."""

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The bodies with their poses in the table frame, and whether any pose changed since the last look.

        Raises `SightError` when they are needed and cannot be found.
        """

    def clear(self) -> None:
        """Forget what was kept of earlier pictures, as when the camera moved."""


@dataclass(frozen=True, slots=True)
class LocatedBodies:
    """The bodies of one look, in the table frame, and their sights; `layout` is the layout with the bodies that stand
    now, and `moved` whether any pose changed."""

    bodies: tuple[Body, ...]
    sights: tuple[Sight, ...]
    layout: Layout
    moved: bool

    def centres_mm(self) -> dict[Spot, Point]:
        """The centres of the places on the bodies, in the table frame (mm)."""
        return places_on(self.layout.bodies, self.bodies, self.layout.places)


class BodyLocator:
    """Finds all bodies of one table's layout. `zones` are the corners (4, 2) of its zones in the table frame (mm)."""

    def __init__(self, layout: Layout, frame: LayoutFrame, pieces: PieceSet, zones: Mapping[Spot, Floats]) -> None:
        self._layout = layout
        self._finders: list[Finder] = []
        self._lattice: CrateLattice | None = None
        expected = [frame.body(body) for body in layout.bodies]
        crates = [body for body in expected if body.appearance == CRATE]
        if crates and pieces.crate_look is not None:
            self._finders.append(CrateBlock(pieces.crate_look, crates))
        self._finders += [PrintedBody(pieces.prints[body.appearance], body, number)
                          for number, body in enumerate(expected) if body.appearance in pieces.prints]
        found = {piece.name: found_by(layout.kinds, piece.kind) for piece in pieces.pieces}
        self._finders += [SilhouetteBody(body) for body in expected if found.get(body.appearance) == "silhouette"]
        cells = [frame.body(cell) for cell in _cells(layout)]
        if cells and pieces.crate_look is not None:
            self._lattice = CrateLattice(pieces.crate_look, cells, list(zones.values()), layout.carriers)

    def find(self, scene: Scene) -> LocatedBodies:
        """The bodies with their poses. Raises `SightError` when one that is needed cannot be found."""
        found = [finder.find(scene) for finder in self._finders]
        bodies = [body for each, _ in found for body in each]
        sights = [Sight(body.spot, body.at_mm, {body.appearance: 0.0, EMPTY: -BODY_NATS}, body.turn_deg, moved)
                  for each, moved in found for body in each]
        moved = any(each for _, each in found)
        if self._lattice is None:
            return LocatedBodies(tuple(bodies), tuple(sights), self._layout, moved)
        crates, crates_moved = self._lattice.find(scene)
        sights += self._lattice.sights()
        now = standing(self._layout, {crate.spot: (crate.appearance,) for crate in crates})
        return LocatedBodies((*bodies, *crates), tuple(sights), now, moved or crates_moved)

    def clear(self) -> None:
        """Forget what was kept of earlier pictures, as when the camera moved."""
        for finder in (*self._finders, *([self._lattice] if self._lattice is not None else [])):
            finder.clear()


def _cells(layout: Layout) -> list[Body]:
    """A crate on each place that carries places, at its pose by the layout."""
    carriers = {place.on for place in layout.places}
    return [Body(place.spot, CRATE, place.at_mm, (*place.size_mm, RIM_MM), place.turn_deg)
            for place in layout.places if place.spot in carriers]
