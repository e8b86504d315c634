"""What the eyes are to look for and learn, and the pictures they give, without threads."""

from __future__ import annotations

from dataclasses import replace

from companion.session.events import SetupBegun, SetupSeen
from companion.session.evolve import evolve
from companion.session.eyes_side import MAX_CLOSE_UPS, MAX_LESSONS, EyesSide, EyesTask
from companion.session.seen_things import SeenThing
from companion.session.snapshot import PartShown
from companion.session.state import Question, State
from tests.session.tables import HEADER, library, played

DRAFT = evolve(State(matches=3), SetupBegun({**HEADER, "setup": {"first": 1}}), library())


def test_without_a_game_nothing_is_looked_for() -> None:
    assert EyesSide(State(seq=4)).task() == EyesTask(4)


def test_a_game_is_looked_for_with_its_last_look_until_it_ends() -> None:
    state = played().state
    match = state.match
    assert EyesSide(state).task() == EyesTask(
        state.seq, 1, match.opened.header, match.layout, 2, last_look=5)
    assert EyesSide(replace(state, question=Question(1, ()))).task().is_asking
    ended = EyesSide(replace(state, match=replace(match, result={"reason": "abandoned"}))).task()
    assert (ended.match, ended.header, ended.layout) == (1, None, match.layout)
    assert EyesSide(replace(state, match=replace(match, made=()))).task().last_look is None


def test_a_set_up_is_looked_for_with_the_parts_that_people_are_asked_about() -> None:
    draft = DRAFT.draft
    assert EyesSide(DRAFT).task() == EyesTask(1, 4, draft.header, draft.layout, 2, is_draft=True)
    seen = evolve(DRAFT, SetupSeen({"colours": [None, "green"], "first": 1}), library())
    thing = SeenThing((10.0, 20.0), {"red/stub_can": 0.0, "blue/stub_can": -1.0})
    task = EyesSide(replace(seen, draft=replace(seen.draft, things={"stock:0": (thing,)}))).task()
    assert (task.is_read, task.open) == (True, (
        PartShown(("colours", 0), "stock:0", seen.draft.open[0].choices, (((10.0, 20.0), False),)),))


def test_lessons_wait_in_order_the_newest_few_and_only_those_that_say_something() -> None:
    side = EyesSide(State())
    assert side.take_lesson() is None
    for number in range(MAX_LESSONS + 1):
        side.teach({f"grid:a{number}": ("red/tall_can",)})
        side.teach({})
    assert [list(side.take_lesson() or ()) for _ in range(MAX_LESSONS)] == [
        [f"grid:a{number}"] for number in range(1, MAX_LESSONS + 1)]
    assert side.take_lesson() is None


def test_the_newest_close_ups_are_kept_by_their_names() -> None:
    side = EyesSide(State())
    for number in range(MAX_CLOSE_UPS + 2):
        side.show_close_up(str(number), b"%d" % number)
    kept = [number for number in range(MAX_CLOSE_UPS + 2) if side.close_up(str(number)) is not None]
    assert kept == list(range(2, MAX_CLOSE_UPS + 2))
    assert side.close_up("3") == b"3"
    side.drop_close_ups()
    assert side.close_up("3") is None


def test_whoever_subscribed_is_woken_by_changes_and_lessons_until_the_end() -> None:
    side, woken = EyesSide(State()), []
    side.show(State())
    side.subscribe(lambda: woken.append(1))
    side.show(DRAFT)
    side.teach({})
    side.teach({"grid:a1": ("red/tall_can",)})
    assert len(woken) == 2
    side.unsubscribe()
    side.show(State())
    assert (len(woken), side.task()) == (2, EyesTask(0))


def test_of_another_table_nothing_is_known() -> None:
    side = EyesSide(State())
    side.preview, side.colours = b"jpeg", ("red",)
    side.show_close_up("a", b"jpeg")
    side.teach({"grid:a1": ("red/tall_can",)})
    side.forget()
    assert (side.preview, side.colours, side.close_up("a"), side.take_lesson()) == (None, None, None, None)
