from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import get_args

import pytest

from hardware.lamps import (
    ASKED,
    IMPOSSIBLE,
    OVER,
    QUESTION,
    RHYTHMS,
    STATUS,
    YOUR_TURN,
    Calm,
    LampState,
    Light,
    Mood,
    Rhythm,
    lamp_plan,
    tune,
)

MOODS: tuple[Mood, ...] = get_args(Mood)
RENDER_EVERY_S = 0.01


def flashes_in_any_second(levels: list[float]) -> int:
    """The most times that a lamp, sampled every `RENDER_EVERY_S`, turns from dark to lit within one second."""
    lit = [level > 0.3 for level in levels]
    rises = [index * RENDER_EVERY_S for index, (old, new) in enumerate(pairwise(lit)) if new and not old]
    return max((sum(1 for rise in rises if first <= rise < first + 1.0) for first in rises), default=0)


def samples(light: Light, seconds: float = 60.0) -> list[float]:
    return [light.at(index * RENDER_EVERY_S) for index in range(round(seconds / RENDER_EVERY_S))]


def test_whose_turn_it_is_shines_steadily_and_the_others_are_dark() -> None:
    lamps = lamp_plan(LampState("playing", 4, frozenset({2})))
    assert [set(samples(light)) for light in lamps.seats] == [{0.0}, {0.0}, {1.0}, {0.0}]
    assert not lamps.restless()


def test_every_seat_that_is_asked_is_lit() -> None:
    lamps = lamp_plan(LampState("playing", 3, frozenset({0, 2})))
    assert [light.at(5.0) for light in lamps.seats] == [1.0, 0.0, 1.0]


def test_reading_breathes_without_going_dark_or_jumping() -> None:
    levels = samples(lamp_plan(LampState("reading", 2, frozenset({0}))).seats[0])
    assert min(levels) > 0.05
    assert max(levels) == 1.0
    assert max(abs(new - old) for old, new in pairwise(levels)) < 0.02


def test_a_question_is_two_blinks_and_a_rest() -> None:
    levels = samples(lamp_plan(LampState("question", 2, frozenset({1}))).seats[1], 2.0)
    lit = [level > 0.5 for level in levels]
    rises = [index for index, (old, new) in enumerate(pairwise([False, *lit])) if new and not old]
    assert len(rises) == 2
    assert not any(lit[60:])


def test_what_cannot_be_alternates_slowly_between_neighbours_who_play() -> None:
    lamps = lamp_plan(LampState("impossible", 4, frozenset({0, 1, 2})))
    at = {second: [light.at(second) for light in lamps.seats] for second in (0.5, 1.5, 2.5)}
    assert at == {0.5: [0.0, 1.0, 0.0, 0.0], 1.5: [1.0, 0.0, 1.0, 0.0], 2.5: [0.0, 1.0, 0.0, 0.0]}


def test_winners_shine_when_the_game_is_over() -> None:
    lamps = lamp_plan(LampState("over", 2, frozenset({1})))
    assert [light.at(0.0) for light in lamps.seats] == [0.0, 1.0]


@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_no_rhythm_flashes_more_than_three_times_a_second(rhythm: Rhythm) -> None:
    assert flashes_in_any_second(samples(Light(rhythm))) <= 3


def test_every_rhythm_and_mood_has_its_entry() -> None:
    assert set(RHYTHMS) == set(get_args(Rhythm))
    assert set(STATUS) == set(MOODS)
    assert set(ASKED) == set(MOODS) - {"impossible"}


def test_moods_differ_in_more_than_colour() -> None:
    urgent = [STATUS[mood][0].rhythm for mood in ("playing", "reading", "question", "impossible", "blind")]
    assert len(set(urgent)) == len(urgent)


@pytest.mark.parametrize("seed", range(5))
def test_states_that_flicker_do_not_make_a_lamp_flash(seed: int) -> None:
    rng, calm = Random(seed), Calm()
    shown, wanted, since_s = [], Light(), 0.0
    for index in range(3000):
        if rng.random() < 0.2:
            wanted, since_s = Light(rng.choice(get_args(Rhythm))), index * RENDER_EVERY_S
        now_s = index * RENDER_EVERY_S
        shown.append(calm.shown((wanted.at(now_s - since_s),), now_s)[0])
    assert flashes_in_any_second(shown) <= 3


def test_a_lamp_held_back_is_lit_soon_after() -> None:
    calm = Calm()
    assert calm.shown((1.0,), 0.0) == (1.0,)
    assert calm.shown((0.0,), 0.1) == (0.0,)
    assert calm.shown((1.0,), 0.2) == (0.0,)
    assert calm.shown((1.0,), 0.36) == (1.0,)


def test_the_buzzer_tells_what_is_new_once() -> None:
    first, second = frozenset({0}), frozenset({1})
    playing = LampState("playing", 2, first)
    assert tune(playing, LampState("playing", 2, second)) is YOUR_TURN
    assert tune(playing, LampState("question", 2, second)) is QUESTION
    assert tune(playing, LampState("impossible", 2)) is IMPOSSIBLE
    assert tune(playing, LampState("over", 2, first)) is OVER
    assert tune(playing, playing) is None
    assert tune(LampState("reading", 2, first), playing) is None


def test_a_tune_plays_its_notes_and_ends() -> None:
    heard = [QUESTION.at(index * 0.01) for index in range(100)]
    assert heard[0] == 523.3
    assert 0.0 in heard
    assert heard[-1] is None
