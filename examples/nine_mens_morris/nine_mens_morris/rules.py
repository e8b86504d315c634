"""The rules of Nine Men's Morris as pure functions over a frozen state. The numbers (NM …) are those of RULES.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from companion.engine import Over, Ply, Seat, ToMove, Turn
from companion.errors import IllegalError, phrase

Point = Annotated[str, "point"]
"""A point of the board: column a to g from the left, row 1 to 7 from the front."""

LINES = tuple(tuple(line.split()) for line in (
    "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
))  # fmt: skip
POINTS = tuple(sorted({point for line in LINES for point in line}, key=lambda point: point[::-1]))
BESIDE = {point: {other for line in LINES if point in line for other in line
                  if abs(line.index(other) - line.index(point)) == 1} for point in POINTS}
"""The points that a line leads to from each (NM 4.1)."""
MEN = 9
TOO_FEW, NO_MOVE, QUIET = "two men left", "no legal move", "quiet limit"


@dataclass(frozen=True, slots=True)
class Place:
    """A man of the hand goes to a point; with a mill it takes one of the other's."""

    type: ClassVar[str] = "place"
    to: Point
    take: Point | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A man goes from one point to another; with a mill it takes one of the other's."""

    type: ClassVar[str] = "move"
    from_: Point
    to: Point
    take: Point | None = None


Action = Place | Move


@dataclass(frozen=True, slots=True)
class State:
    """`men` holds a seat or None for each of `POINTS`; `quiet` counts moves without a mill (NM 6.3)."""

    first: Seat
    flying: bool
    quiet_limit: int | None
    men: tuple[Seat | None, ...] = (None,) * len(POINTS)
    plies: int = 0
    quiet: int = 0

    @property
    def seat(self) -> Seat:
        """Who is on turn."""
        return (self.first + self.plies) % 2

    def at(self, point: str) -> Seat | None:
        """Whose man stands there."""
        return self.men[POINTS.index(point)]

    def of(self, seat: Seat) -> list[str]:
        """The points on which a seat's men stand."""
        return [point for point, owner in zip(POINTS, self.men) if owner == seat]

    def in_hand(self, seat: Seat) -> int:
        """How many men a seat has still to place (NM 3.1)."""
        return max(0, MEN - (self.plies + (seat == self.first)) // 2)

    def put(self, point: str, owner: Seat | None) -> State:
        """The state with another owner of a point."""
        return replace(self, men=tuple(owner if at == point else was for at, was in zip(POINTS, self.men)))


def is_mill(state: State, point: str) -> bool:
    """Whether the man there stands in a line of three of one seat (NM 5.1)."""
    return any(point in line and len({state.at(each) for each in line}) == 1 for line in LINES)


def moved(state: State, action: Action) -> State:
    """The man moved or placed; nothing is taken yet."""
    left = state.put(action.from_, None) if isinstance(action, Move) else state
    return left.put(action.to, state.seat)


def takeable(state: State, action: Action) -> list[str | None]:
    """What a ply may take: nothing without a mill, else a man that stands in none, if there is one (NM 5.2)."""
    after = moved(state, action)
    if not is_mill(after, action.to):
        return [None]
    others = after.of(1 - state.seat)
    return [*([point for point in others if not is_mill(after, point)] or others)]


def why_not(state: State, ply: Ply[Action]) -> IllegalError | None:
    """The rule that forbids a ply: the one place that says what is legal."""
    action, seat = ply.action, state.seat
    if isinstance(turn(state), Over) or ply.player != seat:
        return IllegalError("NM 2.2", phrase("nm.not_your_turn"))
    if isinstance(action, Place) != bool(state.in_hand(seat)):
        return IllegalError("NM 3.2", phrase("nm.place_first", number=state.in_hand(seat)))
    if isinstance(action, Move) and state.at(action.from_) != seat:
        return IllegalError("NM 4.1", phrase("nm.not_yours", at=action.from_))
    if state.at(action.to) is not None:
        return IllegalError("NM 3.1", phrase("nm.taken", at=action.to))
    if isinstance(action, Move) and action.to not in BESIDE[action.from_] and not may_fly(state):
        return IllegalError("NM 4.1", phrase("nm.not_beside", origin=action.from_, at=action.to))
    if action.take not in (choices := takeable(state, action)):
        return IllegalError("NM 5.2", phrase("nm.take", choices=tuple(each or "none" for each in choices)))
    return None


def may_fly(state: State) -> bool:
    """Whether the seat on turn may move to any free point (NM 4.2)."""
    return state.flying and len(state.of(state.seat)) == 3


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply."""
    free = [point for point, owner in zip(POINTS, state.men) if owner is None]
    if state.in_hand(state.seat):
        steps: list[Action] = [Place(to) for to in free]
    else:
        steps = [Move(origin, to) for origin in state.of(state.seat) for to in free]
    for step in steps:
        plies = (Ply(state.seat, replace(step, take=take)) for take in takeable(state, step))
        yield from (ply for ply in plies if why_not(state, ply) is None)


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after a ply; raises `IllegalError`."""
    if (error := why_not(state, ply)) is not None:
        raise error
    after, take = moved(state, ply.action), ply.action.take
    if take is not None:
        after = after.put(take, None)
    quiet = 0 if take or isinstance(ply.action, Place) else state.quiet + 1
    return replace(after, plies=state.plies + 1, quiet=quiet)


def turn(state: State) -> Turn:
    """Who is to act, or who has won (NM 6)."""
    seat = state.seat
    if not state.in_hand(seat):
        if len(state.of(seat)) < 3:
            return Over((1 - seat,), TOO_FEW)
        can_step = any(state.at(to) is None for origin in state.of(seat) for to in BESIDE[origin])
        if not can_step and not may_fly(state):
            return Over((1 - seat,), NO_MOVE)
        if state.quiet_limit is not None and state.quiet >= state.quiet_limit:
            return Over((), QUIET)
    return ToMove((seat,), phrase("nm.ask_place" if state.in_hand(seat) else "nm.ask_move"))
