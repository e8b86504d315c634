"""Contacts that bounce: what a button's pin reads while a finger presses and lets go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from hardware.board import Board
from hardware.presses import Gesture
from tests.hardware.hardware_mocks import TWO_SEATS
from tests.hardware.pin_libraries import factory_of, on_chip

BUTTON = 5
BETWEEN_S = 0.3
MAX_EDGES = 30


def press(rng: Random, held_s: float, bounce_s: float) -> list[tuple[float, int]]:
    """The levels of one press: (seconds from its beginning, level). Closing and opening both bounce for so long."""
    edges = [*_burst(rng, 0.0, bounce_s, 0), *_burst(rng, held_s, bounce_s, 1)]
    return [(at_s, level) for at_s, level in edges if at_s <= held_s + bounce_s]


def _burst(rng: Random, from_s: float, bounce_s: float, end: int) -> Iterator[tuple[float, int]]:
    number = 2 * rng.randint(1, MAX_EDGES // 2) + 1
    times_s = sorted(from_s + bounce_s * rng.random() for _ in range(number - 1))
    for turn, at_s in enumerate([from_s, *times_s]):
        yield at_s, end if turn % 2 == 0 else 1 - end


@contextmanager
def pressed(library: str, held_s: list[float], bounce_s: float, seed: int) -> Iterator[list[Gesture]]:
    """What presses of such lengths come to, on the pins of this library."""
    rng, gestures = Random(seed), list[Gesture]()
    with pytest.MonkeyPatch.context() as patch, on_chip(library, patch) as chip:
        factory = factory_of(library)
        board = Board(TWO_SEATS, gestures.append, factory, clock=lambda: chip.now_s, tick_s=60.0)
        try:
            for each_s in held_s:
                chip.play(BUTTON, press(rng, each_s, bounce_s), settle_s=BETWEEN_S)
            yield gestures
        finally:
            board.close()
            factory.close()
