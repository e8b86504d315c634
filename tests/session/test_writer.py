from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.errors import JournalError, phrase
from companion.interpret import Ambiguous, Moved, Unchanged
from companion.session import published
from companion.session.clock import FakeClock
from companion.session.commands import Answer, StartGame, Undo
from companion.session.exports import record_lines
from companion.session.inbox import MAX_WAITING, Reply
from companion.session.journal import open_journal
from companion.session.port import Accepted, ClosedError, Refused
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from tests.session.tables import HEADER, choice, library, place, seen

A, ELSEWHERE = place(0, "tall_can", "c4"), place(0, "tall_can", "a1")


@dataclass
class Desk:
    """A writer whose thread a test plays by hand."""

    writer: Writer

    def do(self, command: Any) -> None:
        self.writer.post(command)
        assert self.writer.work(timeout_s=0)

    @property
    def seq(self) -> int:
        return self.writer.snapshot().seq


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    resumed = open_journal(tmp_path, library(), FakeClock())
    writer = Writer(
        session=Session(library=library(), clock=FakeClock()), journal=resumed.journal, state=resumed.state,
        clock=FakeClock(),
    )
    yield Desk(writer)
    resumed.journal.close()


def started(desk: Desk) -> Desk:
    desk.do(StartGame(0, "host", HEADER))
    return desk


def test_a_snapshot_shows_players_board_and_last_plies(desk: Desk) -> None:
    started(desk).do(seen(Moved((A,), 0.999)))
    shown = desk.writer.snapshot()
    assert [(player.name, player.colour) for player in shown.players] == [("Ann", "red"), ("Ben", "green")]
    assert [(ply.n, ply.player, ply.source) for ply in shown.last] == [(1, 0, "camera")]
    assert shown.seen.placement["grid:c4"] == ("red/tall_can",)
    assert "grid:c4" not in shown.before
    assert shown.can_undo


