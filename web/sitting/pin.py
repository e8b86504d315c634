"""The table's PIN: who knows it is the host. Kept as its scrypt with a salt. After some wrong tries there is a wait."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock
from typing import Final

from werkzeug.security import check_password_hash, generate_password_hash

from companion.errors import InvalidError, phrase
from web.sitting.lock_out import LockOut
from web.sitting.store import SeatStore

LEAST_PIN: Final = 4
MOST_PIN: Final = 64
METHOD: Final = "scrypt:16384:8:1"
"""16 MB and a tenth of a second on a small Pi: one at a time is affordable, thousands are not tried."""


class Pin:
    """Any thread may call; one PIN is checked at a time."""

    def __init__(self, store: SeatStore, monotonic_s: Callable[[], float]) -> None:
        self._store, self._tries, self._checking = store, LockOut(monotonic_s), Lock()

    @property
    def is_set(self) -> bool:
        """Whether there is one."""
        return bool(self._store.pin)

    @property
    def is_decided(self) -> bool:
        """Whether people were asked for one, and gave it or went without."""
        return self._store.pin is not None

    def choose(self, pin: str) -> None:
        """From now on this; empty: none. Raises `InvalidError` for one that is too short or too long."""
        if pin and not LEAST_PIN <= len(pin) <= MOST_PIN:
            raise InvalidError(phrase("web.pin.length", least=LEAST_PIN, most=MOST_PIN))
        self._store.set_pin(generate_password_hash(pin, METHOD) if pin else "")

    def check(self, pin: str, address: str) -> None:
        """Raises `InvalidError` unless it is this one. Who was wrong too often waits before it is even looked at."""
        with self._checking:
            wait_s = self._tries.wait_s(address)
            if wait_s > 0:
                raise InvalidError(phrase("web.pin.wait", seconds=math.ceil(wait_s)))
            if len(pin) > MOST_PIN or not check_password_hash(self._store.pin or "", pin):
                self._tries.failed(address)
                raise InvalidError(phrase("web.pin.wrong"))
            self._tries.passed(address)
