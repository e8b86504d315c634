"""How far a draft is, who decides, and what can be decided (WC 3.8 to WC 3.12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal

from companion.engine import Json, Seat
from companion.engine.codec import Codec, among
from companion.errors import IllegalError, phrase
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.setup import UNITS_EACH
from companion.games.war_chest.units import UNITS

UnitId = Annotated[str, "unit"]


@dataclass(frozen=True, slots=True)
class Take:
    """Take a unit's card for the own army."""

    type: ClassVar[str] = "take"
    unit: UnitId


@dataclass(frozen=True, slots=True)
class Ban:
    """Put a card out of the draft."""

    type: ClassVar[str] = "ban"
    unit: UnitId


@dataclass(frozen=True, slots=True)
class Order:
    """Be first or second, in the draft or in play (WC 3.11)."""

    type: ClassVar[str] = "order"
    of: Literal["draft", "play"]
    place: Literal["first", "second"]


Decision = Take | Ban | Order
CODEC: Final = Codec[Decision]([Take, Ban, Order], {"unit": among(UNITS)})


@dataclass(frozen=True, slots=True)
class FrozenSetup:
    """A set-up as a value that can be hashed and never changes."""

    units: tuple[tuple[Coin, ...], ...]
    initiative: Seat
    factions: tuple[str, ...]

    @property
    def thawed(self) -> Json:
        """The set-up as JSON."""
        return {
            "units": [list(own) for own in self.units], "initiative": self.initiative, "factions": list(self.factions),
        }


@dataclass(frozen=True, slots=True)
class Drafting:
    """How far a draft is. Everybody sees all of it."""

    players: int
    cards: tuple[Coin, ...]
    """As they were laid out."""
    bans: int
    toss: Seat | None
    """Who won the toss and chooses an order first; None: the orders are settled."""
    first: Seat | None
    """Who drafts first."""
    initiative: Seat | None
    orders: tuple[Order, ...] = ()
    banned: tuple[Coin, ...] = ()
    taken: tuple[Coin, ...] = ()
    """In the order in which they were taken."""
    ready: FrozenSetup | None = None
    """A set-up about which nothing is left to decide."""


def frozen(setup: Json) -> FrozenSetup:
    """A set-up from JSON."""
    return FrozenSetup(tuple(map(tuple, setup["units"])), setup["initiative"], tuple(setup["factions"]))


def drafter(players: int, first: Seat, index: int) -> Seat:
    """Who takes the card number `index`: A B B A A B B A for two, 0 1 2 3 3 2 1 0 1 2 3 0 for four, from `first` on."""
    order = (0, 1, 1, 0, 0, 1, 1, 0) if players == 2 else (0, 1, 2, 3, 3, 2, 1, 0, 1, 2, 3, 0)
    return (first + order[index]) % players


def is_choosing_order(state: Drafting) -> bool:
    """Whether the winner or the loser of the toss chooses an order next."""
    return state.toss is not None and len(state.orders) < 2


def on_turn(state: Drafting) -> Seat | None:
    """Who decides next; None when the set-up is complete."""
    if state.ready is not None:
        return None
    if state.toss is not None and len(state.orders) < 2:
        return (state.toss + len(state.orders)) % 2
    assert state.first is not None
    if len(state.banned) < state.bans:
        return (state.first + len(state.banned)) % state.players
    if len(state.taken) < state.players * UNITS_EACH[state.players]:
        return drafter(state.players, state.first, len(state.taken))
    return None


def decisions(state: Drafting) -> Iterator[Decision]:
    """All that can be decided now."""
    if is_choosing_order(state):
        settled = [order.of for order in state.orders]
        kinds: tuple[Literal["draft", "play"], ...] = ("draft", "play")
        places: tuple[Literal["first", "second"], ...] = ("first", "second")
        yield from (Order(of, place) for of in kinds if of not in settled for place in places)
        return
    left = [card for card in state.cards if card not in state.banned and card not in state.taken]
    decide = Ban if len(state.banned) < state.bans else Take
    yield from (decide(card) for card in left)


def ordered(state: Drafting, seat: Seat, order: Order) -> Drafting:
    """Who asks for the second place gives the first to the other winner or loser of the toss."""
    begins = seat if order.place == "first" else 1 - seat
    return replace(state, first=begins) if order.of == "draft" else replace(state, initiative=begins)


def refuse(state: Drafting, action: Decision) -> None:
    """Raises: why this decision cannot be made now."""
    if is_choosing_order(state) or isinstance(action, Order):
        raise IllegalError("WC 3.11", phrase("wc.no.draft_order"))
    banning = len(state.banned) < state.bans
    if banning != isinstance(action, Ban):
        raise IllegalError("WC 3.9", phrase("wc.no.draft_ban" if banning else "wc.no.draft_take"))
    raise IllegalError("WC 3.8", phrase("wc.no.draft_card", unit=action.unit))


def armies(state: Drafting) -> list[tuple[Coin, ...]]:
    """Each seat's cards, in the order in which it took them."""
    armies: list[tuple[Coin, ...]] = [() for _ in range(state.players)]
    for index, unit in enumerate(state.taken):
        assert state.first is not None
        seat = drafter(state.players, state.first, index)
        armies[seat] = (*armies[seat], unit)
    return armies
