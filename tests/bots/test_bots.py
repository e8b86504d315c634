from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import companion.bots
from companion.bots import LEVELS, Bot, Budget, Greedy, RandomBot, Search, level
from companion.bots.plies import plies_of, settle
from companion.bots.value import outcome, value, values
from companion.engine import BaseGame, Choose, Over, play
from companion.errors import InvalidError
from companion.games import registry
from companion.words import load
from tests.bots.bot_tables import FEW, GAMES, legal, match, start, states
from tests.engine.dare import Dare

BOTS: list[Bot] = [RandomBot(), Greedy(), Search()]
ALL = [*GAMES, Dare()]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_every_choice_is_legal_for_every_seat(game: Any, bot: Any) -> None:
    rng = Random(1)
    for players in game.seats:
        for state in states(game, players, rng, 4, 3):
            for seat in game.turn(state).seats:
                decision = bot.choose(game, game.view(state, seat), rng, FEW)
                assert decision.ply.player == seat
                assert legal(game, state, decision.ply)
                assert game.write_action(decision.action)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_the_same_seed_gives_the_same_choice(game: Any, bot: Any) -> None:
    for state in states(game, max(game.seats), Random(2), 3, 5):
        seen = game.view(state, game.turn(state).seats[0])
        one, two = (bot.choose(game, seen, Random(7), FEW) for _ in range(2))
        assert one == two


@pytest.mark.parametrize(("id", "options"), [("war-chest", {}), ("yuzu-twist", {"blind": True})])
def test_nobody_peeks_another_truth_that_looks_the_same_gives_the_same_choice(id: str, options: Any) -> None:
    game, rng, swapped = registry.game(id), Random(3), 0
    for state in states(game, 2 if id == "war-chest" else 3, rng, 12, 7, **options):
        seat = game.turn(state).seats[0]
        seen = game.view(state, seat)
        other = next((each for _ in range(20) if (each := game.possible(seen, rng)) != state), state)
        swapped += other != state
        for bot in BOTS:
            choices = [bot.choose(game, game.view(truth, seat), Random(5), FEW) for truth in (state, other)]
            assert choices[0] == choices[1]
    assert swapped > 6


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
@pytest.mark.parametrize("budget", [Budget(time_s=0.0), Budget(playouts=0), Budget(time_s=9.0, cancelled=lambda: True)])
def test_without_time_the_answer_comes_at_once_and_is_legal(game: Any, bot: Any, budget: Budget) -> None:
    for state in states(game, min(game.seats), Random(4), 3, 4):
        decision = bot.choose(game, game.view(state, game.turn(state).seats[0]), Random(1), budget)
        assert legal(game, state, decision.ply)
        assert decision.playouts == 0


def test_thinking_ends_with_the_time() -> None:
    ticks = iter(range(1000))
    game = registry.game("kamikaze-cans")
    seen = game.view(start(game, 2, Random(1)), 0 if game.turn(start(game, 2, Random(1))).seats == (0,) else 1)
    decision = Search().choose(game, seen, Random(1), Budget(time_s=10.0, clock_s=lambda: float(next(ticks))))
    assert decision.playouts == 8  # the clock is read at the start, once before all, and before each playout


def test_thinking_can_be_cancelled_between_playouts() -> None:
    asked = iter([False] * 6)
    game = registry.game("pick-and-pack")
    state = start(game, 2, Random(1))
    budget = Budget(time_s=1e9, cancelled=lambda: next(asked, True))
    decision = Search().choose(game, game.view(state, game.turn(state).seats[0]), Random(1), budget)
    assert decision.playouts == 5
    assert legal(game, state, decision.ply)


def test_a_budget_of_neither_time_nor_playouts_is_refused() -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget()
    with pytest.raises(ValueError, match="budget"):
        Budget(time_s=float("nan"))


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_who_is_not_to_act_is_not_asked(bot: Any) -> None:
    game = registry.game("pick-and-pack")
    state = start(game, 2, Random(1))
    for observer in (1 - game.turn(state).seats[0], "room", "referee"):
        with pytest.raises(ValueError, match="not to act"):
            bot.choose(game, game.view(state, observer), Random(1), FEW)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_greedy_wins_most_games_against_random_play(game: Any) -> None:
    won = 0.0
    for number in range(6):
        first = number % 2 == 0
        bots = (Greedy(), RandomBot()) if first else (RandomBot(), Greedy())
        result = match(game, bots, Random(number))
        won += result if first else 1 - result
    assert won >= 4.5


