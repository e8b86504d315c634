"""Choosing units before the game: each way is a small game of its own whose result is a set-up (WC 3.5 to WC 3.12)."""
# ruff: noqa: ARG002 (the contract hands over more than is needed)

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar, Final, Literal

from companion.engine import SET_UP, Choose, Json, Observer, OpenGame, Over, Ply, Seat, ToMove, Turn, form
from companion.engine.codec import Codec, among
from companion.errors import IllegalError, Phrase, phrase
from companion.games.war_chest import setup as setups
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.setup import UNITS_EACH
from companion.games.war_chest.units import UNITS
from companion.table import Layout, Placement

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
class _Frozen:
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
    ready: _Frozen | None = None
    """A set-up about which nothing is left to decide."""


@dataclass(frozen=True)
class Way(OpenGame[Drafting, Decision]):
    """One way to come to a set-up: cards to draft with or without bans and a choice of order, or a set-up as it is."""

    id: str
    seats: tuple[int, ...] = (2, 4)
    bans: bool = False
    orders: bool = False
    ready: Callable[[int, Random], Json] | None = None

    words = Path(__file__).parent
    reasons = (SET_UP,)

    read_action = staticmethod(CODEC.read)
    write_action = staticmethod(CODEC.write)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """Those of the game itself."""
        return setups.read_options(given)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """The cards laid out, and who drafts first or won the toss; with four players also who begins the game."""
        if self.ready:
            return setups.read_setup(given, players)
        seats = ["toss"] if self.orders else ["first", *(["initiative"] if players == 4 else [])]
        found = form.fields(given, "setup", ["cards", *seats])
        laid = form.items(found["cards"], "setup.cards", self._cards(players))
        cards = [form.one_of(card, f"setup.cards[{i}]", UNITS) for i, card in enumerate(laid)]
        form.distinct(cards, "setup.cards")
        most = {"toss": 1}
        return {"cards": cards} | {
            seat: form.whole(found[seat], f"setup.{seat}", 0, most.get(seat, players - 1)) for seat in seats
        }

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random cards, a random toss; four players draft from seat 0 on."""
        if self.ready:
            return self.ready(players, rng)
        cards = rng.sample([*UNITS], self._cards(players))
        if self.orders:
            return {"cards": cards, "toss": rng.randrange(2)}
        if players == 4:
            return {"cards": cards, "first": 0, "initiative": rng.randrange(4)}
        return {"cards": cards, "first": rng.randrange(2)}

    def _cards(self, players: int) -> int:
        return players * UNITS_EACH[players] + (players if self.bans else 0)

    def layout(self, setup: Json) -> Layout:
        """Nothing to look at: the cards are on the screens."""
        return Layout((), (), (), (0.0, 0.0))

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> Drafting:
        """The cards laid out."""
        if self.ready:
            return Drafting(players, (), 0, None, None, None, ready=_frozen(setup))
        first = setup.get("first")
        begins = setup.get("initiative", None if first is None else 1 - first)
        bans = players if self.bans else 0
        return Drafting(players, tuple(setup["cards"]), bans, setup.get("toss"), first, begins)

    def turn(self, state: Drafting) -> Turn:
        """Who decides."""
        seat = _on_turn(state)
        if seat is None:
            return Over((), SET_UP)
        asks = "order" if _choosing_order(state) else "ban" if len(state.banned) < state.bans else "take"
        return ToMove((seat,), phrase(f"wc.ask.{asks}"))

    def legal(self, state: Drafting) -> Iterator[Ply[Decision | Choose]]:
        """Every decision that can be made."""
        seat = _on_turn(state)
        if seat is not None:
            yield from (Ply(seat, decision) for decision in _decisions(state))

    def apply(self, state: Drafting, ply: Ply[Decision]) -> Drafting:
        """The draft after the decision; raises `IllegalError`."""
        seat, action = _on_turn(state), ply.action
        if seat is None:
            raise IllegalError("WC 3.8", phrase("wc.no.draft_over"))
        if ply.player != seat:
            raise IllegalError("WC 3.8", phrase("wc.no.draft_turn", number=seat + 1))
        if action not in _decisions(state):
            _refuse(state, action)
        if isinstance(action, Order):
            return _ordered(replace(state, orders=(*state.orders, action)), seat, action)
        if isinstance(action, Ban):
            return replace(state, banned=(*state.banned, action.unit))
        return replace(state, taken=(*state.taken, action.unit))

    def scores(self, state: Drafting) -> tuple[int, ...]:
        """Nobody has points yet."""
        return (0,) * state.players

    def placement(self, state: Drafting) -> Placement:
        """Nothing stands on the table."""
        return {}

    def facts(self, state: Drafting) -> tuple[Phrase, ...]:
        """Each seat's army so far."""
        return tuple(
            phrase("wc.fact.army", number=seat + 1, units=army)
            for seat, army in enumerate(_armies(state)) if army
        )

    def say(self, state: Drafting, ply: Ply[Decision], observer: Observer) -> Phrase:
        """The decision in words."""
        match ply.action:
            case Take(unit):
                return phrase("wc.take", unit=unit)
            case Ban(unit):
                return phrase("wc.ban", unit=unit)
            case Order(of, place):
                return phrase(f"wc.order.{of}", place=phrase(f"wc.order.{place}"))

    def result(self, state: Drafting) -> Json:
        """The set-up that came out; raises `ValueError` while something is left to decide."""
        if state.ready is not None:
            return state.ready.thawed
        if _on_turn(state) is not None or state.initiative is None:
            raise ValueError("the draft is not over")
        return setups.setup(tuple(_armies(state)), state.initiative)


