"""The sixteen units: a table. What a tactic allows is a small function that lists its ways; rules.py carries them out.

A way (`Aim`) names hexes only. Carrying one out is the same for all units: who is named moves, then attacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from companion.engine import Seat
from companion.games.war_chest.board import DIRECTIONS, Hex, distance, step
from companion.games.war_chest.coins import ROYAL, Coin
from companion.games.war_chest.state import DrawCoin, Due, Maneuver, MayManeuver, State

ANY_MANEUVER: Final[tuple[Maneuver, ...]] = ("move", "attack", "control")


class Aim(NamedTuple):
    """One way to use a tactic. `unit_at` is another unit that acts instead of the one at `from_`."""

    from_: Hex | None = None
    unit_at: Hex | None = None
    to: Hex | None = None
    target: Hex | None = None


Tactic = Callable[[State, Hex], Iterator[Aim]]
"""The ways of the unit that stands on the hex."""
FollowUp = Callable[[Seat, Hex], Due]
"""What is due for a unit, owned by the seat, that acted and now stands on the hex."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's card."""

    coins: int
    rule: str
    """Its number in RULES.md."""
    tactic: Tactic | None = None
    paid_with: Coin | None = None
    """The coin that pays for the tactic; None: the unit's own."""
    attacks: bool = True
    """Whether it can make a normal attack."""
    limit: int = 1
    """How many of the kind may be on the board."""
    follows: Mapping[Maneuver, FollowUp] = field(default_factory=dict)
    """What a maneuver of it brings with it."""


def moves(state: State, at: Hex) -> Iterator[Hex]:
    """The empty hexes next to a hex."""
    for to in state.table.board.neighbours[at]:
        if to not in state.stacks:
            yield to


def may_attack(state: State, attacker: Hex, target: Hex, *, paying: int = 0) -> bool:
    """Whether the unit on `attacker` may attack what stands on `target`, wherever both stand (WC 5.9, WC 6.7).

    `paying` coins of the attacker's stack are spent first.
    """
    if not state.is_enemy(target, state.table.side_of_unit(state.stacks[attacker].kind)):
        return False
    return state.stacks[target].kind != "knight" or state.stacks[attacker].height - paying >= 2


def attacks(state: State, at: Hex, *, paying: int = 0) -> Iterator[Hex]:
    """The targets of a normal attack by the unit on a hex."""
    if UNITS[state.stacks[at].kind].attacks:
        for target in state.table.board.neighbours[at]:
            if target in state.stacks and may_attack(state, at, target, paying=paying):
                yield target


def may_control(state: State, at: Hex) -> bool:
    """Whether the unit on a hex may take the location there."""
    return at in state.table.board.locations and state.control.get(at) != state.side_at(at)


def shoot_over(state: State, at: Hex) -> Iterator[Aim]:
    """Archer: a target exactly two hexes away, whatever stands between."""
    for target in state.table.board.ring[at]:
        if target in state.stacks and may_attack(state, at, target):
            yield Aim(at, target=target)


def shoot_along(state: State, at: Hex) -> Iterator[Aim]:
    """Crossbowman: a target two hexes away in a straight line, the hex between empty."""
    for way in DIRECTIONS:
        target = step(at, way, 2)
        if target in state.stacks and state.is_empty(step(at, way)) and may_attack(state, at, target):
            yield Aim(at, target=target)


def move_and_attack(state: State, at: Hex) -> Iterator[Aim]:
    """Cavalry: a step, then an attack on a neighbour."""
    for to in moves(state, at):
        for target in state.table.board.neighbours[to]:
            if target in state.stacks and may_attack(state, at, target):
                yield Aim(at, to=to, target=target)


def charge(state: State, at: Hex) -> Iterator[Aim]:
    """Lancer: one or two steps straight ahead, then an attack on the next hex of the line."""
    for way in DIRECTIONS:
        for steps in (1, 2):
            to, target = step(at, way, steps), step(at, way, steps + 1)
            if not state.is_empty(to):
                break
            if target in state.stacks and may_attack(state, at, target):
                yield Aim(at, to=to, target=target)


