import pytest

from companion.errors import CompanionError, phrase
from companion.interpret import Ambiguous, Moved, Odd, Unchanged
from companion.session.commands import (
    Answer,
    Done,
    EndGame,
    Pause,
    StartGame,
    TakePointed,
    Undo,
)
from companion.session.events import (
    Asked,
    GameEnded,
    GameStarted,
    OddGone,
    OddSeen,
    PliesTakenBack,
    PlyMade,
    Settled,
    TableDiffers,
)
from companion.session.sighted import Sighted
from tests.session.tables import ELSEWHERE, HEADER, A, B, Table, choice, place, played, ply_json, refusal, seen

TOLD = (phrase("told"),)


def test_a_look_that_shows_a_ply_makes_it_and_tells_where_it_came_from() -> None:
    table = Table().start()
    (made,) = table.do(seen(Moved((A,), 0.9991234), 3))
    assert made == PlyMade(ply_json(A), "camera", "2026-01-01T00:00:00Z", 0.9991, 3)
    assert table.state.match.game.turn(table.state.match.state).seats == (1,)


def test_a_look_that_shows_nothing_new_changes_no_number() -> None:
    table = played()
    before = table.state.seq
    assert table.do(seen(Unchanged())) == ()
    assert table.state.seq == before


def test_a_hand_is_shown_but_not_remembered() -> None:
    table = played()
    assert table.do(Sighted(9, "hand", phrase("hand"))) == ()
    assert (table.state.eyes.state, table.state.eyes.why) == ("hand", phrase("hand"))


def test_a_later_look_takes_the_last_ply_back_and_gives_another() -> None:
    table = Table().start()
    table.do(seen(Moved((A,), 0.999)))
    events = table.do(seen(Moved((ELSEWHERE,), 0.999, taken_back=1)))
    assert [type(event) for event in events] == [PliesTakenBack, PlyMade]
    assert table.plies == [ELSEWHERE]


def test_a_stale_command_is_refused_and_nothing_changes() -> None:
    table = played()
    before = table.state
    assert refusal(table.do, Undo(before.seq - 1, "host")) == "session.stale_since"
    assert table.state == before


def test_a_game_runs_to_its_end_and_has_its_result() -> None:
    table = Table().start()
    shapes = ("stub_can", "short_can", "tall_can", "square_sides", "not_tallest_bottle", "tallest_bottle")
    for i, shape in enumerate(shapes):
        table.do(seen(Moved((place(0, shape, f"{'abcdef'[i]}1"),), 1.0)))
        if i < 5:
            table.do(seen(Moved((place(1, shape, f"{'abcdef'[i]}6"),), 1.0)))
    assert table.state.match.result["reason"] == "stock empty"
    table.ask(Undo, 0)
    assert table.state.match.result is None


# --- questions --------------------------------------------------------------------------------------------------------


