"""Plies and set-ups in words."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Json, Observer, Player, Ply, ScorePart
from companion.errors import Phrase, PhraseArg, phrase
from companion.games.war_chest.actions import (
    AbsorbFrom,
    Action,
    Attack,
    Bolster,
    Control,
    Deploy,
    Draw,
    Free,
    Hands,
    Move,
    Pass,
    Priest,
    Recruit,
    Skip,
    Tactic,
    TakeInitiative,
)
from companion.games.war_chest.board import Hex, board
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.state import Side, State
from companion.table import seat_phrase


def say(state: State, ply: Ply[Action], observer: Observer) -> Phrase:
    """The ply in words, before it is applied; coins that the observer does not see are not named."""
    match ply.action:
        case Draw(hands):
            return _draw(state, hands, observer)
        case Priest(coin):
            knows = state.due and _sees(state, state.due[-1].seat, observer)
            return phrase("wc.priest.own", coin=coin) if coin and knows else phrase("wc.priest")
        case Recruit(coin, unit):
            return _face_down("recruit", coin, state, ply, observer, unit=unit or "")
        case TakeInitiative(coin):
            return _face_down("initiative", coin, state, ply, observer)
        case Pass(coin):
            return _face_down("pass", coin, state, ply, observer)
        case Deploy(coin, at):
            return phrase("wc.deploy", coin=coin, at=_shown(at))
        case Bolster(coin, at):
            return phrase("wc.bolster", coin=coin, at=_shown(at))
        case Move(coin, origin, to):
            return phrase("wc.move", coin=coin, origin=_shown(origin), at=_shown(to))
        case Attack(coin, _, target):
            return phrase("wc.attack", coin=coin, target=_kind(state, target), at=_shown(target))
        case Control(coin, at):
            return phrase("wc.control", coin=coin, at=_shown(at))
        case Tactic():
            return _tactic(state, ply.action)
        case Free():
            return phrase("wc.free", what=_free(state, ply.action))
        case AbsorbFrom(source):
            return phrase(f"wc.absorb.{source}")
        case Skip():
            return phrase("wc.skip")


def instructions(setup: Json) -> tuple[Phrase, ...]:
    """How to lay the set-up out, a step a phrase."""
    return tuple(_instructions(setup))


def _instructions(setup: Json) -> Iterator[Phrase]:
    players = len(setup["units"])
    for seat, units in enumerate(setup["units"]):
        yield phrase("wc.lay.units", seat=seat_phrase(seat), faction=setup["factions"][seat], units=tuple(units))
    for side in (0, 1):
        faction = setup["factions"][side]
        starts = tuple(_shown(at) for at in board(players).starts_of(faction))
        yield phrase("wc.lay.markers", faction=faction, starts=starts)
    yield phrase("wc.lay.initiative", seat=seat_phrase(setup["initiative"]))


def _sees(state: State, seat: Player, observer: Observer) -> bool:
    """Whether the observer sees a seat's hidden coins; at a table nobody else does, whoever named them."""
    return observer == seat or (observer == "referee" and not state.table.referee)


def _draw(state: State, hands: Hands, observer: Observer) -> Phrase:
    own = tuple(
        phrase("wc.draw.hand", seat=seat_phrase(seat), coins=drawn)
        for seat, drawn in hands if _sees(state, seat, observer)
    )
    return phrase("wc.draw.own", hands=own) if own else phrase("wc.draw")


def _face_down(
    what: str, coin: Coin | None, state: State, ply: Ply[Action], observer: Observer, **args: PhraseArg
) -> Phrase:
    if coin is None or not _sees(state, ply.player, observer):
        return phrase(f"wc.{what}", **args)
    return phrase(f"wc.{what}.own", coin=coin, **args)


def _tactic(state: State, action: Tactic) -> Phrase:
    """Who moves where and attacks whom; `unit_at` acts on an order."""
    if action.from_ is None:
        return phrase("wc.tactic.footmen")
    ordered = action.unit_at is not None
    actor = _kind(state, action.unit_at or action.from_)
    args: dict[str, PhraseArg] = {"coin": _kind(state, action.from_), "unit": actor}
    if action.to is not None:
        args |= {"origin": _shown(action.unit_at or action.from_), "to": _shown(action.to)}
    if action.target is not None:
        args |= {"target": _kind(state, action.target), "at": _shown(action.target)}
    does = "".join(("_move" if action.to is not None else "", "_attack" if action.target is not None else ""))
    return phrase(f"wc.{'order' if ordered else 'tactic'}{does}", **args)


def _free(state: State, action: Free) -> Phrase:
    kind, at = _kind(state, action.from_), _shown(action.from_)
    if action.to is not None:
        return phrase("wc.move", coin=kind, origin=at, at=_shown(action.to))
    if action.target is not None:
        return phrase("wc.attack", coin=kind, target=_kind(state, action.target), at=_shown(action.target))
    return phrase("wc.control", coin=kind, at=at)


def _kind(state: State, at: Hex) -> PhraseArg:
    stack = state.stacks.get(at)
    return phrase("wc.nobody") if stack is None else stack.kind


def _shown(at: Hex) -> str:
    return f"{at[0]},{at[1]}"


def marker_parts(state: State, side: Side) -> Iterator[ScorePart]:
    """What the score of a side is made of: each of its markers, by the location on which it lies (WC 1.2)."""
    for at, owner in sorted(state.control.items()):
        if owner == side:
            yield ScorePart(phrase("wc.part_marker", at=_shown(at)), 1, "WC 1.2")
