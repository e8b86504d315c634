"""Each kind of ply that is hard to see, in the games that have it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import Ply
from companion.games.pick_and_pack.actions import Rush
from companion.interpret import Ambiguous, Interpreter, Moved, Unchanged
from companion.interpret.trial_games import looks_at
from tests.interpret.fuzz_selfplay import made_up
from tests.interpret.perfect_table import Table, crate_wars, war_chest
from tests.interpret.test_handovers import look_at


def test_a_draw_is_given_out_with_the_ply_that_follows_it() -> None:
    table = war_chest()
    ply = table.legal("deploy")[0]

    assert table.look() == Unchanged()
    table.play(ply)
    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.player for each in outcome.plies] == ["chance", ply.player]


def test_a_coin_bolstered_is_told_by_its_turn_alone() -> None:
    table = war_chest()
    table.play(table.legal("deploy")[0])
    table.look()
    table.play(table.legal("pass")[0])
    table.look()
    table.play(table.legal("bolster")[0])

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["bolster"]


def test_a_unit_deployed_and_moved_on_is_told_by_the_coin_that_moved_it() -> None:
    """B made the last ply of a round and the first of the next one before anybody looked."""
    table = war_chest()
    for kind in ("pass", "initiative", "pass", "pass", "pass"):
        table.play(table.legal(kind)[0])
    table.belief = table.interpreter.corrected(table.state)
    table.look()
    table.look()
    deploy = table.legal("deploy")[0]
    table.play(deploy)
    table.play(Ply("chance", table.game.sample(table.state, Random(0))))
    table.play(next(ply for ply in table.legal("move") if ply.action.coin == deploy.action.coin))

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["deploy", "draw", "move"]


def test_what_the_machine_gave_back_is_told_by_what_stands_there() -> None:
    table = crate_wars((0, 1), (0, 2), (0, 3), (0, 2))
    vend = table.legal("vend")[0]
    table.play(vend)
    assert isinstance(table.look(), Moved)
    inside = next(iter(table.game.legal(table.state))).action.among
    vended = {"type": "vended", "crate": vend.action.crate, "returned": [inside[0]]}
    table.play(Ply("chance", table.game.read_action(vended)))

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.action.returned for each in outcome.plies] == [(inside[0],)]


def test_that_the_machine_kept_everything_is_told_with_the_next_ply() -> None:
    table = crate_wars((0, 1), (0, 2))
    vend = table.legal("vend")[0]
    table.play(vend)
    table.look()
    table.play(Ply("chance", table.game.read_action({"type": "vended", "crate": vend.action.crate, "returned": []})))
    assert table.look() == Unchanged()
    table.play(table.legal("place")[0])

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["vended", "place"]


def test_the_side_of_a_coin_that_was_seen_is_named() -> None:
    table = Table("crate-wars")
    pieces = table.pieces()
    turned = next(piece for piece in pieces if piece["spot"] == "coins:0")
    turned["appearance"] = "yen:500:back"

    assert table.look(pieces) == Unchanged()

    stands = [stand.appearance for stand in table.interpreter.believed_pieces(table.belief) if stand.spot == "coins:0"]
    assert sorted(map(str, stands)) == ["yen:500", "yen:500", "yen:500", "yen:500:back"]


def test_what_the_first_look_shows_is_believed_though_a_coin_was_not_seen() -> None:
    table = Table("crate-wars")
    pieces = table.pieces()
    pieces.remove(next(piece for piece in pieces if piece["spot"] == "coins:0"))

    belief = table.interpreter.look(table.interpreter.begin(table.state), table.observation(pieces)).belief

    stands = [stand.spot for stand in table.interpreter.believed_pieces(belief)]
    assert (stands.count("coins:0"), stands.count("coins:1"), stands.count("supply:0")) == (3, 4, 18)


def test_a_crate_and_its_swaps_are_told_together() -> None:
    table = Table("yuzu-twist")
    table.play(next(ply for ply in table.legal("crate") if ply.action.to not in table.state.cells))
    table.play(table.legal("swap")[0])

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert table.belief.now.state == table.state


def test_a_swap_of_look_alikes_beside_a_crate_is_asked_about() -> None:
    """The crate alone explains the look, but for a little that a swap explains."""
    table = Table("yuzu-twist")
    table.play(next(ply for ply in table.legal("crate") if ply.action.to not in table.state.cells))
    alone = table.state
    swap = table.legal("swap")[0]
    table.play(swap)
    here, there = table.game.placement(alone), table.game.placement(table.state)
    swapped = {spot for spot in here if here[spot] != there.get(spot)}
    seen = table.observation()
    doubtful = tuple(
        replace(sight, loglik={**sight.loglik, here[sight.spot][-1]: -2.2}) if sight.spot in swapped else sight
        for sight in seen.sights
    )

    outcome = table.interpreter.look(table.belief, replace(seen, sights=doubtful)).outcome

    assert isinstance(outcome, Ambiguous)
    assert [[each.action.type for each in choice.plies] for choice in outcome.choices] == [["crate"], ["crate", "swap"]]


def test_a_turn_that_ended_early_is_given_out_with_the_next_crate() -> None:
    table = Table("yuzu-twist")
    table.play(table.legal("crate")[0])
    table.look()
    table.play(table.legal("swap")[0])
    table.look()
    table.play(table.legal("done")[0])
    assert table.look() == Unchanged()
    table.play(next(ply for ply in table.legal("crate") if ply.action.to not in table.state.cells))

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["done", "crate"]


def test_an_equal_tray_on_a_packing_crate_is_told() -> None:
    table = Table("pick-and-pack")
    for _ in range(6):
        table.play(table.legal("grab")[0])
        outcome = table.look()
        assert isinstance(outcome, Moved)
    assert table.belief.now.state == table.state


def test_a_coin_that_was_bolstered_without_a_trace_costs_its_own_ply_alone() -> None:
    """It lies exactly as the one below it lay: nothing is seen, until a ply comes that can only follow it."""
    table = war_chest()
    first = table.legal("deploy")[0]
    table.play(first)
    table.look()
    lay = [piece for piece in table.pieces() if piece["appearance"] == f"coin:{first.action.coin}"
           and piece["spot"].startswith("hex")]
    second = table.legal("deploy")[0]
    table.play(second)
    table.look()
    table.play(next(ply for ply in table.legal("bolster") if ply.action.coin == first.action.coin))
    assert table.look(_but_for(table, lay)) == Unchanged()
    table.play(next(ply for ply in table.legal("move") if ply.action.coin == second.action.coin))

    outcome = table.look(_but_for(table, lay))

    assert isinstance(outcome, Ambiguous)
    assert [each.action.type for each in outcome.choices[0].plies] == ["bolster", "move"]


def _but_for(table: Table, lay: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pieces of a table, but for some spots, at which they lie as they lay."""
    spots = {piece["spot"] for piece in lay}
    return [piece for piece in table.pieces() if piece["spot"] not in spots] + lay


