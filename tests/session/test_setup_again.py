"""A set-up that was told wrongly is put right in mid-game: what was played stays as far as it can have been."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.engine import Over, random_ply
from companion.engine.recognise import leaves
from companion.errors import CompanionError
from companion.games import registry
from companion.session import events
from companion.session.commands import Correct, CorrectSetup, EndGame
from companion.session.events import PlyMade, SetupCorrected
from companion.session.evolve import evolve
from companion.session.exports import whole_record
from companion.session.rights import HOST_CORRECTS
from tests.session.by_hand.hand_tables import a_table, match_of
from tests.session.tables import Table, library, played, refusal


def test_a_drink_that_was_misnamed_is_called_right_in_all_that_was_played() -> None:
    table = played()
    changed = table.ask(CorrectSetup, 0, ("colours", 0), "blue")
    assert [type(event) for event in changed] == [SetupCorrected]
    match = match_of(table)
    assert match.opened.setup["colours"] == ["blue", "green"]
    assert [match.written(made.ply)["action"]["drink"] for made in match.made] == ["blue/tall_can", "green/short_can"]
    assert match.game.placement(match.state)["grid:c4"] == ("blue/tall_can",)
    assert (table.state.belief, table.state.held) == ("begun", None)


def test_two_that_were_taken_for_each_other_are_swapped() -> None:
    table = played()
    table.ask(CorrectSetup, "host", ("colours", 0), "green")
    match = match_of(table)
    assert match.opened.setup["colours"] == ["green", "red"]
    assert match.game.placement(match.state)["grid:d4"] == ("red/short_can",)


def test_plies_that_cannot_have_been_go_only_when_it_is_said_so() -> None:
    table = played()
    assert refusal(table.ask, CorrectSetup, 0, ("first",), 1) == "session.setup_drops"
    assert len(match_of(table).made) == 2
    table.ask(CorrectSetup, 0, ("first",), 1, drop=2)
    assert (match_of(table).made, match_of(table).opened.setup["first"]) == ((), 1)
    assert refusal(table.ask, CorrectSetup, 0, ("first",), 0, drop=1) == "session.setup_keeps_all"


@pytest.mark.parametrize(("path", "value"), [
    ((), {}), (("first",), 0), (("nothing",), 1), (("colours", 9), "red"), (("colours",), ["red"]), ((None,), None),
    (("first", 0), 1), (({"a": []},), 1),
])
def test_what_is_no_part_of_the_set_up_is_refused(path: Any, value: Any) -> None:
    assert refusal(played().ask, CorrectSetup, 0, path, value) == "session.no_such_part"


@pytest.mark.parametrize("value", ["mauve", "", None, 3, {"a": []}, "red" * 500])
def test_a_set_up_that_cannot_be_is_refused_and_nothing_changes(value: Any) -> None:
    table = played()
    before = table.state
    with pytest.raises(CompanionError):
        table.ask(CorrectSetup, 0, ("colours", 0), value)
    assert table.state is before


def test_where_the_host_keeps_it_no_seat_puts_the_set_up_right() -> None:
    table = played({HOST_CORRECTS: True})
    assert refusal(table.ask, CorrectSetup, 0, ("colours", 0), "blue") == "session.correct_own_turn"
    table.ask(CorrectSetup, "host", ("colours", 0), "blue")


def test_a_game_that_has_ended_keeps_its_set_up() -> None:
    table = played()
    table.ask(EndGame, "host")
    assert refusal(table.ask, CorrectSetup, "host", ("colours", 0), "blue") == "session.game_over"


def other_values(table: Table) -> list[tuple[Any, Any]]:
    """For each open part of the set-up another value that it has elsewhere."""
    parts = list(leaves(match_of(table).opened.setup))
    return [(path, other) for path, value in parts for _, other in parts
            if other != value and type(other) is type(value)]


@pytest.mark.parametrize("id", registry.ids())
def test_the_journal_and_the_record_give_the_corrected_game_again(id: str) -> None:
    rng = Random(f"{id} again")
    table = a_table(id, rng)
    for _ in range(12):
        match = match_of(table)
        if isinstance(match.game.turn(match.state), Over):
            break
        table.ask(Correct, "host", 0, (match.written(match.seen(random_ply(match.game, match.state, rng))),))
    parts = other_values(table)
    rng.shuffle(parts)
    assert any(_corrected(table, path, value) for path, value in parts[:60]) or id == "pick-and-pack"


def _corrected(table: Table, path: Any, value: Any) -> bool:
    """Puts a part right, whatever has to go for it, and looks at what came of it."""
    before = table.state
    made = match_of(table).made
    drop = 0
    try:
        table.ask(CorrectSetup, "host", path, value)
    except CompanionError as error:
        if error.phrase.id != "session.setup_drops":
            return False
        drop = int(str(dict(error.phrase.args)["n"]))
    table.state = before
    changed = table.ask(CorrectSetup, "host", path, value, drop=drop)
    state = before
    for event in changed:
        state = evolve(state, events.read_event(json.loads(json.dumps(events.write_event(event)))), library())
    match = match_of(table)
    assert state.match is not None
    assert (state.match.states, state.match.told) == (match.states, match.told)
    assert len(match.made) == len(made) - drop
    assert dict(leaves(match.opened.setup))[path] == value
    header, *plies = whole_record(match)
    assert header["setup"] == match.opened.setup
    assert len(plies) == len(match.made)
    table.state = before
    return True


def test_nothing_is_forgotten_of_when_and_how_a_ply_was_seen() -> None:
    table = played()
    was: list[PlyMade] = [made.event for made in match_of(table).made]
    table.ask(CorrectSetup, 0, ("colours", 1), "blue")
    now = [made.event for made in match_of(table).made]
    assert [(each.source, each.at, each.look) for each in now] == [(each.source, each.at, each.look) for each in was]
    assert match_of(table).opened.setup == {"colours": ["red", "blue"], "first": 0}
