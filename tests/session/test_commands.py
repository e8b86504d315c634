import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.errors import CompanionError, InvalidError, phrase
from companion.interpret import Ambiguous, Moved
from companion.session import commands, events
from companion.session.commands import (
    Answer,
    Consent,
    Correct,
    Done,
    EndGame,
    Pause,
    Reopen,
    Resync,
    StartGame,
    Undo,
)
from companion.session.events import Asked, OddSeen, Settled, TableDiffers, UndoAsked
from companion.session.evolve import EFFECTS
from companion.session.session import HANDLERS
from tests.session.tables import HEADER, Table, choice, place, ply_json, seen

TALL = place(0, "tall_can", "c4")

EACH = [
    StartGame(3, "host", HEADER), Done(3, 0, "button"), Answer(3, 1, 7, 2), Answer(3, "table", 7, None), Undo(3, 5),
    Consent(3, 1, True), Correct(3, "host", 1, (ply_json(TALL),)), Resync(3, 0), Pause(3, "host", False),
    EndGame(3, "host"), Reopen(3, "host"),
]  # fmt: skip


@pytest.mark.parametrize("command", EACH, ids=lambda each: each.type)
def test_a_command_goes_through_json_and_back(command: Any) -> None:
    assert commands.read_command(json.loads(json.dumps(commands.write_command(command)))) == command


def test_events_go_through_json_and_back() -> None:
    table = Table().start()
    made = [
        *table.do(seen(Moved((TALL,), 0.999), 3)),
        Asked(4, ({"plies": [ply_json(TALL)], "taken_back": 1},)), Settled(4, None, "table"), UndoAsked(0, 1, (1, 2)),
        OddSeen((phrase("odd", spot=phrase("spot", at="c4"), n=2, all=("a", phrase("b"))),)), TableDiffers(()),
    ]  # fmt: skip
    for event in made:
        assert events.read_event(json.loads(json.dumps(events.write_event(event)))) == event


@pytest.mark.parametrize(
    "wrong",
    [
        None, [], {}, {"type": "fly"}, {"type": "undo"}, {"type": "undo", "seq": 1},
        {"type": "undo", "seq": True, "by": 0},
        {"type": "undo", "seq": 1, "by": "nobody"}, {"type": "undo", "seq": 1, "by": "arbiter"},
        {"type": "undo", "seq": 1, "by": 0, "why": "so"},
        {"type": "undo", "seq": 1, "by": 0, "via": "import"}, {"type": "start_game", "seq": 1, "by": 0, "header": [1]},
        {"type": "answer", "seq": 1, "by": 0, "question": 1, "choice": -1},
        {"type": "correct", "seq": 1, "by": 0, "take_back": 1, "plies": {"a": 1}},
    ],
)  # fmt: skip
def test_what_is_no_command_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidError):
        commands.read_command(wrong)


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-3, 9) | some.floats() | some.text(max_size=4)
    | some.sampled_from(["place", "red/tall_can", "c4", "kamikaze-cans"]),
    lambda inner: some.lists(inner, max_size=3)
    | some.dictionaries(some.sampled_from(["type", "player", "action", "drink", "to", "game", "setup", "x-a"]), inner),
    max_leaves=8,
)  # fmt: skip


@given(header=VALUES, plies=VALUES, number=some.integers(-2, 4), choice_=VALUES)
def test_whatever_a_phone_sends_is_carried_out_or_refused_in_words(
    header: Any, plies: Any, number: Any, choice_: Any
) -> None:
    table = Table().start()
    table.do(seen(Moved((TALL,), 0.999)))
    table.do(seen(Ambiguous((choice(place(1, "stub_can", "a1")), choice(place(1, "stub_can", "a2"))))))
    for said in (
        {"type": "start_game", "header": header}, {"type": "start_game", "header": {**HEADER, "setup": header}},
        {"type": "start_game", "header": {**HEADER, "players": plies}},
        {"type": "correct", "take_back": number, "plies": plies},
        {"type": "correct", "take_back": 1, "plies": [{"player": number, "action": plies}]},
        {"type": "answer", "question": number, "choice": choice_},
    ):  # fmt: skip
        before = table.state
        try:
            table.do(commands.read_command({"seq": before.seq, "by": "host", **said}))
        except CompanionError:
            assert table.state == before


def test_every_command_is_carried_out_and_every_event_has_an_effect() -> None:
    assert set(HANDLERS) == set(get_args(commands.PersonCommand))
    assert {*EFFECTS, events.SetupBegun, events.GameStarted, events.SetupCorrected} == set(get_args(events.Event))


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"seq": True}, "command.seq"), ({"by": "nobody"}, "command.by"), ({"by": 1.0}, "command.by"),
        ({"via": "import"}, "command.via"), ({"type": "fly"}, "command.type"),
        ({"type": "start_game", "header": [1]}, "command.header"),
        ({"type": "answer", "question": "1", "choice": 0}, "command.question"),
        ({"type": "answer", "question": 1, "choice": -1}, "command.choice"),
        ({"type": "consent", "given": 1}, "command.given"), ({"type": "pause", "on": None}, "command.on"),
        ({"type": "correct", "take_back": "1", "plies": []}, "command.take_back"),
        ({"type": "correct", "take_back": 1, "plies": {}}, "command.plies"),
        ({"type": "amend", "n": None, "action": {}}, "command.n"),
        ({"type": "amend", "n": 1, "action": []}, "command.action"),
        ({"type": "confide", "told": []}, "command.told"),
        ({"type": "tell_setup", "path": "first", "value": 1}, "command.path"),
    ],
)  # fmt: skip
def test_a_refused_command_blames_the_field_that_is_wrong(wrong: Any, where: Any) -> None:
    with pytest.raises(InvalidError) as refused:
        commands.read_command({"type": "undo", "seq": 1, "by": 0, **wrong})
    assert dict(refused.value.phrase.args)["where"] == where


@pytest.mark.parametrize(("wrong", "key"), [({"why": "so"}, '"why"'), ({"type": "amend", "n": 1}, '"action"')])
def test_a_refused_command_names_the_key_that_is_unknown_or_missing(wrong: Any, key: Any) -> None:
    with pytest.raises(InvalidError) as refused:
        commands.read_command({"type": "undo", "seq": 1, "by": 0, **wrong})
    assert dict(refused.value.phrase.args)["key"] == key