def test_search_takes_a_win_that_greedy_does_not_see() -> None:
    game = Dare()
    state = game.start({}, {}, 2)
    decision = Search().choose(game, game.view(state, 0), Random(1), Budget(playouts=400))
    assert decision.playouts == 400
    assert sum(option.visits for option in decision.values) == 400


def test_with_the_best_card_a_dare_is_called_and_with_the_worst_declined() -> None:
    from tests.engine.dare import Say, State

    game = Dare()
    for card, word in ((4, "call"), (1, "decline")):
        state = State((3, 3), (2 + (card == 1), card), ("dare",))
        decision = Search().choose(game, game.view(state, 1), Random(1), Budget(playouts=200))
        assert decision.action == Say(word)


def test_a_search_of_one_ply_only_values_that_ply() -> None:
    game = registry.game("pick-and-pack")
    state = start(game, 2, Random(1))
    seat = game.turn(state).seats[0]
    ply = list(game.legal(state))[-1]
    decision = Search(only=ply).choose(game, game.view(state, seat), Random(1), FEW)
    assert [option.ply for option in decision.values] == [ply]
    assert decision.value is not None


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_values_lie_between_lost_and_won_and_are_right_in_the_end(game: Any) -> None:
    rng = Random(6)
    for players in game.seats:
        state = start(game, players, rng)
        for before, ply in play.random_game(game, state, rng, 600):
            assert all(0 <= each <= 1 for each in values(game, before))
            state = game.apply(before, ply)
        turn = game.turn(state)
        if isinstance(turn, Over):
            assert values(game, state) == outcome(turn, players)
            if type(game).evaluate is not BaseGame.evaluate:  # the default goes by scores to the end
                assert tuple(game.evaluate(state, seat) for seat in range(players)) == outcome(turn, players)


def test_draws_and_shared_wins_are_half_a_win() -> None:
    assert outcome(Over((), "quiet limit"), 2) == outcome(Over((0, 1), "quiet limit"), 2) == (0.5, 0.5)
    assert outcome(Over((0, 2), "quiet limit"), 4) == (1.0, 0.0, 1.0, 0.0)
    assert outcome(Over((), "quiet limit"), 1) == (0.0,)


def test_a_game_without_promise_is_valued_by_its_lead() -> None:
    from tests.engine.dare import State

    assert value(Dare(), State(), 0) == 0.5
    assert Dare.evaluate is BaseGame.evaluate


def test_a_choice_of_many_subsets_is_thinned_out_and_one_of_few_is_not() -> None:
    game, rng = registry.game("crate-wars"), Random(1)
    state = start(game, 2, rng)

    class Choosing:
        read_action = staticmethod(game.read_action)

        def __init__(self, among: int) -> None:
            self.among = state.supplies[0][:among]

        def legal(self, _state: Any) -> Any:
            from companion.engine import Ply

            yield Ply(0, Choose("keep", self.among, 6, (("crate", 1),), "drinks"))

    assert len(plies_of(cast(Any, Choosing(7)), None, 0, rng)) == 7
    assert 20 < len(plies_of(cast(Any, Choosing(15)), None, 0, rng)) <= 32
    assert plies_of(cast(Any, Choosing(7)), None, 1, rng) == []


def test_chance_is_settled_before_anybody_acts() -> None:
    game = registry.game("war-chest")
    state = settle(game, start(game, 2, Random(1)), Random(1))
    assert game.turn(state).seats


# --- levels and floors ------------------------------------------------------------------------------------------------


def test_levels_have_names_and_words() -> None:
    words = load("en")
    assert all(f"bots.level.{name}" in words for name in LEVELS)
    assert level("quick").time_s < level("deep").time_s
    with pytest.raises(InvalidError):
        level("grandmaster")


def test_bots_import_nothing_but_the_rooms_below_and_no_clock() -> None:
    allowed = ("companion.bots", "companion.engine", "companion.table", "companion.errors")
    forbidden = {"time", "threading", "subprocess", "socket", "os", "multiprocessing"}
    for file in Path(companion.bots.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.startswith(allowed) or not name.startswith("companion"), (file.name, name)
                assert name.split(".")[0] not in forbidden, (file.name, name)
