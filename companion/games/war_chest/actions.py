"""The actions of a game, as the record format writes them, and their codec."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, TypeVar

from companion.engine import Json, form
from companion.engine.codec import Codec, ValueKind, among
from companion.errors import InvalidError, phrase
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import ROYAL, Coin
from companion.games.war_chest.state import Maneuver
from companion.games.war_chest.units import UNITS

AnyCoin = Annotated[str, "coin"]
UnitId = Annotated[str, "unit"]
Hands = tuple[tuple[int, tuple[Coin, ...]], ...]
"""Coins by seat, each hand in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Deploy:
    """Put a coin onto the board as a new unit."""

    type: ClassVar[str] = "deploy"
    coin: AnyCoin
    at: Hex


@dataclass(frozen=True, slots=True)
class Bolster:
    """Put a coin onto the unit of its kind."""

    type: ClassVar[str] = "bolster"
    coin: AnyCoin
    at: Hex


@dataclass(frozen=True, slots=True)
class TakeInitiative:
    """Spend a coin face down for the initiative."""

    type: ClassVar[str] = "initiative"
    coin: AnyCoin | None = None


@dataclass(frozen=True, slots=True)
class Recruit:
    """Spend a coin face down for one of the supply."""

    type: ClassVar[str] = "recruit"
    coin: AnyCoin | None = None
    unit: UnitId | None = None

    def canonical(self) -> Recruit:
        """Refuses one without `unit`: it is always seen."""
        return _needing(self, "unit")


@dataclass(frozen=True, slots=True)
class Pass:
    """Spend a coin face down for nothing."""

    type: ClassVar[str] = "pass"
    coin: AnyCoin | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Move the coin's unit to a neighbouring hex."""

    type: ClassVar[str] = "move"
    coin: AnyCoin
    from_: Hex
    to: Hex


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack a neighbouring unit with the coin's unit."""

    type: ClassVar[str] = "attack"
    coin: AnyCoin
    from_: Hex
    target: Hex


@dataclass(frozen=True, slots=True)
class Control:
    """Take the location on which the coin's unit stands."""

    type: ClassVar[str] = "control"
    coin: AnyCoin
    at: Hex


@dataclass(frozen=True, slots=True)
class Tactic:
    """Use the tactic of the coin's unit; which keys it has is the unit's own affair (WC 6)."""

    type: ClassVar[str] = "tactic"
    coin: AnyCoin
    from_: Hex | None = None
    unit_at: Hex | None = None
    to: Hex | None = None
    target: Hex | None = None


@dataclass(frozen=True, slots=True)
class Free:
    """A maneuver without a coin of the hand, that follows from something else."""

    type: ClassVar[str] = "free"
    maneuver: Maneuver
    from_: Hex
    to: Hex | None = None
    target: Hex | None = None

    def canonical(self) -> Free:
        """Refuses one without the key of its maneuver, or with that of another."""
        needed = {"move": ("to",), "attack": ("target",)}.get(self.maneuver, ())
        for key in {"to", "target"} - {*needed}:
            if getattr(self, key) is not None:
                raise InvalidError(phrase("json.unknown_key", where="action", key=form.brief(key)))
        return _needing(self, *needed)


@dataclass(frozen=True, slots=True)
class AbsorbFrom:
    """Where an attacked royal guard's lost coin comes from."""

    type: ClassVar[str] = "absorb"
    from_: Literal["supply", "stack"]


@dataclass(frozen=True, slots=True)
class Skip:
    """Do without a follow-up."""

    type: ClassVar[str] = "skip"


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the hands of a round; `next` are the second hands, drawn ahead. At a table they need not be named."""

    type: ClassVar[str] = "draw"
    coins: Annotated[Hands, "hands"] = ()
    next: Annotated[Hands, "hands"] = ()


@dataclass(frozen=True, slots=True)
class Priest:
    """Chance: the coin that a warrior priest's owner draws."""

    type: ClassVar[str] = "priest"
    coin: AnyCoin | None = None


NeedsKeys = TypeVar("NeedsKeys", Recruit, Free)
FaceDown = TakeInitiative | Recruit | Pass
Paid = Deploy | Bolster | FaceDown | Move | Attack | Control | Tactic
"""What is paid with a coin."""
Action = Paid | Free | AbsorbFrom | Skip | Draw | Priest

SEATS: Final = ("0", "1", "2", "3")
_COINS: Final = (*UNITS, ROYAL)


def hidden_coin(action: FaceDown) -> FaceDown:
    """The ply as everybody saw it: without the coin."""
    return replace(action, coin=None)


def as_seen(action: Action) -> Action:
    """The ply as everybody saw it: without hidden coins."""
    if isinstance(action, Draw | Priest):
        return type(action)()
    return hidden_coin(action) if isinstance(action, FaceDown) else action


def _needing(action: NeedsKeys, *keys: str) -> NeedsKeys:
    for key in keys:
        if getattr(action, key) is None:
            raise InvalidError(phrase("json.missing_key", where="action", key=form.brief(key)))
    return action


def _read_hands(given: Json, where: str) -> Hands:
    hands = []
    for seat, coins in sorted(form.fields(given, where, [], SEATS).items()):
        place = f"{where}.{seat}"
        named = [form.one_of(coin, f"{place}[{i}]", _COINS) for i, coin in enumerate(form.items(coins, place))]
        hands.append((int(seat), tuple(sorted(named))))
    return tuple(hands)


def _write_hands(hands: Hands) -> Json:
    return {str(seat): list(coins) for seat, coins in hands}


CODEC: Final = Codec[Action](
    [Deploy, Bolster, TakeInitiative, Recruit, Pass, Move, Attack, Control, Tactic, Free, AbsorbFrom, Skip, Draw,
     Priest],
    {"coin": among(_COINS), "unit": among(UNITS), "hands": ValueKind(_read_hands, _write_hands)},
)