def ride(state: State, at: Hex) -> Iterator[Aim]:
    """Light cavalry: two steps, straight or bent, not back to where it began."""
    for to in sorted({to for between in moves(state, at) for to in moves(state, between)}):
        yield Aim(at, to=to)


def send(state: State, at: Hex) -> Iterator[Aim]:
    """Ensign: another friend within two hexes makes a step that ends within two hexes."""
    for unit_at in state.friends_within(at, state.table.side_of_unit(state.stacks[at].kind)):
        for to in moves(state, unit_at):
            if distance(at, to) <= 2:
                yield Aim(at, unit_at=unit_at, to=to)


def command(state: State, at: Hex) -> Iterator[Aim]:
    """Marshall: another friend within two hexes makes a normal attack."""
    for unit_at in state.friends_within(at, state.table.side_of_unit(state.stacks[at].kind)):
        for target in attacks(state, unit_at):
            yield Aim(at, unit_at=unit_at, target=target)


def march(state: State, _: Hex) -> Iterator[Aim]:
    """Footman: a free maneuver with each; there must be one."""
    if any(has_maneuver(state, at) for at in state.places_of("footman")):
        yield Aim()


def fall_back(state: State, at: Hex) -> Iterator[Aim]:
    """Royal guard, revised: one or two steps to an empty location of its own side. Original: a step."""
    if state.table.original_royal_guard:
        yield from (Aim(at, to=to) for to in moves(state, at))
        return
    near = {*moves(state, at)}
    for to in sorted(near.union(*(moves(state, between) for between in near))):
        if state.control.get(to) == state.side_at(at):
            yield Aim(at, to=to)


def has_maneuver(state: State, at: Hex) -> bool:
    """Whether the unit on a hex can move, attack or control."""
    return may_control(state, at) or any(True for _ in moves(state, at)) or any(True for _ in attacks(state, at))


def rage(seat: Seat, at: Hex) -> Due:
    """Berserker: another maneuver for a coin of its stack."""
    return MayManeuver(seat, at, ANY_MANEUVER, pays=True)


def press_on(seat: Seat, at: Hex) -> Due:
    """Swordsman: a step."""
    return MayManeuver(seat, at, ("move",))


def pray(seat: Seat, _: Hex) -> Due:
    """Warrior priest: a coin is drawn."""
    return DrawCoin(seat)


UNITS: Final[Mapping[Coin, Unit]] = {
    "archer": Unit(4, "WC 6.1", tactic=shoot_over, attacks=False),
    "berserker": Unit(5, "WC 6.2", follows={"move": rage, "attack": rage, "control": rage}),
    "cavalry": Unit(4, "WC 6.3", tactic=move_and_attack),
    "crossbowman": Unit(5, "WC 6.4", tactic=shoot_along),
    "ensign": Unit(5, "WC 6.5", tactic=send),
    "footman": Unit(5, "WC 6.6", tactic=march, limit=2),
    "knight": Unit(4, "WC 6.7"),
    "lancer": Unit(4, "WC 6.8", tactic=charge, attacks=False),
    "light_cavalry": Unit(5, "WC 6.9", tactic=ride),
    "marshall": Unit(5, "WC 6.10", tactic=command),
    "mercenary": Unit(5, "WC 6.11"),
    "pikeman": Unit(4, "WC 6.12"),
    "royal_guard": Unit(5, "WC 6.13", tactic=fall_back, paid_with=ROYAL),
    "scout": Unit(5, "WC 6.14"),
    "swordsman": Unit(5, "WC 6.15", follows={"attack": press_on}),
    "warrior_priest": Unit(4, "WC 6.16", follows={"attack": pray, "control": pray}),
}
"""Every unit in alphabetical order, which is also that of RULES.md. The numbers of coins sum to 74."""
