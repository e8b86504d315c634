from __future__ import annotations

from random import Random

from companion.bots import Budget, Search
from companion.bots.analysis import judge
from companion.bots.hints import hint
from companion.engine import Ply
from companion.errors import Phrase
from companion.games import registry
from companion.words import load
from tests.bots.bot_tables import states
from tests.engine.dare import Dare, Say, State

CARD_4 = State((3, 3), (2, 4), ("dare",))


def budget() -> Budget:
    return Budget(playouts=60)


def test_a_ply_that_throws_the_game_away_is_a_turning_point() -> None:
    judged = judge(Dare(), CARD_4, Ply(1, Say("decline")), Random(1), budget)
    assert judged.best == Ply(1, Say("call"))
    assert judged.is_turning_point
    assert judged.missed == judged.best_value - judged.value > 0.4


def test_the_best_ply_misses_nothing() -> None:
    judged = judge(Dare(), CARD_4, Ply(1, Say("call")), Random(1), budget)
    assert judged.best == judged.ply
    assert judged.missed == 0
    assert not judged.is_turning_point


def test_without_time_a_ply_is_valued_all_the_same() -> None:
    judged = judge(Dare(), CARD_4, Ply(1, Say("call")), Random(1), lambda: Budget(time_s=0.0))
    assert judged.value > 0


def test_hints_say_what_to_consider_and_why_in_every_game() -> None:
    for id in registry.ids():
        game = registry.game(id)
        words = load("en", [game.words])
        for state in states(game, 2, Random(4), 3, 6):
            seen = game.view(state, game.turn(state).seats[0])
            told = [words.sentence(each) for each in hint(game, seen, Search().choose(game, seen, Random(1), budget()))]
            assert told[0].startswith("Consider: ")
            assert "playouts" in told[1]
            assert "bots." not in "".join(told)


def test_the_reply_a_hint_expects_does_not_name_hidden_coins() -> None:
    game = registry.game("war-chest")
    words = load("en", [game.words])
    for state in states(game, 2, Random(9), 6, 5):
        seat = game.turn(state).seats[0]
        seen = game.view(state, seat)
        why = Search().choose(game, seen, Random(1), budget()).why
        then = dict(why.args).get("then")
        if isinstance(then, Phrase) and f"player {2 - seat}" in words.say(then):
            assert "spending" not in words.say(then) or "face down" in words.say(then)
