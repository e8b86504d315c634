"""The reader: one frame after another goes in, what each shows comes out.

A frame is watched first (is the table free?), then the cards give the camera, the light and the places of all bodies;
places and zones that changed since they were last read are read again, the others keep their reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.errors import Phrase, SightError, phrase
from companion.table import EMPTY, Body, Layout, Observation, Place, Point, Sight, Spot
from vision.bodies import CRATE, Bodies, Found
from vision.camera import Floats, Lens, View
from vision.cards import Arrangement, expect_size, find_cards
from vision.doubts import Doubts, Pulse
from vision.flat_places import FlatPlaces
from vision.flat_stocks import FlatStocks
from vision.frames import CardSeen, Frame, Look
from vision.layout_frame import LayoutFrame
from vision.light import White, fit_white, judge_exposure
from vision.memory import Memory
from vision.pieceset import PieceSet
from vision.needed import expect_pieces
from vision.scene import Scene, outline_mm
from vision.slots import Slots
from vision.stocks import Stocks
from vision.watch import Ground, Watcher, survey
from vision.zones import grow

DRINK = "drink"

LAID_BESIDE_MM = 1.5
"""So much around a board or a card its edge and shadow are seen."""

Corners = Sequence[Point]


class Reader:
    """Reads the frames of one table. `zones` are corners in the table frame (mm) from the front left, anticlockwise;
    `seats` the direction (degrees) in which each player sits. Raises `InvalidError` when the piece set lacks pieces
    that the layout has."""

    def __init__(self, lens: Lens, pieces: PieceSet, layout: Layout, zones: Mapping[Spot, Corners],
                 seats: Mapping[int, float]) -> None:
        expect_pieces(pieces, layout)
        self._lens, self._pieces, self._layout = lens, pieces, layout
        frame = LayoutFrame(layout, zones, seats)
        self._zones = frame.zones(layout, zones)
        self._play = frame.play(layout, zones)
        self._arrangement = self._enrolled()
        self._watcher: Watcher | None = None
        self._view: View | None = None
        self._white: White | None = None
        self._pulse, self._doubts = Pulse(), Doubts(pieces.references)
        self._memory = Memory()
        self._bodies = Bodies(layout, frame, pieces, self._zones)
        self._slots = Slots(pieces.in_crate, self._memory)
        self._stocks = Stocks(pieces.on_table, self._memory)
        self._flat_places = FlatPlaces(pieces.faces, self._memory)
        self._flat_stocks = FlatStocks(pieces.faces, self._memory)
        self._on_table = frame.centres_on_table(layout, zones)

    @property
    def arrangement(self) -> Arrangement | None:
        """Where camera and cards stand."""
        return self._arrangement

    def look(self, frame: Frame, begins: Callable[[], object] = lambda: None) -> Look:
        """What the frame shows. Frames must come in order. `begins` is called when a free table is now read."""
        start = time.perf_counter()
        try:
            known = self._arrangement
            self._expect_picture(frame)
            state, why = self._watch(frame)
            watched = time.perf_counter()
            if state != "free":
                found = () if self._arrangement is known else _found(self._arrangement)
                return self._unread(frame, state, why, found, watched - start)
            begins()
            look = self._read(frame)
        except SightError as error:
            return self._unread(frame, "cards", error.phrase, (), time.perf_counter() - start)
        done = time.perf_counter()
        return replace(look, ms={"watch": 1000 * (watched - start), "read": 1000 * (done - watched)})

    def _expect_picture(self, frame: Frame) -> None:
        """Raises `SightError` for what cannot be a new picture of this camera."""
        if frame.image.ndim != 3 or frame.image.shape[2] != 3 or frame.image.dtype != np.uint8:
            raise SightError(phrase("eyes.no_colours"))
        expect_size(frame.image, self._lens)
        if self._pulse.is_stuck(frame):
            raise SightError(phrase("eyes.stuck"))

    def _unread(self, frame: Frame, state: str, why: Phrase | None, found: tuple[CardSeen, ...], spent_s: float
                ) -> Look:
        """A look that was not read: for a hand, or because something is wrong with the picture as a whole."""
        doubtful = self._doubts.look(frame.small)
        if doubtful is not None:
            state, why = "picture", doubtful
        return Look(frame.number, frame.at_s, state, why, found, ms={"watch": 1000 * spent_s})

    # ------------------------------------------------------------ free or not

    def _enrolled(self) -> Arrangement | None:
        """Camera and cards as they stood at enrolment."""
        bare = self._pieces.bare
        if bare is None or not self._pieces.cards or not bare.view.lens.is_like(self._lens):
            return None
        return Arrangement(bare.view, self._pieces.cards, frozenset(card.card for card in self._pieces.cards), 0.0)

    def _watch(self, frame: Frame) -> tuple[str, Phrase | None]:
        if self._watcher is None:
            self._arrangement = find_cards(frame.image, self._lens, self._arrangement)
            self._watcher = Watcher(self._ground(), self._pieces.references)
        verdict = self._watcher.look(frame.small, frame.at_s)
        if verdict.state != "free" and verdict.shifted and self._arrangement is not None:
            before = self._arrangement
            self._arrangement = find_cards(frame.image, self._lens, before)
            if self._arrangement.bumped is not None:
                self._watcher.realign(before.view, self._arrangement.view, self._ground())
                verdict = self._watcher.look(frame.small, frame.at_s)
        return verdict.state, verdict.why

    def _ground(self) -> Ground:
        assert self._arrangement is not None
        play = [[(float(x), float(y)) for x, y in grow(corners, 0.0)] for corners in self._play]
        cards = [(card.at_mm, card.turn_deg) for card in self._arrangement.cards]
        return survey(self._arrangement.view, play, cards, self._pieces.pieces)

    # ------------------------------------------------------------ reading

    def _read(self, frame: Frame) -> Look:
        self._arrangement = arrangement = find_cards(frame.image, self._lens, self._arrangement)
        if arrangement.bumped is not None and self._watcher is not None:
            self._watcher.ground = self._ground()
        if arrangement.view is not self._view:  # what was seen from elsewhere cannot be compared
            self._view = arrangement.view
            self._memory.clear()
            self._bodies.clear()
            self._slots.crates_moved()
        white = fit_white(frame.image, arrangement, self._white)
        self._white = self._white or white
        exposure = judge_exposure(white.patches)
        if exposure is not None:
            return Look(frame.number, frame.at_s, exposure[0], exposure[1], _found(arrangement))
        scene = Scene(frame.image, arrangement.view, white, self._pieces.bare, self._pieces.crate_colours)
        found = self._bodies.find(scene)
        sights = [*found.sights, *self._places(scene, found)]
        whole = set()
        for zone in self._layout.zones:
            corners = self._zones[zone.spot]
            if self._is_covered(corners):
                continue
            if self._in_picture(scene, corners):
                whole.add(zone.spot)
            sights += (self._stocks.read(scene, zone.spot, corners) if DRINK in zone.kinds
                       else self._flat_stocks.read(scene, zone, corners))
        observation = Observation(frame.at_s, tuple(sights), frozenset(whole))
        return Look(frame.number, frame.at_s, "free", arrangement.bumped, _found(arrangement), observation)

    def _places(self, scene: Scene, found: Found) -> list[Sight]:
        crates: list[Body] = [body for body in found.bodies if body.appearance == CRATE]
        scene.stand(crates)
        if found.moved:
            self._slots.crates_moved()
        centres = found.centres_mm() | self._on_table
        slots = [place for place in found.layout.places if DRINK in place.kinds]
        others = [place for place in found.layout.places if DRINK not in place.kinds]
        in_slots = self._slots.read(scene, slots, centres, crates) if slots else []
        flat = self._flat_places.read(scene, others, centres, found.bodies)
        scene.lay([_outline_px(scene, body.at_mm, body.turn_deg, body.size_mm) for body in found.bodies
                   if body.appearance != CRATE])
        scene.lay([_outline_px(scene, sight.at_mm, sight.turn_deg or 0.0, (*place.size_mm, 0.0))
                   for place, sight in self._lying(others, flat)])
        return [*in_slots, *flat]

    def _lying(self, places: Sequence[Place], sights: Sequence[Sight]) -> Iterator[tuple[Place, Sight]]:
        """What lies on places on the table itself."""
        seen = {sight.spot: sight for sight in sights}
        for place in places:
            sight = seen.get(place.spot)
            if place.on is None and sight is not None and max(sight.loglik, key=sight.loglik.__getitem__) != EMPTY:
                yield place, sight

    def _is_covered(self, corners: Floats) -> bool:
        """Whether a zone is where a place on the table is: whatever lies there hides the table."""
        outline = corners.astype(np.float32)
        return any(cv2.pointPolygonTest(outline, at, False) >= 0 for at in self._on_table.values())

    def _in_picture(self, scene: Scene, corners: Floats) -> bool:
        px = scene.view.project_at(corners, 0.0)
        return bool((px >= 0).all() and (px[:, 0] < self._lens.width).all() and (px[:, 1] < self._lens.height).all())


def _outline_px(scene: Scene, at_mm: Point, turn_deg: float, size_mm: tuple[float, float, float]) -> Floats:
    """The outline (n, 2) in px of a body, with some of what may lie on it."""
    across, deep, height = size_mm
    grown = Body("", "", at_mm, (across + 2 * LAID_BESIDE_MM, deep + 2 * LAID_BESIDE_MM, height), turn_deg)
    low, high = (scene.view.project_at(outline_mm(grown), z) for z in (0.0, height))
    return np.asarray(cv2.convexHull(np.concatenate([low, high]).astype(np.float32)), np.float64).reshape(-1, 2)


def _found(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were really seen; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)
