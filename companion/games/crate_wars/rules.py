"""The rules of Crate Wars, in the order of RULES.md: whose turn it is, what is legal, what a ply does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NoReturn, TypeVar

from companion.engine import CHANCE, Chance, Choose, Over, Ply, Seat, ToMove, Turn
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.crate_wars import scoring
from companion.games.crate_wars.actions import Action, Keep, Pass, Place, Recall, Vend, Vended
from companion.games.crate_wars.machine import choose_vended
from companion.games.crate_wars.state import (
    CRATE_HOLDS,
    CRATES,
    Decided,
    Drinks,
    State,
    at_crate,
    other,
)
from companion.table import Drink

T = TypeVar("T")

ALL_SCORED = "all crates scored"
"""The reason for which the game ends."""


# CW 2: whose turn it is

def turn(state: State) -> Turn:
    """Who acts now, or how the game ended."""
    if state.in_machine is not None:
        return Chance(phrase("cw.ask_vended", crate=state.in_machine))
    if not all(state.passed):
        return ToMove((state.on_turn,), phrase("cw.ask_turn"))
    if len(state.decided) < len(CRATES):
        return ToMove((state.on_turn,), phrase("cw.ask_keep", crate=len(state.decided) + 1))
    yen = scoring.yen(state)
    return Over(tuple(seat for seat in (0, 1) if yen[seat] == max(yen)), ALL_SCORED)


def legal(state: State) -> Iterator[Ply[Action | Choose]]:
    """Every legal ply."""
    now = turn(state)
    if isinstance(now, Chance):
        yield Ply(CHANCE, choose_vended(state))
    elif isinstance(now, ToMove):
        yield from _legal_keep(state) if all(state.passed) else _legal_actions(state)


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after a ply; raises `IllegalError` when a rule forbids it."""
    _check_player(state, ply)
    match ply.action:
        case Place(drink, crate):
            return _place(state, drink, crate)
        case Vend(crate):
            return _vend(state, crate)
        case Vended(crate, returned):
            return _vended(state, crate, returned)
        case Recall(crate):
            return _recall(state, crate)
        case Pass():
            return _pass(state)
        case Keep(crate, drinks):
            return _keep(state, crate, drinks)


def _check_player(state: State, ply: Ply[Action]) -> None:
    now = turn(state)
    if isinstance(now, Over):
        _forbid("CW 4.9", "over")
    if isinstance(now, Chance):
        if ply.player != CHANCE or not isinstance(ply.action, Vended):
            _forbid("CW 3.5", "machine_first", crate=state.in_machine or 0)
        return
    if isinstance(ply.action, Vended) or ply.player == CHANCE:
        _forbid("CW 3.5", "nothing_in_machine")
    if ply.player not in now.seats:
        _forbid("CW 4.6" if all(state.passed) else "CW 2.2" if any(state.passed) else "CW 2.1", "not_on_turn")
    if all(state.passed) and not isinstance(ply.action, Keep):
        _forbid("CW 4.6", "keep_first", crate=len(state.decided) + 1)
    if not all(state.passed) and isinstance(ply.action, Keep):
        _forbid("CW 4.6", "keep_later")


def _forbid(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"cw.no.{reason}", **args))


def _after(seat: Seat, passed: tuple[bool, bool]) -> Seat:
    """Who is on turn after the seat: the other, unless it has passed (CW 2.1, CW 2.2)."""
    return seat if passed[other(seat)] else other(seat)


# CW 3: the actions

def _legal_actions(state: State) -> Iterator[Ply[Action | Choose]]:
    seat = state.on_turn
    for drink in state.supplies[seat]:
        for crate in CRATES:
            yield _place_ply(seat, drink, crate)
    if state.coins[seat]:
        for crate in CRATES:
            if state.beside[other(seat)][crate - 1]:
                yield Ply(seat, Vend(crate))
        for crate in CRATES:
            if state.beside[seat][crate - 1]:
                yield Ply(seat, Recall(crate))
    yield Ply(seat, Pass())


@cache
def _place_ply(seat: Seat, drink: Drink, crate: int) -> Ply[Action | Choose]:
    """Made once each: a turn has up to 108 of them."""
    return Ply(seat, Place(drink, crate))


