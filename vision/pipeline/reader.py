"""The reader: one frame after another goes in, what each shows comes out.

A frame is watched first (is the table free?), then the cards give the camera, the light and the places of all bodies;
places and zones that changed since they were last read are read again, the others keep their reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.errors import Phrase, SightError, phrase
from companion.table import Layout, LookState, Observation, Point, Spot
from vision.fiducials.tag_pose import Arrangement, expect_size, find_cards
from vision.imaging.box import grow
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Frame, Look
from vision.imaging.layout_pose import LayoutFrame
from vision.photometry.white_reference import White
from vision.photometry.card_patches import judge_exposure
from vision.photometry.white_fit import fit_white
from vision.pieces.completeness import expect_pieces
from vision.pieces.piece_set import PieceSet
from vision.pipeline.table_reader import Contents
from vision.presence.image_health import ImageHealth, FreezeDetector
from vision.presence.table_gate import TableGate
from vision.presence.play_area import PlayArea, survey
from vision.scene.scene import Scene

Corners = Sequence[Point]


class Reader:
    """Reads the frames of one table. `zones` are corners in the table frame (mm) from the front left, anticlockwise;
    `seats` the direction (degrees) in which each player sits. Raises `InvalidError` when the piece set lacks pieces
    that the layout has."""

    def __init__(self, lens: Lens, pieces: PieceSet, layout: Layout, zones: Mapping[Spot, Corners],
                 seats: Mapping[int, float]) -> None:
        expect_pieces(pieces, layout)
        self._lens, self._pieces = lens, pieces
        frame = LayoutFrame(layout, zones, seats)
        self._play = frame.play(layout, zones)
        self._arrangement = self._enrolled()
        self._gate: TableGate | None = None
        self._view: View | None = None
        self._white: White | None = None
        self._freeze, self._health = FreezeDetector(), ImageHealth(pieces.references)
        self._contents = Contents(pieces, layout, frame, zones)

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
        return replace(look, ms={"watch": 1000 * (watched - start), "read": 1000 * (done - watched), **look.ms})

    def opened(self, frame: Frame) -> Scene | None:
        """A frame opened as the last one that was read; None before one was."""
        if self._view is None or self._white is None:
            return None
        return Scene(frame.image, self._view, self._white, self._pieces.bare, self._pieces.crate_colours)

    def use(self, pieces: PieceSet) -> None:
        """Read with what was learned of the same pieces from now on. What does not change keeps its reading."""
        self._pieces = pieces
        self._contents.use(pieces)

    def _expect_picture(self, frame: Frame) -> None:
        """Raises `SightError` for what cannot be a new picture of this camera."""
        if frame.image.ndim != 3 or frame.image.shape[2] != 3 or frame.image.dtype != np.uint8:
            raise SightError(phrase("eyes.no_colours"))
        expect_size(frame.image, self._lens)
        useless = self._health.useless(frame.small)
        if useless is not None:
            raise SightError(useless)
        if self._freeze.is_frozen(frame):
            raise SightError(phrase("eyes.stuck"))

    def _unread(self, frame: Frame, state: LookState, why: Phrase | None, found: tuple[CardSeen, ...], spent_s: float
                ) -> Look:
        """A look that was not read: for a hand, or because something is wrong with the picture as a whole."""
        doubtful = self._health.look(frame.small)
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

    def _watch(self, frame: Frame) -> tuple[LookState, Phrase | None]:
        if self._gate is None:
            self._arrangement = find_cards(frame.image, self._lens, self._arrangement)
            self._gate = TableGate(self._play_area(), self._pieces.references)
        verdict = self._gate.look(frame.small, frame.at_s)
        if verdict.state != "free" and verdict.shifted and self._arrangement is not None:
            before = self._arrangement
            self._arrangement = find_cards(frame.image, self._lens, before)
            if self._arrangement.bumped is not None:
                self._gate.realign(before.view, self._arrangement.view, self._play_area())
                verdict = self._gate.look(frame.small, frame.at_s)
        return verdict.state, verdict.why

    def _play_area(self) -> PlayArea:
        assert self._arrangement is not None
        play = [[(float(x), float(y)) for x, y in grow(corners, 0.0)] for corners in self._play]
        cards = [(card.at_mm, card.turn_deg) for card in self._arrangement.cards]
        return survey(self._arrangement.view, play, cards, self._pieces.pieces)

    # ------------------------------------------------------------ reading

    def _read(self, frame: Frame) -> Look:
        self._arrangement = arrangement = find_cards(frame.image, self._lens, self._arrangement)
        if arrangement.bumped is not None and self._gate is not None:
            self._gate.area = self._play_area()
        if arrangement.view is not self._view:
            self._view = arrangement.view
            self._contents.camera_moved()
        elif arrangement.bumped is not None:  # a rare reason for a second opinion
            self._contents.drinks_again()
        white = fit_white(frame.image, arrangement, self._white)
        self._white = self._white or white
        exposure = judge_exposure(white.patches)
        if exposure is not None:
            return Look(frame.number, frame.at_s, exposure[0], exposure[1], _found(arrangement))
        scene = Scene(frame.image, arrangement.view, white, self._pieces.bare, self._pieces.crate_colours)
        sights, whole, stages = self._contents.read(scene)
        observation = Observation(frame.at_s, sights, whole)
        return Look(frame.number, frame.at_s, "free", arrangement.bumped, _found(arrangement), observation, stages)


def _found(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were really seen; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)
