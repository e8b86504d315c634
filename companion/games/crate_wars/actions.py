"""What can be done in Crate Wars, as it stands in a record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, ClassVar

from companion.engine.codec import Codec, in_order, whole_between
from companion.table import Drink

Crate = Annotated[int, "crate"]
"""A crate of the line, 1 to 6 from the left as seat 0 sees it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A drink from the supply to the own side of a crate."""

    type: ClassVar[str] = "place"
    drink: Drink
    crate: Crate


@dataclass(frozen=True, slots=True)
class Vend:
    """A coin: everything on the other's side of a crate goes through the machine."""

    type: ClassVar[str] = "vend"
    crate: Crate


@dataclass(frozen=True, slots=True)
class Vended:
    """What came out of the machine, by chance."""

    type: ClassVar[str] = "vended"
    crate: Crate
    returned: tuple[Drink, ...]

    def canonical(self) -> Vended:
        """The drinks in alphabetical order."""
        return replace(self, returned=in_order(self.returned, "action.returned"))


@dataclass(frozen=True, slots=True)
class Recall:
    """A coin: all own drinks at a crate come back to the supply."""

    type: ClassVar[str] = "recall"
    crate: Crate


@dataclass(frozen=True, slots=True)
class Pass:
    """No more actions, for good."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Keep:
    """The six drinks that stay in a crate that was won with more."""

    type: ClassVar[str] = "keep"
    crate: Crate
    drinks: tuple[Drink, ...]

    def canonical(self) -> Keep:
        """The drinks in alphabetical order."""
        return replace(self, drinks=in_order(self.drinks, "action.drinks"))


Action = Place | Vend | Vended | Recall | Pass | Keep


@cache
def codec(colours: tuple[str, ...]) -> Codec[Action]:
    """Reads and writes these actions, for a piece set of these colours."""
    return Codec[Action]((Place, Vend, Vended, Recall, Pass, Keep), {"crate": whole_between(1, 6)}, colours)
