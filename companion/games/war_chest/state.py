"""The state of a game: who stands where, whose markers lie where, what is still due. Frozen values that share parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, NamedTuple, NoReturn, TypeVar

from companion.engine import Over, Seat
from companion.games.war_chest.board import Board, Faction, Hex
from companion.games.war_chest.coins import Coin, Purse

Side = int
"""0 or 1. With four players seats 0 and 2 are side 0, seats 1 and 3 side 1 (WC 8.1)."""
Maneuver = Literal["move", "attack", "control"]

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V], Generic[K, V]):
    """A dict that cannot be changed, only copied with a difference; it can be hashed."""

    __slots__ = ()

    def put(self, key: K, value: V) -> FrozenDict[K, V]:
        """A copy in which the key has this value."""
        return FrozenDict({**self, key: value})

    def drop(self, key: K) -> FrozenDict[K, V]:
        """A copy without the key."""
        return FrozenDict((each, value) for each, value in self.items() if each != key)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a state is never changed in place")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)


class Stack(NamedTuple):
    """A unit on the board: its coins lie on each other."""

    kind: Coin
    height: int

    @property
    def is_bolstered(self) -> bool:
        """Two coins or more (WC 5.4)."""
        return self.height >= 2


@dataclass(frozen=True, slots=True)
class Absorb:
    """The owner of an attacked royal guard chooses where the lost coin comes from (WC 6.13)."""

    seat: Seat
    at: Hex
    attacker: Hex


@dataclass(frozen=True, slots=True)
class MayManeuver:
    """The unit at a hex may make a free maneuver; with `pays` it pays with a coin of its own stack (WC 6.2)."""

    seat: Seat
    at: Hex
    maneuvers: tuple[Maneuver, ...]
    pays: bool = False


@dataclass(frozen=True, slots=True)
class FootmenManeuver:
    """Each of these footmen makes a free maneuver, in any order, as long as one of them has any (WC 6.6)."""

    seat: Seat
    waiting: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class DrawCoin:
    """Chance: a warrior priest's owner draws a coin (WC 6.16)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class UseCoin:
    """The coin that a warrior priest's owner drew must be used at once (WC 6.16)."""

    seat: Seat


Due = Absorb | MayManeuver | FootmenManeuver | DrawCoin | UseCoin


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same all game: the set-up and the options."""

    board: Board
    units: tuple[tuple[Coin, ...], ...]
    """Each seat's units."""
    factions: tuple[Faction, ...]
    """Each seat's faction."""
    referee: bool = False
    """The option `knowledge`: whether coins drawn and spent face down need not be named (WC 9.2)."""
    original_royal_guard: bool = False
    preview: bool = False
    owners: dict[Coin, Seat] = field(init=False, compare=False, repr=False)
    """Whose coins a kind is. Never changed."""

    def __post_init__(self) -> None:
        owners = {kind: seat for seat, kinds in enumerate(self.units) for kind in kinds}
        object.__setattr__(self, "owners", owners)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.units))

    def side_of_unit(self, kind: Coin) -> Side:
        """The side a kind of unit fights for."""
        return self.owners[kind] % 2


@dataclass(frozen=True, slots=True)
class State:
    """A position between two plies."""

    table: Table
    stacks: FrozenDict[Hex, Stack]
    control: FrozenDict[Hex, Side]
    """Whose marker lies on a location."""
    purses: tuple[Purse, ...]
    initiative: Seat
    initiative_moved: bool
    """It changed hands in this round and stays until the next (WC 5.5)."""
    round: int
    """How many rounds have begun."""
    active: Seat | None
    """Whose coin of the hand is being used; None: a new round's draw is due."""
    due: tuple[Due, ...] = ()
    """What must happen before the next coin of a hand, the first thing last."""
    over: Over | None = None
    made_up: bool = False
    """One of the states that an observer holds possible: everything in it is taken as known."""

    @property
    def is_open(self) -> bool:
        """Whether every coin is known (WC 9.1)."""
        return self.made_up or not self.table.referee

    def side_at(self, at: Hex) -> Side | None:
        """The side of the unit on a hex."""
        stack = self.stacks.get(at)
        return None if stack is None else self.table.side_of_unit(stack.kind)

    def owner_at(self, at: Hex) -> Seat:
        """The seat that owns the unit on a hex."""
        return self.table.owners[self.stacks[at].kind]

    def is_empty(self, at: Hex) -> bool:
        """Whether a hex of the board has no unit on it."""
        return at in self.table.board.hexes and at not in self.stacks

    def is_enemy(self, at: Hex, side: Side) -> bool:
        """Whether an enemy of the side stands on a hex."""
        return at in self.stacks and self.side_at(at) != side

    def places_of(self, kind: Coin) -> tuple[Hex, ...]:
        """Where units of a kind stand, from left to right."""
        return tuple(sorted(at for at, stack in self.stacks.items() if stack.kind == kind))

    def friends_within(self, reach: Hex, side: Side) -> Iterator[Hex]:
        """Where other units of the side stand, at most two hexes away."""
        board = self.table.board
        for at in (*board.neighbours[reach], *board.ring[reach]):
            if at in self.stacks and self.side_at(at) == side:
                yield at

    def markers(self, side: Side) -> int:
        """How many of a side's markers lie on locations."""
        return sum(1 for owner in self.control.values() if owner == side)

    def with_purse(self, seat: Seat, purse: Purse) -> State:
        """The state with another purse at a seat."""
        return replace(self, purses=(*self.purses[:seat], purse, *self.purses[seat + 1:]))

    def with_stack(self, at: Hex, kind: Coin, height: int) -> State:
        """The state with a stack of that height on a hex; height 0: none."""
        stacks = self.stacks.put(at, Stack(kind, height)) if height else self.stacks.drop(at)
        return replace(self, stacks=stacks)

    def with_due(self, due: Due) -> State:
        """The state in which something must happen first of all."""
        return replace(self, due=(*self.due, due))
