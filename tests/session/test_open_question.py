"""When nothing explains the table look after look, the session asks openly what was played."""

from __future__ import annotations

from companion.errors import phrase
from companion.interpret import Ambiguous, Moved, Unchanged
from companion.session.commands import Answer, Correct, Done, Undo
from companion.session.events import Asked, Corrected, OddGone, OddSeen, PlyMade, Settled, TableDiffers
from tests.session.tables import A, B, Table, played, ply_json, refusal, seen

REASONS = (phrase("odd.stands", piece="red/tall_can", spot=phrase("spot.grid", at="c4", seat="c4")),)
OPEN = Ambiguous((), REASONS)


def asked() -> Table:
    """A table at which an open question was asked, after nobody's ply."""
    table = Table().start()
    assert [type(event) for event in table.do(seen(OPEN))] == [OddSeen, Asked]
    return table


def test_it_is_told_what_is_odd_and_asked_without_choices() -> None:
    table = asked()
    assert table.state.question is not None
    assert (table.state.question.choices, table.state.question.seats, table.state.odd) == ((), (), REASONS)
    assert table.do(seen(OPEN)) == ()


def test_a_correction_answers_it_with_plies() -> None:
    table = asked()
    events = table.ask(Correct, "host", 0, (ply_json(A), ply_json(B)))
    assert [type(event) for event in events] == [Settled, Corrected, PlyMade, PlyMade, OddGone]
    assert (table.plies, table.state.question) == ([A, B], None)


def test_a_seat_says_what_it_played_itself_and_nothing_of_others() -> None:
    table = asked()
    assert refusal(table.ask, Correct, 1, 0, (ply_json(A),)) == "session.correct_own_turn"
    table.ask(Correct, 0, 0, (ply_json(A),))
    assert table.plies == [A]


def test_nobody_need_answer_it() -> None:
    table = asked()
    assert table.state.question is not None
    table.eyes.answers = {None: Unchanged()}
    assert [type(event) for event in table.ask(Answer, 0, table.state.question.id, None)] == [Settled, OddGone]
    assert refusal(table.ask, Answer, 0, 1, 0) == "session.answer.first"


def test_a_later_look_answers_it() -> None:
    table = asked()
    assert [type(event) for event in table.do(seen(Moved((A,), 1.0)))] == [OddGone, Settled, PlyMade]


def test_a_button_answers_nothing_and_says_why() -> None:
    table = asked()
    assert refusal(table.ask, Done, 0) == "session.done.odd"
    assert table.state.question is not None


def test_what_was_taken_back_and_still_lies_there_is_not_asked_about() -> None:
    table = played()
    table.ask(Undo, "host")
    assert not {type(event) for event in table.do(seen(OPEN))} - {TableDiffers}
    assert table.state.question is None
