"""How looks at made-up games are judged, with an interpretation that says what it is told to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from companion.engine import AnyGame, Choose, Ply
from companion.engine.trial import ConformanceError
from companion.errors import phrase
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Move, Place
from companion.games.kamikaze_cans.state import State
from companion.interpret import Ambiguous, Belief, Choice, Interpreter, Moved, Odd, Unchanged, Update, conformance
from companion.interpret.belief import OpenQuestion, SettledTable
from companion.interpret.conformance import follows
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explanation import Explanation
from companion.interpret.layout_index import index_layout
from companion.interpret.trial_eyes import TrialNoise
from companion.interpret.trial_games import (
    JudgedLook, Story, StoryLook, Taken, TrialTally, judged_looks, looks_at, made_up, told_by, varied_ply,
)
from companion.table import Observation
from tests.engine.takes import Takes
from tests.interpret.cans_table import GREEN_TO_D4, LAYOUT, RED_TO_C4, SETUP, START, after

TALL_TO_C5 = Ply(1, Move("c4", "c5"))
PLIES = (RED_TO_C4, GREEN_TO_D4, TALL_TO_C5)
STATES = tuple(after(*PLIES[:n]) for n in range(4))
STORY = Story(GAME, SETUP, PLIES, STATES)
ELSEWHERE = after(Ply(1, Place("red/tall_can", "f6")))
MOVED, ODD = Moved((RED_TO_C4,), 0.9), Odd((phrase("odd.missing", piece="a", spot="b"), phrase("odd.stands")))


@dataclass
class Says(Interpreter):
    """Comes to these states and outcomes, one a look; what a person put right is remembered."""

    to_say: Sequence[tuple[State, Any]]

    def __post_init__(self) -> None:
        super().__init__(GAME, LAYOUT)
        self.corrections: list[State] = []
        self.looks = 0

    def look(self, belief: Belief, observation: Observation) -> Update:
        if self.corrections and belief.now.state == self.corrections[-1] and belief.places_mm:
            return Update(replace(belief, places_mm={}), Unchanged())  # the table is looked at once more
        state, outcome = self.to_say[self.looks]
        self.looks += 1
        return Update(Belief(SettledTable(state)), outcome)

    def corrected(self, state: State) -> Belief:
        self.corrections.append(state)
        return replace(super().corrected(state), places_mm={"here": (0.0, 0.0)})


def taken(*said: tuple[int, State, Any], patience: int | None = None) -> list[str]:
    """How looks are taken, each after so many plies and with what is then believed and said."""
    looks = [StoryLook(done, Observation(float(n), ()), ()) for n, (done, _, _) in enumerate(said)]
    interpreter = Says([(state, outcome) for _, state, outcome in said])
    return [each.taken for each in judged_looks(STORY, looks, interpreter, patience)]


@pytest.mark.parametrize(("said", "words"), [
    (((0, STATES[0], Unchanged()),), ["still"]),
    (((1, STATES[1], MOVED),), ["right"]),
    (((1, STATES[1], MOVED), (1, STATES[1], Unchanged())), ["right", "still"]),
    (((1, STATES[0], Unchanged()), (1, STATES[1], MOVED)), ["missed", "late"]),
    (((1, STATES[0], Unchanged()), (2, STATES[2], MOVED), (3, STATES[3], MOVED)), ["missed", "late", "right"]),
    (((1, STATES[0], ODD), (1, STATES[1], MOVED)), ["odd", "late"]),
    (((1, ELSEWHERE, MOVED), (1, STATES[1], MOVED)), ["silently wrong", "late"]),
    (((1, ELSEWHERE, Unchanged()),), ["missed"]), (((1, ELSEWHERE, Moved((), 1.0, 1)),), ["missed"]),
    (((2, STATES[1], MOVED),), ["missed"]),  # what it believes was so a while ago
    (((1, STATES[2], MOVED),), ["silently wrong"]),
    (((1, replace(STATES[1], seat=1), MOVED), (1, STATES[1], MOVED)), ["untold", "late"]),
])
def test_looks_are_judged_by_what_was_played(said: Any, words: list[str]) -> None:
    assert taken(*said) == words


def test_after_so_many_wrong_looks_a_person_puts_it_right() -> None:
    wrong = (1, STATES[0], Unchanged())
    assert taken(wrong, wrong, wrong, (1, STATES[1], MOVED)) == ["missed", "missed", "missed", "late"]
    right = (1, STATES[1], Unchanged())
    for patience, words in ((0, ["missed", "still"]), (1, ["missed", "missed", "still"])):
        said = [wrong] * (patience + 1) + [right]
        interpreter = Says([(state, outcome) for _, state, outcome in said])
        looks = [StoryLook(done, Observation(float(n), ()), ()) for n, (done, _, _) in enumerate(said)]
        assert [each.taken for each in judged_looks(STORY, looks, interpreter, patience)] == words
        assert interpreter.corrections == [STATES[1]]


def test_patience_counts_wrong_looks_in_a_row() -> None:
    wrong, right = (1, STATES[0], Unchanged()), (1, STATES[1], MOVED)
    assert taken(wrong, right, wrong, right, patience=1) == ["missed", "late", "missed", "late"]


EVIDENCE = Evidence({}, {}, TableTracks(), index_layout(LAYOUT))


class Asks(Interpreter):
    """Asks whether these states came about, until none is left."""

    def __init__(self, *states: State) -> None:
        super().__init__(GAME, LAYOUT)
        self.states, self.answers = states, list[int | None]()

    def look(self, belief: Belief, observation: Observation) -> Update:
        asked = tuple(Explanation((RED_TO_C4,), state, 0.0, 0.0) for state in self.states)
        belief = replace(belief, question=OpenQuestion(asked, EVIDENCE, asked))
        return Update(belief, Ambiguous(tuple(Choice((RED_TO_C4,), 0.25, n) for n, _ in enumerate(asked))))

    def answer(self, belief: Belief, choice: int | None) -> Update:
        self.answers.append(choice)
        if choice is None:
            return Update(replace(belief, question=None), ODD)
        assert belief.question is not None
        return Update(Belief(SettledTable(belief.question.explanations[choice].state)), MOVED)


@pytest.mark.parametrize(("done", "states", "answers", "word"), [
    (1, (ELSEWHERE, STATES[1]), [1], "asked"), (1, (STATES[1], ELSEWHERE), [0], "asked"),
    (0, (STATES[0], ELSEWHERE), [0], "false question"), (0, (ELSEWHERE,), [None], "false question"),
    (1, (ELSEWHERE,), [None], "missed"),
])
def test_questions_are_answered_by_the_truth(
    done: int, states: tuple[State, ...], answers: list[int | None], word: str
) -> None:
    interpreter = Asks(*states)
    [judged] = judged_looks(STORY, [StoryLook(done, Observation(0.0, ()), ())], interpreter)
    assert (judged.taken, interpreter.answers, len(judged.outcomes)) == (word, answers, 2)
    assert judged.outcomes[1] == (ODD if answers == [None] else MOVED)


def test_what_changed_nothing_may_be_left_out() -> None:
    states = (STATES[0], STATES[1], replace(STATES[1], moves_in_row=1), replace(STATES[1], moves_in_row=2), STATES[2])
    story = replace(STORY, states=states)
    assert [story.as_good(done) for done in range(5)] == [
        [states[0]], [states[1]], [*states[1:3]], [*states[1:4]], [states[4]]]
    assert story.layout == LAYOUT


@pytest.mark.parametrize(("outcome", "told"), [
    (Moved((RED_TO_C4,), 0.9, 2), "moved -2 [{'type': 'place', 'drink': 'red/tall_can', 'to': 'c4'}]"),
    (Moved((), 0.9, 1), "moved -1 []"), (Unchanged(), "unchanged"),
    (ODD, "odd ['odd.missing(piece=a, spot=b)', 'odd.stands()']"),
    (Ambiguous((Choice((RED_TO_C4,), 0.61239, 1), Choice((), 0.38761))),
     "asked [(0.612, 1, [{'type': 'place', 'drink': 'red/tall_can', 'to': 'c4'}]), (0.388, 0, [])]"),
])
def test_an_outcome_in_one_line(outcome: Any, told: str) -> None:
    assert told_by(GAME, outcome) == told


def test_looks_are_counted_and_wrong_ones_are_told_with_what_was_played() -> None:
    tally, belief = TrialTally(), Belief(SettledTable(START))
    look = StoryLook(2, Observation(7.4, ()), ())
    words: list[tuple[Taken, int]] = [("right", 0), ("still", 2), ("odd", 0), ("odd", 1)]
    for word, last in words:
        tally.add(STORY, JudgedLook(look, word, (Unchanged(), MOVED), Update(belief, MOVED)), last)
    red = "{'type': 'place', 'drink': 'red/tall_can', 'to': 'c4'}"
    green = "{'type': 'place', 'drink': 'green/stub_can', 'to': 'd4'}"
    assert tally.looks == Counter(right=1, still=1, odd=2)
    assert tally.wrong == [
        f"look 7 ply 2: odd; played [{red}, {green}]: ['unchanged', \"moved -0 [{red}]\"]",
        f"look 7 ply 2: odd; played [{green}]: ['unchanged', \"moved -0 [{red}]\"]"]


class Picks(Takes):
    """Two kinds of plies, one with a choice."""

    def legal(self, state: Any) -> Any:
        yield from (Ply(0, Takes.Take(n, ("a",))) for n in range(1, 10))
        yield Ply(1, Takes.Leave())
        if state == "choose":
            yield Ply(0, Choose("take", ("a", "b"), 1, (("at", 1),), "what"))


def test_rare_kinds_of_plies_come_as_often_as_others() -> None:
    chosen = [varied_ply(Picks(), "", Random(seed)).action for seed in range(100)]
    assert 35 <= chosen.count(Takes.Leave()) <= 65
    assert Takes.Leave() not in [varied_ply(Picks(), "", Random(seed), "Leave").action for seed in range(50)]
    assert {type(varied_ply(Picks(), "", Random(seed), "Take").action) for seed in range(50)} == {Takes.Leave}
    drawn = [varied_ply(Picks(), "choose", Random(seed)).action for seed in range(60)]
    assert {each.what for each in drawn if isinstance(each, Takes.Take)} == {("a",), ("b",)}


def slowly(game: AnyGame, state: Any, rng: Random) -> Ply[Any]:
    return varied_ply(game, state, rng, "Place")


def test_a_made_up_game_and_its_looks() -> None:
    story = made_up(GAME, Random(1), 3, {"quiet_limit": 5}, 4)
    assert (len(story.plies), len(story.states), len(story.setup["colours"])) == (4, 5, 3)
    assert story.states[0].rules.quiet_limit == 5
    assert len(made_up(GAME, Random(1), 2, ply_of=slowly).plies) == 60
    first = made_up(GAME, Random(1), 2, max_plies=2, ply_of=lambda game, state, rng: next(game.legal(state)))
    assert [ply.action.to for ply in first.plies] == ["a1", "b1"]
    dones = [look.done for look in looks_at(made_up(GAME, Random(1), 2, max_plies=30), 5)]
    assert dones == [0, 2, 5, 8, 8, 9, 10, 11, 12, 13, 13, 14, 17, 18, 19, 20, 20, 22, 23]
    assert {look.done for look in looks_at(made_up(GAME, Random(1), 2, max_plies=4), 5, odds=(0, 0, 1))} == {0, 3, 4}


# whether a game can be followed ---------------------------------------------------------------------------------------


def tallied(monkeypatch: pytest.MonkeyPatch, noise: Any = None, **looks: int) -> Any:
    tally = TrialTally(Counter({word.replace("_", " "): count for word, count in looks.items()}), list("abcde"))
    given: list[Any] = []
    monkeypatch.setattr(conformance, "tally_of", lambda *args: given.append(args) or tally)
    rng = Random(3)
    try:
        return follows(GAME, 2, rng, {"quiet_limit": 9}, 3, noise), tally
    finally:
        [(story, seed, had)] = given
        assert (len(story.plies), story.states[0].rules.quiet_limit, had) == (3, 9, noise)
        again = Random(3)
        assert made_up(GAME, again, 2, {"quiet_limit": 9}, 3).plies == story.plies
        assert again.randrange(2**32) == seed


def test_a_game_that_is_read_wrong_in_silence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConformanceError) as caught:
        tallied(monkeypatch, right=100, silently_wrong=1)
    assert str(caught.value) == ("kamikaze-cans: a ply is read wrong, and nobody is told. Shows the placement "
                                 "every ply? ['a', 'b', 'c']")


@pytest.mark.parametrize(("looks", "count", "doubtful"), [
    ({"right": 4, "asked": 2}, 6, 2), ({"right": 4, "missed": 2, "still": 3}, 9, 2), ({"right": 4, "odd": 2}, 6, 2),
    ({"right": 8, "asked": 1, "missed": 1, "odd": 1, "late": 1}, 12, 3), ({"right": 3, "asked": 1}, 4, 1),
])
def test_a_game_whose_looks_are_doubtful_is_told(
    monkeypatch: pytest.MonkeyPatch, looks: dict[str, int], count: int, doubtful: int
) -> None:
    with pytest.raises(ConformanceError) as caught:
        tallied(monkeypatch, **looks)
    assert str(caught.value) == (f"kamikaze-cans: of {count} looks {doubtful} are doubtful, although everything is "
                                 "seen. Do plies look alike on the table? ['a', 'b', 'c']")


def test_a_game_that_is_followed_gives_its_tally(monkeypatch: pytest.MonkeyPatch) -> None:
    for noise, looks in ((None, {"right": 4, "asked": 1}), (None, {"right": 4, "late": 5, "untold": 5}),
                         (TrialNoise(), {"right": 1, "asked": 9})):
        found, tally = tallied(monkeypatch, noise, **looks)
        assert found is tally
