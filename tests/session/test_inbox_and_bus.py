from threading import Thread

import pytest

from companion.session.bus import MAX_BACKLOG, Bus
from companion.session.inbox import MAX_WAITING, FullError, Inbox, Reply
from companion.session.port import ClosedError


def test_people_queue_in_order_and_go_before_looks() -> None:
    inbox: Inbox[object, str] = Inbox()
    inbox.sight("look")
    inbox.put("first")
    inbox.put("second")
    assert [inbox.take(0).command for _ in range(3)] == ["first", "second", "look"]


def test_of_looks_only_the_newest_waits() -> None:
    inbox: Inbox[object, str] = Inbox()
    for look in range(5):
        inbox.sight(look)
    assert inbox.take(0).command == 4
    assert inbox.take(0) is None


def test_too_many_commands_are_refused() -> None:
    inbox: Inbox[object, str] = Inbox()
    for number in range(MAX_WAITING):
        inbox.put(number)
    with pytest.raises(FullError):
        inbox.put("one more")


def test_whoever_waits_to_take_is_woken() -> None:
    inbox: Inbox[object, str] = Inbox()
    taken: list[object] = []
    thread = Thread(target=lambda: taken.append(inbox.take(60)))
    thread.start()
    inbox.wake()
    thread.join(10)
    assert taken == [None]


def test_a_sender_gets_what_became_of_the_command() -> None:
    reply: Reply[str] = Reply()
    assert reply.get(0) is None
    reply.put("done")
    assert reply.get(0) == "done"


def test_a_listener_gets_the_present_value_first_and_then_each_new_one() -> None:
    bus = Bus("now")
    listener = bus.listen()
    bus.publish("next")
    assert (listener.get(0), listener.get(0), listener.get(0)) == ("now", "next", None)


def test_a_slow_listener_loses_old_values_never_the_newest() -> None:
    bus = Bus(0)
    listener = bus.listen()
    for number in range(1, 100):
        bus.publish(number)
    assert [listener.get(0) for _ in range(MAX_BACKLOG + 1)] == [*range(100 - MAX_BACKLOG, 100), None]


def test_a_value_that_looks_the_same_is_told_to_nobody() -> None:
    bus = Bus("now")
    listener = bus.listen()
    listener.get(0)
    bus.keep("the same")
    assert listener.get(0) is None
    assert bus.value == "the same"


def test_a_listener_that_left_hears_no_more() -> None:
    bus = Bus("now")
    listener = bus.listen()
    listener.close()
    bus.publish("next")
    with pytest.raises(ClosedError):
        listener.get(0)


def test_everybody_who_waits_is_told_when_the_service_stops() -> None:
    bus = Bus("now")
    listener = bus.listen()
    listener.get(0)
    ended: list[object] = []

    def wait() -> None:
        try:
            listener.get(60)
        except ClosedError as error:
            ended.append(error)

    thread = Thread(target=wait)
    thread.start()
    bus.close()
    thread.join(10)
    assert len(ended) == 1
