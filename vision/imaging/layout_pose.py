"""The pose of a game's layout on the real table: from its own frame to the table frame, by zones and by the seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.table import Body, Layout, Place, Point, Spot
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin

ZoneCorners = Sequence[Point]
"""Those of a zone in the table frame (mm), from the front left, anticlockwise."""


class LayoutFrame:
    """From a layout's own frame to the table's. `zones` are corners in the table frame (mm) from the front left,
    anticlockwise; `seats` the direction (degrees) in which each player sits.

    Where the layout has a block and its zone is known, this zone determines the position and the direction of the
    sides. Otherwise a rigid fit to the centres of all zones that have a namesake in the layout does, if there are two.
    The seats settle the quarter turn.
    """

    def __init__(self, layout: Layout, zones: Mapping[Spot, ZoneCorners], seats: Mapping[int, float]) -> None:
        bodies = np.array([body.at_mm for body in layout.bodies], np.float64).reshape(-1, 2)
        self._middle = bodies.mean(axis=0) if len(bodies) else np.array(layout.size_mm) / 2
        self._at = self._middle
        self.turn_deg = 0.0
        drawn, lying = _named_alike(layout, zones)
        if layout.block is not None and layout.block in zones:
            corners = np.array(zones[layout.block], np.float64)
            self._at = corners.mean(axis=0)
            side = corners[1] - corners[0]
            self.turn_deg = float(np.degrees(np.arctan2(side[1], side[0])))
        elif len(drawn) > 1:
            self._middle, self._at = drawn.mean(axis=0), lying.mean(axis=0)
            self.turn_deg = _turn_between(drawn - self._middle, lying - self._at)
        if 0 in seats:
            quarter = round((seats[0] + 90 - self.turn_deg) / 90)
            self.turn_deg += 90.0 * quarter

    def point(self, at_mm: Point) -> Point:
        """A point of the layout in the table frame (mm)."""
        x, y = self.to_table([at_mm])[0]
        return float(x), float(y)

    def to_table(self, points_mm: Sequence[Point]) -> Floats:
        """Points (n, 2) of the layout in the table frame (mm)."""
        off = np.array(points_mm, np.float64) - self._middle
        return np.asarray(off @ spin(self.turn_deg).T + self._at, np.float64)

    def zones(self, layout: Layout, known: Mapping[Spot, ZoneCorners]) -> dict[Spot, Floats]:
        """The corners (4, 2) of the layout's zones in the table frame: where they are known, else as in the layout."""
        return {zone.spot: np.array(known[zone.spot], np.float64) if zone.spot in known
                else self.to_table(zone.corners_mm) for zone in layout.zones}

    def play(self, layout: Layout, known: Mapping[Spot, ZoneCorners]) -> list[Floats]:
        """The areas (4, 2) in which pieces lie, come and go, in the table frame: all zones that are known, and what
        else the layout has, but for cells that may stay empty for good."""
        carriers = {place.on for place in layout.places}
        lying = [(body.spot, body.at_mm, body.size_mm, body.turn_deg) for body in layout.bodies]
        lying += [(place.spot, place.at_mm, (*place.size_mm, 0.0), place.turn_deg) for place in layout.places
                  if place.on is None and place.spot not in carriers]
        areas = [np.array(corners, np.float64) for corners in known.values()]
        areas += [self.to_table(zone.corners_mm) for zone in layout.zones if zone.spot not in known]
        for spot, at_mm, (wide, deep, _), turn_deg in lying:
            if spot not in known:
                corners = np.array([(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)]) / 2
                areas.append(self.to_table((corners @ spin(turn_deg).T + at_mm).tolist()))
        return areas

    def centres_on_table(self, layout: Layout, known: Mapping[Spot, ZoneCorners]) -> dict[Spot, Point]:
        """Centres in the table frame (mm) of the places on no body: those of the known zones of the same name, if
        any."""
        carriers = {place.on for place in layout.places}
        return {place.spot: _middle_of(known[place.spot]) if place.spot in known else self.point(place.at_mm)
                for place in layout.places if place.on is None and place.spot not in carriers}

    def body(self, body: Body) -> Body:
        """A body of the layout at its expected pose in the table frame."""
        return replace(body, at_mm=self.point(body.at_mm), turn_deg=body.turn_deg + self.turn_deg)


def places_on(drawn: Sequence[Body], found: Sequence[Body], places: Iterable[Place]) -> dict[Spot, Point]:
    """Centres in the table frame (mm) of all places that lie on bodies which the layout draws, by the measured poses of
    these."""
    in_layout = {body.spot: body for body in drawn}
    on_table = {body.spot: body for body in found}
    centres: dict[Spot, Point] = {}
    for place in places:
        if place.on is None or place.on not in on_table:
            continue
        then, now = in_layout[place.on], on_table[place.on]
        off = spin(now.turn_deg - then.turn_deg) @ np.subtract(place.at_mm, then.at_mm)
        centres[place.spot] = (float(now.at_mm[0] + off[0]), float(now.at_mm[1] + off[1]))
    return centres


def _named_alike(layout: Layout, zones: Mapping[Spot, ZoneCorners]) -> tuple[Floats, Floats]:
    """Centres (n, 2) in mm of the namesakes of layout and zones: in the layout's frame, and in the table frame."""
    drawn = {place.spot: place.at_mm for place in layout.places}
    drawn |= {body.spot: body.at_mm for body in layout.bodies}
    drawn |= {zone.spot: _middle_of(zone.corners_mm) for zone in layout.zones}
    common = [spot for spot in zones if spot in drawn]
    return (np.array([drawn[spot] for spot in common], np.float64).reshape(-1, 2),
            np.array([_middle_of(zones[spot]) for spot in common], np.float64).reshape(-1, 2))


def _middle_of(corners: ZoneCorners) -> Point:
    x, y = np.mean(np.array(corners, np.float64), axis=0)
    return float(x), float(y)


def _turn_between(drawn: Floats, lying: Floats) -> float:
    """The angle in degrees that best rotates points (n, 2) about the origin onto others (Procrustes)."""
    across = (drawn[:, 0] * lying[:, 1] - drawn[:, 1] * lying[:, 0]).sum()
    return float(np.degrees(np.arctan2(across, (drawn * lying).sum())))
