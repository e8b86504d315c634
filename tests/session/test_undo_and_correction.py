"""Two rights kept apart: undo takes a move back, a correction puts a misreading right."""

from dataclasses import replace

import pytest

from companion.errors import CompanionError, phrase
from companion.interpret import Moved, Unchanged
from companion.session.commands import (
    Consent,
    Correct,
    Done,
    Resync,
    Undo,
)
from companion.session.events import (
    Corrected,
    PliesTakenBack,
    PlyMade,
    TableDiffers,
    UndoAsked,
    UndoRefused,
)
from companion.session.rights import HOST_CORRECTS
from tests.session.tables import ELSEWHERE, A, B, Table, place, played, ply_json, refusal, seen

TOLD = (phrase("told"),)


# --- undo -------------------------------------------------------------------------------------------------------------


def test_ones_own_last_ply_is_taken_back_freely() -> None:
    table = played()
    assert table.ask(Undo, 1) == (PliesTakenBack(1, "undo", 1),)
    assert table.plies == [A]


def test_another_players_ply_needs_their_consent() -> None:
    table = played()
    assert table.ask(Undo, 0) == (UndoAsked(0, 1, (1,)),)
    assert table.plies == [A, B]
    assert table.ask(Done, 1, via="button") == (PliesTakenBack(1, "undo", 0),)
    assert table.plies == [A]


def test_consent_may_be_refused() -> None:
    table = played()
    table.ask(Undo, 0)
    assert table.ask(Consent, 1, False) == (UndoRefused(1),)
    assert (table.state.undo, table.plies) == (None, [A, B])


def test_nobody_agrees_with_oneself() -> None:
    table = played()
    table.ask(Undo, 0)
    assert refusal(table.ask, Consent, 0, True) == "session.not_asked"


def test_whoever_asked_may_withdraw() -> None:
    table = played()
    table.ask(Undo, 0)
    assert table.ask(Consent, 0, False) == (UndoRefused(0),)


def test_a_new_ply_ends_the_wish_to_take_one_back() -> None:
    table = played()
    table.ask(Undo, 0)
    table.do(seen(Moved((place(0, "stub_can", "a1"),), 1.0)))
    assert table.state.undo is None


def test_the_host_takes_anybodys_ply_back() -> None:
    table = played()
    table.ask(Undo, "host")
    table.ask(Undo, "host")
    assert table.plies == []
    assert refusal(table.ask, Undo, "host") == "session.nothing_to_undo"


def test_a_ply_taken_back_is_not_given_out_again_while_its_piece_still_stands() -> None:
    table = played()
    table.ask(Undo, 1)
    table.eyes.wrong = TOLD
    assert table.do(seen(Moved((B,), 0.999))) == (TableDiffers(TOLD),)
    assert table.do(seen(Moved((B,), 0.999))) == ()
    assert table.state.belief == "told"
    assert table.do(seen(Unchanged())) == (TableDiffers(()),)
    table.do(seen(Moved((B,), 0.999)))
    assert table.plies == [A, B]


def test_fresh_eyes_accept_the_table_as_it_stands() -> None:
    table = played()
    table.ask(Undo, 1)
    table.do(seen(Moved((B,), 0.999)))
    table.ask(Resync, "host")
    table.do(seen(Moved((B,), 0.999)))
    assert table.plies == [A, B]


# --- correction -------------------------------------------------------------------------------------------------------


def test_a_correction_is_logged_and_is_no_undo() -> None:
    table = played()
    right = place(1, "short_can", "e5")
    events = table.ask(Correct, 1, 1, (ply_json(right),))
    assert [type(event) for event in events] == [Corrected, PliesTakenBack, PlyMade]
    assert events[1].why == "correction"
    assert table.plies == [A, right]


def test_a_correction_holds_against_eyes_that_read_the_same_again() -> None:
    table = played()
    right = place(1, "short_can", "e5")
    table.ask(Correct, 1, 1, (ply_json(right),))
    table.do(seen(Moved((B,), 0.99, taken_back=1)))
    assert table.plies == [A, right]


def test_a_seat_puts_right_what_others_played_and_adds_nothing_of_theirs() -> None:
    table = played()
    more = (ply_json(ELSEWHERE), ply_json(place(1, "short_can", "e5")))
    assert refusal(table.ask, Correct, 0, 1, more) == "session.correct_own_turn"
    events = table.ask(Correct, 0, 2, more)
    assert [type(event) for event in events] == [Corrected, PliesTakenBack, PlyMade, PlyMade]
    assert table.plies[0] == ELSEWHERE


def test_where_the_host_keeps_it_a_seat_corrects_only_its_own_last_turn() -> None:
    table = played({HOST_CORRECTS: True})
    assert refusal(table.ask, Correct, 0, 2, (ply_json(ELSEWHERE), ply_json(B))) == "session.correct_own_turn"
    table.ask(Correct, "host", 2, (ply_json(ELSEWHERE), ply_json(B)))
    assert table.plies == [ELSEWHERE, B]


def test_a_correction_that_breaks_a_rule_changes_nothing() -> None:
    table = played()
    before = table.state
    with pytest.raises(CompanionError):
        table.ask(Correct, "host", 1, (ply_json(place(1, "short_can", "c4")),))
    assert table.state == before


# --- several who must agree -------------------------------------------------------------------------------------------


def asked_of(*waiting: int) -> Table:
    """Seat 0 wants the last two plies back, and these seats have to agree."""
    table = played()
    table.state = replace(table.state, undo=UndoAsked(0, 2, waiting))
    return table


def test_all_who_are_affected_must_agree_one_after_the_other() -> None:
    table = asked_of(1, 2, 3)
    assert table.ask(Consent, 2, True) == (UndoAsked(0, 2, (1, 3)),)
    assert table.ask(Done, 1, via="button") == (UndoAsked(0, 2, (3,)),)
    assert table.plies == [A, B]
    assert table.ask(Consent, 3, True) == (PliesTakenBack(2, "undo", 0),)
    assert table.plies == []


def test_who_was_not_asked_neither_agrees_nor_refuses() -> None:
    table = asked_of(1, 2)
    for given in (True, False):
        assert refusal(table.ask, Consent, 3, given) == "session.not_asked"
    assert refusal(played().ask, Consent, 1, True) == "session.not_asked"
    assert refusal(played().ask, Consent, "host", True) == "session.not_asked"


def test_the_host_agrees_or_refuses_for_all() -> None:
    assert asked_of(1, 2).ask(Consent, "host", True) == (PliesTakenBack(2, "undo", 0),)
    assert asked_of(1, 2).ask(Consent, "host", False) == (UndoRefused("host"),)
