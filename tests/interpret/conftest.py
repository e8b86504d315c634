from __future__ import annotations

import pytest

from companion.games.kamikaze_cans import GAME
from companion.interpret import Interpreter
from tests.interpret.cans_table import LAYOUT


@pytest.fixture
def interpreter() -> Interpreter:
    """That of a table of Kamikaze Cans."""
    return Interpreter(GAME, LAYOUT)
