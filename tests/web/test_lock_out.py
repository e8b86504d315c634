"""How long a wrong try has to wait, and from where a token was used, by a clock that the test moves."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.errors import InvalidError
from web.sitting import lock_out
from web.sitting.lock_out import LockOut
from web.sitting.pin import Pin
from web.sitting.sightings import MAX_SEEN, MAX_SEEN_AT, Sightings
from web.sitting.store import SeatStore


@dataclass
class Clock:
    s: float = 1000.0

    def __call__(self) -> float:
        return self.s


def fail(tries: LockOut, address: str, times: int) -> float:
    for _ in range(times):
        tries.failed(address)
    return tries.wait_s(address)


def test_waits_double_from_the_fifth_wrong_try_up_to_an_hour() -> None:
    tries = LockOut(clock := Clock())
    waits = [fail(tries, "a", 1) for _ in range(8)]
    assert waits == [0, 0, 0, 0, 30, 60, 120, 240]
    clock.s += 239.5
    assert tries.wait_s("a") == 0.5
    clock.s += 1
    assert (tries.wait_s("a"), tries.wait_s("b")) == (0, 0)
    assert [fail(tries, "a", 1) for _ in range(4)] == [480, 960, 1920, 3600]


def test_all_together_wait_from_the_twentieth_and_never_long() -> None:
    tries = LockOut(clock := Clock())
    assert [fail(tries, f"{n}", 1) for n in range(25)] == [0] * 19 + [30, 60, 120, 240, 300, 300]
    assert tries.wait_s("another") == 300
    clock.s += 300
    assert tries.wait_s("another") == 0
    fail(tries, "a", 40)
    tries.passed("a")
    assert (tries.wait_s("a"), fail(tries, "a", 4), fail(tries, "a", 1)) == (0, 0, 30)


def test_the_addresses_that_failed_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_out, "MAX_REMEMBERED", 2)
    monkeypatch.setattr(lock_out, "TRIES_OF_ALL", 1000)
    tries = LockOut(Clock())
    for address in ("a", "b", "a", "c"):
        fail(tries, address, 4)
    assert (fail(tries, "a", 1), fail(tries, "b", 1)) == (30 * 2**4, 0)


def refusal(pin: Pin, given: str, address: str = "a") -> tuple[str, dict[str, object]]:
    with pytest.raises(InvalidError) as caught:
        pin.check(given, address)
    return caught.value.phrase.id, dict(caught.value.phrase.args)


def test_a_pin_is_of_some_length_and_wrong_ones_wait() -> None:
    pin = Pin(SeatStore(None), clock := Clock())
    assert (pin.is_set, pin.is_decided) == (False, False)
    for bad in ("123", "x" * 65):
        with pytest.raises(InvalidError) as caught:
            pin.choose(bad)
        assert (caught.value.phrase.id, dict(caught.value.phrase.args)) == ("web.pin.length", {"least": 4, "most": 64})
    pin.choose("")
    assert (pin.is_set, pin.is_decided) == (False, True)
    for good in ("x" * 64, "1234"):
        pin.choose(good)
        pin.check(good, "a")
    assert (pin.is_set, pin.is_decided) == (True, True)
    wrong = ("4321", "", "1234" + "x" * 61, "12345", "1")
    assert [refusal(pin, each) for each in wrong] == [("web.pin.wrong", {})] * 5
    clock.s += 0.25
    assert refusal(pin, "1234") == ("web.pin.wait", {"seconds": 30})
    pin.check("1234", "b")
    clock.s += 29.75
    pin.check("1234", "a")


def test_a_token_is_seen_at_the_addresses_of_late() -> None:
    seen = Sightings(clock := Clock(), 60.0)
    assert [seen.note(b"t", address) for address in ("a", "b", "a")] == [True, True, False]
    assert seen.addresses(b"t") == ("b", "a")
    clock.s += 60
    assert seen.addresses(b"t") == ("b", "a")
    clock.s += 0.5
    assert (seen.addresses(b"t"), seen.addresses(b"other")) == ((), ())
    assert [seen.note(b"t", f"{n}") for n in range(MAX_SEEN_AT)] == [True] * MAX_SEEN_AT
    assert (seen.note(b"t", "a"), len(seen.addresses(b"t"))) == (True, MAX_SEEN_AT)
    for n in range(MAX_SEEN - 1):
        seen.note(b"%d" % n, "a")
    assert seen.addresses(b"t")
    seen.note(b"more", "a")
    assert (seen.addresses(b"t"), seen.addresses(b"0")) == ((), ("a",))
