"""The picture of a game's end, for files and messages: who has how much, and the board, drawn as on the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from web.draw.board import STYLE
from web.draw.pieces import seat_mark, symbols
from web.draw.svg import number, tag

_WIDE: Final = 1080
_MARGIN: Final = 60
_HEAD: Final = 230
_ROW: Final = 110
_BOARD: Final = 960
_LONGEST_NAME: Final = 24
_LONGEST_LINE: Final = 46
"""Letters of a name that have room beside a score, and of a line."""
_COLOURS: Final = """
.card { --paper: #f8f1de; --panel: #fffaf0; --edge: #ddcfa4; --ink: #23201a; --soft: #625a45; --lit: #ffe9a0 }
@media (prefers-color-scheme: dark) {
  .card { --paper: #0f1320; --panel: #181f33; --edge: #2b3552; --ink: #f3eee0; --soft: #a9b1c9; --lit: #57430c } }
.card .paper { fill: var(--paper) } .card .panel { fill: var(--panel); stroke: var(--edge); stroke-width: 2 }
.card .panel.lit { fill: var(--lit); stroke: #e3b91b; stroke-width: 4 }
.card .plate { fill: #fff; stroke: var(--edge); stroke-width: 2 }
.card > text { font-family: system-ui, sans-serif; font-size: 46px; fill: var(--ink) }
.card > .head { font-size: 64px; font-weight: 700 } .card > .soft { font-size: 40px; fill: var(--soft) }
.card > .points { font-size: 72px; font-weight: 700; text-anchor: end }
"""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A seat's line: its mark in its paint, its name, its points as they are written."""

    seat: int
    paint: str
    name: str
    points: str
    is_winner: bool = False


def result_card(head: str, told: str, rows: Sequence[CardRow], board: Markup) -> Markup:
    """The picture. `head` is the game's name, `told` how it ended; the rows stand as they are given."""
    below = _HEAD + _ROW * len(rows) + _MARGIN // 2
    tall = below + _BOARD + _MARGIN
    parts = [
        tag("style", Markup(STYLE.read_text("utf-8") + _COLOURS)), symbols(),
        tag("rect", class_="paper", width=_WIDE, height=tall),
        tag("text", head, class_="head", x=_MARGIN, y=115),
        tag("text", _cut(told, _LONGEST_LINE), class_="soft", x=_MARGIN, y=185),
    ]
    for n, row in enumerate(rows):
        parts += _row(row, _HEAD + _ROW * n)
    parts.append(tag("svg", board, x=_MARGIN, y=below, width=_WIDE - 2 * _MARGIN, height=_BOARD))
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", class_="card", role="img",
               aria_label=f"{head}: {told}", viewBox=f"0 0 {_WIDE} {tall}", width=_WIDE, height=tall)


def _row(row: CardRow, top: int) -> list[Markup]:
    middle = top + _ROW / 2
    place = f"translate({_MARGIN + 55} {number(middle - 5)}) scale(26)"
    return [
        tag("rect", class_="panel lit" if row.is_winner else "panel",
            x=_MARGIN, y=top, width=_WIDE - 2 * _MARGIN, height=_ROW - 14, rx=16),
        tag("rect", class_="plate", x=_MARGIN + 17, y=top + 12, width=76, height=_ROW - 38, rx=12),
        tag("g", seat_mark(row.seat, row.paint), transform=place),
        tag("text", _cut(row.name, _LONGEST_NAME), x=_MARGIN + 120, y=middle + 10),
        tag("text", row.points, class_="points", x=_WIDE - _MARGIN - 24, y=middle + 18),
    ]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most - 1]}…"
