"""What the buttons of the table say: to a question, in a pause, two at once, and what becomes of a press."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.errors import phrase
from companion.interpret import Ambiguous, Moved
from companion.session.answers import POINT_S
from companion.session.clock import FakeClock
from companion.session.commands import (
    Answer, Begin, Confide, Consent, Correct, Done, EndGame, Pause, Resync, StartGame, TakePointed, Undo,
)
from companion.session.events import Paused, PliesTakenBack, Settled, UndoAsked, UndoRefused
from companion.session.evolve import evolve
from companion.session.journal import open_journal
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.snapshot import Unheeded
from companion.session.writer import Writer
from tests.session.tables import ELSEWHERE, HEADER, A, B, Table, choice, library, place, played, refusal, seen

THIRD = place(0, "tall_can", "b1")


class Room:
    """A writer played by hand, with its clock."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        resumed = open_journal(folder, library(), self.clock)
        session = Session(library=library(), clock=self.clock)
        self.writer = Writer(session=session, journal=resumed.journal, state=resumed.state, clock=self.clock)
        self.do(StartGame(0, "host", HEADER))

    def do(self, command: Any) -> None:
        self.writer.post(command)
        assert self.writer.work(timeout_s=0)

    def press(self, seat: int) -> None:
        self.do(Done(self.writer.snapshot().seq, seat, via="button"))

    def asked(self, *plies: Any) -> None:
        self.do(seen(Ambiguous(tuple(choice(ply) for ply in plies))))
        match = self.writer._bus.value[1].match
        assert match is not None
        eyes: Any = match.interpreter
        eyes.answers = {n: Moved((ply,), 1.0) for n, ply in enumerate(plies)}

    @property
    def pointed(self) -> int | None:
        question = self.writer.snapshot().question
        return None if question is None else question.pointed

    @property
    def board(self) -> dict[str, Any]:
        shown = self.writer.snapshot().seen
        assert shown is not None
        return {spot: pieces for spot, pieces in shown.placement.items() if spot.startswith("grid")}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.writer.close()


# --- a question -------------------------------------------------------------------------------------------------------


def test_a_press_shows_the_first_choice_and_takes_it_after_a_moment(room: Room) -> None:
    assert POINT_S == 1.5
    room.asked(A, ELSEWHERE)
    seq = room.writer.snapshot().seq
    room.press(0)
    assert (room.pointed, room.board, room.writer.snapshot().seq) == (0, {}, seq)
    room.clock.s += 1.4
    assert not room.writer.work(0)
    room.clock.s += 0.1
    assert room.writer.work(0)
    assert room.board == {"grid:c4": ("red/tall_can",)}


def test_a_second_press_within_that_time_takes_the_other(room: Room) -> None:
    room.asked(A, ELSEWHERE)
    room.press(0)
    room.clock.s += 1.0
    room.press(0)
    assert room.board == {"grid:a1": ("red/tall_can",)}
    room.clock.s += 5.0
    assert not room.writer.work(0), "it is answered once"


def test_among_three_each_press_shows_the_next(room: Room) -> None:
    room.asked(A, ELSEWHERE, THIRD)
    room.press(0)
    room.press(0)
    assert room.pointed == 1
    room.clock.s += POINT_S
    room.writer.work(0)
    assert room.board == {"grid:a1": ("red/tall_can",)}


def test_a_look_that_settles_it_in_the_meantime_counts(room: Room) -> None:
    room.asked(A, ELSEWHERE)
    room.press(0)
    room.do(seen(Moved((ELSEWHERE,), 1.0)))
    room.clock.s += POINT_S
    assert not room.writer.work(0)
    assert room.board == {"grid:a1": ("red/tall_can",)}


def test_a_pause_forgets_what_a_button_pointed_at(room: Room) -> None:
    room.asked(A, ELSEWHERE)
    room.press(0)
    room.do(Pause(room.writer.snapshot().seq, 0, on=True, via="button"))
    room.clock.s += POINT_S
    assert not room.writer.work(0)
    assert (room.pointed, room.board) == (None, {})


def test_a_single_choice_is_taken_at_once(room: Room) -> None:
    room.asked(A)
    room.press(0)
    assert room.board == {"grid:c4": ("red/tall_can",)}


def test_another_seat_that_is_asked_too_agrees_with_what_is_shown() -> None:
    table = Table().start()
    table.do(seen(Ambiguous((choice(A), choice(A, B)))))
    table.eyes.answers = {0: Moved((A,), 1.0), 1: Moved((A, B), 1.0)}
    table.ask(Done, 0, via="button")
    table.ask(Done, 1, via="button")
    assert table.plies == [A]


def test_nothing_is_taken_that_nobody_pointed_at() -> None:
    table = played()
    assert table.do(TakePointed()) == ()


