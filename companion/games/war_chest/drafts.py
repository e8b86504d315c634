"""Choosing units before the game: each way is a small game of its own whose result is a set-up (WC 3.5 to WC 3.12)."""
# ruff: noqa: ARG002 (the contract hands over more than is needed)

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from companion.engine import SET_UP, Choose, Json, Observer, OpenGame, Over, Ply, ToMove, Turn, form
from companion.errors import IllegalError, Phrase, phrase
from companion.games.war_chest import setup as setups
from companion.games.war_chest.drafting import (
    CODEC, Ban, Decision, Drafting, Order, Take, armies, decisions, frozen, is_choosing_order, on_turn, ordered, refuse,
)
from companion.games.war_chest.setup import UNITS_EACH
from companion.games.war_chest.units import UNITS
from companion.table import Layout, Placement, seat_phrase


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
            return Drafting(players, (), 0, None, None, None, ready=frozen(setup))
        first = setup.get("first")
        begins = setup.get("initiative", None if first is None else 1 - first)
        bans = players if self.bans else 0
        return Drafting(players, tuple(setup["cards"]), bans, setup.get("toss"), first, begins)

    def turn(self, state: Drafting) -> Turn:
        """Who decides."""
        seat = on_turn(state)
        if seat is None:
            return Over((), SET_UP)
        asks = "order" if is_choosing_order(state) else "ban" if len(state.banned) < state.bans else "take"
        return ToMove((seat,), phrase(f"wc.ask.{asks}"))

    def legal(self, state: Drafting) -> Iterator[Ply[Decision | Choose]]:
        """Every decision that can be made."""
        seat = on_turn(state)
        if seat is not None:
            yield from (Ply(seat, decision) for decision in decisions(state))

    def apply(self, state: Drafting, ply: Ply[Decision]) -> Drafting:
        """The draft after the decision; raises `IllegalError`."""
        seat, action = on_turn(state), ply.action
        if seat is None:
            raise IllegalError("WC 3.8", phrase("wc.no.draft_over"))
        if ply.player != seat:
            raise IllegalError("WC 3.8", phrase("wc.no.draft_turn", seat=seat_phrase(seat)))
        if action not in decisions(state):
            refuse(state, action)
        if isinstance(action, Order):
            return ordered(replace(state, orders=(*state.orders, action)), seat, action)
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
            phrase("wc.fact.army", seat=seat_phrase(seat), units=army)
            for seat, army in enumerate(armies(state)) if army
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
        if on_turn(state) is not None or state.initiative is None:
            raise ValueError("the draft is not over")
        return setups.setup(tuple(armies(state)), state.initiative)


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
