"""The reader: one frame after another goes in, what each shows comes out.

A frame is watched first (is the table free?), then the cards give the camera, the light and the crates' places; slots
and zones that changed since they were last read are read again, the others keep their reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from companion.errors import Phrase, SightError
from companion.table import EMPTY, Body, Layout, Observation, Point, Sight, Spot
from vision.background import Lab
from vision.camera import Floats, Lens
from vision.cards import Arrangement, find_cards
from vision.changes import changes, touched
from vision.crates import RIM_MM, FittedBody, fit_crates, places_on, refit_crates
from vision.drinks import CLEARLY_NATS, Reading, draw, is_empty, loglik, outline_px, read_stand
from vision.frames import CardSeen, Frame, Look
from vision.light import White, fit_white, judge_exposure
from vision.pieceset import PieceSet
from vision.scene import Emptied, Scene, opening_mm, outline_mm, spin
from vision.solids import Box, box_around
from vision.textures import Stand
from vision.watch import Ground, Watcher, survey
from vision.zones import grow, read_zone

STIRRED, STIRRED_SHARE = 3.5, 75
"""A crate is measured again when more than a quarter (in percent, the rest) of its rims changed by more than this: a
nudge moves at least two sides."""

NUDGED_MM, NUDGED_DEG = 0.4, 0.6
"""A crate that moved or turned by more than this was nudged."""

BODY_NATS = 30.0

BLOCK_MM, BLOCK_PX = 1.6 * RIM_MM, 6
"""Slots are looked at up to this height, and crates with so much around them."""

Corners = Sequence[Point]


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """An earlier reading of a place or a zone: the part of the picture, how it looked, and what was read."""

    box: Box
    seen: Lab
    sights: tuple[Sight, ...]


class Reader:
    """Reads the frames of one table. `zones` are corners in the table frame (mm) from the front left, anticlockwise;
    `seats` the direction (degrees) in which each player sits."""

    def __init__(self, lens: Lens, pieces: PieceSet, layout: Layout, zones: Mapping[Spot, Corners],
                 seats: Mapping[int, float]) -> None:
        self._lens, self._pieces, self._layout = lens, pieces, layout
        self._frame = _LayoutFrame(layout, zones, seats)
        self._zones = {zone.spot: np.array(zones[zone.spot], np.float64) if zone.spot in zones
                       else self._frame.to_table(zone.corners_mm) for zone in layout.zones}
        self._play = [*self._zones.values(), *([np.array(zones[layout.block], np.float64)]
                                               if layout.block is not None and layout.block in zones else [])]
        self._arrangement = self._enrolled()
        self._watcher: Watcher | None = None
        self._white: White | None = None
        self._crates: tuple[FittedBody, ...] = ()
        self._known: dict[Spot, _Known] = {}
        self._rims: dict[Spot, _Known] = {}
        self._looks = 0
        self._in_slots: dict[Spot, Reading] = {}
        self._emptied: Emptied | None = None
        self._stood: dict[Spot, list[tuple[Reading, Sight]]] = {}

    @property
    def arrangement(self) -> Arrangement | None:
        """Where camera and cards stand."""
        return self._arrangement

    @property
    def crates(self) -> tuple[FittedBody, ...]:
        """Where the crates stand."""
        return self._crates

    def look(self, frame: Frame, begins: Callable[[], object] = lambda: None) -> Look:
        """What the frame shows. Frames must come in order. `begins` is called when a free table is now read."""
        start = time.perf_counter()
        try:
            known = self._arrangement
            state, why = self._watch(frame)
            watched = time.perf_counter()
            if state != "free":
                found = () if self._arrangement is known else _found(self._arrangement)
                return Look(frame.number, frame.at_s, state, why, found, ms={"watch": 1000 * (watched - start)})
            begins()
            look = self._read(frame)
        except SightError as error:
            spent = {"watch": 1000 * (time.perf_counter() - start)}
            return Look(frame.number, frame.at_s, "cards", error.phrase, ms=spent)
        done = time.perf_counter()
        return replace(look, ms={"watch": 1000 * (watched - start), "read": 1000 * (done - watched)})

    # ------------------------------------------------------------ free or not

    def _enrolled(self) -> Arrangement | None:
        """Camera and cards as they stood at enrolment."""
        bare = self._pieces.bare
        if bare is None or not self._pieces.cards:
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
                self._known.clear()
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
        if arrangement.bumped is not None:
            self._known.clear()
            self._rims.clear()
            self._emptied = None
            if self._watcher is not None:
                self._watcher.ground = self._ground()
        white = fit_white(frame.image, arrangement, self._white)
        self._white = self._white or white
        exposure = judge_exposure(white.patches)
        if exposure is not None:
            return Look(frame.number, frame.at_s, exposure[0], exposure[1], _found(arrangement))
        scene = Scene(frame.image, arrangement.view, white, self._pieces.bare, self._pieces.crate_colours)
        self._fit_crates(scene)
        crates = self._standing()
        scene.stand(crates)
        scene.recall(self._emptied)
        sights = [*self._bodies(), *self._places(scene, crates)]
        whole = set()
        for spot, corners in self._zones.items():
            if self._in_picture(scene, corners):
                whole.add(spot)
            sights += self._zone(scene, spot, corners)
        observation = Observation(frame.at_s, tuple(sights), frozenset(whole))
        return Look(frame.number, frame.at_s, "free", arrangement.bumped, _found(arrangement), observation)

    def _fit_crates(self, scene: Scene) -> None:
        look = self._pieces.crate_look
        if look is None or not self._layout.bodies:
            return
        self._looks += 1
        first = not self._crates
        if first:
            expected = [replace(body, at_mm=self._frame.point(body.at_mm),
                                turn_deg=body.turn_deg + self._frame.turn_deg) for body in self._layout.bodies]
            self._crates = fit_crates(scene.image, scene.view, scene.white, look, expected)
        corners = np.concatenate([outline_mm(crate) for crate in self._standing()])
        scene.open(box_around(np.concatenate([scene.view.project_at(corners, height)
                                              for height in (0.0, BLOCK_MM)]), BLOCK_PX))
        in_turn = self._layout.bodies[self._looks % len(self._layout.bodies)].spot
        stirred = [crate for crate in self._standing() if self._stirred(scene, crate) or crate.spot == in_turn]
        if first or not stirred:
            return
        fitted = {each.spot: each for each in refit_crates(scene.image, scene.view, scene.white, look, stirred,
                                                           self._crates)}
        steady = tuple(_steady(old, fitted[old.spot]) if old.spot in fitted else old for old in self._crates)
        if steady != self._crates:
            self._emptied = None
        self._crates = steady

    def _stirred(self, scene: Scene, crate: Body) -> bool:
        """Whether a crate's rims look otherwise than when it was measured last."""
        corners = scene.view.project_at(outline_mm(crate), RIM_MM)
        box = box_around(corners, 3)
        seen, known = scene.seen(box), self._rims.get(crate.spot)
        if known is not None and known.box == box:
            change = changes(known.seen, seen, STIRRED)
            rims = np.zeros(change.shape, np.uint8)
            cv2.polylines(rims, [np.rint(corners - (box.left + 1, box.top + 1)).astype(np.int32)], True, 1, 3)
            if np.percentile(change[rims > 0], STIRRED_SHARE) <= STIRRED:
                return False
        self._rims[crate.spot] = _Known(box, seen.copy(), ())
        return True

    def _standing(self) -> list[Body]:
        """The crates where they stand."""
        return [Body(each.spot, "crate", each.at_mm, body.size_mm, each.turn_deg)
                for each, body in zip(self._crates, self._layout.bodies)]

    def _bodies(self) -> list[Sight]:
        return [Sight(each.spot, each.at_mm, {"crate": 0.0, EMPTY: -BODY_NATS}, each.turn_deg) for each in self._crates]

    def _places(self, scene: Scene, crates: Sequence[Body]) -> list[Sight]:
        centres = places_on(self._layout.bodies, self._crates, self._layout.places)
        bodies = {crate.spot: crate for crate in crates}
        sights: dict[Spot, Sight] = {}
        stands: dict[Spot, Stand] = {}
        for place in self._layout.places:
            if place.spot not in centres or place.on is None:
                continue
            crate = bodies[place.on]
            centre = np.array(centres[place.spot])
            opening = opening_mm(crate, centre)
            stands[place.spot] = stand = Stand(np.array([*centre, place.floor_mm]), crate.turn_deg, opening, RIM_MM)
            box = box_around(np.concatenate([scene.view.project_at(opening, height)
                                             for height in (RIM_MM, BLOCK_MM)]), 0)
            sights[place.spot], = self._known_or(scene, place.spot, box, partial(self._slot, scene, place.spot, stand))
        sights |= self._beside_others(scene, sights, stands)
        self._emptied = scene.remember(crates, [
            stand.opening_mm for spot, stand in stands.items()
            if stand.opening_mm is not None and self._surely_empty(self._in_slots[spot])])
        return list(sights.values())

    def _slot(self, scene: Scene, spot: Spot, stand: Stand, number: int = 0) -> tuple[Sight, ...]:
        self._in_slots[spot] = reading = read_stand(scene, stand, self._pieces.in_crate, number=number)
        return (self._sight(spot, reading),)

    def _surely_empty(self, reading: Reading) -> bool:
        better = reading.costs[reading.best] - reading.costs[EMPTY]
        return better > 0.9 * CLEARLY_NATS * self._pieces.in_crate.cost_per_nat

    def _beside_others(self, scene: Scene, sights: Mapping[Spot, Sight], stands: Mapping[Spot, Stand]
                       ) -> dict[Spot, Sight]:
        """New sights of slots that hold a drink, now that all drinks are known that stand around it."""
        numbers = {spot: number for number, spot in enumerate(stands, 1) if not is_empty(self._in_slots[spot])}
        for spot, number in numbers.items():
            draw(scene, number, self._in_slots[spot], self._pieces.in_crate)
        again = {}
        for spot, number in numbers.items():
            box = self._known[spot].box
            if sights[spot].fresh and scene.has_neighbours(box, number):
                again[spot], = self._slot(scene, spot, stands[spot], number)
                draw(scene, number, self._in_slots[spot], self._pieces.in_crate)
                self._known[spot] = replace(self._known[spot], sights=(again[spot],))
        return again

    def _zone(self, scene: Scene, spot: Spot, corners: Floats) -> tuple[Sight, ...]:
        around = grow(corners, 4.0)
        box = box_around(np.concatenate([scene.view.project_at(around, height) for height in (0.0, 12.0)]), 0)
        scene.open(box)
        return self._known_or(scene, spot, box, partial(self._read_zone, scene, spot, corners, box))

    def _read_zone(self, scene: Scene, spot: Spot, corners: Floats, box: Box) -> tuple[Sight, ...]:
        """What came new into a zone is read; what stands there as before keeps its reading."""
        kept = [(reading, sight) for reading, sight in self._stood.get(spot, ())
                if not self._touched_in_zone(scene, spot, box, reading)]
        new = read_zone(scene, [(float(x), float(y)) for x, y in corners], self._pieces.on_table,
                        [reading for reading, _ in kept])
        stands = [(reading, replace(sight, fresh=False)) for reading, sight in kept]
        stands += [(reading, self._sight(spot, reading)) for reading in new]
        self._stood[spot] = stands
        return tuple(sight for _, sight in stands)

    def _touched_in_zone(self, scene: Scene, spot: Spot, box: Box, reading: Reading) -> bool:
        known = self._known.get(spot)
        if known is None or known.box != box:
            return True
        low, high = (edge.astype(int) for edge in _edges(outline_px(scene, reading, self._pieces.on_table)))
        if low[0] < box.left or low[1] < box.top or high[0] >= box.left + box.width or high[1] >= box.top + box.height:
            return True
        part = (slice(low[1] - box.top, high[1] - box.top), slice(low[0] - box.left, high[0] - box.left))
        return touched(known.seen[part], scene.seen(box)[part])

    def _known_or(self, scene: Scene, spot: Spot, box: Box, read: Callable[[], tuple[Sight, ...]]) -> tuple[Sight, ...]:
        """The earlier reading where nothing changed, else a new one."""
        seen = scene.seen(box)
        known = self._known.get(spot)
        if known is not None and known.seen.shape == seen.shape and not touched(known.seen, seen):
            return tuple(replace(sight, fresh=False) for sight in known.sights)
        sights = read()
        self._known[spot] = _Known(box, seen.copy(), sights)
        return sights

    def _sight(self, spot: Spot, reading: Reading) -> Sight:
        models = self._pieces.on_table if reading.stand.opening_mm is None else self._pieces.in_crate
        return Sight(spot, reading.feet_mm[reading.best], loglik(reading.costs, models.cost_per_nat), reading.turn_deg)

    def _in_picture(self, scene: Scene, corners: Floats) -> bool:
        px = scene.view.project_at(corners, 0.0)
        return bool((px >= 0).all() and (px[:, 0] < self._lens.width).all() and (px[:, 1] < self._lens.height).all())


