"""What the last ply did, as a drawing shows it: halos, paths, and the part of the board where it happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from markupsafe import Markup

from companion.table import Layout, Placement, Point, Spot
from web.draw.drawn_pieces import CARD_RATIO
from web.draw.extents import NOWHERE, Extent, with_square, within
from web.draw.furniture import draw_frame
from web.draw.moves import PieceMove
from web.draw.plan import Plan
from web.draw.svg import number, tag

CLOSE_UP_MM = 64.0
"""The least width of a close-up, so that one always sees where on the board it is."""
MAX_PATHS = 6
"""Of more pieces that moved at once no paths are drawn."""
MIN_CARRIED = 4
"""From this many pieces on that changed together they are one body that was moved or turned."""
MIN_PATH_MM = 8.0
"""A shorter path says nothing."""
USUAL_PIECE_MM = 13.4
"""The width of a piece beside which a path's arrow has its usual size."""


@dataclass(frozen=True, slots=True)
class LastPly:
    """The drawing now and before, the pieces that moved, and the bodies that were moved or turned `as_one` with all
    that stands in them: their spots and the spots on them."""

    plan: Plan
    earlier: Plan
    moves: tuple[PieceMove, ...]
    as_one: frozenset[Spot]

    @property
    def single(self) -> list[PieceMove]:
        """The moves of single pieces."""
        return [move for move in self.moves if move.after not in self.as_one and move.before not in self.as_one]

    def ends(self, move: PieceMove) -> tuple[Point | None, Point | None]:
        """Where the piece was and where it is. What left a tray left over the tray's edge: the others close up, so
        where exactly it stood there says nothing."""
        was, now = self.earlier.find(move.before, move.appearance), self.plan.find(move.after, move.appearance)
        before, after = was.at if was else None, now.at if now else None
        tray = next((tray.extent for tray in self.earlier.trays if tray.spot == move.before and not tray.inside), None)
        if tray and after:
            before = within(after[0], 2, tray.left, tray.right), within(after[1], 2, tray.top, tray.bottom)
        return before, after


def moved_as_one(layout: Layout, placement: Placement, moves: Sequence[PieceMove]) -> frozenset[Spot]:
    """Bodies that were moved or turned with all that stands in them, and the spots there: they are marked as one."""
    ends = {move.after for move in moves}
    found: set[Spot] = set()
    for body in layout.bodies:
        spots = [place.spot for place in layout.places if place.on == body.spot and placement.get(place.spot)]
        if len(spots) >= MIN_CARRIED and ends.issuperset(spots):
            found |= {body.spot, *spots}
    return frozenset(found)


def below_pieces(ply: LastPly) -> list[Markup]:
    """What is drawn under the pieces: frames of bodies that moved, halos of pieces that did."""
    frames = [draw_frame(body, "halo frame") for body in ply.plan.bodies if body.spot in ply.as_one]
    return [*frames, *(_halo(ply, move) for move in ply.single)]


def above_pieces(ply: LastPly) -> list[Markup]:
    """What is drawn over them: where bodies were, and paths."""
    standing = {body.spot for body in ply.plan.bodies}
    gone = [draw_frame(body, "was") for body in ply.earlier.bodies if body.spot not in standing]
    return [*gone, *(_path(ply, move) for move in ply.single if len(ply.single) <= MAX_PATHS)]


def _halo(ply: LastPly, move: PieceMove) -> Markup:
    """Under the piece: where it stands now, and where one stood that is gone."""
    before, after = ply.ends(move)
    now, was = ply.plan.find(move.after, move.appearance), ply.earlier.find(move.before, move.appearance)
    parts = []
    if after and now:
        ratio = CARD_RATIO if now.form == "card" else 1.0
        parts.append(tag("ellipse", cx=after[0], cy=after[1], rx=0.62 * now.wide_mm, ry=0.62 * now.wide_mm * ratio,
                         class_="halo"))
    if before and was and move.before not in {tray.spot for tray in ply.plan.trays}:
        parts.append(tag("circle", cx=before[0], cy=before[1], r=(0.38 if after else 0.42) * was.wide_mm,
                         class_="was" if after else "gone"))
    return tag("g", *parts)


def _path(ply: LastPly, move: PieceMove) -> Markup:
    """A thin line from where the piece was to the foot of where it is, with an arrow's head."""
    (before, after), now = ply.ends(move), ply.plan.find(move.after, move.appearance)
    if not before or not after or not now:
        return Markup()
    if (far := hypot(after[0] - before[0], after[1] - before[1])) < MIN_PATH_MM:
        return Markup()
    size = now.wide_mm / USUAL_PIECE_MM
    along = ((after[0] - before[0]) / far, (after[1] - before[1]) / far)
    short, wide, long = 7.4 * size, 2 * size, 3 * size
    end = (after[0] - along[0] * short, after[1] - along[1] * short)
    wing = [(end[0] - along[0] * long + s * along[1] * wide, end[1] - along[1] * long - s * along[0] * wide)
            for s in (1, -1)]
    line = f"M{_xy(before)}L{_xy(end)}M{_xy(wing[0])}L{_xy(end)}L{_xy(wing[1])}"
    return tag("g", tag("path", d=line, class_="way-edge"), tag("path", d=line, class_="way"))


def _xy(at: Point) -> str:
    return f"{number(at[0])} {number(at[1])}"


def close_up(ply: LastPly) -> Extent:
    """A 4:3 extent around what changed, never smaller than `CLOSE_UP_MM`; the whole board when nothing did.

    From which tray a piece came is said by its colour, so trays are shown only when nothing changed elsewhere.
    """
    view, trays = ply.plan.view, {tray.spot for tray in ply.plan.trays}
    ends = [(spot, at) for move in ply.moves
            for spot, at in zip((move.before, move.after), ply.ends(move)) if at]
    spots = {spot for spot, _ in ends}
    wide_mm = max([piece.wide_mm for piece in ply.plan.pieces if piece.spot in spots], default=13.0)
    shown = NOWHERE
    for _, at in [end for end in ends if end[0] not in trays] or ends:
        shown = with_square(shown, at, wide_mm)
    if shown == NOWHERE:
        return view
    wide = max(shown.width, shown.height * 4 / 3, CLOSE_UP_MM, 4.4 * wide_mm)
    tall = wide * 3 / 4
    x = within((shown.left + shown.right) / 2, wide / 2, view.left, view.right)
    y = within((shown.top + shown.bottom) / 2, tall / 2, view.top, view.bottom)
    return Extent(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
