"""A command is judged by what its asker may know: what another seat told of its coins neither allows nor forbids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Observer
from companion.errors import CompanionError, Phrase
from companion.session.commands import Amend, Confide, Correct, StartGame, Undo
from companion.session.evolve import evolve
from companion.session.exports import whole_record
from companion.session.projection import snapshot_of
from companion.session.state import State
from tests.session.tables import Table, refusal
from tests.session.test_confiding import WAR_CHEST, facts, war_chest

ROYAL, SWORDSMAN = {"type": "pass", "coin": "royal"}, {"type": "pass", "coin": "swordsman"}
SEEN = {"type": "pass"}
SECRETS = (SEEN, ROYAL, SWORDSMAN)
"""What seat 0 may have said of the coin that everybody saw it spend face down."""
OTHERS: tuple[Observer, ...] = (1, "room", "referee")
RECRUITS = {"player": 0, "action": {"type": "recruit", "coin": "royal", "unit": "swordsman"}}
PROBES: tuple[tuple[Any, int, Any], ...] = (
    ("host", 0, {"player": 0, "action": ROYAL}),
    ("host", 0, RECRUITS),
    ("host", 1, {"player": 0, "action": SWORDSMAN}),
    ("host", 0, {"player": 0, "action": {"type": "deploy", "coin": "swordsman", "at": [2, -3]}}),
    ("host", 0, {"player": 0, "action": {"type": "deploy", "coin": "royal", "at": [2, -3]}}),
    (1, 1, {"player": 1, "action": {"type": "deploy", "coin": "archer", "at": [-2, 3]}}),
    (1, 0, {"player": "chance", "action": {"type": "draw", "coins": {"0": ["royal"]}}}),
    (1, 0, {"player": 0, "action": ROYAL}),
)  # fmt: skip


def told(secret: dict[str, Any], plies: int = 3) -> Table:
    """Seat 0 spent a coin face down, and said of it what only it knows."""
    table = Table()
    table.do(StartGame(0, "host", WAR_CHEST))
    for player, action in (("chance", {"type": "draw"}), (0, secret), (1, {"type": "pass"}))[:plies]:
        table.ask(Correct, player if player == 0 else "host", 0, ({"player": player, "action": action},))
    return table


def answer(table: Table, by: Any, take_back: int, ply: Any) -> Phrase | list[str]:
    """What is said of a correction: why it is refused, or what was then shown to everybody."""
    try:
        table.ask(Correct, by, take_back, (ply,))
    except CompanionError as error:
        return error.phrase
    return [str(replace(snapshot_of(table.state, each, 0), key="")) for each in OTHERS]


@pytest.mark.parametrize("probe", PROBES, ids=str)
@pytest.mark.parametrize("plies", [2, 3])
def test_the_answer_to_others_is_the_same_whatever_a_seat_said(probe: Any, plies: int) -> None:
    answers = [answer(told(secret, plies), *probe) for secret in SECRETS]
    assert answers[0] == answers[1] == answers[2]


def test_an_owner_is_refused_by_what_it_said_itself() -> None:
    assert isinstance(answer(told(SEEN), 0, 0, RECRUITS), list)
    refused = answer(told(ROYAL), 0, 0, RECRUITS)
    assert isinstance(refused, Phrase)
    assert refused.id == "wc.no.coin_gone"


def test_what_is_played_in_spite_of_what_was_said_puts_that_aside() -> None:
    table = told(ROYAL)
    assert isinstance(answer(table, "host", 0, RECRUITS), list)
    assert table.state.match is not None
    coins = [line["action"].get("coin") for line in whole_record(table.state.match)[1:]]
    assert coins == [None, None, None, "royal"]
    assert "Face down among player A's discards: 1 royal." not in facts(table, 1)
    table.ask(Undo, "host")
    assert len(table.plies) == 3


def test_what_was_put_aside_is_put_aside_again_when_the_journal_is_read() -> None:
    table, events = Table(), list[Any]()
    events += table.do(StartGame(0, "host", WAR_CHEST))
    for by, player, action in (("host", "chance", {"type": "draw"}), (0, 0, ROYAL), ("host", 1, SEEN),
                               ("host", 0, {"type": "recruit", "coin": "royal", "unit": "swordsman"})):  # fmt: skip
        events += table.ask(Correct, by, 0, ({"player": player, "action": action},))
    state = State()
    for event in events:
        state = evolve(state, event, table.session.library)
    assert state.match is not None
    assert (state.match.told, state.match.made) == (table.state.match.told, table.state.match.made)


def test_only_its_player_says_what_a_coin_was() -> None:
    table, _ = war_chest(4)
    for by in ("host", "table", 1):
        assert refusal(table.ask, Amend, by, 2, SWORDSMAN) == "session.amend_unseen"
    table.ask(Amend, 0, 2, SWORDSMAN)


def test_what_a_seat_confided_forbids_nobody_anything() -> None:
    worlds = [told(SEEN) for _ in range(3)]
    worlds[1].ask(Confide, 0, {"hand": ["royal"]})
    worlds[2].ask(Confide, 0, {"hand": ["pikeman", "pikeman"]})
    for probe in PROBES:
        if probe[0] == "host":
            continue
        answers = [answer(world, *probe) for world in worlds]
        assert answers[0] == answers[1] == answers[2]


def test_a_seat_says_nothing_of_what_another_holds() -> None:
    draw = {"player": "chance", "action": {"type": "draw", "coins": {"1": ["archer"]}}}
    table = Table()
    table.do(StartGame(0, "host", WAR_CHEST))
    assert refusal(table.ask, Correct, 0, 0, (draw,)) == "session.hidden_of_another"


def test_a_game_that_begins_at_a_table_knows_only_what_a_table_shows() -> None:
    table = Table()
    table.do(StartGame(0, "host", {**WAR_CHEST, "options": {"knowledge": "open"}}))
    assert table.state.match.opened.options["knowledge"] == "referee"
