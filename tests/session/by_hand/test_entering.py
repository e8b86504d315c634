"""Who may enter what by hand, and what an entry may not tell."""

from __future__ import annotations

from random import Random

from companion.engine import Chance, Confiding, ToMove, random_ply
from companion.session.by_hand.entering import EntryShown, entry_again, entry_for
from companion.session.commands import Confide, Correct, EndGame
from companion.session.state import State
from tests.session.by_hand.hand_tables import a_table, all_plies, enter, host_entry, match_of, random_states, spelled
from tests.session.tables import Table


def why_not(shown: EntryShown) -> str:
    assert shown.entry is None
    assert shown.why_not is not None
    return shown.why_not.id


def test_without_a_game_nothing_can_be_entered() -> None:
    assert why_not(entry_for(State(), None, is_host=True)) == "session.no_game"


def test_a_seat_enters_its_own_plies_and_the_host_everybodys() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    turn = match_of(table).game.turn(match_of(table).state)
    assert isinstance(turn, ToMove)
    mover = turn.seats[0]
    assert entry_for(table.state, mover, is_host=False).entry is not None
    assert why_not(entry_for(table.state, 1 - mover, is_host=False)) == "entry.not_yours"
    assert entry_for(table.state, 1 - mover, is_host=True).entry is not None
    assert why_not(entry_for(table.state, None, is_host=False)) == "entry.not_yours"


def test_what_is_entered_is_played() -> None:
    table = a_table("kamikaze-cans", Random(1), players=3)
    entry = host_entry(table.state)
    piece = next(offer for offer in entry.after(()).on_board if not offer.is_quiet)
    place = entry.after((piece.touch,)).on_board[0]
    assert place.ply is not None
    table.ask(Correct, "host", 0, (place.ply,))
    assert spelled(match_of(table).written(table.plies[-1])) == spelled(place.ply)


def test_after_the_end_nothing_can_be_entered() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    table.ask(EndGame, "host")
    assert why_not(entry_for(table.state, 0, is_host=True)) == "session.game_over"


def test_any_seat_enters_what_chance_brought() -> None:
    for state in random_states("crate-wars", 2, 200):
        assert state.match is not None
        if isinstance(state.match.game.turn(state.match.state), Chance):
            for seat in (0, 1):
                shown = entry_for(state, seat, is_host=False)
                assert shown.entry is not None
                for ply in all_plies(state.match.game, state.match.state)[0]:
                    assert enter(shown.entry, spelled(state.match.written(ply)))
            assert why_not(entry_for(state, None, is_host=False)) == "web.watches"
            return
    raise AssertionError("chance was never due")


def test_what_a_seat_told_of_its_hand_changes_no_other_entry() -> None:
    table, rng = a_table("war-chest", Random(3), players=2), Random(4)
    while not isinstance(turn := match_of(table).game.turn(match_of(table).state), ToMove):
        ply = match_of(table).seen(random_ply(match_of(table).game, match_of(table).state, rng))
        table.ask(Correct, "host", 0, (match_of(table).written(ply),))
    mover, game = turn.seats[0], match_of(table).game
    before = {who: _offered(table.state, who) for who in (None, mover)}
    assert isinstance(game, Confiding)
    told = next(iter(game.may_confide(match_of(table).state, mover)))
    table.ask(Confide, mover, told)
    assert _offered(table.state, None) == before[None]
    assert _offered(table.state, mover) == before[mover]


def _offered(state: State, seat: int | None) -> list[str]:
    entry = entry_for(state, seat, is_host=seat is None).entry
    assert entry is not None
    return [spelled(ply.written) for ply in entry.plies] + [str(offer) for offer in entry.after(()).offers]


def played_by_hand(table: Table, plies: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(plies):
        match = match_of(table)
        table.ask(Correct, "host", 0, (match.written(match.seen(random_ply(match.game, match.state, rng))),))


def test_an_earlier_ply_is_put_right_and_what_was_played_after_it_stays() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    played_by_hand(table, 6)
    plies = table.plies
    shown = entry_again(table.state, 2, None, is_host=True)
    assert shown.entry is not None
    corrections = [shown.correction(ply.written) for ply in shown.entry.plies]
    whole = next(each for each in corrections if not each.dropped)
    assert (whole.take_back, len(whole.plies)) == (5, 5)
    table.ask(Correct, "host", whole.take_back, whole.plies)
    assert table.plies[0] == plies[0]
    assert table.plies[1] != plies[1]
    assert table.plies[2:] == plies[2:]


def test_what_fits_no_more_after_an_earlier_ply_is_counted_and_goes() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    played_by_hand(table, 6)
    shown = entry_again(table.state, 1, None, is_host=True)
    assert shown.entry is not None
    corrections = [shown.correction(ply.written) for ply in shown.entry.plies]
    cut = next(each for each in corrections if each.dropped)
    assert cut.dropped + len(cut.plies) == 6
    table.ask(Correct, "host", cut.take_back, cut.plies)
    assert len(table.plies) == len(cut.plies)


def test_what_was_played_is_not_offered_as_what_it_really_was() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    played_by_hand(table, 3)
    for n in (1, 2, 3):
        shown = entry_again(table.state, n, None, is_host=True)
        assert shown.entry is not None
        assert match_of(table).written(table.plies[n - 1]) not in [ply.written for ply in shown.entry.plies]


def test_any_seat_puts_earlier_plies_right_and_who_watches_none() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    played_by_hand(table, 3)
    for seat in (0, 1):
        shown = entry_again(table.state, 1, seat, is_host=False)
        assert shown.entry is not None
        right = next(fit for ply in shown.entry.plies if not (fit := shown.correction(ply.written)).dropped)
        table.ask(Correct, seat, right.take_back, right.plies)
        assert len(table.plies) == 3
    assert why_not(entry_again(table.state, 3, None, is_host=False)) == "session.correct_own_turn"


def test_what_was_not_played_cannot_be_put_right() -> None:
    table = a_table("kamikaze-cans", Random(1), players=2)
    played_by_hand(table, 3)
    for n in (-1, 4, 999):
        assert why_not(entry_again(table.state, n, None, is_host=True)) == "session.nothing_to_correct"
    assert why_not(entry_again(State(), 1, None, is_host=True)) == "session.nothing_to_correct"