@pytest.mark.parametrize(("seed", "first", "kind"), [(3, 20, Moved), (46, 37, Moved), (49, 41, Moved), (54, 36, Moved),
                                                     (41, 48, Ambiguous), (43, 52, Ambiguous)])
def test_a_grabber_that_went_and_came_back_in_a_rush_is_told_by_what_it_did(seed: int, first: int, kind: type) -> None:
    """It stands where it stood, so that its first move looks wrong until the second one is known. In the last two games
    the tray that it took first lies beneath the tile of the second: this is asked about."""
    story = made_up("pick-and-pack", seed)
    turn, (before, after) = story.plies[first : first + 3], (story.states[first], story.states[first + 3])
    assert turn[1].action == Rush()
    assert before.grabber == after.grabber
    interpreter = Interpreter(story.game, story.layout)
    belief = interpreter.look(interpreter.begin(before), look_at(story, before)).belief

    outcome = interpreter.look(belief, look_at(story, after)).outcome

    assert isinstance(outcome, kind)
    told = outcome.choices[0].plies if isinstance(outcome, Ambiguous) else outcome.plies
    assert list(told) == list(turn)


def test_plies_that_put_down_what_is_not_seen_are_asked_about() -> None:
    """A recalled his crate, B placed a bottle, A vended it: three plies, after which it stands nowhere. That B placed
    it on A's crate and got it back with that explains all else, but then it would stand beside it."""
    story = made_up("crate-wars", 7)
    interpreter = Interpreter(story.game, story.layout)
    belief = interpreter.begin(story.states[0])
    for look in looks_at(story, 7, None, (1, 2, 3)):
        step = interpreter.look(belief, look.observation)
        belief = step.belief
        if look.done == 18:
            break

    assert [story.game.write_action(ply.action)["type"] for ply in story.plies[15:18]] == ["recall", "place", "vend"]
    assert not isinstance(step.outcome, Moved)
