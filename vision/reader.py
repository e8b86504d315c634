"""The reader: one frame after another goes in, what each shows comes out.

A frame is watched first (is the table free?), then the cards give the camera, the light and the places of all bodies;
places and zones that changed since they were last read are read again, the others keep their reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.errors import Phrase, SightError
from companion.table import Body, Layout, Observation, Point, Sight, Spot
from vision.bodies import CRATE, Bodies, Found
from vision.camera import Floats, Lens
from vision.cards import Arrangement, find_cards
from vision.frames import CardSeen, Frame, Look
from vision.layout_frame import LayoutFrame
from vision.light import White, fit_white, judge_exposure
from vision.memory import Memory
from vision.pieceset import PieceSet
from vision.scene import Scene
from vision.slots import Slots
from vision.stocks import Stocks
from vision.watch import Ground, Watcher, survey
from vision.zones import grow

DRINK = "drink"

Corners = Sequence[Point]


class Reader:
    """Reads the frames of one table. `zones` are corners in the table frame (mm) from the front left, anticlockwise;
    `seats` the direction (degrees) in which each player sits."""

    def __init__(self, lens: Lens, pieces: PieceSet, layout: Layout, zones: Mapping[Spot, Corners],
                 seats: Mapping[int, float]) -> None:
        self._lens, self._pieces, self._layout = lens, pieces, layout
        frame = LayoutFrame(layout, zones, seats)
        self._zones = frame.zones(layout, zones)
        self._play = [*self._zones.values(), *([np.array(zones[layout.block], np.float64)]
                                               if layout.block is not None and layout.block in zones else [])]
        self._arrangement = self._enrolled()
        self._watcher: Watcher | None = None
        self._white: White | None = None
        self._memory = Memory()
        self._bodies = Bodies(layout, frame, pieces, self._zones)
        self._slots = Slots(pieces.in_crate, self._memory)
        self._stocks = Stocks(pieces.on_table, self._memory)

    @property
    def arrangement(self) -> Arrangement | None:
        """Where camera and cards stand."""
        return self._arrangement

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
                self._memory.clear()
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
            self._memory.clear()
            self._bodies.clear()
            self._slots.crates_moved()
            if self._watcher is not None:
                self._watcher.ground = self._ground()
        white = fit_white(frame.image, arrangement, self._white)
        self._white = self._white or white
        exposure = judge_exposure(white.patches)
        if exposure is not None:
            return Look(frame.number, frame.at_s, exposure[0], exposure[1], _found(arrangement))
        scene = Scene(frame.image, arrangement.view, white, self._pieces.bare, self._pieces.crate_colours)
        found = self._bodies.find(scene)
        sights = [*found.sights, *self._places(scene, found)]
        whole = set()
        for spot, corners in self._zones.items():
            if self._in_picture(scene, corners):
                whole.add(spot)
            sights += self._stocks.read(scene, spot, corners)
        observation = Observation(frame.at_s, tuple(sights), frozenset(whole))
        return Look(frame.number, frame.at_s, "free", arrangement.bumped, _found(arrangement), observation)

    def _places(self, scene: Scene, found: Found) -> list[Sight]:
        crates: list[Body] = [body for body in found.bodies if body.appearance == CRATE]
        scene.stand(crates)
        if found.moved:
            self._slots.crates_moved()
        slots = [place for place in found.layout.places if DRINK in place.kinds]
        return self._slots.read(scene, slots, found.centres_mm(), crates)

    def _in_picture(self, scene: Scene, corners: Floats) -> bool:
        px = scene.view.project_at(corners, 0.0)
        return bool((px >= 0).all() and (px[:, 0] < self._lens.width).all() and (px[:, 1] < self._lens.height).all())


def _found(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were really seen; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)