def _frozen(setup: Json) -> _Frozen:
    return _Frozen(tuple(map(tuple, setup["units"])), setup["initiative"], tuple(setup["factions"]))


def drafter(players: int, first: Seat, index: int) -> Seat:
    """Who takes the card number `index`: A B B A A B B A for two, 0 1 2 3 3 2 1 0 1 2 3 0 for four, from `first` on."""
    order = (0, 1, 1, 0, 0, 1, 1, 0) if players == 2 else (0, 1, 2, 3, 3, 2, 1, 0, 1, 2, 3, 0)
    return (first + order[index]) % players


def _choosing_order(state: Drafting) -> bool:
    return state.toss is not None and len(state.orders) < 2


def _on_turn(state: Drafting) -> Seat | None:
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


def _decisions(state: Drafting) -> Iterator[Decision]:
    if _choosing_order(state):
        settled = [order.of for order in state.orders]
        kinds: tuple[Literal["draft", "play"], ...] = ("draft", "play")
        places: tuple[Literal["first", "second"], ...] = ("first", "second")
        yield from (Order(of, place) for of in kinds if of not in settled for place in places)
        return
    left = [card for card in state.cards if card not in state.banned and card not in state.taken]
    decide = Ban if len(state.banned) < state.bans else Take
    yield from (decide(card) for card in left)


def _ordered(state: Drafting, seat: Seat, order: Order) -> Drafting:
    """Who asks for the second place gives the first to the other winner or loser of the toss."""
    begins = seat if order.place == "first" else 1 - seat
    return replace(state, first=begins) if order.of == "draft" else replace(state, initiative=begins)


def _refuse(state: Drafting, action: Decision) -> None:
    if _choosing_order(state) or isinstance(action, Order):
        raise IllegalError("WC 3.11", phrase("wc.no.draft_order"))
    banning = len(state.banned) < state.bans
    if banning != isinstance(action, Ban):
        raise IllegalError("WC 3.9", phrase("wc.no.draft_ban" if banning else "wc.no.draft_take"))
    raise IllegalError("WC 3.8", phrase("wc.no.draft_card", unit=action.unit))


def _armies(state: Drafting) -> list[tuple[Coin, ...]]:
    """Each seat's cards, in the order in which it took them."""
    armies: list[tuple[Coin, ...]] = [() for _ in range(state.players)]
    for index, unit in enumerate(state.taken):
        assert state.first is not None
        seat = drafter(state.players, state.first, index)
        armies[seat] = (*armies[seat], unit)
    return armies


_WAYS: Final[Mapping[str, Way]] = {
    "random": Way("war-chest:random", ready=setups.random_setup),
    "first_game": Way("war-chest:first_game", (2,), ready=setups.first_game),
    "draft": Way("war-chest:draft"),
    **{name: Way(f"war-chest:{name}", (2,), ready=partial(setups.battle, name)) for name in setups.BATTLES},
    "elimination_draft": Way("war-chest:elimination_draft", bans=True),
    "draft_with_order": Way("war-chest:draft_with_order", orders=True),
    "elimination_draft_with_order": Way("war-chest:elimination_draft_with_order", bans=True, orders=True),
}
WAYS: Final = tuple(_WAYS)


def way(name: str) -> Way:
    """The way of that name; raises `InvalidError` when there is none."""
    return _WAYS[form.one_of(name, "way", WAYS)]
