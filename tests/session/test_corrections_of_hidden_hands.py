from random import Random

from companion.engine import play
from companion.games import registry
from companion.session.commands import Correct, StartGame
from companion.session.projection import correction_offers
from tests.session.tables import Table

GAME = registry.game("war-chest")


def test_what_could_have_been_played_shows_no_hand_to_others() -> None:
    options = GAME.read_options({}, 2)
    setup = GAME.deal(2, options, Random(1))
    header = {"game": GAME.id, "options": dict(options), "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup}
    table = Table()
    table.do(StartGame(table.state.seq, "host", header))
    state, rng = GAME.start(setup, options, 2), Random(2)
    for _ in range(2):
        ply = play.random_ply(GAME, state, rng)
        state = GAME.apply(state, ply)
        table.ask(Correct, "host", 0, ({"player": ply.player, "action": GAME.write_action(ply.action)},))
    mover = ply.player
    assert isinstance(mover, int)
    other = 1 - mover

    assert correction_offers(table.state, mover)
    assert correction_offers(table.state, "referee")
    assert correction_offers(table.state, other) == correction_offers(table.state, "room") == ()
