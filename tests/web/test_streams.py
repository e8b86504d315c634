"""What phones that watch are told and when, by a clock that a test moves; no server runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from companion.session.snapshot import EyesShown, Snapshot
from tests.web import web_tables
from tests.web.web_tables import KEY
from web.fakes import FakeDesk, FakePhone
from web.streams import BEAT, BYE, LIFETIME_S, Streams

BEAT_S = 10.0


class Phone(FakePhone):
    """Hears a stream."""

    def take(self) -> list[Any]:
        """What was heard since the last time: values, or the text of other events."""
        heard, self.heard = self.heard, []
        return [json.loads(each.split(b"data: ")[1]) if b"event: parts" in each else each for each in heard]


@dataclass
class House:
    desk: FakeDesk
    streams: Streams
    now_s: float = 100.0
    drawn: int = 0

    def render(self, shown: Snapshot, observer: object) -> dict[str, object]:
        self.drawn += 1
        return {"eyes": shown.eyes.state}

    def watch(self, who: Any = "room", address: str = "10.0.0.1") -> Phone:
        phone, watcher = Phone(), self.streams.open(address, who, KEY)
        assert watcher is not None
        self.streams.attach(watcher, phone)
        return phone

    def show(self, eyes: str, **changes: Any) -> None:
        self.desk.show(replace(self.desk.snapshot(), eyes=EyesShown(cast(Any, eyes)), **changes))
        self.streams.tell()


@pytest.fixture
def here() -> House:
    desk = FakeDesk(web_tables.table())
    house = House(desk, None)  # type: ignore[arg-type]
    house.streams = Streams(desk, lambda *args: house.render(*args), BEAT_S, 5, 3, lambda: house.now_s)
    return house


def test_a_phone_is_told_the_present_state_and_every_change_it_may_see_once(here: House) -> None:
    phone = here.watch()
    seq, match = here.desk.snapshot().seq, here.desk.snapshot().match
    assert phone.take() == [{"seq": seq, "match": match, "parts": {"eyes": here.desk.snapshot().eyes.state}}]
    here.show("hand")
    here.show("hand")  # a change that this phone may not see
    assert [each["parts"] for each in phone.take()] == [{"eyes": "hand"}]


def test_what_many_phones_may_know_is_drawn_once(here: House) -> None:
    phones = [here.watch(address=f"10.0.0.{n}") for n in range(5)]
    here.drawn = 0
    here.show("hand")
    assert here.drawn == 1
    assert all(phone.take()[-1]["parts"] == {"eyes": "hand"} for phone in phones)


def test_beats_come_to_all_whatever_else_is_told(here: House) -> None:
    phones = [here.watch(), here.watch(0)]
    for phone in phones:
        phone.take()
    here.streams.beat()
    assert [phone.take() for phone in phones] == [[BEAT], [BEAT]]


def test_places_are_bounded_in_all_and_for_one_address_and_given_back(here: House) -> None:
    first = [here.streams.open("10.0.0.1", "room", KEY) for _ in range(3)]
    assert here.streams.open("10.0.0.1", "room", KEY) is None
    others = [here.streams.open(f"10.0.0.{n}", "room", KEY) for n in (2, 3)]
    assert None not in others
    assert here.streams.open("10.0.0.4", "room", KEY) is None
    for _ in range(2):
        here.streams.done(cast(Any, first[0]))
    assert here.streams.open("10.0.0.1", "room", KEY) is not None
    assert (len(here.streams), here.streams.open("10.0.0.1", "room", KEY)) == (5, None)


def test_a_phone_that_does_not_read_misses_values_but_never_the_newest(here: House) -> None:
    phone = here.watch()
    phone.take()
    phone.is_behind = True
    here.show("hand")
    here.show("gone")
    here.streams.beat()
    assert phone.take() == []
    phone.is_behind = False
    here.streams.beat()
    assert [each if each == BEAT else each["parts"]["eyes"] for each in phone.take()] == [BEAT, "gone"]


def test_a_stream_ends_after_its_lifetime(here: House) -> None:
    phone = here.watch()
    here.now_s += LIFETIME_S
    here.streams.beat()
    assert phone.ended
    assert len(here.streams) == 0


def test_a_phone_whose_seat_was_given_away_before_its_stream_began_hears_nothing(here: House) -> None:
    phone, watcher = Phone(), here.streams.open("10.0.0.1", 0, KEY)
    assert watcher is not None
    here.streams.drop(0)
    here.streams.attach(watcher, phone)
    assert (phone.take(), phone.ended, len(here.streams)) == ([], True, 0)


def test_the_phone_of_a_seat_is_asked_anew_when_another_game_begins(here: House) -> None:
    seat, room = here.watch(0), here.watch()
    seat.take()
    here.show("hand", key="another game")
    assert (seat.take(), seat.ended, room.ended) == ([], True, False)


def test_streams_of_an_observer_can_be_ended(here: House) -> None:
    seat, room = here.watch(0), here.watch()
    here.streams.drop(0)
    assert (seat.ended, room.ended, len(here.streams)) == (True, False, 1)


def test_a_house_that_stops_says_goodbye_and_lets_nobody_in(here: House) -> None:
    phone, late = here.watch(), here.streams.open("10.0.0.2", "room", KEY)
    here.streams.close()
    assert (phone.take()[-1], phone.ended) == (BYE, True)
    here.streams.attach(cast(Any, late), after := Phone())
    assert (after.take(), after.ended) == ([BYE], True)
    assert here.streams.open("10.0.0.3", "room", KEY) is None


def test_parts_that_cannot_be_drawn_end_no_stream(here: House, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = here.watch()
    phone.take()
    monkeypatch.setattr(here, "render", lambda *_: 1 / 0)
    here.show("hand")
    monkeypatch.undo()
    here.show("gone")
    assert [each["parts"]["eyes"] for each in phone.take()] == ["gone"]


def test_the_thread_ends_with_the_desk(here: House) -> None:
    phone = here.watch()
    here.desk.close()
    here.streams.run()
    assert phone.ended