def _place(state: State, drink: Drink, crate: int) -> State:
    seat = state.on_turn
    if drink not in state.supplies[seat]:
        _forbid("CW 3.1", "not_in_supply", drink=drink)
    supply = tuple(each for each in state.supplies[seat] if each != drink)
    there = tuple(sorted((*state.beside[seat][crate - 1], drink)))
    return replace(
        state, on_turn=_after(seat, state.passed), supplies=_with(state.supplies, seat, supply),
        beside=_with_beside(state, seat, crate, there),
    )


def _vend(state: State, crate: int) -> State:
    if not state.beside[other(state.on_turn)][crate - 1]:
        _forbid("CW 3.4", "nothing_to_vend", crate=crate)
    return replace(state, coins=_coin_spent(state), in_machine=crate)


def _vended(state: State, crate: int, returned: Drinks) -> State:
    if crate != state.in_machine:
        _forbid("CW 3.5", "other_crate", crate=state.in_machine or 0)
    victim = other(state.on_turn)
    for drink in returned:
        if drink not in state.beside[victim][crate - 1]:
            _forbid("CW 3.5", "did_not_go_in", drink=drink)
    _check_once(returned, "CW 3.5")
    return replace(
        state, on_turn=_after(state.on_turn, state.passed), in_machine=None,
        beside=_with_beside(state, victim, crate, tuple(sorted(returned))),
    )


def _recall(state: State, crate: int) -> State:
    seat = state.on_turn
    mine = state.beside[seat][crate - 1]
    if not mine:
        _forbid("CW 3.7", "nothing_to_recall", crate=crate)
    supply = tuple(sorted(state.supplies[seat] + mine))
    return replace(
        state, on_turn=_after(seat, state.passed), coins=_coin_spent(state),
        supplies=_with(state.supplies, seat, supply), beside=_with_beside(state, seat, crate, ()),
    )


def _coin_spent(state: State) -> tuple[int, int]:
    seat = state.on_turn
    if not state.coins[seat]:
        _forbid("CW 3.3", "no_coin")
    return _with(state.coins, seat, state.coins[seat] - 1)


def _pass(state: State) -> State:
    seat = state.on_turn
    passed = _with(state.passed, seat, True)
    after = replace(state, on_turn=_after(seat, passed), passed=passed, supplies=_with(state.supplies, seat, ()))
    return _look_at_crates(after) if all(passed) else after


# CW 4: the scoring

def _look_at_crates(state: State) -> State:
    """Decide crate after crate, as far as nobody has to choose; then the winner of the next crate is on turn."""
    while len(state.decided) < len(CRATES):
        crate = len(state.decided) + 1
        decided = scoring.decide(state, crate)
        if len(decided.drinks) > CRATE_HOLDS:
            return replace(state, on_turn=decided.winner or 0)
        state = replace(state, decided=(*state.decided, decided))
    return state


def _legal_keep(state: State) -> Iterator[Ply[Action | Choose]]:
    crate = len(state.decided) + 1
    yield Ply(state.on_turn, Choose("keep", at_crate(state, crate), CRATE_HOLDS, (("crate", crate),), "drinks"))


def _keep(state: State, crate: int, drinks: Drinks) -> State:
    if crate != len(state.decided) + 1:
        _forbid("CW 4.6", "keep_first", crate=len(state.decided) + 1)
    for drink in drinks:
        if drink not in at_crate(state, crate):
            _forbid("CW 4.6", "not_at_crate", drink=drink, crate=crate)
    _check_once(drinks, "CW 4.6")
    if len(drinks) != CRATE_HOLDS:
        _forbid("CW 4.6", "keep_six", number=len(drinks))
    kept = Decided(state.on_turn, tuple(sorted(drinks)))
    return _look_at_crates(replace(state, decided=(*state.decided, kept)))


def _check_once(drinks: Drinks, rule: str) -> None:
    for drink in drinks:
        if drinks.count(drink) > 1:
            _forbid(rule, "twice", drink=drink)


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """The pair with the seat's part replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _with_beside(state: State, seat: Seat, crate: int, drinks: Drinks) -> tuple[tuple[Drinks, ...], tuple[Drinks, ...]]:
    side = state.beside[seat]
    return _with(state.beside, seat, (*side[: crate - 1], drinks, *side[crate:]))
