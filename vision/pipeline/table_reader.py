"""One table read in order: bodies first, then the places on them and on the table, then the zones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np

from companion.table import EMPTY, Body, Layout, Place, Point, Sight, Spot
from vision.drinks.slot_reader import DrinkSlots
from vision.drinks.zone_reader import DrinkZones
from vision.faces.place_reader import FacePlaces
from vision.faces.zone_reader import FaceZones
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.imaging.footprints import outline_mm
from vision.imaging.layout_pose import LayoutFrame, ZoneCorners
from vision.pieces.piece_set import PieceSet
from vision.pipeline.covered_spots import Uncovered, without_covered
from vision.pipeline.body_locator import CRATE, BodyLocator, LocatedBodies
from vision.pipeline.zone_sights import counted_once
from vision.presence.play_area import SmallMask
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene
from vision.scene.occluders import Obstacle

DRINK = "drink"

BODY_EDGE_MM = 1.5
"""The margin around a board or a card for its edge and shadow."""


class TableReader:
    """Reads what is on one table, look after look. What did not change keeps its reading."""

    def __init__(self, pieces: PieceSet, layout: Layout, frame: LayoutFrame, zones: Mapping[Spot, ZoneCorners]) -> None:
        self._layout = layout
        self._zones = frame.zones(layout, zones)
        self._on_table = frame.centres_on_table(layout, zones)
        covered = [zone.spot for zone in layout.zones if self._is_covered(self._zones[zone.spot])]
        self._open_zones = [zone for zone in layout.zones if zone.spot not in covered]
        self._whole: frozenset[Spot] | None = None  # the zones that are wholly in the picture of this camera
        self._turn_deg = frame.turn_deg
        self._memory = ReadingCache()
        self._bodies = BodyLocator(layout, frame, pieces, self._zones)
        self._slots = DrinkSlots(pieces.in_crate, self._memory)
        self._stocks = DrinkZones(pieces.on_table, self._memory)
        self._flat_places = FacePlaces(pieces.faces, self._memory)
        self._flat_stocks = FaceZones(pieces.faces, self._memory)

    def use(self, pieces: PieceSet) -> None:
        """Read with these pieces from now on."""
        self._slots.models, self._stocks.models = pieces.in_crate, pieces.on_table
        self._flat_places.faces = self._flat_stocks.faces = pieces.faces

    def camera_moved(self) -> None:
        """Drop all that was kept of earlier pictures: they show another view."""
        self._memory.clear()
        self._whole = None
        self._bodies.clear()
        self._slots.crates_moved()
        self._flat_stocks.camera_moved()

    def read(self, scene: Scene) -> tuple[tuple[Sight, ...], frozenset[Spot], dict[str, float]]:
        """All sights, the zones that are wholly in the picture, and the milliseconds of each stage.

        Raises `SightError` when a body that is needed cannot be found.
        """
        start = time.perf_counter()
        self._memory.noise.trust = scene.trust
        found = self._bodies.find(scene)
        fitted = time.perf_counter()
        on_places = self._read_places(scene, found)
        placed = time.perf_counter()
        in_zones, whole = self._read_zones(scene)
        stages = {"bodies": fitted - start, "places": placed - fitted, "zones": time.perf_counter() - placed}
        return (*found.sights, *on_places, *in_zones), whole, {name: 1000 * each for name, each in stages.items()}

    def uncovered(self, sights: tuple[Sight, ...], whole: frozenset[Spot], covered: SmallMask, view: View
                  ) -> Uncovered:
        """What was read, without what things cover in the small picture."""
        bodies = {body.spot for body in self._layout.bodies}
        return without_covered(sights, whole, self._zones, bodies, covered, view)

    def _read_places(self, scene: Scene, found: LocatedBodies) -> list[Sight]:
        crates = [body for body in found.bodies if body.appearance == CRATE]
        scene.stand(crates)
        if found.moved:
            self._slots.crates_moved()
        centres = found.centres_mm() | self._on_table
        slots = [place for place in found.layout.places if DRINK in place.kinds]
        others = [place for place in found.layout.places if DRINK not in place.kinds]
        in_slots = self._slots.read(scene, slots, centres, crates) if slots else []
        flat = self._flat_places.read(scene, others, centres, found.bodies)
        scene.lay([_obstacle(scene, body.at_mm, body.turn_deg, body.size_mm) for body in found.bodies
                   if body.appearance != CRATE])
        scene.lay([_obstacle(scene, sight.at_mm, self._turn_deg + place.turn_deg if sight.turn_deg is None
                             else sight.turn_deg, (*place.size_mm, 0.0)) for place, sight in _lying(others, flat)])
        return [*in_slots, *flat]

    def _read_zones(self, scene: Scene) -> tuple[list[Sight], frozenset[Spot]]:
        if self._whole is None:
            self._whole = frozenset(zone.spot for zone in self._open_zones
                                    if _is_in_picture(scene, self._zones[zone.spot]))
        sights: list[Sight] = []
        for zone in self._open_zones:
            corners = self._zones[zone.spot]
            sights += (self._stocks.read(scene, zone.spot, corners) if DRINK in zone.kinds
                       else self._flat_stocks.read(scene, zone, corners))
        return counted_once(sights, self._zones), self._whole

    def _is_covered(self, corners: Floats) -> bool:
        """Whether a place on the table lies within a zone: what lies there covers the bare table."""
        outline = corners.astype(np.float32)
        return any(cv2.pointPolygonTest(outline, at, False) >= 0 for at in self._on_table.values())


def _lying(places: Sequence[Place], sights: Sequence[Sight]) -> Iterator[tuple[Place, Sight]]:
    """The places on the table itself that are occupied, with their sights."""
    seen = {sight.spot: sight for sight in sights}
    for place in places:
        sight = seen.get(place.spot)
        if place.on is None and sight is not None and sight.likeliest != EMPTY:
            yield place, sight


def _is_in_picture(scene: Scene, corners: Floats) -> bool:
    px = scene.view.project_at(corners, 0.0)
    height, width = scene.image.shape[:2]
    return bool((px >= 0).all() and (px[:, 0] < width).all() and (px[:, 1] < height).all())


def _obstacle(scene: Scene, at_mm: Point, turn_deg: float, size_mm: tuple[float, float, float]) -> Obstacle:
    """A body as an occluder, with a margin of `BODY_EDGE_MM`."""
    across, deep, height = size_mm
    grown = Body("", "", at_mm, (across + 2 * BODY_EDGE_MM, deep + 2 * BODY_EDGE_MM, height), turn_deg)
    low, high = (scene.view.project_at(outline_mm(grown), z) for z in (0.0, height))
    outline = np.asarray(cv2.convexHull(np.concatenate([low, high]).astype(np.float32)), np.float64).reshape(-1, 2)
    return Obstacle(outline, height)
