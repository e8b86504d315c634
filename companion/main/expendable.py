"""Which process goes first when memory runs out: one that is started anew without harm, never the one with the game."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

EYES: Final = 500
THINKING: Final = 800
"""A bot's thinking, or the learning of pieces: it is only done again."""


def may_go(score: int) -> None:
    """This process asks the kernel to take it before others (`oom_score_adj`); not every system lets it."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(score), encoding="ascii")
