import json
from random import Random

from companion.games import registry
from companion.session.commands import Correct, EndGame, Reopen, StartGame
from companion.session.exports import record_lines
from tests.session.tables import Table

GAME = registry.game("yuzu-twist")


def test_the_colours_of_a_blind_game_leave_only_with_its_end() -> None:
    options = GAME.read_options({"blind": True, "quiet_limit": 1}, 2)
    setup = GAME.deal(2, options, Random(1))
    header = {"game": GAME.id, "options": dict(options), "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup}
    table = Table()
    table.do(StartGame(table.state.seq, "host", header))

    during = record_lines(table.state)[0]["setup"]
    table.ask(EndGame, "host")
    while_it_can_be_reopened = record_lines(table.state)[0]["setup"]
    table.ask(Reopen, "host")
    for action in ({"type": "crate", "crate": "A", "to": [0, 0], "turn": True}, {"type": "done"}):
        table.ask(Correct, "host", 0, ({"player": setup["first"], "action": action},))
    assert table.state.match is not None
    assert table.state.match.result is not None
    at_the_end = record_lines(table.state)[0]["setup"]

    assert during["colours"] == while_it_can_be_reopened["colours"] == [None, None]
    assert json.loads(json.dumps(at_the_end["colours"])) == setup["colours"]
