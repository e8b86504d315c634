"""Whatever may be played, or come by chance, can be entered by the touches that are offered; nothing else can."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import Chance
from companion.engine.play import random_choice
from companion.games import registry
from companion.session.by_hand.handles import Handle
from companion.session.by_hand.touches import Pick, read_touch, write_touch
from companion.session.commands import Correct
from companion.words import load
from tests.session.by_hand.hand_tables import (
    ORDINARY,
    a_table,
    all_plies,
    enter,
    entered_within,
    host_entry,
    match_of,
    random_states,
    spelled,
)

SAMPLE = 200
PLIES = {"yuzu-twist": 40, "war-chest": 60}
STEP = 7
WORDS = load("en", [registry.game(id).words for id in registry.ids()])


@pytest.mark.parametrize("id", registry.ids())
def test_every_legal_ply_and_every_outcome_can_be_entered_and_no_other(id: str) -> None:
    game, rng = registry.game(id), Random(id)
    for n, state in enumerate(random_states(id, 1, PLIES.get(id, 70))):
        assert state.match is not None
        match = state.match
        plies, choices = all_plies(game, match.state)
        if n % STEP and not choices and not isinstance(game.turn(match.state), Chance):
            continue
        entry, legal = host_entry(state), {spelled(match.written(match.seen(ply))) for ply in plies}
        found = entered_within(entry, ORDINARY)
        for choose in choices:
            for _ in range(5):
                wanted = spelled({"player": choose.player, "action": game.write_action(
                    random_choice(game, choose.action, rng))})
                enter(entry, wanted)
        if not choices:
            assert found.keys() <= legal
        missing = sorted(legal - found.keys())
        for wanted in rng.sample(missing, min(SAMPLE, len(missing))):
            assert isinstance(game.turn(match.state), Chance), f"no ordinary ply takes more touches: {wanted}"
            enter(entry, wanted)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("id", registry.ids())
def test_every_ply_of_whole_games_can_be_entered(id: str, seed: int) -> None:
    for n, state in enumerate(random_states(id, seed, 200)):
        assert state.match is not None
        match = state.match
        plies, choices = all_plies(match.game, match.state)
        if n % 5 == seed % 5 and not choices:
            assert entered_within(host_entry(state), ORDINARY + 1).keys() == {
                spelled(match.written(match.seen(ply))) for ply in plies}


@pytest.mark.parametrize("id", registry.ids())
def test_all_that_is_offered_is_said_in_words(id: str) -> None:
    words = WORDS.of(id)
    for state in list(random_states(id, 3, 12))[::3]:
        entry = host_entry(state)
        steps = [entry.after(())]
        steps += [entry.after((offer.touch,)) for offer in steps[0].on_board[::5]]
        for offer in (offer for step in steps for offer in step.offers):
            assert "entry." not in words.say(offer.said)
            assert offer.handle is None or "spot." not in words.say(offer.said)


def test_a_touch_that_fits_nothing_any_more_is_left_out() -> None:
    entry = host_entry(a_table("kamikaze-cans", Random(1)).state)
    first = entry.after(()).on_board[0].touch
    again = entry.after((first, first, Handle("nowhere"), Pick(("type",), "fly"), Pick(n=99)))
    assert again.touches == (first,)


def test_a_place_is_quiet_while_a_piece_can_be_touched_first() -> None:
    entry = host_entry(a_table("kamikaze-cans", Random(1)).state)
    at_first = entry.after(())
    assert {offer.is_quiet for offer in at_first.on_board if isinstance(offer.handle, Handle) and offer.handle.piece
            } == {False}
    assert {offer.is_quiet for offer in at_first.on_board if isinstance(offer.handle, Handle) and not offer.handle.piece
            } == {True}
    piece = next(offer.touch for offer in at_first.on_board if not offer.is_quiet)
    assert not any(offer.is_quiet for offer in entry.after((piece,)).on_board)


def test_the_first_touch_alone_plays_nothing_but_what_is_said_in_words() -> None:
    for id in registry.ids():
        for state in random_states(id, 4, 6):
            assert all(offer.ply is None for offer in host_entry(state).after(()).on_board)


def test_what_cannot_be_touched_has_the_rule_as_its_reason() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    match = match_of(table)
    ply = next(iter(match.game.legal(match.state)))
    table.ask(Correct, "host", 0, (match.written(ply),))
    entry = host_entry(table.state)
    taken = next(spot for spot, pieces in entry.now.items() if spot.startswith("grid") and pieces)
    mine = next(offer.touch for offer in entry.after(()).on_board if not offer.is_quiet)
    why = entry.why_not((mine,), Handle(taken))
    assert why.id == "entry.by_rule"
    assert "(KC 3.2)" in WORDS.say(why)
    assert entry.why_not((mine,), Handle("nowhere")).id == "entry.not_now"


@pytest.mark.parametrize("touch", [
    Handle("grid:a1"), Handle("stock:0", "red/stub_can"), Pick(n=3), Pick(("type",), "pass"), Pick(("coins", "0"), "a"),
    Pick(("to",), "")])
def test_touches_are_spelled_and_read(touch: Handle | Pick) -> None:
    assert read_touch(write_touch(touch)) == touch


@pytest.mark.parametrize("spelled_wrongly", ["", "#", "#x", "#-1", "#123456789", "grid", "#²"])
def test_what_is_no_touch_is_not_read(spelled_wrongly: str) -> None:
    assert read_touch(spelled_wrongly) is None
