"""The areas of a game over the table from above, as plain values for the template."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from companion.session.kept_zones import write_laid
from companion.session.survey import TableFromAbove
from companion.table import Layout, Point
from companion.table.laid import Corners, Laid, areas, middle_of, unmoved
from companion.table.spot_words import spot_phrase
from companion.words import Words
from web.draw.svg import number

AROUND_AREAS_MM: Final = 40.0
"""Around all areas, while there is no picture."""
HANDLE_SHARE: Final = 1 / 16
"""Of the picture's width: as large as a finger."""


@dataclass(frozen=True, slots=True)
class AreaShown:
    """An area: its corners now, as an SVG polygon has them, and as drawn, from the layout's middle, as JSON."""

    spot: str
    name: str
    points: str
    drawn: str


class ZonesView:
    """What the page shows of a layout that lies so."""

    def __init__(self, words: Words, layout: Layout, laid: Laid, seen: TableFromAbove | None) -> None:
        self._words, self._layout, self.laid = words, layout, laid
        self._now, self._drawn = areas(layout, laid), unmoved(layout)
        self._zones = {zone.spot for zone in layout.zones}
        self.seen = seen if seen is not None and seen.jpeg else None

    @property
    def zones(self) -> list[AreaShown]:
        """Those that can be moved by themselves."""
        return [self._area(spot) for spot in self._now if spot in self._zones]

    @property
    def fixed(self) -> list[AreaShown]:
        """Those that lie as the whole game does."""
        return [self._area(spot) for spot in self._now if spot not in self._zones]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The left and the back edge of what is shown, its width and its depth, in mm."""
        if self.seen is not None:
            return self.seen.left_mm, self.seen.back_mm, self.seen.wide_mm, self.seen.deep_mm
        x = [x for corners in self._now.values() for x, _ in corners] or [0.0]
        y = [y for corners in self._now.values() for _, y in corners] or [0.0]
        left, back = min(x) - AROUND_AREAS_MM, max(y) + AROUND_AREAS_MM
        return left, back, max(x) + AROUND_AREAS_MM - left, back - min(y) + AROUND_AREAS_MM

    @property
    def view_box(self) -> str:
        """The same as an SVG has it."""
        left, back, wide, deep = self.box
        return " ".join(number(each) for each in (left, -back, wide, deep))

    @property
    def handle_mm(self) -> float:
        """How large what a finger holds is."""
        return self.box[2] * HANDLE_SHARE

    @property
    def told(self) -> str:
        """Where all lies, as JSON."""
        return json.dumps(write_laid(self.laid))

    def _area(self, spot: str) -> AreaShown:
        mx, my = middle_of(self._layout)
        drawn = [(round(x - mx, 2), round(y - my, 2)) for x, y in self._drawn[spot]]
        return AreaShown(spot, self._name(spot), _points(self._now[spot]), json.dumps(drawn))

    def _name(self, spot: str) -> str:
        where = spot_phrase(spot)
        return self._words.sentence(where) if where.id in self._words else spot.replace(":", " ").replace("_", " ")


def _points(corners: Corners | list[Point]) -> str:
    return " ".join(f"{number(x)},{number(0.0 - y)}" for x, y in corners)
