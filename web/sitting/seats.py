"""From a token to a seat, and how a phone gets one: a free seat at one touch, a taken one once somebody who may has let
it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import Seat
from companion.errors import InvalidError, phrase
from companion.session.clock import Clock
from web.sitting.asks import Ask, Asks
from web.sitting.sightings import Sightings
from web.sitting.store import Holder, SeatStore
from web.sitting.tokens import hash_of, new_token

MAX_PHONES_OF_SEAT: Final = 4
RECENT_S: Final = 600.0
"""For so long it is shown from where a token was used."""


@dataclass(frozen=True, slots=True)
class PhoneHere:
    """A phone that has a seat, and from where it was here of late. Several addresses with one token: it was copied, or
    the phone has moved."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sat:
    """What came of sitting down: the phone's token, and the ask if the seat was taken."""

    token: str
    ask: Ask | None = None


class Seats:
    """Any thread may call; only `pressed` never waits for the disk."""

    def __init__(self, store: SeatStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self.asks = Asks(clock.monotonic_s)
        self._seen = Sightings(clock.monotonic_s, RECENT_S)

    def seat_of(self, token: str, key: str, address: str) -> Seat | None:
        """The seat that a token is of in the game `key`; it was used from this address."""
        held = self._held(hash_of(token), key)
        if held is None:
            return None
        self._seen.note(held.hash, address)
        return held.seat

    def phones(self, key: str) -> dict[Seat, tuple[PhoneHere, ...]]:
        """The phones of each seat that is taken."""
        found: dict[Seat, tuple[PhoneHere, ...]] = {}
        for each in self._store.holders("seat", key) if key else ():
            here = PhoneHere(self._seen.addresses(each.hash) or (each.address,))
            found[each.seat] = (*found.get(each.seat, ()), here)
        return found

    def sit(self, token: str, key: str, seat: Seat, address: str) -> Sat:
        """Gives a free seat to a phone, instead of the one that it had; asks for one that is taken. Raises
        `InvalidError` when it may not ask now. A token that is not known is worth nothing: the phone gets another."""
        with self._store.lock:
            token, hash = self._known(token, key)
            held = self._held(hash, key)
            if held is not None and held.seat == seat:
                return Sat(token)
            if seat in self.phones(key):
                ask = self.asks.add(hash, key, seat, address)
                if ask is None:
                    raise InvalidError(phrase("web.sit.not_now"))
                return Sat(token, ask)
            self.asks.forget(hash)
            self._give(hash, key, seat, address)
            return Sat(token)

    def asked_by(self, token: str, key: str) -> Ask | None:
        """What this phone asked last in the game `key`."""
        ask = self.asks.of(hash_of(token))
        return ask if ask is not None and ask.key == key else None

    def get_up(self, token: str, key: str) -> None:
        """The phone has its seat no more."""
        held = self._held(hash_of(token), key)
        if held is not None:
            self._store.remove(held)

    def free(self, key: str, seat: Seat) -> None:
        """Nobody has this seat any more: all its tokens are void."""
        with self._store.lock:
            void = {each.hash: each for each in self._store.holders("seat", key) if each.seat == seat}
            heirs = (each for each in self._store.holders("heir") if each.hash in void)
            self._store.remove(*void.values(), *heirs)

    def pressed(self, seat: Seat, key: str, held: bool) -> bool:
        """The button of a seat was pressed at the table: held, it lets in the phone that asks for this seat. Whether
        the press was for that. A short one is of the game as ever, so that nobody lets another in without meaning to;
        and where two ask, a button cannot say which."""
        asked = [each for each in self.asks.waiting(key) if each.seat == seat]
        return held and len(asked) == 1 and self.asks.decide(asked[0].id, "instead")

    def settle(self) -> frozenset[Seat]:
        """Gives their seats to the phones that were let in; the seats whose phones are others now."""
        with self._store.lock:
            return frozenset(seat for ask in self.asks.take_let_in() for seat in self._let_in(ask))

    def _let_in(self, ask: Ask) -> set[Seat]:
        before = self._held(ask.hash, ask.key)
        if ask.verdict == "instead":
            self.free(ask.key, ask.seat)
        elif len(self.phones(ask.key).get(ask.seat, ())) >= MAX_PHONES_OF_SEAT:
            return set()
        self._give(ask.hash, ask.key, ask.seat, ask.address)
        return {ask.seat, *([before.seat] if before else [])}

    def _give(self, hash: bytes, key: str, seat: Seat, address: str) -> None:
        self._store.put(Holder(hash, "seat", key, seat, self._clock.now(), address))
        self._seen.note(hash, address)

    def _known(self, token: str, key: str) -> tuple[str, bytes]:
        """The token if it is known in this game, else a new one; and its hash."""
        hash = hash_of(token)
        if hash is not None and (self._held(hash, key) is not None or self.asked_by(token, key) is not None):
            return token, hash
        return new_token()

    def _held(self, hash: bytes | None, key: str) -> Holder | None:
        return self._store.find(hash, "seat", key) if key else None
