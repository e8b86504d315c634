"""The whole position is put right, and the game goes on from there: kept as its result, it holds as any other."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Over, Rearranging, ToMove
from companion.engine.play import random_game
from companion.engine.positions import different, is_position
from companion.errors import CompanionError, phrase
from companion.games import registry
from companion.interpret import Interpreter, Odd
from companion.session.commands import (
    Consent, Correct, CorrectSetup, EndGame, GoOnFrom, StartGame, Undo, read_command, write_command,
)
from companion.session.clock import FakeClock
from companion.session.events import UndoAsked
from companion.session.exports import RESULT_ALONE, record_lines, whole_record
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.positions import position_shown
from companion.session.projection import correction_offers, snapshot_of
from companion.session.rights import HOST_CORRECTS
from companion.session.session import Session
from companion.table import COLOURS
from tests.session.by_hand.hand_tables import match_of
from tests.session.tables import Table, place, played, refusal, seen

STANDS = {
    "grid:a1": ["red/tall_can"], "grid:f6": ["green/stub_can"],
    "stock:0": ["red/stub_can", "red/short_can"], "stock:1": ["green/short_can"],
}


def test_the_game_goes_on_from_what_stands_there_with_whoever_is_to_move() -> None:
    table = played()
    table.ask(GoOnFrom, 1, STANDS, 1)
    match = match_of(table)
    assert match.game.placement(match.state) == {spot: tuple(pieces) for spot, pieces in STANDS.items()}
    assert match.game.turn(match.state).seats == (1,)
    assert match.game.scores(match.state) == (-2 - 4 + 1, 4 + 1)
    assert [is_position(made.ply) for made in match.made] == [False, False, True]
    table.ask(Correct, 1, 0, ({"player": 1, "action": {"type": "place", "drink": "green/short_can", "to": "b2"}},))
    assert isinstance(match_of(table).game.turn(match_of(table).state), Over)  # the stock is empty, as the table says


def test_it_stands_in_the_history_in_words_and_ends_nobody_elses_right_to_the_plies_before() -> None:
    table = played()
    table.ask(GoOnFrom, "host", STANDS, 0)
    shown = snapshot_of(table.state, "room", 1)
    last = shown.last[-1]
    assert (last.player, last.phrase.id, last.is_position) == (CHANCE, "position.said", True)
    assert correction_offers(table.state, 0) == ()
    assert dict(shown.before or {})["grid:c4"] == ("red/tall_can",)
    table.ask(Correct, "host", 3, (_json(place(0, "tall_can", "d3")), *map(_json, table.plies[1:])))
    assert match_of(table).game.placement(match_of(table).state)["grid:a1"] == ("red/tall_can",)


def _json(ply: Any) -> dict[str, Any]:
    return {"player": ply.player, "action": match_of(played()).game.write_action(ply.action)}


def test_it_is_taken_back_with_the_consent_of_all_others_and_alone() -> None:
    table = played()
    table.ask(GoOnFrom, 0, STANDS, 0)
    assert [event.waiting for event in table.do(Undo(table.state.seq, 0)) if isinstance(event, UndoAsked)] == [(1,)]
    table.ask(Consent, 1, True)
    assert [is_position(ply) for ply in table.plies] == [False, False]
    assert record_lines(table.state)[-1]["n"] == 2


@pytest.mark.parametrize(("stands", "seat", "why"), [
    ({"grid:a9": ["red/tall_can"]}, 0, "position.no_spot"),
    ({"grid:a1": ["red/tall_can", "red/stub_can"]}, 0, "position.one_piece"),
    ({"grid:a1": ["red/tall_can"], "grid:a2": ["red/tall_can"]}, 0, "position.no_more"),
    ({"grid:a1": ["blue/tall_can"]}, 0, "position.no_more"),
    ({"stock:0": ["green/stub_can"]}, 0, "kc.not_own_stock"),
    ({"grid:a1": "red/tall_can"}, 0, "json.wrong"),
    ({"grid:a1": [3]}, 0, "json.wrong"),
    (STANDS, 2, "json.wrong"),
    (STANDS, True, "json.wrong"),
])
def test_what_cannot_stand_so_is_refused_and_nothing_changes(stands: Any, seat: Any, why: str) -> None:
    table = played()
    before = table.state
    assert refusal(table.ask, GoOnFrom, 0, stands, seat) == why
    told = position_shown(table.state, stands, seat).why_not
    assert getattr(told, "id", "") == why
    assert table.state == before
    ply = {"player": CHANCE, "action": {"type": "position", "stands": stands, "seat": seat}}
    assert refusal(table.ask, Correct, 0, 0, (ply,)) in (why, "session.position_alone")


def test_it_is_refused_where_nothing_is_to_be_put_right() -> None:
    assert refusal(Table().ask, GoOnFrom, 0, STANDS, 0) == "session.no_game"
    table = played()
    now = _as_json(match_of(table).game.placement(match_of(table).state))
    assert refusal(table.ask, GoOnFrom, 0, now, 0) == "session.same_position"
    table.ask(EndGame, "host")
    assert refusal(table.ask, GoOnFrom, 0, STANDS, 0) == "session.game_over"


def test_where_the_host_alone_puts_right_no_seat_can_by_any_way() -> None:
    table = played({HOST_CORRECTS: True})
    ply = {"player": CHANCE, "action": {"type": "position", "stands": STANDS, "seat": 0}}
    assert refusal(table.ask, GoOnFrom, 1, STANDS, 0) == "session.correct_own_turn"
    assert refusal(table.ask, Correct, 1, 0, (ply,)) == "session.position_alone"
    table.ask(GoOnFrom, "host", STANDS, 0)
    assert refusal(table.ask, Correct, 1, 1, ()) == "session.correct_own_turn"


def test_a_game_with_a_position_is_kept_as_its_result_until_that_is_taken_back() -> None:
    table = played()
    table.ask(GoOnFrom, 0, STANDS, 1)
    for told in (record_lines(table.state), whole_record(match_of(table))):
        assert [list(told[0])[-1], len(told)] == [RESULT_ALONE, 1]
    table.ask(EndGame, "host")
    header, result = record_lines(table.state)
    assert header[RESULT_ALONE] is True
    assert result == {"result": {"scores": [-5, 5], "winners": [], "reason": "abandoned"}}


def test_a_set_up_that_is_put_right_takes_the_position_with_it() -> None:
    table = played()
    table.ask(GoOnFrom, 0, STANDS, 1)
    table.ask(CorrectSetup, 0, ("colours", 0), "blue")
    match = match_of(table)
    assert match.game.placement(match.state)["grid:a1"] == ("blue/tall_can",)


def test_the_table_as_the_eyes_see_it_is_offered_while_it_differs() -> None:
    table = played()
    table.eyes.stands = {"grid:a1": ("red/tall_can",)}
    table.do(seen(Odd((phrase("odd.stands", piece="red/tall_can", spot="grid:a1"),))))
    assert position_shown(table.state).seen == {"grid:a1": ("red/tall_can",)}
    table.ask(GoOnFrom, 0, STANDS, 1)
    assert position_shown(table.state).seen is None


def test_what_would_come_of_it_is_told_before() -> None:
    shown = position_shown(played().state, STANDS, 1)
    assert (shown.scores, shown.is_over, shown.why_not) == ((-5, 5), False, None)


def test_nobody_learns_a_secret_by_a_table_that_is_made_up() -> None:
    """In a blind game a crate of one colour shows whose colour that is, if anybody's: refused whosever it is."""
    blind = _table("yuzu-twist", 2, {"blind": True})
    match = match_of(blind)
    stands = _as_json(match.game.placement(match.state))
    swapped = {**stands, "slot:0,0": stands["slot:2,0"], "slot:2,0": stands["slot:0,0"]}
    assert position_shown(blind.state, swapped, 1).why_not is None
    for colour in COLOURS:
        made = dict(stands)
        wanted = [spot for spot, pieces in stands.items() if pieces[0].startswith(f"{colour}/")]
        for spot, into in zip(wanted, [f"slot:{x},{y}" for x in (0, 1) for y in (0, 1, 2)], strict=True):
            made[spot], made[into] = made[into], made[spot]
        assert refusal(blind.ask, GoOnFrom, "host", made, 1) == "session.position_reveals"


