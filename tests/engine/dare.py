"""Dare, a toy of a game: two seats secretly bid 1 to 3, chance deals each a hidden card of 1 to 4, seat 0 folds or
dares, and seat 1 calls or declines a dare. A call is won by the higher card; who gives in pays half, rounded down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Annotated, ClassVar

from companion.engine import CHANCE, BaseGame, Chance, Over, Ply, Seen, ToMove, form
from companion.engine.codec import Codec, ValueKind, by_seat, whole_between
from companion.errors import IllegalError, phrase
from companion.table import Layout


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
    bids: tuple[int, int] = (0, 0)
    cards: tuple[int, ...] = ()
    said: tuple[str, ...] = ()


class Dare(BaseGame):
    id, seats, words, reasons = "dare", (2,), Path(__file__).parent, ("stalemate",)
    codec = Codec([Bid, Deal, Say], KINDS)
    leaky = False
    """Whether the views show too much, to try the laws on."""

    def read_options(self, given: Mapping, players: int):
        return form.fields(given, "options", [])

    def read_setup(self, given, options, players: int):
        return form.fields(given, "setup", [])

    def deal(self, players, options, rng):
        return {}

    def layout(self, setup):
        return Layout((), (), (), (0.0, 0.0))

    def start(self, setup, options, players):
        return State()

    def turn(self, state):
        if 0 in state.bids:
            return ToMove(tuple(seat for seat in (0, 1) if not state.bids[seat]), phrase("dare.bid"))
        if not state.cards:
            return Chance(phrase("dare.deal"))
        if not state.said or state.said == ("dare",):
            return ToMove((len(state.said),), phrase("dare.say"))
        return Over(tuple(seat for seat in (0, 1) if self.scores(state)[seat] > 0), "stalemate")

    def legal(self, state):
        match self.turn(state):
            case ToMove(seats) if 0 in state.bids:
                yield from (Ply(seat, Bid(stake)) for seat in seats for stake in (1, 2, 3))
            case ToMove((seat,)):
                yield from (Ply(seat, Say(word)) for word in WORDS[seat])
            case Chance():
                yield from (Ply(CHANCE, deal) for deal, _ in self.outcomes(state))

    def apply(self, state, ply):
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

    def outcomes(self, state):
        return [(Deal(cards), Fraction(1, 12)) for cards in permutations((1, 2, 3, 4), 2)]

    def sample(self, state, rng):
        return Deal(tuple(rng.sample((1, 2, 3, 4), 2)))

    def scores(self, state):
        pot = sum(state.bids)
        if state.said == ("fold",):
            return (0, pot // 2)
        if state.said == ("dare", "decline"):
            return (pot // 2, 0)
        if state.said == ("dare", "call"):
            return (pot, 0) if state.cards[0] > state.cards[1] else (0, pot)
        return (0, 0)

    def placement(self, state):
        return {}

    def _sees(self, state, seat, observer):
        return self.leaky or observer in (seat, "referee") or state.said[-1:] == ("call",)

    def view(self, state, observer):
        bids = tuple(
            bid if 0 not in state.bids or observer in (seat, "referee") or not bid else -1
            for seat, bid in enumerate(state.bids)
        )
        cards = tuple(card if self._sees(state, seat, observer) else 0 for seat, card in enumerate(state.cards))
        known = State(bids, cards, state.said)
        return Seen(self.id, observer, self.turn(state), self.scores(state), self.placement(state), known)

    def possible(self, seen, rng):
        bids = tuple(bid if bid >= 0 else rng.choice((1, 2, 3)) for bid in seen.known.bids)
        deals = [
            cards for cards in permutations((1, 2, 3, 4), len(seen.known.cards))
            if all(known in (0, card) for known, card in zip(seen.known.cards, cards))
            and (self.leaky or seen.known.said[-1:] != ("call",) or cards == seen.known.cards)
        ]
        cards = rng.choice(deals)
        return State(bids, rng.choice([(1, 2), (2, 1)]) if self.leaky and cards else cards, seen.known.said)

    def say(self, state, ply, observer):
        if isinstance(ply.action, Say):
            return phrase("dare.said", word=ply.action.word)
        known = observer in (ply.player, "referee")
        if isinstance(ply.action, Bid):
            return phrase("dare.bids", stake=ply.action.stake if known else "?")
        return phrase("dare.dealt", cards=ply.action.cards if known else "?")

    def read_action(self, given):
        return self.codec.read(given)

    def write_action(self, action):
        return self.codec.write(action)
