"""Where the bodies of a layout really stand: each kind of body has its own way to be found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.table import EMPTY, Body, Layout, Sight
from vision.block import Block
from vision.boards import PrintedBody
from vision.layout_frame import LayoutFrame
from vision.pieceset import PieceSet
from vision.scene import Scene

BODY_NATS = 30.0
"""What was fitted is there."""

CRATE = "crate"


class Finder(Protocol):
    """Finds some of the bodies, in one look after another."""

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """Where they stand in the table frame, and whether any stands otherwise than at the last look.

        Raises `SightError` when they are needed and nowhere to be seen.
        """

    def clear(self) -> None:
        """The camera was moved."""


@dataclass(frozen=True, slots=True)
class Found:
    """The bodies of one look, in the table frame, and whether any of them moved."""

    bodies: tuple[Body, ...]
    moved: bool

    def sights(self) -> list[Sight]:
        """What is said of the bodies."""
        return [Sight(body.spot, body.at_mm, {body.appearance: 0.0, EMPTY: -BODY_NATS}, body.turn_deg)
                for body in self.bodies]


class Bodies:
    """Finds all bodies of one table's layout."""

    def __init__(self, layout: Layout, frame: LayoutFrame, pieces: PieceSet) -> None:
        self._finders: list[Finder] = []
        expected = [frame.body(body) for body in layout.bodies]
        crates = [body for body in expected if body.appearance == CRATE]
        if crates and pieces.crate_look is not None:
            self._finders.append(Block(pieces.crate_look, crates))
        self._finders += [PrintedBody(pieces.prints[body.appearance], body, number)
                          for number, body in enumerate(expected) if body.appearance in pieces.prints]

    def find(self, scene: Scene) -> Found:
        """Where the bodies stand now. Raises `SightError` when one that is needed is nowhere to be seen."""
        found = [finder.find(scene) for finder in self._finders]
        return Found(tuple(body for bodies, _ in found for body in bodies), any(moved for _, moved in found))

    def clear(self) -> None:
        """The camera was moved."""
        for finder in self._finders:
            finder.clear()
