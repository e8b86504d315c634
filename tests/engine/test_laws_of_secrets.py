"""The laws about what observers know, each by itself: games that leak in one way each, games whose seats confide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from companion.engine import Choose, Over, Ply, laws_of_secrets
from companion.engine.laws_of_secrets import confide_something, nothing_leaks, what_is_confided_stays_with_its_seat
from companion.engine.trial import ConformanceError
from companion.errors import IllegalError, phrase
from tests.engine.dare import Bid, Dare, Say, State
from tests.engine.takes import Takes
from tests.engine.test_laws import BIDDING, CHOOSE, DEALT, MISSING, broken, take, trial


class Sees(Dare):
    """Shows one observer a view in which some fields are others."""

    def __init__(self, who: Any, **fields: Any) -> None:
        self._who, self._fields = who, fields

    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return replace(seen, **self._fields) if observer == self._who else seen


@pytest.mark.parametrize("who", [0, 1, "room", "referee"])
@pytest.mark.parametrize("fields", [{"game": "chess"}, {"observer": 7}, {"scores": (0,)}, {"scores": (0, 0, 0)}])
def test_a_view_that_is_not_this_observers_is_told(who: Any, fields: Any) -> None:
    game = Sees(who, **fields)
    assert broken(nothing_leaks, trial(game, DEALT)) == f" — {game.view(DEALT, who)}"


class Makes(Dare):
    """Makes up this state whatever was seen."""

    def __init__(self, other: State) -> None:
        self._other = other

    def possible(self, seen: Any, rng: Random) -> Any:
        assert isinstance(rng, Random)
        return self._other


def test_a_state_that_shows_something_else_is_told() -> None:
    other = replace(DEALT, cards=(2, 4))
    assert broken(nothing_leaks, trial(Makes(other), DEALT)) == f" — {(0, Dare().view(DEALT, 0))}"
    other = replace(DEALT, cards=(3, 2))  # seat 0 could not tell, seat 1 can
    told = f" — {(1, Dare().view(DEALT, 1))}"
    assert broken(nothing_leaks, trial(Makes(other), DEALT)) == told
    nothing_leaks(trial(Makes(DEALT), DEALT))


class Counts(Dare):
    """Lists other plies for every card of the other seat."""

    def legal(self, state: Any) -> Any:
        hidden = state.cards[1] if state.cards else 0
        return iter([Ply(0, Bid(hidden % 3 + 1)), Ply(1, Bid(1))])


class Blabs(Dare):
    """Says a seat's plies with the card of the other one."""

    def say(self, state: Any, ply: Any, observer: Any) -> Any:
        return phrase("dare.said", word=str(state.cards[1]) if observer == 0 else "x")


def leak_of(game: Dare) -> str:
    """What is told once a state comes up in which the other card is another one."""
    for seed in range(20):
        try:
            nothing_leaks(replace(trial(game, DEALT), rng=Random(seed)))
        except ConformanceError as error:
            return str(error).removeprefix(str(nothing_leaks.__doc__))
    raise AssertionError("nothing was told")


def test_plies_and_words_that_tell_of_other_hands_are_told() -> None:
    assert leak_of(Counts()) == f" — {(0, [Ply(0, Bid(2))])}"
    assert leak_of(Blabs()) == f" — {(0, Ply(0, Say('fold')))}"


@dataclass(frozen=True)
class Confided(State):
    """With the word that each seat confided."""

    words: tuple[str, str] = ("", "")


class Confides(Dare):
    """Each seat may confide a word, which all see once the game is over."""

    def start(self, setup: Any, options: Any, players: int) -> Any:
        return Confided()

    def may_confide(self, state: Any, seat: int) -> Iterator[Any]:
        return iter([] if state.words[seat] else ["ant", "bee"])

    def confide(self, state: Any, seat: int, confided: Any) -> Any:
        words = [confided if each == seat else word for each, word in enumerate(state.words)]
        return replace(state, words=tuple(words))

    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        over = isinstance(seen.turn, Over)
        words = tuple(word if over or observer == seat else "" for seat, word in enumerate(state.words))
        return replace(seen, known=(seen.known, words), facts=tuple(phrase("dare.said", word=each) for each in words))

    def possible(self, seen: Any, rng: Random) -> Any:
        known, words = seen.known
        made = super().possible(replace(seen, known=known), rng)
        return Confided(made.bids, made.cards, made.said, words)


QUIET = Confided((1, 2), (3, 4))
SPOKEN = replace(QUIET, words=("ant", ""))


def told_by(game: Any, state: Any = QUIET, confided: Any = SPOKEN) -> str:
    return broken(what_is_confided_stays_with_its_seat, replace(trial(game, state), confided=confided, confider=0))


def test_what_is_confided_and_stays_is_well() -> None:
    for state, spoken in ((QUIET, SPOKEN), (QUIET, QUIET), (QUIET, None)):
        what_is_confided_stays_with_its_seat(replace(trial(Confides(), state), confided=spoken))
    nothing_leaks(trial(Confides(), SPOKEN))


class TurnsOn(Confides):
    def turn(self, state: Any) -> Any:
        return Over((), "stalemate") if any(state.words) else super().turn(state)


