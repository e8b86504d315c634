"""Writes the golden drawings anew: `python -m tests.web.make_drawings`.

A golden drawing is an SVG with a line for each piece, place or body; `test_golden_drawings.py` draws it again and
compares. Make them anew only when a drawing was meant to change, and look at what changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from markupsafe import Markup

from tests.web import made_up_boards
from tests.web.web_games import GAMES, page_of, shown
from web.draw import symbols

DRAWINGS = Path(__file__).parents[1] / "data" / "drawings"
TAG = re.compile(r"</?[^>]*>[^<]*")
LINE_DEPTH = 1
"""So deep elements begin a line: the children of the whole. In `symbols` it is one more."""


def drawings() -> Mapping[str, Callable[[], str]]:
    """Every golden drawing, by the name of its file."""
    made_up: Mapping[str, Callable[[], Markup]] = {
        "flat-pieces": made_up_boards.flat_pieces, "drinks": made_up_boards.drinks,
        "still-things": made_up_boards.still_things, "last-ply": made_up_boards.last_ply,
    }  # fmt: skip
    return {
        "symbols": lambda: in_lines(symbols(), LINE_DEPTH + 2),
        **{name: partial(_drawn, draw) for name, draw in made_up.items()},
        **{game: partial(_game, game) for game in GAMES},
    }


def _drawn(draw: Callable[[], Markup]) -> str:
    return in_lines(draw(), LINE_DEPTH)


def _game(game: str) -> str:
    return in_lines(page_of(shown(game)).board, LINE_DEPTH)


def in_lines(svg: str, depth: int) -> str:
    """The same with a line break before each element that lies at most so deep."""
    text, level = "", 0
    for tag in TAG.findall(svg):
        closes = tag.startswith("</")
        level -= closes
        text += "\n" + " " * level + tag if level <= depth - closes and text else tag
        level += not closes and "/>" not in tag
    return text + "\n"


if __name__ == "__main__":
    for name, draw in drawings().items():
        (DRAWINGS / f"{name}.svg").write_text(draw(), encoding="utf-8")
