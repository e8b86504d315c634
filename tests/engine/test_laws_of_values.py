"""The laws about odds, JSON, scores, spots and words, each by itself; and what a trial offers to all laws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Choose, Ply, laws
from companion.engine.trial import MAX_PLIES_TRIED, ConformanceError, Trial, must, must_be_said
from companion.errors import Phrase, phrase
from companion.table import Body, Layout, Place, Zone
from tests.engine.dare import Bid, Dare, Deal, Say, State
from tests.engine.takes import Takes
from tests.engine.test_laws import ANY, BIDDING, CHOOSE, DEALT, GAP, MISSING, UNDEALT, broken, take, trial


class Offers(Dare):
    """Chance by these odds."""

    def __init__(self, outcomes: list[Any], drawn: Any) -> None:
        self._outcomes, self._drawn = outcomes, drawn

    def outcomes(self, state: Any) -> Any:
        return self._outcomes

    def sample(self, state: Any, rng: Random) -> Any:
        assert isinstance(rng, Random)
        return self._drawn


ONE, TWO = Deal((1, 2)), Deal((2, 1))
HALF = Fraction(1, 2)


def test_odds_that_do_not_add_up_are_told() -> None:
    laws.chance_adds_up(trial(Offers([(ONE, HALF), (TWO, HALF)], TWO), UNDEALT))
    for outcomes, drawn in (
        ([(ONE, HALF)], ONE), ([(ONE, HALF), (TWO, HALF), (Deal((3, 4)), HALF)], ONE),
        ([(ONE, HALF), (TWO, HALF), (TWO, HALF)], ONE), ([(ONE, HALF), (TWO, HALF)], Deal((3, 4))),
    ):
        assert broken(laws.chance_adds_up, trial(Offers(outcomes, drawn), UNDEALT)) == f" — {outcomes}"
        laws.chance_adds_up(trial(Offers(outcomes, drawn), BIDDING))  # nothing is left to chance there


def test_odds_are_added_up_only_where_they_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "MAX_OUTCOMES", 1)
    assert broken(laws.chance_adds_up, trial(Offers([(ONE, HALF)], ONE), UNDEALT)) == f" — {[(ONE, HALF)]}"
    laws.chance_adds_up(trial(Offers([(ONE, HALF), (ONE, HALF)], ONE), UNDEALT))


class Respells(Dare):
    def read_action(self, given: Any) -> Any:
        return Bid(given["stake"] % 3 + 1)


class Twice(Dare):
    """Writes what it read in another order."""

    def read_action(self, given: Any) -> Any:
        assert list(given) == ["type", "stake"]
        return super().read_action(given)

    def write_action(self, action: Any) -> Any:
        self.times = getattr(self, "times", 0) + 1
        written = super().write_action(action)
        return written if self.times == 1 else dict(reversed(written.items()))


def test_actions_that_do_not_come_back_as_they_were_are_told() -> None:
    bids = replace(trial(Respells(), BIDDING), listed=[Ply(0, Bid(2))])
    assert broken(laws.actions_are_json, bids) == f" — {(Bid(2), Bid(3))}"
    told = broken(laws.actions_are_json, replace(trial(Twice(), BIDDING), listed=[Ply(0, Bid(2))]))
    assert told == " — {'type': 'bid', 'stake': 2}"


class Writes(Takes):
    """Writes a choice like this."""

    def __init__(self, **keys: Any) -> None:
        self._keys = keys

    def write_action(self, action: Any) -> Any:
        return self._keys if isinstance(action, Choose) else super().write_action(action)


def test_choices_are_written_with_all_that_may_be_chosen() -> None:
    laws.actions_are_json(replace(trial(Writes(**{"from": ["a", "b", "c"], "choose": 2}), 0), listed=[CHOOSE]))
    for keys in ({"from": ["a"], "choose": 2}, {"from": ["a", "b", "c"]}):
        assert broken(laws.actions_are_json, replace(trial(Writes(**keys), 0), listed=[CHOOSE])) == f" — {keys}"


class Scores(Dare):
    def __init__(self, *scores: Any) -> None:
        self._scores = scores

    def scores(self, state: Any) -> Any:
        return self._scores


def test_scores_that_are_not_whole_are_told() -> None:
    laws.scores_are_whole(trial(Scores(1, -2), BIDDING))
    for scores in ((1,), (1, 2, 3), (1, 2.0), (True, 2), (0.5, 0.5)):
        assert broken(laws.scores_are_whole, trial(Scores(*scores), BIDDING)) == f" — {scores}"


CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


class Lays(Dare):
    """Spots of these names, and something on the last ones."""

    def __init__(self, body: str, place: str, zone: str, *there: str) -> None:
        self._spots, self._there = (body, place, zone), there

    def layout(self, setup: Any) -> Layout:
        assert setup == {}
        body, place, zone = self._spots
        return Layout((Body(body, "box", (0.0, 0.0), (1.0, 1.0, 1.0)),), (Place(place, (0.0, 0.0), (1.0, 1.0), ()),),
                      (Zone(zone, CORNERS, ()),), (9.0, 9.0))

    def placement(self, state: Any) -> Any:
        assert isinstance(state, State)
        return dict.fromkeys(self._there, ("flag",))


def test_what_stands_on_no_spot_and_spots_of_one_name_are_told() -> None:
    laws.pieces_stand_on_spots(trial(Lays("a", "b", "c", "a", "b", "c"), BIDDING))
    assert broken(laws.pieces_stand_on_spots, trial(Lays("a", "b", "c", "a", "moon"), BIDDING)) == " — {'moon'}"
    for spots in (("a", "a", "c"), ("a", "b", "a"), ("a", "b", "b")):
        with pytest.raises(ConformanceError) as caught:
            laws.pieces_stand_on_spots(trial(Lays(*spots), BIDDING))
        assert str(caught.value) == f"No two spots of a layout have one name. — {list(spots)}"


class Speaks(Dare):
    """Says this to one observer, and has this among the facts that another one sees."""

    def __init__(self, said: tuple[Any, Phrase], fact: tuple[Any, Phrase]) -> None:
        self._said, self._fact = said, fact

    def say(self, state: Any, ply: Any, observer: Any) -> Phrase:
        assert state == DEALT
        return self._said[1] if observer == self._said[0] else super().say(state, ply, observer)

    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return replace(seen, facts=(self._fact[1],)) if observer == self._fact[0] else seen


@pytest.mark.parametrize("observer", [0, 1, "room", "referee"])
def test_what_cannot_be_said_to_one_of_all_observers_is_told(observer: Any) -> None:
    good = (None, GAP)
    laws.everything_can_be_said(trial(Speaks(good, good), DEALT))
    for law in ((observer, MISSING), good), (good, (observer, MISSING)):
        assert broken(laws.everything_can_be_said, trial(Speaks(*law), DEALT)) == " (a phrase is missing) — dare.lost()"
    gap = " (the gap 'word' is not filled) — dare.said()"
    assert broken(laws.everything_can_be_said, trial(Speaks((observer, GAP), good), DEALT)) == gap
    assert broken(laws.everything_can_be_said, trial(Speaks(good, (observer, GAP)), DEALT)) == gap


def law(_: Trial) -> None:
    """It is said."""


def said(word: Any) -> Phrase:
    return phrase("dare.said", word=word)


def test_phrases_within_phrases_and_lists_must_be_there_and_whole() -> None:
    tried = trial(Dare(), BIDDING)
    for good in (said("x"), said(said("x")), said((said("x"), "y", said(said("z")))), said(3)):
        must_be_said(tried, good, law)
    for bad in (said(MISSING), said((MISSING, said("y"))), said(("x", said(MISSING))), said((said("x"), MISSING)),
                phrase("dare.bids", stake=MISSING, word=said("x")), phrase("dare.bids", stake=said("x"), word=MISSING)):
        with pytest.raises(ConformanceError) as caught:
            must_be_said(tried, bad, law)
        assert str(caught.value) == "It is said. (a phrase is missing) — dare.lost()"
    with pytest.raises(ConformanceError) as caught:
        must_be_said(tried, said(GAP), law)
    assert str(caught.value) == f"It is said. (the gap 'word' is not filled) — {said(GAP)}"


def test_what_must_hold_is_told_with_the_beginning_of_what_it_is_about() -> None:
    must(True, "law", "about")
    with pytest.raises(ConformanceError) as caught:
        must(False, "law", "x" * 1000)
    assert str(caught.value) == f"law — {'x' * 600}"


def test_a_trial_tries_plies_as_actions() -> None:
    assert trial(Dare(), BIDDING).observers == (0, 1, "room", "referee")
    many = [take(0, str(n)) for n in range(20)]
    some = replace(trial(Takes(), 0), listed=many).some_plies()
    assert (len(some), len(set(some))) == (MAX_PLIES_TRIED, MAX_PLIES_TRIED)
    assert some == Random(1).sample(many, MAX_PLIES_TRIED)
    assert replace(trial(Takes(), 0), listed=many[:2]).some_plies() == Random(1).sample(many[:2], 2)
    [chosen] = replace(trial(Takes(), 0), listed=[CHOOSE]).some_plies()
    assert (chosen.player, chosen.action.at, len(chosen.action.what)) == (0, 1, 2)
    tried = [replace(trial(Takes(), 0), listed=[ANY], rng=Random(n)) for n in range(20)]
    assert {each.some_plies()[0].action.what for each in tried} == {(), ("a",), ("b",), ("a", "b")}
    [drawn] = trial(Offers([], ONE), UNDEALT).some_plies()
    assert drawn == Ply(CHANCE, ONE)
    assert Say("fold") in [ply.action for ply in trial(Dare(), DEALT).some_plies()]
