"""Each law by itself, on states that keep it and on games that break it: the whole message of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Chance, Choose, Over, Ply, ScorePart, ToMove, laws
from companion.engine.trial import ConformanceError, Trial
from companion.errors import IllegalError, Phrase, phrase
from companion.words import load
from tests.engine.dare import Bid, Dare, Deal, Say, State
from tests.engine.takes import Takes

WORDS = load("en", [Dare().words])
BIDDING, DEALT = State(), State((1, 2), (3, 4))
UNDEALT, DARED = State((1, 2)), State((1, 2), (3, 4), ("dare",))
OVER = State((1, 2), (3, 4), ("dare", "call"))
STATES = (BIDDING, State((0, 2)), UNDEALT, DEALT, DARED, OVER)


def trial(game: Any, state: Any, **rest: Any) -> Trial:
    return Trial(game, 2, WORDS, Random(1), {}, state, list(game.legal(state)), **rest)


def broken(law: Callable[[Trial], None], tried: Trial) -> str:
    """What stands in the message behind the law's sentence."""
    with pytest.raises(ConformanceError) as caught:
        law(tried)
    sentence = str(law.__doc__)
    assert str(caught.value).startswith(sentence)
    return str(caught.value)[len(sentence):]


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("state", STATES, ids=str)
def test_a_good_game_keeps_each_law_in_every_state(law: Callable[[Trial], None], state: State) -> None:
    bids = [Ply(0, Bid(3)), Ply(1, Bid(3)), Ply(CHANCE, Deal((1, 2))), Ply(0, Say("fold")), Ply(1, Say("call"))]
    law(trial(Dare(), state, seen_plies=bids))


class Turned(Dare):
    """Says that it is this turn."""

    def __init__(self, turn: Any) -> None:
        self._turn = turn

    def turn(self, state: Any) -> Any:
        return self._turn

    def legal(self, state: Any) -> Any:
        return iter(())


GAP, MISSING = phrase("dare.said"), phrase("dare.lost")


@pytest.mark.parametrize("turn", [
    Over((), "stalemate"), Over((0, 1), "stalemate"), Chance(phrase("dare.deal")), ToMove((1,), phrase("dare.say")),
])
def test_a_turn_that_is_whole_is_taken(turn: Any) -> None:
    laws.turn_is_whole(trial(Turned(turn), BIDDING))


@pytest.mark.parametrize(("turn", "told"), [
    (Over((0,), "boredom"), " — Over(winners=(0,), reason='boredom')"),
    (Over((0, 2), "stalemate"), " — Over(winners=(0, 2), reason='stalemate')"),
    (Chance(MISSING), " (a phrase is missing) — dare.lost()"),
    (Chance(GAP), " (the gap 'word' is not filled) — dare.said()"),
    (ToMove((), phrase("dare.say")), " — ToMove(seats=(), ask=Phrase(id='dare.say', args=()))"),
    (ToMove((0, 2), phrase("dare.say")), " — ToMove(seats=(0, 2), ask=Phrase(id='dare.say', args=()))"),
    (ToMove((0,), MISSING), " (a phrase is missing) — dare.lost()"),
])
def test_a_turn_that_is_not_whole_is_told(turn: Any, told: str) -> None:
    assert broken(laws.turn_is_whole, trial(Turned(turn), BIDDING)) == told


BID, BIDS = Ply(0, Bid(1)), (Ply(0, Bid(1)), Ply(1, Bid(1)))


@pytest.mark.parametrize(("turn", "listed", "told"), [
    (ToMove((0,), phrase("dare.say")), [BID, BID], f" — {[BID, BID]}"),
    (Over((), "stalemate"), [BID], f" — {[BID]}"),
    (Chance(phrase("dare.deal")), [BID], " — {0}"),
    (ToMove((0, 1), phrase("dare.say")), [BID],
     " — (ToMove(seats=(0, 1), ask=Phrase(id='dare.say', args=())), {0})"),
    (ToMove((1,), phrase("dare.say")), [Ply(1, Bid(2)), BIDS[0]], None),
    (ToMove((0,), phrase("dare.say")), [], " — (ToMove(seats=(0,), ask=Phrase(id='dare.say', args=())), set())"),
])
def test_plies_of_others_and_plies_listed_twice_are_told(turn: Any, listed: list[Any], told: str | None) -> None:
    tried = replace(trial(Turned(turn), BIDDING), listed=listed)
    assert broken(laws.every_seat_on_turn_can_act, tried) == told or told is None


@pytest.mark.parametrize(("turn", "listed"), [
    (ToMove((0, 1), phrase("dare.say")), [*BIDS]), (Over((), "stalemate"), []), (Chance(phrase("dare.deal")), []),
    (Chance(phrase("dare.deal")), [Ply(CHANCE, Deal((1, 2)))]),
])
def test_each_seat_on_turn_and_nobody_else_has_plies(turn: Any, listed: list[Any]) -> None:
    laws.every_seat_on_turn_can_act(replace(trial(Turned(turn), BIDDING), listed=listed))


class Counts(Dare):
    """Gives another state each time."""

    times = 0

    def apply(self, state: Any, ply: Any) -> Any:
        self.times += 1
        return replace(super().apply(state, ply), said=("x",) * self.times)


class Marks(Dare):
    """Changes the state it was given."""

    def apply(self, state: Any, ply: Any) -> Any:
        object.__setattr__(state, "said", ("marked",))
        return DEALT


class RefusesThree(Dare):
    def apply(self, state: Any, ply: Any) -> Any:
        if ply.action == Bid(3):
            raise IllegalError("DA 3", phrase("dare.not_now"))
        return super().apply(state, ply)


