"""The start of Kamikaze Cans for tests, and what breaks a rule of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.errors import IllegalError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.state import State
from tests.games.kamikaze_cans.kc_board import said

OPTIONS = GAME.read_options({}, 2)


def begin(*colours: str, first: int = 0) -> State:
    setup = GAME.read_setup({"colours": list(colours), "first": first}, OPTIONS, len(colours))
    return GAME.start(setup, OPTIONS, len(colours))


@contextmanager
def breaks(rule: str, words: str | None = None) -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words is None or said(caught.value) == words