# --- an undo ----------------------------------------------------------------------------------------------------------


def test_a_long_press_refuses_to_give_a_move_back() -> None:
    table = played()
    table.ask(Undo, 0, via="button")
    assert table.ask(Undo, 1, via="button") == (UndoRefused(1),)
    assert table.plies == [A, B]


def test_a_long_press_withdraws_ones_own_wish() -> None:
    table = played()
    table.ask(Undo, 0, via="button")
    assert table.ask(Undo, 0, via="button") == (UndoRefused(0),)


def three() -> Table:
    """Three players; the last ply was drawn for everybody to see, so that two must agree."""
    table = played()
    table.do(StartGame(table.state.seq, "host", {
        "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cyd"}],
        "setup": {"colours": ["red", "green", "yellow"], "first": 0}}))
    return table


@pytest.mark.parametrize("answer", [Done, Consent])
def test_two_who_agree_at_once_are_both_heard(answer: Any) -> None:
    table = three()
    table.do(seen(Moved((A,), 1.0)))
    wish = UndoAsked(0, 1, (1, 2))
    table.state = evolve(table.state, wish, library())
    seen_by_both = table.state.seq
    more: tuple[Any, ...] = (True,) if answer is Consent else ()
    assert table.do(answer(seen_by_both, 1, *more)) == (UndoAsked(0, 1, (2,)),)
    assert table.do(answer(seen_by_both, 2, *more)) == (PliesTakenBack(1, "undo", 0),)


def test_an_answer_to_an_earlier_wish_is_stale() -> None:
    table = played()
    early = table.state.seq
    table.ask(Undo, 0)
    assert refusal(table.do, Consent(early, 1, True)) == "session.stale_since"


# --- a press that changes nothing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("eyes", "seat", "why"), [
    (Sighted(9, "free"), 0, "session.done.unseen"),
    (Sighted(9, "free"), 1, "session.done.not_yours"),
    (Sighted(9, "none"), 0, "session.done.by_hand"),
    (Sighted(9, "gone"), 0, "session.done.blind"),
    (Sighted(9, "cards", phrase("web.eyes.cards")), 0, "web.eyes.cards"),
])
def test_done_that_changes_nothing_says_why(eyes: Sighted, seat: int, why: str) -> None:
    table = Table().start()
    table.do(eyes)
    assert refusal(table.ask, Done, seat) == why


def test_done_without_a_game_or_after_it_says_so() -> None:
    assert refusal(Table().ask, Done, 0) == "session.no_game"
    table = played()
    table.ask(EndGame, "host")
    assert refusal(table.ask, Done, 1) == "session.game_over"


def test_what_became_of_a_press_is_shown_until_something_happens(room: Room) -> None:
    room.do(Sighted(9, "free"))
    room.press(1)
    assert room.writer.snapshot().unheeded == Unheeded(1, phrase("session.done.not_yours", who=("Ann",)))
    room.do(Sighted(10, "hand"))
    assert room.writer.snapshot().unheeded is not None
    room.do(seen(Moved((A,), 1.0)))
    assert room.writer.snapshot().unheeded is None


def test_what_a_phone_is_refused_is_told_to_it_alone(room: Room) -> None:
    room.do(Done(room.writer.snapshot().seq, 1))
    assert room.writer.snapshot().unheeded is None


# --- a pause ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "more"), [
    (Done, ()), (Answer, (1, 0)), (Undo, ()), (Consent, (True,)), (Correct, (1, ())), (Confide, ({},)), (Resync, ()),
    (Begin, ()),
])
def test_in_a_pause_every_command_about_the_game_says_paused(kind: Any, more: tuple[Any, ...]) -> None:
    table = played()
    assert table.ask(Pause, 0, True) == (Paused(True, "2026-01-01T00:00:00Z"),)
    assert refusal(table.ask, kind, 1, *more) == "session.paused"


def test_in_a_pause_the_game_may_end_and_another_begin() -> None:
    table = played()
    table.ask(Pause, 0, True)
    table.ask(EndGame, "host")
    assert refusal(table.ask, Done, 0) == "session.game_over"
    table.start()
    assert not table.state.paused


def test_without_a_game_nothing_is_paused() -> None:
    assert refusal(Table().ask, Pause, 0, True) == "session.no_game"
    table = played()
    table.ask(EndGame, "host")
    assert refusal(table.ask, Pause, 0, True) == "session.game_over"


def test_a_question_waits_for_the_end_of_a_pause() -> None:
    table = Table().start()
    table.do(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    table.eyes.answers = {1: Moved((ELSEWHERE,), 1.0)}
    table.ask(Pause, 0, True)
    table.ask(Pause, 1, False)
    assert table.ask(Answer, 0, 1, 1)[0] == Settled(1, 1, 0)