def test_legal_plies_that_do_not_apply_alike_are_told() -> None:
    one = State((0, 2))
    assert broken(laws.legal_plies_apply, trial(RefusesThree(), one)) == f" — {Ply(0, Bid(3))}: dare.not_now()"
    assert broken(laws.legal_plies_apply, replace(trial(Counts(), one), listed=[BID])) == f" — {BID}"
    assert broken(laws.legal_plies_apply, trial(Marks(), State((0, 2)))) == f" — {State((0, 2))!r}"


class Refuses(Takes):
    """Refuses everything, with this rule and phrase."""

    def __init__(self, rule: str, said: Phrase) -> None:
        self._rule, self._said = rule, said

    def apply(self, state: Any, ply: Any) -> Any:
        raise IllegalError(self._rule, self._said)


OTHER = Ply(1, Bid(1))


@pytest.mark.parametrize(("rule", "said", "told"), [
    ("", phrase("dare.not_now"), " — dare.not_now()"), ("DA 1", MISSING, " (a phrase is missing) — dare.lost()"),
    ("DA 1", GAP, " (the gap 'word' is not filled) — dare.said()"),
])
def test_a_refusal_without_rule_or_words_is_told(rule: str, said: Phrase, told: str) -> None:
    for tried in (replace(trial(Refuses(rule, said), 0), listed=[], seen_plies=[BID]),
                  replace(trial(Refuses(rule, said), 0), listed=[BID], seen_plies=[])):
        assert broken(laws.illegal_plies_are_refused, tried) == told
    laws.illegal_plies_are_refused(replace(trial(Refuses("DA 1", phrase("dare.not_now")), 0), listed=[BID]))


CHOOSE = Ply(0, Choose("take", ("a", "b", "c"), 2, (("at", 1),), "what"))
ANY = Ply(0, Choose("take", ("a", "b"), None, (("at", 1),), "what"))


def take(player: int, *what: str, place: int = 1) -> Ply[Any]:
    return Ply(player, Takes.Take(place, what))


@pytest.mark.parametrize(("listed", "ply"), [
    (CHOOSE, take(0, "a", "b")), (CHOOSE, take(0, "b", "c")), (ANY, take(0, "a")), (ANY, take(0)),
    (ANY, take(0, "a", "b")), (take(0, "a", "b"), take(0, "a", "b")),
])
def test_what_a_choice_among_subsets_holds_is_legal(listed: Ply[Any], ply: Ply[Any]) -> None:
    tried = replace(trial(Takes(), 0), listed=[listed], seen_plies=[ply], players=1)
    laws.illegal_plies_are_refused(tried)


@pytest.mark.parametrize(("listed", "ply"), [
    (CHOOSE, take(1, "a", "b")), (CHOOSE, take(0, "a")), (CHOOSE, take(0, "a", "b", "c")), (CHOOSE, take(0, "a", "d")),
    (CHOOSE, take(0, "a", "b", place=2)), (ANY, take(0, "d")), (ANY, Ply(0, Takes.Leave())),
])
def test_what_no_choice_holds_must_be_refused(listed: Ply[Any], ply: Ply[Any]) -> None:
    tried = replace(trial(Takes(), 0), listed=[listed], seen_plies=[ply], players=1)
    assert broken(laws.illegal_plies_are_refused, tried) == f" — {ply} in 0"


def test_the_same_ply_by_the_next_player_must_be_refused() -> None:
    tried = replace(trial(Takes(), "s" * 500), listed=[take(1, "a")], seen_plies=[])
    assert broken(laws.illegal_plies_are_refused, tried) == f" — {take(0, 'a')} in {'s' * 400}"
    tried = replace(trial(Takes(), 7), listed=[take(1, "a"), CHOOSE], players=3)
    assert broken(laws.illegal_plies_are_refused, tried) == f" — {take(2, 'a')} in 7"


class Draws(Takes):
    def turn(self, state: Any) -> Any:
        return Chance(phrase("dare.deal"))


def test_what_chance_may_bring_need_not_be_listed_where_it_is_due() -> None:
    dealt = Ply(CHANCE, Deal((1, 2)))
    laws.illegal_plies_are_refused(replace(trial(Draws(), UNDEALT), seen_plies=[dealt]))
    told = broken(laws.illegal_plies_are_refused, replace(trial(Takes(), 0), seen_plies=[dealt]))
    assert told == f" — {dealt} in 0"
    assert broken(laws.illegal_plies_are_refused, replace(trial(Draws(), 0), seen_plies=[BID])) == f" — {BID} in 0"


class Accounted(Dare):
    """Says that the first seat's score is made of this."""

    def __init__(self, *parts: ScorePart) -> None:
        self._parts = parts

    def score_parts(self, state: Any) -> Any:
        return self._parts, ()


SAID = phrase("dare.deal")


def test_parts_that_add_up_are_taken() -> None:
    first, second = Dare().scores(BIDDING)
    assert second == 0
    laws.parts_add_up_to_scores(trial(Accounted(ScorePart(SAID, first, "D 1")), BIDDING))


@pytest.mark.parametrize(("part", "told"), [
    (ScorePart(SAID, 5, "D 1"), "(0, 0)"),
    (ScorePart(SAID, 0, ""), "rule=''"),
    (ScorePart(MISSING, 0, "D 1"), "(a phrase is missing) — dare.lost()"),
])
def test_parts_that_do_not_add_up_are_told(part: ScorePart, told: str) -> None:
    assert told in broken(laws.parts_add_up_to_scores, trial(Accounted(part), BIDDING))
