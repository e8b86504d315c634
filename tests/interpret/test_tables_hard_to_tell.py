"""What covers the traces of what was played, and what came back: told, or asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.interpret import Ambiguous, Moved, Odd
from companion.table import EMPTY, Sight
from tests.interpret.perfect_table import Table, crate_wars, war_chest


def given_back(table: Table, moved_mm: float, kept: int = 0) -> list[dict[str, Any]]:
    """The drinks of a crate come back from the machine, so far from where they stood, but for those that it `kept`."""
    vend = table.legal("vend")[0]
    before = table.pieces()
    table.play(vend)
    inside = next(iter(table.game.legal(table.state))).action.among
    vended = {"type": "vended", "crate": vend.action.crate, "returned": list(inside)[kept:]}
    table.play(Ply("chance", table.game.read_action(vended)))
    pieces = table.pieces()
    for piece in pieces:
        if piece["spot"] == f"beside:{1 - vend.player}:{vend.action.crate}":
            piece["at"] = _stood(before, piece)[0] + moved_mm, piece["at"][1]
    return pieces


def _stood(before: Sequence[dict[str, Any]], piece: dict[str, Any]) -> tuple[float, float]:
    """Where a piece stood before."""
    where: tuple[float, float] = next(
        each["at"] for each in before if (each["spot"], each["appearance"]) == (piece["spot"], piece["appearance"]))
    return where


@pytest.mark.parametrize("placings", [((0, 1), (0, 2)), ((0, 1), (0, 2), (0, 1))])
def test_drinks_that_came_back_from_the_machine_are_told_by_where_they_stand_now(
        placings: Sequence[tuple[int, int]]) -> None:
    table = crate_wars(*placings)

    outcome = table.look(given_back(table, moved_mm=1.5))

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["vend", "vended"]


def test_drinks_that_came_back_without_one_are_told_by_where_they_stand_now() -> None:
    table = crate_wars((0, 1), (0, 2), (0, 1))

    outcome = table.look(given_back(table, moved_mm=1.5, kept=1))

    assert isinstance(outcome, Moved)
    assert [each.action.type for each in outcome.plies] == ["vend", "vended"]
    assert len(outcome.plies[1].action.returned) == 1


def test_where_a_coin_is_gone_and_all_drinks_stand_as_before_it_is_asked_what_it_paid_for() -> None:
    """They may stand just where they stood; coins do not hide."""
    table = crate_wars((0, 1), (0, 2))

    outcome = table.look(given_back(table, moved_mm=0.0))

    assert isinstance(outcome, Ambiguous)
    assert ["vend", "vended"] in [[each.action.type for each in choice.plies] for choice in outcome.choices]


def test_a_coin_that_was_recruited_under_the_next_one_is_not_forgotten() -> None:
    """The supply lies anew, though the two coins that were moved since explain all that is to be read."""
    table = war_chest()
    for _ in range(2):
        table.play(table.legal("deploy")[0])
        table.look()
    for kind in ("recruit", "move", "move"):
        table.play(table.legal(kind)[0])

    outcome = table.look()

    assert isinstance(outcome, Moved | Ambiguous)
    choices = [outcome.plies] if isinstance(outcome, Moved) else [choice.plies for choice in outcome.choices]
    assert any(sorted(each.action.type for each in plies) == ["move", "move", "recruit"] for plies in choices)


def test_a_pass_that_the_next_coin_covers_is_asked_about() -> None:
    """A passed, B moved, A moved: the table looks as if A had moved and then B."""
    table = war_chest()
    for kind in ("deploy", "deploy"):
        table.play(table.legal(kind)[0])
        table.look()
    for kind in ("pass", "move", "move"):
        table.play(table.legal(kind)[0])

    outcome = table.look()

    assert isinstance(outcome, Ambiguous)
    choices = [[each.action.type for each in choice.plies] for choice in outcome.choices]
    assert choices[0] == ["move", "move"]
    assert ["pass", "move", "move"] in choices


def test_a_coin_that_is_gone_without_a_reason_is_asked_about() -> None:
    """What was played explains the drinks, and not why the other player has a coin less."""
    table = crate_wars((0, 1), (0, 2))
    ply = table.legal("place")[0]
    table.play(ply)
    pieces = table.pieces()
    pieces.remove(next(piece for piece in pieces if piece["spot"] == f"coins:{ply.player}"))

    outcome = table.look(pieces)

    assert not isinstance(outcome, Moved)


def test_what_none_of_the_choices_was_does_not_become_the_order_of_things() -> None:
    """A drink stands beside a crate, and a person said that it was neither of the two that it looks like."""
    table = crate_wars()
    first, second = table.legal("place")[0], next(
        ply for ply in table.legal("place") if ply.action.drink != table.legal("place")[0].action.drink
    )
    twins = {first.action.drink, second.action.drink}
    table.play(first)
    seen = table.observation()
    alike = replace(seen, sights=tuple(
        replace(sight, loglik={**sight.loglik, **dict.fromkeys(twins, 0.0)})
        if max(sight.loglik, key=lambda name: sight.loglik[name]) in twins else sight for sight in seen.sights
    ))
    step = table.interpreter.look(table.belief, alike)
    assert isinstance(step.outcome, Ambiguous)

    refused = table.interpreter.answer(step.belief, None)
    again = table.interpreter.look(refused.belief, alike)

    assert isinstance(refused.outcome, Odd)
    assert isinstance(again.outcome, Ambiguous)
    assert again.outcome.choices == ()
    assert refused.belief.now.costs == step.belief.now.costs


def test_a_second_drink_is_looked_for_though_the_first_explains_nearly_all() -> None:
    """B has passed; A placed two drinks. One of those in A's supply is hidden, and may have been placed too."""
    table = crate_wars()
    table.play(table.legal("pass")[0])
    first = table.legal("place")[0]
    table.play(first)
    table.look()
    others = [ply for ply in table.legal("place") if ply.action.crate != first.action.crate]
    table.play(others[0])
    table.play(next(ply for ply in table.legal("place") if ply.action.crate not in {
        first.action.crate, others[0].action.crate}))
    full = table.observation()
    hidden = next(sight for sight in full.sights if sight.spot == f"supply:{first.player}")

    step = table.interpreter.look(table.belief, replace(full, sights=tuple(s for s in full.sights if s != hidden)))

    assert isinstance(step.outcome, Ambiguous)
    fewest, *more = [len(choice.plies) for choice in step.outcome.choices]
    assert fewest == 2
    assert set(more) == {3}