def test_a_question_shows_its_choices_and_what_they_would_touch(desk: Desk) -> None:
    started(desk).do(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    question = desk.writer.snapshot().question
    assert [each.touched for each in question.choices] == [("grid:c4", "stock:0"), ("grid:a1", "stock:0")]
    assert question.seats == (0,)


def test_corrections_offer_every_other_ply_that_was_legal(desk: Desk) -> None:
    started(desk).do(seen(Moved((A,), 0.999)))
    offers = desk.writer.corrections()
    assert len(offers) == 6 * 36 - 1
    assert all(offer.plies[0]["player"] == 0 for offer in offers)


def test_listeners_hear_of_the_eyes_without_the_number_changing(desk: Desk) -> None:
    started(desk)
    listener = desk.writer.listen()
    first = listener.get(0)
    desk.do(Sighted(1, "hand"))
    second = listener.get(0)
    assert (second.eyes.state, second.seq) == ("hand", first.seq)
    assert second.version == first.version + 1


def test_looks_that_change_nothing_wake_nobody(desk: Desk) -> None:
    started(desk).do(seen(Unchanged()))
    listener = desk.writer.listen()
    listener.get(0)
    desk.do(seen(Unchanged()))
    assert listener.get(0) is None


def test_a_sender_learns_what_became_of_the_command(desk: Desk) -> None:
    thread = Thread(target=desk.writer.run)
    thread.start()
    assert isinstance(desk.writer.send(StartGame(0, "host", HEADER)), Accepted)
    told = desk.writer.send(Undo(99, "host"))
    assert (told.phrase.id, told.seq) == ("session.stale", 1)
    desk.writer.stop()
    thread.join(10)
    assert desk.writer.send(Undo(1, "host")).phrase.id == "session.stopping"
    with pytest.raises(ClosedError):
        desk.writer.listen().get(0)


def test_a_journal_that_cannot_be_written_holds_the_game_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(desk)
    journal = desk.writer._journal
    write = journal.append

    def full(events: Any, state: Any) -> None:
        if events:
            raise JournalError(phrase("journal.unwritable", where="here", given="full"))

    monkeypatch.setattr(journal, "append", full)
    desk.do(seen(Moved((A,), 0.999)))
    shown = desk.writer.snapshot()
    assert (shown.plies, [each.id for each in shown.trouble]) == (0, ["journal.unwritable"])
    monkeypatch.setattr(journal, "append", write)
    desk.do(seen(Moved((A,), 0.999)))
    shown = desk.writer.snapshot()
    assert (shown.plies, shown.trouble) == (1, ())


def test_a_stale_answer_after_a_new_ply_is_refused(desk: Desk) -> None:
    started(desk).do(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    old = desk.seq
    desk.do(seen(Moved((A,), 0.999)))
    assert isinstance(desk.writer._carry_out(Answer(old, "host", 1, 1)), Refused)
    assert desk.writer.snapshot().plies == 1


def test_the_record_of_the_game_is_given_out(desk: Desk) -> None:
    started(desk).do(seen(Moved((A,), 0.999)))
    header, ply = record_lines(desk.writer._bus.value[1])
    assert header["started"] == "2026-01-01T00:00:00Z"
    assert (ply["n"], ply["source"], ply["confidence"]) == (1, "camera", 0.999)


def test_a_fault_while_a_command_is_carried_out_is_a_refusal_that_is_logged_with_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    started(desk)
    monkeypatch.setattr(desk.writer._session, "handle", lambda state, command: 1 / 0)
    reply: Any = Reply()
    desk.writer._inbox.put(Undo(1, "host"), reply)
    desk.writer.work(timeout_s=0)
    told = reply.get(0)
    assert (told.phrase.id, told.seq, desk.seq) == ("session.fault", 1, 1)
    assert "Undo(seq=1" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    desk.do(seen(Unchanged()))
    assert [each.id for each in desk.writer.snapshot().trouble] == ["session.fault"]
    monkeypatch.undo()
    desk.do(seen(Moved((A,), 0.999)))
    assert desk.writer.snapshot().trouble == ()


def test_another_table_is_played_in_its_own_journal_and_nothing_seen_is_taken_along(desk: Desk, tmp_path: Path) -> None:
    started(desk)
    desk.writer.eyes.preview = b"jpeg"
    desk.writer.eyes.colours = ("red",)
    desk.writer.eyes.show_close_up("part", b"jpeg")
    other = open_journal(tmp_path / "other", library(), FakeClock())
    desk.writer.post(seen(Moved((A,), 0.999)))  # of the table that is left
    thread = Thread(target=desk.writer.run)
    desk.writer._inbox.put(other)
    thread.start()
    desk.writer.move(open_journal(tmp_path / "third", library(), FakeClock()))
    assert desk.writer.folder == tmp_path / "third"
    assert (desk.writer.preview(), desk.writer.colours, desk.writer.close_up("part")) == (None, None, None)
    assert (desk.writer.snapshot().game, desk.writer.eyes.task().match, desk.seq) == ("", 0, 0)
    assert isinstance(desk.writer.send(StartGame(0, "host", HEADER)), Accepted)
    desk.writer.stop()
    thread.join(10)
    desk.writer.close()
    left = open_journal(tmp_path, library(), FakeClock())
    left.journal.close()
    assert (left.state.matches, len(left.state.match.made)) == (1, 0)
    third = open_journal(tmp_path / "third", library(), FakeClock())
    third.journal.close()
    assert third.state.matches == 1


def test_a_house_that_is_busy_turns_to_no_other_table_and_closes_its_journal(desk: Desk, tmp_path: Path) -> None:
    for _ in range(MAX_WAITING):
        desk.writer.post(Undo(0, "host"))
    with pytest.raises(JournalError) as refused:
        desk.writer.move(open_journal(tmp_path / "other", library(), FakeClock()))
    assert refused.value.phrase.id == "session.busy"
    open_journal(tmp_path / "other", library(), FakeClock()).journal.close()


def test_a_state_that_cannot_be_shown_never_reaches_the_journal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    started(desk)
    monkeypatch.setattr(published, "snapshot_of", lambda *_: 1 / 0)
    desk.do(seen(Moved((A,), 0.999)))
    monkeypatch.undo()
    assert desk.writer.snapshot().plies == 0
    assert desk.writer._journal.resume(library()).match.made == ()
