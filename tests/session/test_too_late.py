"""Answering is never lost: what comes late, twice or from two phones is told what became of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import CompanionError
from companion.games import registry
from companion.interpret import Ambiguous, Moved
from companion.session.commands import Answer, Consent, Correct, Done, EndGame, Pause, StartGame, TellSetup, Undo
from companion.session.state import MAX_LATELY
from companion.words import load
from tests.session.tables import HEADER, Table, choice, place, played, ply_json, seen

WORDS = load("en", [registry.game("kamikaze-cans").words])
MOVE = place(0, "tall_can", "c4")
OTHER = place(0, "tall_can", "d4")


def told(table: Table, command: Any) -> str:
    """What a refused command is told, in words. Nothing changes."""
    before = table.state
    with pytest.raises(CompanionError) as refused:
        table.do(command)
    assert table.state is before
    said = WORDS.say(refused.value.phrase)
    assert "{" not in said
    assert "session." not in said
    return said


def asked() -> Table:
    table = Table().start()
    table.do(seen(Ambiguous((choice(MOVE), choice(OTHER)))))
    table.eyes.answers = {0: Moved((MOVE,), 1.0), 1: Moved((OTHER,), 1.0)}
    return table


def test_who_answers_second_is_told_who_was_first_and_what_was_said() -> None:
    table = asked()
    seq = table.state.seq
    table.do(Answer(seq, 0, 1, 0))
    said = told(table, Answer(seq, "host", 1, 1))
    assert said.startswith("Ann answered first: ")
    assert "c4" in said.lower()


def test_who_answers_twice_is_told_that_it_counts() -> None:
    table = asked()
    seq = table.state.seq
    table.do(Answer(seq, 0, 1, 0))
    assert told(table, Answer(seq, 0, 1, 0)).startswith("Your answer has come already, and counts: ")
    assert told(table, Answer(seq, 0, 1, 1)).startswith("Ann answered first: ")


def test_an_answer_that_the_table_was_faster_than_is_told_so() -> None:
    table = asked()
    seq = table.state.seq
    table.do(seen(Moved((OTHER,), 0.999)))
    assert told(table, Answer(seq, 0, 1, 0)).startswith("The table has shown it meanwhile: ")


def test_an_answer_with_the_present_number_to_an_old_question_is_told_the_same() -> None:
    table = asked()
    table.ask(Answer, 0, 1, None)
    assert told(table, Answer(table.state.seq, 0, 1, 0)) == (
        "Ann answered first: none of these. That counts; correct the move if it is wrong.")


def test_a_button_that_says_yes_too_late_is_told_what_was_answered() -> None:
    table = asked()
    seq = table.state.seq
    table.do(Answer(seq, 0, 1, 1))
    assert told(table, Done(seq, "host")).startswith("Ann answered first: ")


def test_a_correction_that_comes_late_is_told_what_happened_since() -> None:
    table = played()
    seq = table.state.seq
    table.ask(Undo, 1)
    table.ask(Pause, "host", True)
    said = told(table, Correct(seq, 1, 1, (ply_json(place(1, "short_can", "e5")),)))
    assert said == ("The table has changed meanwhile: Ben took a move back and the game was paused. "
                    "Look again, then say it again if it still holds.")


def test_consent_that_comes_late_is_told_how_it_ended() -> None:
    table = played()
    table.ask(Undo, 0)
    seq = table.state.seq
    table.ask(Consent, "host", False)
    assert "the host let the move stand" in told(table, Consent(seq, 1, True))


def test_what_everybody_did_is_told_in_order() -> None:
    table = played()
    for late, some in ((0, "a game began"), (1, "Ann played"), (2, "Ben played")):
        assert some in told(table, Undo(late, 0))
    table.ask(EndGame, "host")
    assert "the game ended" in told(table, Undo(3, 0))


def test_a_number_that_never_was_is_simply_refused() -> None:
    table = played()
    for number in (-1, 999):
        assert told(table, Undo(number, 0)).startswith("The table has changed meanwhile")


def test_only_so_much_is_remembered() -> None:
    table = Table()
    for _ in range(MAX_LATELY + 5):
        table.do(StartGame(table.state.seq, "host", HEADER))
    assert len(table.state.lately) == MAX_LATELY
    assert told(table, TellSetup(3, 0, ("first",), 0))
