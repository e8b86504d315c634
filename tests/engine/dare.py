"""Dare, a toy of a game: two seats secretly bid 1 to 3, chance deals each a hidden card of 1 to 4, seat 0 folds or
dares, and seat 1 calls or declines a dare. A call is won by the higher card; who gives in pays half, rounded down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar, cast

from companion.engine import (
    CHANCE,
    BaseGame,
    Chance,
    Choose,
    Json,
    Observer,
    Over,
    Ply,
    Seat,
    Seen,
    ToMove,
    Turn,
    form,
)
from companion.engine.codec import Codec, ValueKind, by_seat, whole_between
from companion.engine.values import Odds
from companion.errors import IllegalError, Phrase, phrase
from companion.table import Layout, Placement


@dataclass(frozen=True, slots=True)
class Bid:
    type: ClassVar[str] = "bid"
    stake: Annotated[int, "stake"]


@dataclass(frozen=True, slots=True)
class Deal:
    type: ClassVar[str] = "deal"
    cards: Annotated[tuple[int, ...], "cards"]


@dataclass(frozen=True, slots=True)
class Say:
    type: ClassVar[str] = "say"
    word: Annotated[str, "word"]


WORDS = (("fold", "dare"), ("decline", "call"))
KINDS = {
    "stake": whole_between(1, 3),
    "cards": by_seat(whole_between(1, 4)),
    "word": ValueKind(lambda given, where: form.one_of(given, where, WORDS[0] + WORDS[1])),
}


@dataclass(frozen=True)
class State:
    bids: tuple[int, ...] = (0, 0)
    cards: tuple[int, ...] = ()
    said: tuple[str, ...] = ()


Action = Bid | Deal | Say


class Dare(BaseGame[State, Action]):
    id, seats, words, reasons = "dare", (2,), Path(__file__).parent, ("stalemate",)
    codec: Codec[Action] = Codec([Bid, Deal, Say], KINDS)
    leaky = False
    """Whether the views show too much, to try the laws on."""

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        return form.fields(given, "options", [])

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        return form.fields(given, "setup", [])

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        return {}

    def layout(self, setup: Json) -> Layout:
        return Layout((), (), (), (0.0, 0.0))

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        return State()

    def turn(self, state: State) -> Turn:
        if 0 in state.bids:
            return ToMove(tuple(seat for seat in (0, 1) if not state.bids[seat]), phrase("dare.bid"))
        if not state.cards:
            return Chance(phrase("dare.deal"))
        if not state.said or state.said == ("dare",):
            return ToMove((len(state.said),), phrase("dare.say"))
        return Over(tuple(seat for seat in (0, 1) if self.scores(state)[seat] > 0), "stalemate")

    def legal(self, state: State) -> Iterator[Ply[Action | Choose]]:
        match self.turn(state):
            case ToMove(seats) if 0 in state.bids:
                yield from (Ply(seat, Bid(stake)) for seat in seats for stake in (1, 2, 3))
            case ToMove((seat,)):
                yield from (Ply(seat, Say(word)) for word in WORDS[seat])
            case Chance():
                yield from (Ply(CHANCE, deal) for deal, _ in self.outcomes(state))

    def apply(self, state: State, ply: Ply[Action]) -> State:
        if ply not in self.legal(state):
            raise IllegalError("DA 1.1", phrase("dare.not_now"))
        match ply.action:
            case Bid(stake):
                bids = (stake, state.bids[1]) if ply.player == 0 else (state.bids[0], stake)
                return replace(state, bids=bids)
            case Deal(cards):
                return replace(state, cards=cards)
            case Say(word):
                return replace(state, said=(*state.said, word))

    def outcomes(self, state: State) -> Sequence[Odds[Action]]:
        return [(Deal(cards), Fraction(1, 12)) for cards in permutations((1, 2, 3, 4), 2)]

    def sample(self, state: State, rng: Random) -> Action:
        return Deal(tuple(rng.sample((1, 2, 3, 4), 2)))

    def scores(self, state: State) -> tuple[int, ...]:
        pot = sum(state.bids)
        if state.said == ("fold",):
            return (0, pot // 2)
        if state.said == ("dare", "decline"):
            return (pot // 2, 0)
        if state.said == ("dare", "call"):
            return (pot, 0) if state.cards[0] > state.cards[1] else (0, pot)
        return (0, 0)

    def placement(self, state: State) -> Placement:
        return {}

    def brings_to_light(self, before: State, after: State) -> bool:
        return 0 in before.bids and 0 not in after.bids

    def _sees(self, state: State, seat: Seat, observer: Observer) -> bool:
        return self.leaky or observer in (seat, "referee") or state.said[-1:] == ("call",)

    def view(self, state: State, observer: Observer) -> Seen:
        bids = tuple(
            bid if 0 not in state.bids or observer in (seat, "referee") or not bid else -1
            for seat, bid in enumerate(state.bids)
        )
        cards = tuple(card if self._sees(state, seat, observer) else 0 for seat, card in enumerate(state.cards))
        known = State(bids, cards, state.said)
        return Seen(self.id, observer, self.turn(state), self.scores(state), self.placement(state), known)

    def possible(self, seen: Seen, rng: Random) -> State:
        shown = cast(State, seen.known)
        bids = tuple(bid if bid >= 0 else rng.choice((1, 2, 3)) for bid in shown.bids)
        deals = [
            cards for cards in permutations((1, 2, 3, 4), len(shown.cards))
            if all(known in (0, card) for known, card in zip(shown.cards, cards))
            and (self.leaky or shown.said[-1:] != ("call",) or cards == shown.cards)
        ]
        cards = rng.choice(deals)
        return State(bids, rng.choice([(1, 2), (2, 1)]) if self.leaky and cards else cards, shown.said)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        if isinstance(ply.action, Say):
            return phrase("dare.said", word=ply.action.word)
        known = observer in (ply.player, "referee")
        if isinstance(ply.action, Bid):
            return phrase("dare.bids", stake=ply.action.stake if known else "?")
        return phrase("dare.dealt", cards=ply.action.cards if known else "?")

    def read_action(self, given: Json) -> Action:
        return self.codec.read(given)

    def write_action(self, action: Action | Choose) -> Json:
        return self.codec.write(action)
