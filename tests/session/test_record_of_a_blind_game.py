import json
from random import Random

from companion.games import registry
from companion.session.commands import EndGame, StartGame
from companion.session.exports import record_lines
from tests.session.tables import Table

GAME = registry.game("yuzu-twist")


def test_the_colours_of_a_blind_game_leave_only_with_its_end() -> None:
    options = GAME.read_options({"blind": True}, 2)
    setup = GAME.deal(2, options, Random(1))
    header = {"game": GAME.id, "options": dict(options), "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup}
    table = Table()
    table.do(StartGame(table.state.seq, "host", header))

    during = record_lines(table.state)[0]["setup"]
    table.ask(EndGame, "host")
    at_the_end = record_lines(table.state)[0]["setup"]

    assert during["colours"] == [None, None]
    assert json.loads(json.dumps(at_the_end["colours"])) == setup["colours"]
