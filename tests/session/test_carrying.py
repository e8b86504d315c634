"""Bots at the table: what one wants is shown until it is done, by the camera, a touch or a button."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Ply
from companion.games import registry
from companion.interpret import Ambiguous, Interpreter, Moved
from companion.session.bot_seats import bots_of
from companion.session.carrying import BotTurn, bot_turn
from companion.session.clock import FakeClock
from companion.session.commands import (
    Answer, BotDecided, Carried, Confide, Correct, Done, EndGame, Pause, SeatBot, StartGame, Undo,
)
from companion.session.events import BotSeated, PliesTakenBack
from companion.session.hands import hand
from companion.session.outcomes import take
from companion.session.projection import snapshot_of
from companion.session.session import Session
from companion.session.library import GameLibrary
from companion.session.transaction import Transaction
from companion.session.sighted import Sighted
from tests.session.tables import ELSEWHERE, HEADER, A, B, ScriptedStep, Table, choice, refusal, seen
from tests.session.test_reopen import a_match

REAL = GameLibrary(lookup=registry.game, interpreter=Interpreter)


def table(**bots: str) -> Table:
    """Ann plays, and at seat 1 a bot, or who else is said (`s0="quick"`)."""
    made = Table()
    note = {each[1:]: level for each, level in (bots or {"s1": "quick"}).items()}
    made.do(StartGame(0, "host", {**HEADER, "x-bots": note}))
    return made


def wants(at: Table, ply: Ply[Any]) -> None:
    at.do(BotDecided(at.state.seq, ply))


def shown(at: Table) -> Any:
    return snapshot_of(at.state, "room", 0).carry


def bots_to_move() -> Table:
    made = table()
    made.do(seen(Moved((A,), 1.0)))
    return made


@pytest.mark.parametrize(("note", "bots"), [
    (None, {}), ("quick", {}), ({"1": "quick", "0": "deep"}, {0: "deep", 1: "quick"}), ({"2": "quick"}, {}),
    ({"1": 3, "x": "deep"}, {}),
])
def test_who_is_a_bot_stands_in_the_header(note: Any, bots: dict[int, str]) -> None:
    assert bots_of({**HEADER, "x-bots": note}) == bots


def test_a_bot_thinks_when_it_is_on_turn_and_nothing_is_open() -> None:
    at = table()
    assert bot_turn(at.state) is None
    at.do(seen(Moved((A,), 1.0)))
    assert bot_turn(at.state) == BotTurn(at.state.seq, 1, "quick")
    at.ask(Undo, 0)
    assert at.plies == []


@pytest.mark.parametrize("kind", ["question", "undo", "pause", "end", "decided"])
def test_a_bot_waits_while_something_else_is_open(kind: str) -> None:
    at = bots_to_move()
    if kind == "question":
        at.do(seen(Ambiguous((choice(B), choice(B, taken_back=1)))))
    elif kind == "undo":
        at = table(s0="quick")
        wants(at, A)
        at.ask(Carried, 1)
        at.do(seen(Moved((B,), 1.0)))
        at.ask(Pause, 1, True)
    elif kind == "pause":
        at.ask(Pause, 0, True)
    elif kind == "end":
        at.ask(EndGame, "host")
    else:
        wants(at, B)
    assert bot_turn(at.state) is None


def test_what_a_bot_wants_is_told_in_words_and_drawn_and_is_no_event() -> None:
    at = bots_to_move()
    seq = at.state.seq
    wants(at, B)
    assert (shown(at).seat, shown(at).placement["grid:d4"], at.state.seq) == (1, ("green/short_can",), seq)
    assert at.plies == [A]


def test_the_camera_sees_that_it_is_done() -> None:
    at = bots_to_move()
    wants(at, B)
    at.do(seen(Moved((B,), 1.0)))
    assert (at.plies, shown(at)) == ([A, B], None)


@pytest.mark.parametrize("by", [0, 1, "host"])
def test_a_touch_says_that_it_is_done(by: Any) -> None:
    at = bots_to_move()
    wants(at, B)
    at.ask(Carried, by)
    assert (at.plies, shown(at)) == ([A, B], None)
    assert refusal(at.ask, Carried, by) == "session.nothing_to_carry"


def test_a_button_says_so_where_there_is_no_camera() -> None:
    at = bots_to_move()
    wants(at, B)
    at.do(Sighted(9, "none"))
    at.ask(Done, 0, via="button")
    assert at.plies == [A, B]


def test_with_a_camera_done_means_ones_own_move_and_nothing_of_the_bot() -> None:
    at = bots_to_move()
    at.do(Sighted(9, "free"))
    wants(at, B)
    at.ask(Done, 0, via="button")
    assert at.plies == [A]
    assert shown(at) is not None


def test_what_was_decided_about_an_earlier_table_is_dropped() -> None:
    at = bots_to_move()
    early = at.state.seq
    at.ask(Pause, 0, True)
    at.ask(Pause, 0, False)
    at.do(BotDecided(early, B))
    assert shown(at) is None
    at.do(BotDecided(at.state.seq, A))
    assert shown(at) is None, "it is another's ply"


def test_whatever_happens_lets_the_bot_think_anew() -> None:
    at = bots_to_move()
    wants(at, B)
    at.ask(Pause, 0, True)
    at.ask(Pause, 0, False)
    assert (shown(at), bot_turn(at.state)) == (None, BotTurn(at.state.seq, 1, "quick"))


def test_a_bot_always_agrees_to_an_undo() -> None:
    at = bots_to_move()
    wants(at, B)
    at.ask(Carried, 0)
    assert at.ask(Undo, 0)[0] == PliesTakenBack(1, "undo", 0)


def test_a_question_about_a_bots_ply_is_answered_by_the_people() -> None:
    at = table(s0="quick")
    at.do(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    assert snapshot_of(at.state, "room", 0).question.seats == (1,)
    at.eyes.answers = {1: Moved((ELSEWHERE,), 1.0)}
    at.ask(Answer, 1, 1, 1)
    assert at.plies == [ELSEWHERE]


def bot_of_chest() -> Table:
    """Ann and a bot play War Chest by a referee's knowledge; the bot is to move."""
    header, _ = a_match("war-chest", 1)
    at = Table(session=Session(library=REAL, clock=FakeClock()))
    setup = {**header["setup"], "initiative": 1}
    at.do(StartGame(0, "host", {**header, "setup": setup, "x-bots": {"1": "quick"}}))
    at.ask(Correct, "host", 0, ({"player": "chance", "action": {"type": "draw"}},))
    return at


