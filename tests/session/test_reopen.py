"""An ended game can be gone on with until the next begins: nothing of it is another one for that."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import Over, Ply, record
from companion.engine.play import random_game
from companion.games import registry
from companion.session.clock import FakeClock
from companion.session.commands import Correct, EndGame, LayOut, Pause, Reopen, StartGame, Undo
from companion.session.events import GameEnded, GameReopened, SetupDropped
from companion.session.exports import record_lines
from companion.session.journal import open_journal
from companion.session.journal.inspect import check_journal, found_games, record_of
from companion.session.projection import snapshot_of
from companion.session.state import State
from tests.session.tables import HEADER, Table, library, played, refusal

GAMES = sorted(registry.ids())
PLIES = 14


def a_match(id: str, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header of a game and its first plies, played at random, as records have them."""
    game, rng = registry.game(id), Random(f"{id} {seed}")
    players = rng.choice(game.seats)
    options = game.read_options(game.simulation, players)
    setup = game.read_setup(game.deal(players, options, rng), options, players)
    header = record.write_header(game, [f"Player {n}" for n in range(players)], options, setup, "2026-01-01T00:00:00Z")
    start = game.start(setup, options, players)
    return header, [_written(game, ply) for _, ply in random_game(game, start, rng, PLIES)]


def _written(game: Any, ply: Ply[Any]) -> dict[str, Any]:
    return {"player": ply.player, "action": game.write_action(ply.action)}


def disturbed(table: Table, rng: Random) -> None:
    """The game is ended, perhaps with a set-up that was begun after it, and reopened."""
    if isinstance(table.state.match.game.turn(table.state.match.state), Over):
        return
    table.ask(EndGame, "host")
    if rng.random() < 0.5:
        table.ask(LayOut, "host", HEADER)
        if rng.random() < 0.5:
            table.ask(EndGame, "host")  # no game comes of the set-up
    if rng.random() < 0.3:
        assert refusal(table.ask, Undo, "host") in {"session.nothing_to_undo", "session.no_game"}
    table.ask(Reopen, "host")


def shown(state: State) -> Any:
    """All that the room is shown of the game, and its record."""
    shown = snapshot_of(state, "room", 0)
    return shown.seen, shown.last, shown.can_undo, shown.can_reopen, shown.layout, record_lines(state)


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_that_was_ended_and_reopened_is_the_game_that_was_never_ended(id: str, seed: int) -> None:
    header, plies = a_match(id, seed)
    rng, straight, broken = Random(seed), Table(), Table()
    for table in (straight, broken):
        table.ask(StartGame, "host", header)
    for ply in plies:
        if rng.random() < 0.3:
            disturbed(broken, rng)
        for table in (straight, broken):
            table.ask(Correct, "host", 0, (ply,))
        assert shown(broken.state) == shown(straight.state)
    for table in (straight, broken):
        while table.state.match.made:  # back to the start: every state before is there too
            table.ask(Undo, "host")
    assert shown(broken.state) == shown(straight.state)


@pytest.mark.parametrize("id", GAMES)
def test_a_reopened_game_outlives_restarts_and_its_chain_holds(id: str, tmp_path: Path) -> None:
    header, plies = a_match(id, 7)
    table = Table()

    def do(kind: type[Any], *args: Any) -> None:
        """A command that is kept, and a restart after it."""
        resumed = open_journal(tmp_path, library(), FakeClock())
        change = table.session.handle(resumed.state, kind(resumed.state.seq, "host", *args))
        resumed.journal.append(change.events, change.state)
        resumed.journal.close()
        table.state = change.state

    do(StartGame, HEADER)
    do(StartGame, header)
    said: list[tuple[Any, ...]] = [
        (EndGame,), (Reopen,), (Correct, 0, (plies[0],)), (LayOut, HEADER), (Reopen,), (Correct, 0, (plies[1],)),
        (EndGame,), (LayOut, HEADER), (EndGame,), (Reopen,), *((Correct, 0, (ply,)) for ply in plies[2:]),
    ]  # fmt: skip
    for kind, *args in said:
        do(kind, *args)
    straight = Table()
    straight.ask(StartGame, "host", header)
    for ply in plies:
        straight.ask(Correct, "host", 0, (ply,))

    resumed = open_journal(tmp_path, library(), FakeClock())
    resumed.journal.verify(1_000)
    resumed.journal.close()
    assert resumed.notices == ()
    assert shown(resumed.state) == shown(table.state) == shown(straight.state)
    path = tmp_path / "journal.sqlite"
    assert check_journal(path, lambda _done, _whole: None).why == ""
    with found_games(path, lambda _done, _whole: None) as games:
        kept = {game.number: record_of(game, library()) for game in games}
    assert [line.get("action") for line in kept[2]][1:len(plies) + 1] == [ply["action"] for ply in plies]


def test_the_host_reopens_and_says_so_in_the_journal() -> None:
    table = played()
    before = table.state.seq
    table.ask(EndGame, "host")
    assert snapshot_of(table.state, "room", 0).can_reopen
    assert table.ask(Reopen, "host") == (GameReopened("host"),)
    assert table.state.seq == before + 2
    assert table.state.belief == "begun"  # the eyes look at the table anew
    assert not snapshot_of(table.state, "room", 0).can_reopen
    assert table.state.match.result is None


def test_a_set_up_that_is_read_is_dropped_for_the_game_before_it() -> None:
    table = played()
    assert isinstance(table.ask(LayOut, "host", HEADER)[0], GameEnded)
    shown = snapshot_of(table.state, 0, 0)
    assert shown.draft
    assert shown.can_reopen
    assert table.ask(Reopen, "host") == (SetupDropped(), GameReopened("host"))
    assert (table.state.draft, len(table.plies)) == (None, 2)


def test_what_was_paused_stays_paused() -> None:
    table = played()
    table.ask(Pause, "host", True)
    table.ask(EndGame, "host")
    table.ask(Reopen, "host")
    assert table.state.paused


def test_a_seat_alone_reopens_nothing() -> None:
    table = played()
    table.ask(EndGame, "host")
    assert refusal(table.ask, Reopen, 0) == "session.host_only"


def test_once_the_next_game_has_begun_the_one_before_stays_ended() -> None:
    table = played()
    table.ask(StartGame, "host", HEADER)
    assert refusal(table.ask, Reopen, "host") == "session.another_game"


def test_a_game_that_goes_on_is_not_reopened_and_neither_is_none() -> None:
    assert refusal(played().ask, Reopen, "host") == "session.another_game"
    assert refusal(Table().ask, Reopen, "host") == "session.no_game"
    table = Table()
    table.ask(LayOut, "host", HEADER)
    assert refusal(table.ask, Reopen, "host") == "session.no_game"


def test_a_game_that_its_rules_ended_is_gone_on_with_by_taking_a_move_back() -> None:
    header, game = a_match("kamikaze-cans", 1)[0], registry.game("kamikaze-cans")
    table = Table()
    table.ask(StartGame, "host", header)
    for _, ply in random_game(game, table.state.match.state, Random(1), 500):
        table.ask(Correct, "host", 0, (_written(game, ply),))
    assert table.state.match.result is not None
    assert not snapshot_of(table.state, "room", 0).can_reopen
    assert refusal(table.ask, Reopen, "host") == "session.over_by_rules"
    table.ask(Undo, "host")
    assert table.state.match.result is None
