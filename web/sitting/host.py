"""From a token to the host, and how a phone becomes it: the first one after a start, whoever has the table's PIN, or
whom the host hands it on to. There is one host: with a new one the token of the old one is void.

Without a PIN, anybody may follow a host that has not been here for two hours: its phone may have gone home.
"""

from __future__ import annotations

from typing import Final

from companion.engine import Seat
from companion.errors import InvalidError, phrase
from companion.session.clock import Clock
from web.sitting.pin import Pin
from web.sitting.sightings import Sightings
from web.sitting.store import Holder, SeatStore
from web.sitting.tokens import hash_of, new_token

GONE_S: Final = 2 * 3600.0
"""A host's phone that was not here for so long is taken to have gone home; a phone that lies on the table sleeps."""


class Host:
    """Any thread may call."""

    def __init__(self, store: SeatStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self.pin = Pin(store, clock.monotonic_s)
        self._seen = Sightings(clock.monotonic_s, GONE_S)
        for each in store.holders("host"):
            self._seen.note(each.hash, each.address)  # after a start it is waited for

    def is_host(self, token: str, address: str) -> bool:
        """Whether this token is the host's; it was used from this address."""
        held = self._store.find(hash_of(token), "host")
        if held is not None:
            self._seen.note(held.hash, address)
        return held is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        """From where the host was here of late."""
        return tuple(where for each in self._store.holders("host") for where in self._seen.addresses(each.hash))

    @property
    def is_vacant(self) -> bool:
        """Whether the first phone that comes is the host: there is none, and no PIN."""
        return not self.pin.is_set and not self._store.holders("host")

    @property
    def may_be_followed(self) -> bool:
        """Whether anybody may be the host instead: there is no PIN, and the host has gone."""
        return not self.pin.is_set and not self.addresses

    def start(self, game_goes_on: bool) -> None:
        """The service has started. Without a PIN only the host of a game that goes on stays it."""
        if not self.pin.is_set and not game_goes_on:
            self._store.remove(*self._store.holders("host"), *self._store.holders("heir"))

    def be_first(self, address: str) -> str | None:
        """The token of the first phone; None when there is a host already, or a PIN."""
        with self._store.lock:
            return self._become(address) if self.is_vacant else None

    def follow(self, address: str) -> str:
        """The token of a phone that follows a host who has gone. Raises `InvalidError` when it may not."""
        with self._store.lock:
            if not self.may_be_followed:
                raise InvalidError(phrase("web.host.is_here"))
            return self._become(address)

    def by_pin(self, pin: str, address: str) -> str:
        """The token of a phone on which the table's PIN was typed. Raises `InvalidError`."""
        if not self.pin.is_set:
            raise InvalidError(phrase("web.pin.none"))
        self.pin.check(pin, address)
        return self._become(address)

    def hand_on(self, key: str, seat: Seat) -> None:
        """The phone that sits there is the host as soon as it comes for it. Raises `InvalidError` when none sits
        there."""
        with self._store.lock:
            sits = next((each for each in self._store.holders("seat", key) if each.seat == seat), None)
            if sits is None:
                raise InvalidError(phrase("web.host.nobody_sits"))
            self._store.remove(*self._store.holders("heir"))
            self._store.put(Holder(sits.hash, "heir", "", seat, self._clock.now(), sits.address))

    def is_heir(self, seat_token: str) -> bool:
        """Whether the host's role was handed on to the phone with this seat's token."""
        return self._store.find(hash_of(seat_token), "heir") is not None

    def inherit(self, seat_token: str, address: str) -> str | None:
        """The host's token for the phone that the role was handed on to; None for any other."""
        with self._store.lock:
            return self._become(address) if self.is_heir(seat_token) else None

    def _become(self, address: str) -> str:
        token, hash = new_token()
        with self._store.lock:
            self._store.remove(*self._store.holders("host"), *self._store.holders("heir"))
            self._store.put(Holder(hash, "host", "", 0, self._clock.now(), address))
            self._seen.note(hash, address)
        return token