@pytest.mark.parametrize(("missing", "told"), [(1, Moved), (2, Ambiguous)])
def test_a_pass_is_asked_about_when_it_takes_away_what_was_not_explained(missing: int, told: type) -> None:
    """Who passes takes the supply from the table, and with it what would have told of a ply before."""
    table = crate_wars()
    leaving, pieces = table.legal("pass")[0], table.pieces()
    supply = [piece for piece in pieces if piece["spot"] == f"supply:{leaving.player}"]
    table.look([piece for piece in pieces if piece not in supply[:missing]])
    table.play(leaving)

    assert isinstance(table.look(), told)


def test_what_came_back_from_the_machine_and_was_seen_to_stand_is_not_doubted_when_it_goes_in_again() -> None:
    """Fewer might have come back; but all of it was seen at two looks."""
    table = crate_wars((0, 4), (0, 2), (0, 4), (0, 3), (0, 4), (0, 1))
    table.play(table.legal("pass")[0])
    table.look()
    table.play(next(ply for ply in table.legal("vend") if ply.action.crate == 4))
    table.look()
    inside = next(iter(table.game.legal(table.state))).action.among
    vended = {"type": "vended", "crate": 4, "returned": list(inside)}
    table.play(Ply("chance", table.game.read_action(vended)))
    assert isinstance(table.look(), Moved)
    table.look()
    again = next(ply for ply in table.legal("vend") if ply.action.crate == 4)
    table.play(again)

    outcome = table.look()

    assert isinstance(outcome, Moved)
    assert outcome.plies == (again,)


def test_a_drink_that_may_still_stand_where_it_was_taken_is_not_passed_over() -> None:
    """A shadow looks a little like it there, so that less than one missing piece is left unexplained."""
    table = crate_wars()
    ply = table.legal("place")[0]
    stood = next(sight for sight in table.observation().sights
                 if sight.spot == f"supply:{ply.player}" and sight.likeliest == ply.action.drink)
    table.play(ply)
    now = table.observation()

    outcome = table.interpreter.look(table.belief, replace(now, sights=(
        *(_or_nothing(sight, -0.3) if sight.likeliest == ply.action.drink else sight for sight in now.sights),
        _or_nothing(stood, 8.0)))).outcome

    assert isinstance(outcome, Moved | Ambiguous)
    assert ply in (outcome.plies if isinstance(outcome, Moved) else outcome.choices[0].plies)


def _or_nothing(sight: Sight, nats: float) -> Sight:
    """The same, but nothing is so many nats likelier there."""
    return replace(sight, loglik={sight.likeliest: 0.0, EMPTY: nats}, fresh=True)
