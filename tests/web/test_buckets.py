"""What is forgotten, what is taken from whom, and whose request comes next, number by number."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from web import limits as limits_module
from web.limits import Bucket, CommandLimits, Limits, Rate, plain_address
from web.turns import FairDispatcher, Turns


@dataclass
class Clock:
    s: float = 100.0

    def __call__(self) -> float:
        return self.s


def test_a_bucket_holds_its_burst_to_the_last_drop() -> None:
    clock = Clock()
    bucket = Bucket(Rate(10, 4), clock)
    assert [bucket.take("a", amount) for amount in (4, 6.5, 6, 0.5)] == [True, False, True, False]
    clock.s += 0.25
    assert [bucket.take("a"), bucket.take("a", 0.001)] == [True, False]
    clock.s += 2
    assert [bucket.take("a", 8.5), bucket.take("a", 8)] == [False, True]
    clock.s += 1000
    assert [bucket.take("a", 10.5), bucket.take("a", 10)] == [False, True]
    assert bucket.take("b", 10)


def test_full_buckets_are_forgotten_first_and_then_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MAX_ADDRESSES", 3)
    clock = Clock()
    bucket = Bucket(Rate(4, 1), clock)
    for address, amount, after_s in (("a", 4, 1), ("b", 1, 1), ("c", 4, 1)):
        assert bucket.take(address, amount)
        clock.s += after_s
    assert not bucket.take("a", 4), "three are remembered; `a` was looked at last"
    assert bucket.take("d", 3)
    assert set(bucket._levels) == {"a", "c", "d"}, "the bucket of `b` is full again"
    clock.s += 0.5
    assert bucket.take("e", 3)
    assert set(bucket._levels) == {"a", "d", "e"}, "`c` was not used for longest"
    assert bucket.take("e")
    assert not bucket.take("e")


def test_one_too_few_is_no_reason_to_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MAX_ADDRESSES", 3)
    bucket = Bucket(Rate(1, 1), clock := Clock())
    for address in "abc":
        assert bucket.take(address)
        clock.s += 1000
    assert set(bucket._levels) == {"a", "b", "c"}


ROOMY = Rate(100, 0)


@pytest.mark.parametrize(("changed", "asked", "allowed"), [
    ({"commands": Rate(2, 1)}, [("a", 5), ("b", 5), ("c", 5)], [True, True, False]),
    ({"commands_each": Rate(1, 1)}, [("a", 5), ("a", 5), ("b", 5)], [True, False, True]),
    ({"command_bytes": Rate(9, 1)}, [("a", 5), ("b", 5), ("c", 4)], [True, False, True]),
    ({"command_bytes_each": Rate(9, 1)}, [("a", 5), ("a", 5), ("a", 4), ("b", 9)], [True, False, True, True]),
    ({"commands_each": Rate(1, 1), "command_bytes": Rate(9, 1)}, [("a", 5), ("a", 5), ("b", 4)], [True, False, True]),
])
def test_commands_are_bounded_by_number_and_by_bytes(
    changed: dict[str, Rate], asked: list[tuple[str, int]], allowed: list[bool]
) -> None:
    limits = Limits(**{"commands": ROOMY, "commands_each": ROOMY, "command_bytes": ROOMY, "command_bytes_each": ROOMY,
                       **changed})  # type: ignore[arg-type]
    commands = CommandLimits(limits, clock := Clock())
    assert [commands.allow(*each) for each in asked] == allowed
    clock.s += 9
    assert commands.allow("a", 1)


def test_sitting_down_is_bounded_by_address_and_in_all() -> None:
    sittings = CommandLimits(Limits(sittings=Rate(3, 1), sittings_each=Rate(2, 1)), clock := Clock())
    assert [sittings.allow_sitting(each) for each in "aaabb"] == [True, True, False, True, False]
    clock.s += 1
    assert [sittings.allow_sitting(each) for each in "ac"] == [True, False]


@pytest.mark.parametrize(("given", "plain"), [
    ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("::ffff:10.0.0.1%eth0", "10.0.0.1"), ("10.0.0.1%x", "10.0.0.1"),
    ("somewhere%x", "somewhere%x"), ("FE80::A", "fe80::a"),
])
def test_an_address_has_one_spelling(given: str, plain: str) -> None:
    assert plain_address(given) == plain


@dataclass
class Asked:
    address: str
    log: list[str] = field(default_factory=list)

    def service(self) -> None:
        self.log.append("answered")

    def cancel(self) -> None:
        self.log.append("cancelled")


def test_who_has_had_a_turn_goes_to_the_end_of_the_row() -> None:
    turns = Turns(1)
    assert (len(turns), bool(turns)) == (0, False)
    asked = [Asked(address) for address in "aaabbc"]
    for each in asked:
        turns.append(each)
    assert (len(turns), bool(turns)) == (6, True)
    assert [turns.popleft() for _ in range(3)] == [asked[0], asked[3], asked[5]]
    assert (len(turns), bool(turns)) == (3, False)
    turns.done("b")
    turns.done("a")
    assert [turns.popleft() is each for each in (asked[1], asked[4])] == [True, True]
    turns.done("a")
    turns.done("a")
    turns.append(Asked("a"))
    assert turns.popleft() is asked[2]
    with pytest.raises(IndexError):
        turns.popleft()
    turns.done("a")
    assert turns.popleft().address == "a"
    for address in "abc":
        turns.done(address)
    assert (len(turns), turns._busy, turns._waiting) == (0, {}, {})


def test_an_address_has_as_many_threads_as_it_may_have() -> None:
    turns = Turns(2)
    for _ in range(5):
        turns.append(Asked("a"))
    assert [turns.popleft().address for _ in range(2)] == ["a", "a"]
    turns.done("a")
    assert turns.popleft().address == "a"
    assert not turns
    turns.done("a")
    turns.done("a")
    assert [turns.popleft().address for _ in range(2)] == ["a", "a"]


def test_the_dispatcher_has_turns_for_its_queue() -> None:
    idle, busy = FairDispatcher(0, 1), FairDispatcher(3, 2)
    try:
        assert [(len(each.threads), each.queue._most_each) for each in (idle, busy)] == [(0, 1), (3, 2)]
        for _ in range(2):
            idle.add_task(Asked("a"))
        assert (idle.queue.popleft().address, bool(idle.queue)) == ("a", False)
        idle.done("a")
        assert bool(idle.queue)
    finally:
        idle.shutdown()
        busy.shutdown()