class ListsLess(Confides):
    def legal(self, state: Any) -> Any:
        yield from list(super().legal(state))[any(state.words):]


class TellsAll(Confides):
    """Shows the room that something was confided."""

    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return replace(seen, facts=()) if observer == "room" and any(state.words) else seen


class HasNoWords(Confides):
    def view(self, state: Any, observer: Any) -> Any:
        seen = super().view(state, observer)
        return replace(seen, facts=(MISSING,)) if observer == 0 and any(state.words) else seen


class MixesUp(Confides):
    """Makes up other states than what was confided allows."""

    def possible(self, seen: Any, rng: Random) -> Any:
        return replace(super().possible(seen, rng), words=("bee", ""))


def test_what_is_confided_and_changes_more_than_its_own_view_is_told() -> None:
    asked = Confides().turn(QUIET)
    assert told_by(TurnsOn()) == f" — {asked}"
    assert told_by(ListsLess()) == f" — {list(Confides().legal(QUIET))}"
    assert told_by(TellsAll()) == " — room"
    assert told_by(HasNoWords()) == " (a phrase is missing) — dare.lost()"
    tried = replace(trial(MixesUp(), QUIET), confided=SPOKEN)
    with pytest.raises(ConformanceError) as caught:
        what_is_confided_stays_with_its_seat(tried)
    assert str(caught.value) == f"{nothing_leaks.__doc__} — {(0, Confides().view(SPOKEN, 0))}"


def test_once_a_game_is_over_all_may_see_what_was_confided() -> None:
    over = replace(QUIET, said=("dare", "call"))
    tried = replace(trial(Confides(), over), confided=replace(over, words=("ant", "")))
    what_is_confided_stays_with_its_seat(tried)


def confiding(game: Any, state: Any, seed: int = 1) -> Any:
    return confide_something(replace(trial(game, state), rng=Random(seed), confided=state, confider=1))


def test_a_seat_confides_now_and_then_something_that_it_may() -> None:
    found = [confiding(Confides(), QUIET, seed).words for seed in range(60)]
    counts = {words: found.count(words) for words in found}
    assert set(counts) == {("", ""), ("", "ant"), ("", "bee")}
    assert 20 <= counts["", ""] <= 40
    told = replace(QUIET, words=("", "ant"))
    assert {confiding(Confides(), told, seed) for seed in range(20)} == {told}  # it may confide nothing more
    over = replace(QUIET, said=("dare", "call"))
    assert {confiding(Confides(), over, seed) for seed in range(20)} == {over}
    assert {confiding(Dare(), DEALT, seed) for seed in range(20)} == {DEALT}


class Forgets(Confides):
    """Takes what is confided another way each time."""

    times = 0

    def confide(self, state: Any, seat: int, confided: Any) -> Any:
        self.times += 1
        return super().confide(state, seat, f"{confided} {self.times}")


def test_what_is_confided_another_way_each_time_is_told() -> None:
    def often() -> None:
        for seed in range(20):
            confiding(Forgets(), QUIET, seed)

    with pytest.raises(ConformanceError, match=r"^What is confided is taken once\. — (ant|bee)$"):
        often()


def test_only_so_many_things_to_confide_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws_of_secrets, "MAX_OUTCOMES", 1)
    assert {confiding(Confides(), QUIET, seed).words for seed in range(20)} == {("", ""), ("", "ant")}


class Takes0(Takes):
    """Refuses what is taken at 2, and shows nothing at all."""

    def may_confide(self, state: Any, seat: int) -> Iterator[Any]:
        return iter(["ant"])

    def confide(self, state: Any, seat: int, confided: Any) -> Any:
        return state

    def view(self, state: Any, observer: Any) -> Any:
        return super().view(BIDDING, observer)

    def possible(self, seen: Any, rng: Random) -> Any:
        return "made up"

    def legal(self, state: Any) -> Any:
        return iter([take(0, "a", place=2), CHOOSE] if state == "made up" else [take(0, "a"), CHOOSE])

    def apply(self, state: Any, ply: Any) -> Any:
        assert not isinstance(ply.action, Choose)
        if ply.action.at == 2:
            raise IllegalError("DA 2", phrase("dare.not_now"))
        return state

    def say(self, state: Any, ply: Any, observer: Any) -> Any:
        return phrase("dare.said", word="x")


class Sure(Takes0):
    """A seat that may confide nothing more knows its plies."""

    def may_confide(self, state: Any, seat: int) -> Iterator[Any]:
        return iter([])


class Made(Takes0):
    def apply(self, state: Any, ply: Any) -> Any:
        return state


def test_plies_of_a_state_made_up_can_be_made_here_by_a_seat_that_does_not_know_them() -> None:
    ply = take(0, "a", place=2)
    assert broken(nothing_leaks, trial(Takes0(), "real")) == f" — {ply}: dare.not_now()"
    nothing_leaks(trial(Made(), "real"))
    assert broken(nothing_leaks, trial(Sure(), "real")) == f" — {(0, [take(0, 'a'), CHOOSE])}"

