"""What only one seat sees: entered by that seat, put right later, shown to nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine import Observer
from companion.errors import IllegalError, InvalidError, phrase
from companion.games import registry
from companion.session import commands, events
from companion.session.commands import Amend, Confide, Correct, StartGame, Undo
from companion.session.events import Amended, Confided
from companion.session.corrections import MAX_TELLINGS
from companion.session.evolve import evolve
from companion.session.exports import record_lines, whole_record
from companion.session.projection import snapshot_of
from companion.session.state import State
from companion.words import load
from tests.session.tables import HEADER, Table, refusal

ROYAL = {"hand": ["royal", "pikeman", "pikeman"]}
WAR_CHEST = {
    "game": "war-chest", "options": {"knowledge": "referee"}, "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {
        "units": [["swordsman", "pikeman", "crossbowman", "light_cavalry"], ["archer", "cavalry", "lancer", "scout"]],
        "initiative": 0,
    },
}  # fmt: skip
WORDS = load("en", [registry.game("war-chest").words])
PLIES = [
    ("chance", {"type": "draw"}), (0, {"type": "pass", "coin": "royal"}), (1, {"type": "pass"}),
    (0, {"type": "deploy", "coin": "pikeman", "at": [2, -3]}), (1, {"type": "pass"}),
    (0, {"type": "move", "coin": "pikeman", "from": [2, -3], "to": [2, -2]}),
]  # fmt: skip

PASS = {"type": "pass", "coin": "pikeman"}
EVERYBODY_ELSE: tuple[Observer, ...] = (1, "room", "referee")


def war_chest(plies: int) -> tuple[Table, list[Any]]:
    table = Table()
    made = list(table.do(StartGame(0, "host", WAR_CHEST)))
    for player, action in PLIES[:plies]:
        made += table.ask(Correct, "host", 0, ({"player": player, "action": action},))
    return table, made


def facts(table: Table, observer: Any) -> list[str]:
    seen = snapshot_of(table.state, observer, 1).seen
    assert seen is not None
    return [WORDS.say(fact) for fact in seen.facts]


def replayed(table: Table, made: list[Any]) -> State:
    """The state that the events give, read back from JSON."""
    state = State()
    for event in made:
        state = evolve(state, events.read_event(events.write_event(event)), table.session.library)
    return state


def test_a_hand_that_a_seat_entered_is_shown_to_that_seat_alone() -> None:
    table, made = war_chest(1)
    seq, before = table.state.seq, {who: snapshot_of(table.state, who, 1).seen for who in EVERYBODY_ELSE}
    made += table.ask(Confide, 0, ROYAL)
    assert "In player A's hand: 2 pikeman and 1 royal." in facts(table, 0)
    assert {who: snapshot_of(table.state, who, 1).seen for who in before} == before
    assert table.state.seq == seq  # others may go on with what they were about to say
    again = replayed(table, made).match
    assert again is not None
    assert again.state == table.state.match.state


def test_what_was_entered_goes_with_the_plies_before_which_it_was() -> None:
    table, _ = war_chest(2)
    table.ask(Confide, 0, {"hand": ["pikeman", "pikeman"]})
    table.ask(Undo, "host")
    assert table.state.match.confided == ()
    assert not any("In player A's hand" in fact for fact in facts(table, 0))


PUT_ASIDE = WORDS.say(phrase("session.put_aside"))


@pytest.mark.parametrize("take_back", [
    lambda table: table.ask(Undo, "host"),
    lambda table: table.ask(Correct, "host", 1, ({"player": 0, "action": PASS},)),
])  # fmt: skip
def test_a_seat_hears_alone_that_what_it_entered_went_with_a_ply(take_back: Callable[[Table], Any]) -> None:
    table, made = war_chest(2)
    made += table.ask(Confide, 0, {"hand": ["pikeman", "pikeman"]})
    assert PUT_ASIDE not in facts(table, 0)
    made += take_back(table)
    assert [PUT_ASIDE in facts(table, who) for who in (0, *EVERYBODY_ELSE)] == [True, False, False, False]
    again = replayed(table, made).match
    assert again is not None
    assert again.put_aside == {0}
    table.ask(Confide, 0, {"hand": ["pikeman"]})
    assert PUT_ASIDE not in facts(table, 0), "until it tells again"


def test_a_seat_hears_that_its_hand_cannot_be_after_it_put_a_coin_right() -> None:
    table, _ = war_chest(2)
    table.ask(Confide, 0, {"hand": ["pikeman", "pikeman"]})
    table.ask(Amend, 0, 2, {"type": "pass", "coin": "pikeman"})
    assert [PUT_ASIDE in facts(table, who) for who in (0, *EVERYBODY_ELSE)] == [True, False, False, False]
    table.ask(Amend, 0, 2, {"type": "pass", "coin": "swordsman"})
    assert PUT_ASIDE not in facts(table, 0), "the hand can be again"


def test_a_seat_hears_that_a_later_ply_ruled_out_the_coin_it_named() -> None:
    table, made = war_chest(5)
    made += table.ask(Amend, 0, 2, {"type": "pass", "coin": "pikeman"})
    assert PUT_ASIDE not in facts(table, 0)
    player, action = PLIES[5]
    made += table.ask(Correct, "host", 0, ({"player": player, "action": action},))
    assert [PUT_ASIDE in facts(table, who) for who in (0, *EVERYBODY_ELSE)] == [True, False, False, False]
    assert replayed(table, made).match == table.state.match
    table.ask(commands.EndGame, "host")
    assert PUT_ASIDE not in facts(table, 0)


def test_what_went_of_another_is_no_affair_of_a_seat() -> None:
    table, _ = war_chest(2)
    table.ask(Confide, 1, {"hand": ["royal"]})
    table.ask(Undo, "host")
    assert [PUT_ASIDE in facts(table, who) for who in (1, 0, "room", "referee")] == [True, False, False, False]


@pytest.mark.parametrize("by", ["host", "table"])
def test_only_a_seat_can_enter_a_hand(by: Any) -> None:
    table, _ = war_chest(1)
    assert refusal(table.ask, Confide, by, ROYAL) == "session.nothing_to_confide"


def test_a_seat_tells_so_often_after_a_ply_and_then_no_more() -> None:
    table, _ = war_chest(1)
    for _ in range(MAX_TELLINGS):
        table.ask(Confide, 0, ROYAL)
    assert refusal(table.ask, Confide, 0, ROYAL) == "session.told_enough"
    table.ask(Confide, 1, {"hand": ["royal"]})
    table.ask(Correct, "host", 0, ({"player": 0, "action": {"type": "pass"}},))
    table.ask(Confide, 0, {"hand": ["pikeman"]})


def test_where_nothing_is_hidden_nothing_can_be_entered() -> None:
    table = Table()
    table.do(StartGame(0, "host", HEADER))
    assert refusal(table.ask, Confide, 0, ROYAL) == "session.nothing_to_confide"


def test_a_hand_that_cannot_be_is_refused_and_changes_nothing() -> None:
    table, _ = war_chest(1)
    before = table.state
    with pytest.raises(IllegalError):
        table.ask(Confide, 0, {"hand": ["royal", "royal"]})
    with pytest.raises(InvalidError):
        table.ask(Confide, 0, {"hands": []})
    assert table.state is before


def test_a_seat_puts_an_earlier_coin_right_and_all_later_plies_stay() -> None:
    table, made = war_chest(6)
    made += table.ask(Amend, 0, 2, {"type": "pass", "coin": "swordsman"})
    assert "Face down among player A's discards: 1 swordsman." in facts(table, 0)
    assert len(table.plies) == 6
    again = replayed(table, made).match
    assert again is not None
    assert (again.states, again.made) == (table.state.match.states, table.state.match.made)


def test_a_hand_that_was_entered_counts_again_after_an_earlier_coin_was_put_right() -> None:
    table, _ = war_chest(5)
    table.ask(Confide, 0, {"hand": ["light_cavalry"]})
    table.ask(Amend, 0, 2, {"type": "pass", "coin": "swordsman"})
    assert "In player A's hand: 1 light cavalry." in facts(table, 0)


def test_a_coin_that_makes_a_later_ply_impossible_is_refused_with_that_ply() -> None:
    table, _ = war_chest(6)
    with pytest.raises(IllegalError) as error:
        table.ask(Amend, 0, 2, {"type": "pass", "coin": "pikeman"})
    assert "ply 6 (player A: pikeman from 2,-3 to 2,-2)" in WORDS.say(error.value.phrase)


@pytest.mark.parametrize(
    ("by", "n", "action", "why"),
    [
        (1, 2, {"type": "pass", "coin": "swordsman"}, "amend_unseen"),
        (0, 2, {"type": "recruit", "unit": "pikeman"}, "amend_unseen"),
        ("host", 1, {"type": "draw", "coins": {"0": ["royal"]}}, "amend_unseen"),
        (0, 0, {"type": "pass"}, "nothing_to_correct"), (0, 5, {"type": "pass"}, "nothing_to_correct"),
    ],
)  # fmt: skip
def test_nothing_that_others_saw_can_be_put_right_so_late(by: Any, n: int, action: Any, why: str) -> None:
    table, _ = war_chest(4)
    assert refusal(table.ask, Amend, by, n, action) == f"session.{why}"


def test_the_last_ply_can_be_put_right_like_earlier_ones() -> None:
    table, _ = war_chest(2)
    table.ask(Amend, 0, 2, {"type": "pass", "coin": "swordsman"})
    assert table.plies[-1].action.coin == "swordsman"


def test_once_the_game_has_ended_nothing_is_entered_or_put_right() -> None:
    table, _ = war_chest(2)
    table.ask(commands.EndGame, "host")
    for command in ((Confide, 0, ROYAL), (Amend, 0, 2, {"type": "pass"})):
        assert refusal(table.ask, *command) == "session.game_over"


def test_the_record_of_a_game_in_progress_tells_no_hidden_coin() -> None:
    table, _ = war_chest(4)
    lines = record_lines(table.state)
    assert "royal" not in str(lines[1:])
    table.ask(commands.EndGame, "host")
    assert lines == record_lines(table.state)[:-1], "it can be reopened"
    assert table.state.match is not None
    assert "royal" in str(whole_record(table.state.match)[2]), "the owner of the machine has it all"


def test_commands_and_events_go_to_json_and_back() -> None:
    for command in (Confide(1, 0, ROYAL), Amend(1, "host", 2, {"type": "pass"})):
        assert commands.read_command(commands.write_command(command)) == command
    for event in (Confided(0, ROYAL), Amended(0, 2, {"player": 0, "action": {"type": "pass"}}, "2026-01-01T00:00:00Z")):
        assert events.read_event(events.write_event(event)) == event
