"""What the eyes are told to learn from what people say."""

from __future__ import annotations

from typing import Any

from companion.interpret import Ambiguous, Moved
from companion.session.commands import Answer, Begin, Correct, TellSetup, Undo
from companion.session.labels import labels_of
from tests.session.tables import Table, choice, place, ply_json, seen
from tests.session.test_setup_read import laid

SHORT, TALL = place(0, "short_can", "c4"), place(0, "tall_can", "c4")


def after(table: Table, command: Any) -> Any:
    """What is told when the command is carried out."""
    before = table.state
    table.do(command)
    return labels_of(before, command, table.state)


def test_an_answer_tells_what_it_puts_where() -> None:
    table = Table().start()
    table.eyes.answers[1] = Moved((TALL,), 1.0)
    table.do(seen(Ambiguous((choice(SHORT), choice(TALL)))))
    taught = after(table, Answer(table.state.seq, "host", 1, 1))
    assert taught["grid:c4"] == ("red/tall_can",)
    assert taught.keys() <= {"grid:c4", "stock:0"}


def test_none_of_these_tells_nothing() -> None:
    table = Table().start()
    table.do(seen(Ambiguous((choice(SHORT), choice(TALL)))))
    assert after(table, Answer(table.state.seq, "host", 1, None)) == {}


def test_a_correction_tells_what_really_stands_there() -> None:
    table = Table().start()
    table.do(seen(Moved((SHORT,), 0.999)))
    taught = after(table, Correct(table.state.seq, "host", 1, (ply_json(TALL),)))
    assert taught["grid:c4"] == ("red/tall_can",)


def test_looks_and_a_move_taken_back_tell_nothing() -> None:
    table = Table().start()
    assert after(table, seen(Moved((SHORT,), 0.999))) == {}
    assert after(table, Undo(table.state.seq, 0)) == {}


def test_parts_of_a_set_up_that_were_told_are_told_when_the_game_begins() -> None:
    house = laid("pick-1", {"first": 0})
    for column in (0, 1):
        house.ask(TellSetup, ("trays", 0, column), None)
    before, command = house.state, TellSetup(house.state.seq, "host", ("trays", 0, 0), 5)
    house.do(command)
    assert labels_of(before, command, house.state) == {}
    before, beginning = house.state, Begin(house.state.seq, "host")
    house.do(beginning)
    taught = labels_of(before, beginning, house.state)
    assert list(taught.values()) == [("tray:5",)]
    assert next(iter(taught)).startswith("grid:")