def test_where_players_hold_what_is_not_seen_a_bot_waits_until_its_helper_said_what_it_drew() -> None:
    at = bot_of_chest()
    assert (bot_turn(at.state), snapshot_of(at.state, "room", 0).waits_for_hand) == (None, 1)
    held = hand(at.state, 1)
    assert held is not None
    assert refusal(at.ask, Confide, 0, held.may_tell[0], seat=1) == "session.helper_only"
    assert refusal(at.ask, Confide, "host", held.may_tell[0], seat=0) == "session.helper_only"
    assert refusal(at.ask, Confide, "host", held.may_tell[0]) == "session.nothing_to_confide"
    at.ask(Confide, "host", held.may_tell[0], seat=1)
    assert bot_turn(at.state) == BotTurn(at.state.seq, 1, "quick")
    assert snapshot_of(at.state, "room", 0).waits_for_hand is None


def test_what_a_bot_lays_face_down_is_told_to_its_helper_alone() -> None:
    """Its helper carries it out, or the camera sees it: the companion goes on knowing what the bot holds."""
    for by_camera in (False, True):
        at = bot_of_chest()
        held = hand(at.state, 1)
        assert held is not None
        at.ask(Confide, "host", held.may_tell[0], seat=1)
        match = at.state.match
        assert match is not None
        coin = held.may_tell[0]["hand"][0]
        ply = Ply(1, match.game.read_action({"type": "pass", "coin": coin}))
        wants(at, ply)
        said = {who: snapshot_of(at.state, who, 0).carry for who in (0, 1, "room")}
        assert said[0] == said["room"] != said[1]
        if by_camera:
            made = Transaction(at.state, REAL, FakeClock(), str)
            take(made, ScriptedStep("", Moved((match.seen(ply),), 1.0)), "camera")
            at.state = made.state
        else:
            at.ask(Carried, "host")
        assert at.plies[-1] == ply
        left = hand(at.state, 1)
        assert left is not None
        assert len(left.may_tell) == 1


def test_a_bot_plays_on_for_who_has_left_until_somebody_is_back() -> None:
    at = Table()
    at.do(StartGame(0, "host", HEADER))
    at.do(seen(Moved((A,), 1.0)))
    assert snapshot_of(at.state, "room", 0).bots == ()
    assert at.ask(SeatBot, "host", 1, "quick") == (BotSeated(1, "quick"),)
    assert snapshot_of(at.state, "room", 0).bots == (1,)
    assert bot_turn(at.state) == BotTurn(at.state.seq, 1, "quick")
    wants(at, B)
    at.ask(Carried, "host")
    assert at.plies == [A, B]
    at.ask(SeatBot, "host", 1, "")
    assert "x-bots" not in at.state.match.opened.header
    assert snapshot_of(at.state, "room", 0).bots == ()


@pytest.mark.parametrize(("seat", "level", "why"), [
    (1, "", "session.plays_so"), (2, "quick", "session.plays_so"), (-1, "quick", "session.plays_so"),
    (1, "genius", "bots.no_level"),
])
def test_a_seat_is_not_given_to_a_bot_that_is_not_there(seat: int, level: str, why: str) -> None:
    at = Table()
    at.do(StartGame(0, "host", HEADER))
    assert refusal(at.ask, SeatBot, "host", seat, level) == why
    assert refusal(at.ask, SeatBot, 0, 1, "quick") == "session.host_only"


def test_no_bot_plays_on_where_players_hold_what_nobody_sees() -> None:
    at, (header, _) = Table(), a_match("war-chest", 1)
    at.do(StartGame(0, "host", header))
    assert refusal(at.ask, SeatBot, "host", 1, "quick") == "session.no_bots"
    assert snapshot_of(at.state, "room", 0).bots is None