def _found(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were really seen; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)


def _steady(old: FittedBody, new: FittedBody) -> FittedBody:
    """A crate stands where it stood unless it was nudged: measuring again must not shake the readings."""
    off_mm = float(np.hypot(old.at_mm[0] - new.at_mm[0], old.at_mm[1] - new.at_mm[1]))
    return new if off_mm > NUDGED_MM or abs(old.turn_deg - new.turn_deg) > NUDGED_DEG else old


def _edges(points_px: Floats) -> tuple[Floats, Floats]:
    return np.asarray(points_px.min(axis=0), np.float64), np.asarray(points_px.max(axis=0), np.float64)


class _LayoutFrame:
    """From a layout's own frame to the table's: the block's zone says where, its sides and the seats how turned."""

    def __init__(self, layout: Layout, zones: Mapping[Spot, Corners], seats: Mapping[int, float]) -> None:
        bodies = np.array([body.at_mm for body in layout.bodies], np.float64).reshape(-1, 2)
        self._middle = bodies.mean(axis=0) if len(bodies) else np.array(layout.size_mm) / 2
        self._at = self._middle
        self.turn_deg = 0.0
        if layout.block is not None and layout.block in zones:
            corners = np.array(zones[layout.block], np.float64)
            self._at = corners.mean(axis=0)
            side = corners[1] - corners[0]
            self.turn_deg = float(np.degrees(np.arctan2(side[1], side[0])))
        if 0 in seats:
            quarter = round((seats[0] + 90 - self.turn_deg) / 90)
            self.turn_deg += 90.0 * quarter

    def point(self, at_mm: Point) -> Point:
        """A point of the layout in the table frame."""
        x, y = self.to_table([at_mm])[0]
        return float(x), float(y)

    def to_table(self, points_mm: Sequence[Point]) -> Floats:
        """Points (n, 2) of the layout in the table frame."""
        off = np.array(points_mm, np.float64) - self._middle
        return np.asarray(off @ spin(self.turn_deg).T + self._at, np.float64)
