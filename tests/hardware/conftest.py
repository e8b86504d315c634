from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.board import Board
from hardware.presses import Gesture
from tests.hardware.hardware_mocks import TWO_SEATS, Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


@pytest.fixture
def presses() -> list[Gesture]:
    return []


@pytest.fixture
def board(factory: MockFactory, presses: list[Gesture], clock: Clock) -> Iterator[Board]:
    made = Board(TWO_SEATS, presses.append, factory, clock=clock, tick_s=0.02)
    yield made
    made.close()