def asked() -> Table:
    table = Table().start()
    table.do(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    table.eyes.answers = {0: Moved((A,), 1.0), 1: Moved((ELSEWHERE,), 1.0)}
    return table


def test_two_explanations_are_a_question_asked_once() -> None:
    table = asked()
    assert table.state.question.id == 1
    assert table.do(seen(Ambiguous((choice(A), choice(ELSEWHERE))))) == ()


def test_a_phone_answers_a_question() -> None:
    table = asked()
    events = table.ask(Answer, "host", 1, 1)
    assert events[0] == Settled(1, 1, "host")
    assert table.plies == [ELSEWHERE]
    assert table.state.match.made[0].event.source == "phone"


def test_a_short_press_says_yes_to_the_likeliest_choice() -> None:
    table = asked()
    table.ask(Done, 0, via="button")
    table.do(TakePointed())
    assert table.plies == [A]
    assert table.state.match.made[0].event.source == "button"


def test_a_press_at_another_seat_answers_nothing() -> None:
    table = asked()
    assert refusal(table.ask, Done, 1, via="button") == "session.not_your_question"


def test_a_long_press_says_none_of_these() -> None:
    table = asked()
    assert table.ask(Undo, 0, via="button")[0] == Settled(1, None, 0)
    assert table.plies == []
    assert table.state.question is None


def test_an_answer_may_take_the_last_ply_back() -> None:
    table = Table().start()
    table.do(seen(Moved((A,), 1.0)))
    table.do(seen(Ambiguous((choice(ELSEWHERE, taken_back=1), choice(B)))))
    table.eyes.answers = {0: Moved((ELSEWHERE,), 1.0, taken_back=1)}
    table.ask(Answer, "host", 1, 0)
    assert table.plies == [ELSEWHERE]


def test_a_later_look_settles_a_question_by_itself() -> None:
    table = asked()
    events = table.do(seen(Moved((ELSEWHERE,), 0.995)))
    assert events[0] == Settled(1, 1, "table")
    assert table.plies == [ELSEWHERE]


def test_a_question_that_was_settled_cannot_be_answered() -> None:
    table = asked()
    table.ask(Answer, "host", 1, 0)
    assert refusal(table.ask, Answer, "host", 1, 1) == "session.answer.first"


def test_a_choice_that_is_not_there_is_refused() -> None:
    assert refusal(asked().ask, Answer, "host", 1, 7) == "session.no_such_choice"


def test_another_question_takes_the_place_of_the_first() -> None:
    table = asked()
    events = table.do(seen(Ambiguous((choice(ELSEWHERE), choice(A)))))
    assert [type(event) for event in events] == [Settled, Asked]
    assert table.state.question.id == 2


# --- odd tables -------------------------------------------------------------------------------------------------------


def test_what_cannot_be_explained_is_told_until_it_is_gone() -> None:
    table = played()
    table.eyes.wrong = TOLD
    assert table.do(seen(Odd((phrase("odd"),)))) == (OddSeen((phrase("odd"),)), TableDiffers(TOLD))
    assert table.do(seen(Odd((phrase("odd"),)))) == ()
    assert table.do(seen(Unchanged())) == (OddGone(), TableDiffers(()))


def test_an_odd_table_does_not_make_a_command_stale() -> None:
    table = played()
    seq = table.state.seq
    table.do(seen(Odd((phrase("odd"),))))
    table.do(Undo(seq, 1))
    assert table.plies == [A]


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_new_game_ends_the_open_one_as_abandoned() -> None:
    table = played()
    events = table.ask(StartGame, "host", HEADER)
    assert [type(event) for event in events] == [GameEnded, GameStarted]
    assert events[0].result["reason"] == "abandoned"
    assert (table.state.match.number, table.plies) == (2, [])


def test_a_header_that_cannot_be_leaves_the_open_game_alone() -> None:
    table = played()
    before = table.state
    wrong = {**HEADER, "setup": {"colours": ["red", "red"], "first": 0}}
    with pytest.raises(CompanionError):
        table.ask(StartGame, "host", wrong)
    assert table.state == before


def test_a_seat_cannot_end_the_game_alone() -> None:
    assert refusal(played().ask, EndGame, 0) == "session.host_only"


def test_nothing_is_added_to_an_abandoned_game() -> None:
    table = played()
    table.ask(EndGame, "host")
    assert table.do(seen(Moved((place(0, "stub_can", "a1"),), 1.0))) == ()
    assert refusal(table.ask, Undo, "host") == "session.nothing_to_undo"


def test_while_paused_the_camera_gives_no_plies() -> None:
    table = Table().start()
    table.ask(Pause, "host", True)
    assert table.do(seen(Moved((A,), 1.0))) == ()
    table.ask(Pause, "host", False)
    table.do(seen(Moved((A,), 1.0)))
    assert table.plies == [A]


def test_done_lets_the_last_ply_stand() -> None:
    table = played()
    table.ask(Done, 1, via="button")
    assert table.state.belief == "stood"


def test_a_command_without_a_game_says_so() -> None:
    assert refusal(Table().ask, Undo, "host") == "session.no_game"


def test_a_game_that_has_ended_is_not_ended_again() -> None:
    table = played()
    table.ask(EndGame, "host")
    assert refusal(table.ask, EndGame, "host") == "session.game_over"