def test_the_command_is_json_and_back() -> None:
    command = GoOnFrom(4, 1, STANDS, 0)
    assert read_command(write_command(command)) == command


# --- any game --------------------------------------------------------------------------------------------------------

REAL = GameLibrary(lookup=registry.game, interpreter=Interpreter)


def _table(game: str, players: int, options: dict[str, Any] | None = None) -> Table:
    rules = registry.game(game)
    filled = rules.at_table(rules.read_options({**rules.simulation, **(options or {})}, players))
    header = {"game": game, "players": [{"name": f"P{seat}"} for seat in range(players)], "options": filled,
              "setup": rules.deal(players, filled, Random(players))}
    table = Table(session=Session(library=REAL, clock=FakeClock()))
    table.do(StartGame(0, "host", header))
    return table


def _as_json(placement: Any) -> dict[str, list[str]]:
    return {spot: list(pieces) for spot, pieces in placement.items()}


ALL = [(game, players) for game in registry.ids() if isinstance(registry.game(game), Rearranging)
       for players in registry.game(game).seats]


def test_all_own_games_can_go_on_from_a_position() -> None:
    assert {game for game, _ in ALL} >= {"kamikaze-cans", "crate-wars", "yuzu-twist", "pick-and-pack", "war-chest"}


@pytest.mark.parametrize(("game", "players"), ALL)
def test_any_game_goes_on_from_a_table_some_moves_ahead(game: str, players: int, tmp_path: Path) -> None:
    """Plies that nobody told are made up for by what stands there; the journal brings back what came of it."""
    table, rng, put = _table(game, players), Random(f"{game}{players}"), 0
    with closing(open_journal(tmp_path, REAL, FakeClock()).journal) as journal:
        journal.append(tuple(each.event for each in table.state.lately), table.state)
        while put < 3:
            match = match_of(table)
            steps = list(random_game(match.game, match.state, rng, 4))
            if len(steps) < 4:
                break
            for _, ply in steps[:2]:
                journal.append(table.ask(Correct, "host", 0, (match.written(match.seen(ply)),)), table.state)
            wanted, seat = match.game.placement(steps[3][0]), rng.randrange(players)
            before = table.state
            try:
                journal.append(table.ask(GoOnFrom, "host", _as_json(wanted), seat), table.state)
            except CompanionError:
                assert table.state == before
                continue
            put += 1
            now = match_of(table)
            stands, turn = now.game.placement(now.state), now.game.turn(now.state)
            assert not different(stands, wanted)
            assert not isinstance(turn, ToMove) or turn.seats == (seat,)
            snapshot_of(table.state, 0, 1)
    assert put
    again = open_journal(tmp_path, REAL, FakeClock())
    again.journal.close()
    assert again.state.match is not None
    assert again.state.match.states == match_of(table).states
