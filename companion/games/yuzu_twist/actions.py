"""What can be done in Yuzu Twist, as it stands in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.engine.codec import Codec
from companion.games.yuzu_twist.state import Letter


@dataclass(frozen=True, slots=True)
class Crate:
    """A crate goes to a cell of the lattice, turned by half a turn or not."""

    type: ClassVar[str] = "crate"
    crate: Letter
    to: tuple[int, int]
    turn: bool


@dataclass(frozen=True, slots=True)
class Swap:
    """Two neighbouring drinks change places. `a` and `b` are slots of the table, x then y."""

    type: ClassVar[str] = "swap"
    a: tuple[int, int]
    b: tuple[int, int]

    def canonical(self) -> Swap:
        """The smaller slot first."""
        return self if self.a <= self.b else Swap(self.b, self.a)


@dataclass(frozen=True, slots=True)
class Done:
    """The turn ends before its last swap."""

    type: ClassVar[str] = "done"


Action = Crate | Swap | Done


CODEC: Final = Codec[Action]((Crate, Swap, Done))
"""Reads and writes these actions."""
