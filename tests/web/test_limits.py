"""Buckets, turns and connections at the door; clocks are moved by the tests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from tests.web.web_fixtures import HOME
from web import limits as limits_module
from web.fakes import FakeDesk
from web.house import house_of
from web.limits import Bucket, CommandLimits, Limits, Rate, plain_address
from web.turns import Turns


class Clock:
    s = 0.0

    def __call__(self) -> float:
        return self.s


def test_a_bucket_gives_its_burst_and_then_what_time_brings() -> None:
    clock = Clock()
    bucket = Bucket(Rate(3, 2), clock)
    assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
    assert bucket.take("b")
    clock.s += 0.5
    assert [bucket.take("a") for _ in range(2)] == [True, False]
    clock.s += 3600
    assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
    clock.s -= 3600  # a clock that jumps back takes nothing away
    assert not bucket.take("a")


def test_more_than_is_left_takes_nothing() -> None:
    bucket = Bucket(Rate(10, 1), Clock())
    assert not bucket.take("a", 11)
    assert bucket.take("a", 10)


def test_addresses_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MAX_ADDRESSES", 10)
    clock = Clock()
    bucket = Bucket(Rate(2, 1), clock)
    for number in range(1000):
        clock.s += 0.001
        assert bucket.take(str(number))
    assert len(bucket._levels) <= 10


def test_one_address_cannot_take_what_is_for_all() -> None:
    limits = Limits(commands=Rate(4, 0), commands_each=Rate(2, 0), command_bytes=Rate(1000, 0),
                    command_bytes_each=Rate(500, 0))
    allowed = CommandLimits(limits, Clock())
    assert [allowed.allow("a", 10) for _ in range(9)].count(True) == 2
    assert not allowed.allow("c", 501)
    assert [allowed.allow("b", 10) for _ in range(2)] == [True, True]
    assert not allowed.allow("d", 10), "all together have had their share"


@pytest.mark.parametrize(("given", "plain"), [
    ("192.168.1.7", "192.168.1.7"), ("::ffff:192.168.1.7", "192.168.1.7"), ("fe80::1%eth0", "fe80::1"), ("", ""),
])
def test_one_phone_has_one_address(given: str, plain: str) -> None:
    assert plain_address(given) == plain


class Asked:
    def __init__(self, address: str) -> None:
        self.address = address

    def service(self) -> None: ...

    def cancel(self) -> None: ...


def test_addresses_take_turns_and_none_has_all_threads() -> None:
    turns = Turns(2)
    for address in ("a", "a", "a", "a", "b", "c"):
        turns.append(Asked(address))
    assert [turns.popleft().address for _ in range(4)] == ["a", "b", "c", "a"]
    assert (len(turns), bool(turns)) == (2, False), "`a` has two threads already"
    with pytest.raises(IndexError):
        turns.popleft()
    turns.done("a")
    assert turns.popleft().address == "a"


def test_too_many_commands_are_refused_with_a_sentence(client: FlaskClient, desk: FakeDesk) -> None:
    strict = CommandLimits(Limits(commands_each=Rate(1, 0)))
    replace(house_of(client.application), commands=strict).add_to(client.application)
    assert client.post("/do", json={"type": "done", "seq": 7}, headers=HOME).status_code == 200
    refused = client.post("/do", json={"type": "done", "seq": 8}, headers=HOME)
    assert refused.status_code == 429
    assert "Wait a moment" in refused.get_json()["error"]
    assert len(desk.sent) == 1
