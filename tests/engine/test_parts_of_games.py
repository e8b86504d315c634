"""What games are helped with: amended courses, set-ups that are read, the value of a state, plies by chance."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, BaseGame, Choose, OpenPart, Ply, play
from companion.engine.amend import amended, concerns_only, with_confided
from companion.engine.recognise import (
    drinks_margin_nats,
    filled,
    leaves,
    margin_nats,
    open_parts,
    settled,
)
from companion.errors import IllegalError, phrase
from tests.engine.dare import Bid, Dare, Deal, Say, State
from tests.engine.takes import Takes
from tests.engine.test_laws_of_secrets import Confided, Confides

GAME = Dare()
COURSE = (Ply(0, Bid(1)), Ply(1, Bid(2)), Ply(CHANCE, Deal((1, 2))), Ply(0, Say("dare")), Ply(1, Say("call")))


def test_a_better_ply_stands_and_the_others_stay() -> None:
    states = amended(GAME, State(), COURSE, 2, Ply(CHANCE, Deal((4, 2))))
    assert [state.cards for state in states] == [(), (), (), (4, 2), (4, 2), (4, 2)]
    assert states[-1] == State((1, 2), (4, 2), ("dare", "call"))
    assert states[0] == State()


def test_a_better_ply_that_breaks_a_rule_is_refused_as_ever() -> None:
    with pytest.raises(IllegalError) as caught:
        amended(GAME, State(), COURSE, 3, Ply(0, Say("call")))
    assert (caught.value.rule, caught.value.phrase) == ("DA 1.1", phrase("dare.not_now"))


def test_a_later_ply_that_it_forbids_is_named() -> None:
    with pytest.raises(IllegalError) as caught:
        amended(GAME, State(), COURSE, 3, Ply(0, Say("fold")))
    assert caught.value.rule == "DA 1.1"
    assert caught.value.phrase == phrase(
        "amend.forbids", n=5, player=phrase("seat.B"), ply=phrase("dare.said", word="call"),
        why=phrase("dare.not_now"))


def test_chance_that_it_forbids_is_named() -> None:
    with pytest.raises(IllegalError) as caught:
        amended(NoTwos(), State(), COURSE[:3], 1, Ply(1, Bid(3)))
    assert caught.value.rule == "DA 9"
    assert caught.value.phrase == phrase(
        "amend.forbids", n=3, player=phrase("amend.chance"), ply=phrase("dare.dealt", cards="?"),
        why=phrase("dare.not_now"))


class NoTwos(Dare):
    """Nothing is dealt once somebody bid 3."""

    def apply(self, state: Any, ply: Any) -> Any:
        if ply.player == CHANCE and 3 in state.bids:
            raise IllegalError("DA 9", phrase("dare.not_now"))
        return super().apply(state, ply)


class Strict(Confides):
    """Takes nothing confided but ants."""

    def confide(self, state: Any, seat: int, confided: Any) -> Any:
        if confided != "ant":
            raise IllegalError("DA 8", phrase("dare.not_now"))
        return super().confide(state, seat, confided)


def test_what_was_confided_counts_again_and_what_cannot_be_is_put_aside() -> None:
    confided = [(1, 0, "ant"), (2, 0, "bee"), (2, 1, "ant"), (9, 1, "bee")]
    assert with_confided(Strict(), Confided(), 1, confided).words == ("ant", "")
    assert with_confided(Strict(), Confided(), 2, confided).words == ("", "ant")
    assert with_confided(Strict(), Confided(), 0, confided).words == ("", "")
    assert with_confided(GAME, State(), 1, confided) == State()
    states = amended(Strict(), Confided(), COURSE[:3], 2, COURSE[2], [(0, 1, "ant"), (2, 0, "ant")])
    assert [state.words for state in states] == [("", "ant"), ("", "ant"), ("ant", "ant"), ("ant", "ant")]
    assert amended(GAME, State(), COURSE[:1], 0, COURSE[0]) == (State(), State((1, 0)))


def courses(one: State, other: State) -> tuple[list[State], list[State]]:
    return [one, replace(one, said=("dare",))], [other, replace(other, said=("dare",))]


DEALT = State((1, 2), (3, 4))


@pytest.mark.parametrize(("other", "seat", "own"), [
    (replace(DEALT, cards=(2, 4)), 0, False),  # the referee knows every card
    (replace(DEALT, bids=(3, 2)), 0, False), (DEALT, 0, True), (DEALT, 1, True),
])
def test_what_looks_the_same_to_all_others_concerns_only_the_seat(other: State, seat: int, own: bool) -> None:
    assert concerns_only(GAME, seat, 2, *courses(DEALT, other)) is own


class Blind(Dare):
    """Nobody but a seat sees its card, not even the referee; seats see nothing else; the end may be another."""

    def view(self, state: Any, observer: Any) -> Any:
        known = state.cards[observer] if isinstance(observer, int) and state.cards else state.said
        return replace(super().view(State(said=state.said and ("dare",)), observer), known=known)


def test_the_first_and_the_last_states_and_every_other_observer_are_compared() -> None:
    other = replace(DEALT, cards=(2, 4))
    assert concerns_only(Blind(), 0, 2, *courses(DEALT, other)) is True
    assert concerns_only(Blind(), 1, 2, *courses(DEALT, other)) is False
    early, late = [replace(DEALT, said=("x",)), DEALT], [DEALT, replace(DEALT, said=("x",))]
    assert concerns_only(Blind(), 0, 2, early, [DEALT, DEALT]) is False
    assert concerns_only(Blind(), 0, 2, late, [DEALT, DEALT]) is False
    over = replace(DEALT, said=("dare", "call"))
    assert concerns_only(GAME, 0, 2, [DEALT, over], [DEALT, DEALT]) is False
    assert concerns_only(GAME, 0, 2, [DEALT, DEALT], [DEALT, over]) is False
    assert concerns_only(GAME, 0, 2, [DEALT, over], [DEALT, over]) is False


class TellsOne(Dare):
    """Only this observer sees what the course has as its last bid."""

    def __init__(self, who: Any) -> None:
        self._who = who

    def view(self, state: Any, observer: Any) -> Any:
        return replace(super().view(BARE, observer), known=state.bids if observer == self._who else None)


BARE = State()


@pytest.mark.parametrize(("who", "own"), [(0, True), (1, False), (2, False), ("room", False), ("referee", False)])
def test_whoever_else_sees_another_course_makes_it_concern_more_than_the_seat(who: Any, own: bool) -> None:
    other = replace(DEALT, bids=(3, 2))
    assert concerns_only(TellsOne(who), 0, 3, [DEALT], [other]) is own


# set-ups that are read ------------------------------------------------------------------------------------------------

SETUP = {"a": [1, None], "b": {"c": None}, "d": 3, "e": [], "f": {}}


def test_parts_of_a_set_up_by_their_paths() -> None:
    assert dict(leaves(SETUP)) == {("a", 0): 1, ("a", 1): None, ("b", "c"): None, ("d",): 3}
    assert list(leaves(5)) == [((), 5)]
    assert filled(SETUP, ("a", 1), 9) == {**SETUP, "a": [1, 9]}
    assert filled(SETUP, ("b", "c"), 9) == {**SETUP, "b": {"c": 9}}
    assert filled(SETUP, (), 9) == 9
    assert open_parts(SETUP, lambda path: (f"spot:{path[0]}", iter([1, 2]))) == (
        OpenPart(("a", 1), "spot:a", (1, 2)), OpenPart(("b", "c"), "spot:b", (1, 2)))


def test_the_margin_grows_where_eyes_are_too_sure() -> None:
    assert [margin_nats(*each) for each in ((0.0, 0), (0.0, 4), (1.5, 4), (3.2, 4), (0.8, 0), (0.8, 1))] == [
        9.0, 9.0, 9.0, 18.0, 18.0, 18.0]
    assert [drinks_margin_nats(*each) for each in ((0.0, 36), (9.0, 36), (13.5, 36), (18.0, 36))] == [
        6.0, 6.0, 9.0, 12.0]


@pytest.mark.parametrize(("things", "supply", "names"), [
    ([], {"a": 1}, []), ([{"a": 0.0}], {"a": 1}, ["a"]), ([{"a": 0.0}, {"a": 0.0}], {"a": 1}, [None, None]),
    ([{"a": 0.0, "b": 9.0}], {"a": 1, "b": 1}, ["a"]), ([{"a": 0.0, "b": 8.9}], {"a": 1, "b": 1}, [None]),
    ([{"a": 0.0}], {"a": 1, "b": 1}, ["a"]),  # what nobody thought of costs 15
    ([{"a": 0.8, "b": 18.7}], {"a": 1, "b": 1}, [None]), ([{"a": 0.8, "b": 18.9}], {"a": 1, "b": 1}, ["a"]),
    ([{"a": 0.0, "b": 5.0}, {"b": 0.0, "a": 4.0}], {"a": 1, "b": 1}, ["a", "b"]),
    ([{"a": 0.0, "b": 4.0}, {"b": 0.0, "a": 4.0}], {"a": 1, "b": 1}, [None, None]),
    ([{"a": 0.0, "b": 5.0}, {"a": 0.0, "b": 5.0}], {"a": 2, "b": 1}, [None, None]),
    ([{"a": 0.0, "b": 5.0}, {"a": 0.0, "b": 5.0}], {"a": 2}, ["a", "a"]),
])
def test_names_are_settled_all_at_once(things: Any, supply: Any, names: Any) -> None:
    assert settled(things, supply) == names


# values and plies by chance -------------------------------------------------------------------------------------------


class Leads(Dare):
    def __init__(self, *scores: int) -> None:
        self._scores = scores

    def scores(self, state: Any) -> Any:
        return self._scores


@pytest.mark.parametrize(("scores", "values"), [
    ((3, 1), (0.5 + 2 / 10, 0.5 - 2 / 10)), ((-3, 1), (0.5 - 4 / 10, 0.5 + 4 / 10)), ((0, 0), (0.5, 0.5)),
    ((4, 2, 1), (0.5 + 2 / 16, 0.5 - 2 / 16, 0.5 - 3 / 16)), ((2,), (0.5 + 2 / 6,)),
])
def test_the_value_of_a_state_is_the_lead_as_a_share(scores: tuple[int, ...], values: tuple[float, ...]) -> None:
    assert tuple(Leads(*scores).evaluate(State(), seat) for seat in range(len(scores))) == pytest.approx(values)


def test_a_game_without_chance_and_secrets_says_so() -> None:
    game = Takes()
    assert tuple(Sure().outcomes(State())) == ()
    with pytest.raises(ValueError, match=r"^nothing is left to chance in dare$"):
        Sure().sample(State(), Random(1))
    assert (game.at_table({"a": 1}), game.open_setup({"b": 1}, {}, 0)) == ({"a": 1}, {"b": 1})
    assert (game.open_action(Bid(1), {}), game.open_state(State())) == (Bid(1), State())
    assert (game.instructions({}), game.with_colours(("red",)), dict(game.simulation)) == ((), game, {})


class Sure(Takes):
    """Nothing is left to chance."""

    def outcomes(self, state: Any) -> Any:
        return BaseGame.outcomes(self, state)

    def sample(self, state: Any, rng: Random) -> Any:
        return BaseGame.sample(self, state, rng)


def test_subsets_are_chosen_alike_often() -> None:
    any_of, two_of = (Choose("take", ("b", "a"), number, (("at", 1),), "what") for number in (None, 2))
    chosen = [play.random_choice(Takes(), any_of, Random(seed)).what for seed in range(80)]
    counts = {what: chosen.count(what) for what in sorted(set(chosen))}
    assert counts == {(): 17, ("a",): 19, ("a", "b"): 18, ("b",): 26}
    assert play.random_choice(Takes(), two_of, Random(1)) == Takes.Take(1, ("a", "b"))


class OneChoice(Takes):
    def legal(self, state: Any) -> Any:
        return iter([Ply(0, Choose("take", ("a",), 1, (("at", 2),), "what"))])


def test_a_ply_by_chance_is_an_action() -> None:
    assert play.random_ply(OneChoice(), 0, Random(1)) == Ply(0, Takes.Take(2, ("a",)))
    assert play.random_ply(GAME, State(), Random(1)).action in [Bid(1), Bid(2), Bid(3)]
    drawn = play.random_ply(GAME, State((1, 1)), Random(1))
    assert drawn == Ply(CHANCE, GAME.sample(State((1, 1)), Random(1)))
    assert len(list(play.random_game(OneChoice(), 0, Random(1), 3))) == 3


def test_a_record_by_chance_line_by_line() -> None:
    told = list(play.random_record(GAME, 2, Random(4), "2000-01-01T12:00:00Z", names=("Ann", "Bo")))
    assert told[0] == (
        '{"format": "tabletop-record", "version": 1, "game": "dare", "options": {}, '
        '"players": [{"name": "Ann"}, {"name": "Bo"}], "setup": {}, "started": "2000-01-01T12:00:00Z"}\n')
    assert all('"source": "simulation"' in line for line in told[1:-1])
    assert told[-1].startswith('{"result": {"scores": [')
    short = list(play.random_record(GAME, 2, Random(4), "now", None, 1, ("a", "b", "c", "d", "e", "f")))
    assert '"players": [{"name": "Player A"}, {"name": "Player B"}]' in short[0]
    assert short[0].endswith('"started": "now", "colours": ["a", "b", "c", "d", "e", "f"]}\n')
    assert short[-1] == '{"result": {"scores": [0, 0], "winners": [], "reason": "abandoned"}}\n'
    assert [line[:6] for line in short[1:-1]] == ['{"n": ']
    chosen = list(play.random_record(GAME, 2, Random(4), "now", most_plies=2, ply_of=lambda game, state, rng: next(
        game.legal(state))))
    assert chosen[1:3] == [
        '{"n": 1, "player": 0, "action": {"type": "bid", "stake": 1}, "source": "simulation"}\n',
        '{"n": 2, "player": 1, "action": {"type": "bid", "stake": 1}, "source": "simulation"}\n']
