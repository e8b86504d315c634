"""Undo as promised, in every game: one's own ply freely while nothing came to light and nobody else acted; otherwise
with the consent of those affected, a draw included."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Over, random_ply
from companion.engine.laws_of_secrets import what_comes_to_light_is_said
from companion.engine.trial import ConformanceError, Trial
from companion.games import registry
from companion.games.yuzu_twist.views import brings_to_light
from companion.session.commands import Consent, Correct, Undo
from companion.session.events import PliesTakenBack, UndoAsked
from companion.session.rights import came_to_light, has_secrets, undoing
from companion.session.state import Match
from tests.engine.dare import Dare
from tests.engine.test_laws import DEALT, trial
from tests.session.by_hand.hand_tables import a_table, match_of
from tests.session.tables import Table, refusal

SEEDS = range(4)


def promised(match: Match, by: int) -> set[int]:
    """Who must agree by the promise, from the plies alone."""
    others = set(range(match.opened.players)) - {by}
    last = match.made[-1].ply.player
    if last == CHANCE or came_to_light(match):
        return others
    assert isinstance(last, int)
    return {last} - {by}


@pytest.mark.parametrize("id", registry.ids())
@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_undoes_what_came_to_light_needs_the_consent_of_those_affected(id: str, seed: int) -> None:
    rng = Random(f"{id} undo {seed}")
    table = a_table(id, rng)
    for _ in range(60):
        match = match_of(table)
        if isinstance(match.game.turn(match.state), Over):
            break
        table.ask(Correct, "host", 0, (match.written(match.seen(random_ply(match.game, match.state, rng))),))
        _each_seat_undoes(table, match_of(table))


def _each_seat_undoes(table: Table, match: Match) -> None:
    before = table.state
    for by in range(match.opened.players):
        wish, affected = undoing(match, by), promised(match, by)
        assert set(wish.consent) == affected
        assert all(made.ply.player == CHANCE for made in match.made[len(match.made) - wish.number + 1:])
        first = table.ask(Undo, by)
        assert isinstance(first[0], UndoAsked) == bool(affected)
        for n, other in enumerate(sorted(affected)):
            assert refusal(table.ask, Consent, by, True) == "session.not_asked"
            done = any(isinstance(event, PliesTakenBack) for event in table.ask(Consent, other, True))
            assert done == (n == len(affected) - 1)
        assert len(match_of(table).made) == len(match.made) - wish.number
        table.state = before
    assert undoing(match, "host").consent == ()


def test_the_end_of_a_game_with_secrets_is_taken_back_with_the_consent_of_all() -> None:
    rng = Random(5)
    table = a_table("war-chest", rng, 2)
    match = match_of(table)
    assert has_secrets(match)
    while not isinstance(match.game.turn(match.state), Over):
        ply = match.seen(random_ply(match.game, match.state, rng))
        table.ask(Correct, "host", 0, (match.written(ply),))
        match = match_of(table)
    owner: Any = match.made[-1].ply.player
    assert undoing(match, owner).consent == (1 - owner,)


# --- a colour that turns out to be nobody's ---------------------------------------------------------------------------


def test_a_completed_colour_that_ends_nothing_comes_to_light() -> None:
    state = match_of(a_table("yuzu-twist", Random(1), 2)).state
    blind = replace(state, terms=replace(state.terms, blind=True))
    assert brings_to_light(blind, replace(blind, nobodys=("red",)))
    assert not brings_to_light(blind, blind)
    open_game = replace(state, terms=replace(state.terms, blind=False))
    assert not brings_to_light(open_game, replace(open_game, nobodys=("red",)))


class Peeks(Dare):
    """Who dares sees the other seat's card; the game says that it came to light, or does not."""

    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return replace(seen, scores=state.cards) if observer == 0 and state.said else seen


def test_a_game_that_does_not_say_what_comes_to_light_is_told() -> None:
    what_comes_to_light_is_said(trial(Dare(), DEALT))
    tried = trial(Peeks(), DEALT)
    with pytest.raises(ConformanceError, match="brings something to light"):
        _try_often(tried)


def _try_often(tried: Trial) -> None:
    """A made-up state may be the true one by chance."""
    for _ in range(9):
        what_comes_to_light_is_said(tried)
