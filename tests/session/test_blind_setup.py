"""A set-up with parts that one seat alone sees: only that seat is asked and shown, and nobody's choices tell of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import Observer
from companion.games import registry
from companion.session.commands import Begin, TellSetup
from companion.session.events import SetupBegun, SetupSeen
from companion.session.evolve import evolve
from companion.session.projection import snapshot_of
from companion.session.snapshot import DraftShown
from companion.session.state import State
from tests.session.tables import Table, library, refusal

GAME = registry.game("yuzu-twist")
PLAYERS = 3
OPTIONS = dict(GAME.read_options({"blind": True}, PLAYERS))
SETUP = GAME.deal(PLAYERS, OPTIONS, Random(3))
COLOURS = SETUP["colours"]
HEADER = {"game": GAME.id, "options": OPTIONS, "players": [{"name": name} for name in ("Ann", "Ben", "Cem")]}
READ = {**SETUP, "colours": [[None, None]] * PLAYERS}
EVERYBODY: tuple[Observer, ...] = (0, 1, 2, "room", "referee")


def laid(header: dict[str, Any] = HEADER) -> Table:
    """The crates were read; what the cards before the seats say is open."""
    state = State()
    for event in (SetupBegun(header), SetupSeen(READ)):
        state = evolve(state, event, library())
    return Table(state)


def shown(table: Table, observer: Observer) -> DraftShown:
    draft = snapshot_of(table.state, observer, 0).draft
    assert draft is not None
    return draft


def tell(table: Table, seat: int, colours: list[str]) -> None:
    for index, colour in enumerate(colours):
        table.ask(TellSetup, seat, ("colours", seat, index), colour)


def test_a_seat_is_asked_of_its_own_parts_alone_and_others_see_that_it_is() -> None:
    table = laid()
    for seat in range(PLAYERS):
        assert [part.path for part in shown(table, seat).open] == [("colours", seat, 0), ("colours", seat, 1)]
    for other in ("room", "referee"):
        assert shown(table, other).open == ()
        assert (shown(table, other).waiting, shown(table, other).ready) == ((0, 1, 2), False)
    tell(table, 1, COLOURS[1])
    assert shown(table, "room").waiting == (0, 2)


def test_what_a_seat_said_vanishes_from_nobody_elses_choices() -> None:
    table = laid()
    before = {who: shown(table, who) for who in EVERYBODY}
    table.ask(TellSetup, 0, ("colours", 0, 0), COLOURS[0][0])
    assert {who: shown(table, who) for who in EVERYBODY if who != 0} == {
        who: draft for who, draft in before.items() if who != 0}
    assert COLOURS[0][0] not in shown(table, 0).open[0].choices
    assert (("colours", 0, 0), COLOURS[0][0]) in shown(table, 0).parts
    assert all(len(part.choices) == 6 for seat in (1, 2) for part in shown(table, seat).open)


def test_the_last_to_say_something_is_asked_like_all_others() -> None:
    table = laid()
    tell(table, 0, COLOURS[0])
    tell(table, 1, COLOURS[1])
    assert len(shown(table, 2).open) == 2


def test_once_all_have_said_it_the_game_begins_as_they_said() -> None:
    table = laid()
    for seat in (2, 0, 1):
        assert refusal(table.ask, Begin, "host") == "session.setup_open"
        tell(table, seat, COLOURS[seat])
    assert shown(table, "room").ready
    assert not [path for path, _ in shown(table, "room").parts if path[0] == "colours"]
    table.ask(Begin, "host")
    assert table.state.match.opened.setup["colours"] == COLOURS


@pytest.mark.parametrize("by", [1, "host", "table"])
def test_nobody_says_or_reopens_what_another_sees(by: Any) -> None:
    table = laid()
    for value in ("red", None, "no colour"):
        assert refusal(table.ask, TellSetup, by, ("colours", 0, 0), value) == "session.hidden_of_another"
    tell(table, 0, COLOURS[0])
    assert refusal(table.ask, TellSetup, by, ("colours", 0, 0), None) == "session.hidden_of_another"
    table.ask(TellSetup, 0, ("colours", 0, 0), None)
    assert shown(table, "room").waiting == (0, 1, 2)


def test_two_seats_that_say_the_same_are_told_no_more_than_that() -> None:
    told = []
    for twice in (COLOURS[0], [COLOURS[0][0], COLOURS[2][1]]):
        table = laid()
        for seat, own in enumerate((COLOURS[0], twice, COLOURS[2])):
            tell(table, seat, own)
        assert refusal(table.ask, Begin, "host") == "session.hidden_together"
        draft = shown(table, "room")
        assert draft.why_not is not None
        told.append((draft.ready, draft.why_not.id, draft.why_not.args, draft.placement))
    assert told[0] == told[1]


def test_a_set_up_that_was_entered_before_is_not_told_by_what_differs() -> None:
    """The colours of the header are somebody's secret too."""
    table = laid({**HEADER, "setup": SETUP})
    assert shown(table, 0).open[0].choices[0] in COLOURS[0]
    tell(table, 0, [COLOURS[1][0], COLOURS[1][1]])
    assert not any(shown(table, who).differs for who in EVERYBODY)


def test_a_board_is_drawn_for_each_from_what_it_may_know() -> None:
    worlds = []
    for own in (COLOURS[1], [COLOURS[2][0], COLOURS[0][0]]):
        table = laid()
        tell(table, 1, own)
        worlds.append({who: shown(table, who) for who in EVERYBODY if who != 1})
        assert shown(table, 1).placement["cards:1"] == ("card:back", "card:back")
    assert worlds[0] == worlds[1]
