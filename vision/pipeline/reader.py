"""The reader: one frame after another goes in, a look at each comes out.

First the gate decides whether the table is free. Then the cards give camera pose and white reference, and the bodies
are located. Places and zones that changed since they were last read are read again, the others keep their reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.errors import Phrase, SightError, phrase
from companion.table import Layout, LookState, Observation, Sight, Spot
from vision.fiducials.tag_pose import Arrangement, expect_size
from vision.imaging.box import Box, box_within
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Frame, Look
from vision.imaging.jpeg_frame import KeptFrame, keep
from vision.imaging.layout_pose import LayoutFrame, ZoneCorners
from vision.photometry.card_patches import judge_exposure
from vision.photometry.channel_noise import Noise
from vision.photometry.white_fit import fit_white, is_as_bright
from vision.photometry.white_reference import White
from vision.pieces.completeness import expect_pieces
from vision.pieces.piece_set import PieceSet
from vision.pipeline.between_looks import BetweenLooks
from vision.pipeline.body_locator import CRATE
from vision.pipeline.covered_spots import covered_phrase, seen_under
from vision.pipeline.strange_change import Strange, StrangeChanges, strange_phrase
from vision.pipeline.table_reader import TableReader
from vision.pipeline.table_watch import TableWatch, seen_cards
from vision.presence.arms import Arm, Shoulders
from vision.presence.image_health import FreezeDetector, ImageHealth
from vision.presence.play_area import PlayArea, SmallMask, survey
from vision.scene.scene import Scene


class Reader:
    """Reads the frames of one table. `zones` are corners in the table frame (mm) from the front left, anticlockwise;
    `seats` the direction (degrees) in which each player sits. Raises `InvalidError` when the piece set lacks pieces
    that the layout has.

    A picture set has all that a reader needs: pictures to learn the pieces from, and frames of a game.

    >>> from pathlib import Path
    >>> from random import Random
    >>> from companion.games import registry
    >>> from vision.enrolment.enrol import enrol_set
    >>> from vision.enrolment.picture_set import read_set
    >>> known = read_set(Path("tests/data/kamikaze-1"))
    >>> game = registry.game(known.game)
    >>> layout = game.layout(game.deal(2, game.read_options({}, 2), Random(1)))
    >>> reader = Reader(known.lens, enrol_set(known, layout.kinds), layout, known.zones, known.seats)
    >>> look = reader.look(known.frame(0))
    >>> look.state, len(look.cards)
    ('free', 4)
    >>> {sight.likeliest for sight in look.observation.sights if sight.spot == "crate:1"}
    {'crate'}
    """

    def __init__(self, lens: Lens, pieces: PieceSet, layout: Layout, zones: Mapping[Spot, ZoneCorners],
                 seats: Mapping[int, float]) -> None:
        expect_pieces(pieces, layout)
        self._lens, self._pieces = lens, pieces
        frame = LayoutFrame(layout, zones, seats)
        self._play = [[(float(x), float(y)) for x, y in corners] for corners in frame.play(layout, zones)]
        if pieces.bare is not None:
            pieces.bare.expect(self._play)
        self._watch = TableWatch(lens, _enrolled(lens, pieces), pieces.references, self._survey)
        self._view: View | None = None
        self._white: White | None = None
        self._noise: Noise | None = None  # of this camera's pictures, once it is measured
        self._before: KeptFrame | None = None  # the last one that showed something new, without things that lay about
        self._sights: tuple[Sight, ...] = ()
        self._shoulders = Shoulders.around(self._play, seats)
        self._between = BetweenLooks()
        self._reaching: int | None = None  # whose arm is seen in the newest frame
        self._told: frozenset[Spot] = frozenset()  # the covered spots that people were told of
        self._freeze, self._health = FreezeDetector(), ImageHealth(pieces.references)
        self._contents = TableReader(pieces, layout, frame, zones)
        self._strange = StrangeChanges(tall_mm=max((each.size_mm[2] for each in pieces.pieces), default=0.0))
        self._places = {place.spot for place in layout.places}
        self._bodies = {CRATE, *(body.appearance for body in layout.bodies)}

    @property
    def arrangement(self) -> Arrangement | None:
        """The poses of camera and cards as last measured."""
        return self._watch.arrangement

    def look(self, frame: Frame, begins: Callable[[], object] = lambda: None) -> Look:
        """The look at a frame. Frames must come in order. `begins` is called before a free table is read."""
        self._between, self._reaching = self._between.until(frame.at_s), None
        look = self._look(frame, begins)
        if look.observation is None:
            self._between = self._between.unread(self._reaching)
            return look
        between, self._between = self._between, BetweenLooks(frame.at_s)
        return replace(look, observation=between.told(look.observation))

    def _look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        start = time.perf_counter()
        wrong = self._health.look(frame.small)
        if wrong is not None:
            return _unread(frame, ("picture", wrong), (), time.perf_counter() - start)
        try:
            self._expect_new(frame)
            watched = self._watch.look(frame)
            watched_s = time.perf_counter() - start
            if watched.state != "free":
                self._reaching = self._whose(watched.arm)
                return _unread(frame, (watched.state, watched.why), watched.cards, watched_s)
            begins()
            look = self._read(frame)
        except SightError as error:
            return _unread(frame, ("cards", error.phrase), (), time.perf_counter() - start)
        read_s = time.perf_counter() - start - watched_s
        return replace(look, ms={"watch": 1000 * watched_s, "read": 1000 * read_s, **look.ms})

    def opened(self, frame: Frame) -> Scene | None:
        """A frame as a scene, with the camera and white reference of the last one that was read; None before one
        was."""
        if self._view is None or self._white is None:
            return None
        return Scene(frame.image, self._view, self._white, self._pieces.bare, self._pieces.crate_colours)

    def use(self, pieces: PieceSet) -> None:
        """Use an updated set of the same pieces from now on. What does not change keeps its reading."""
        self._pieces = pieces
        self._contents.use(pieces)

    # ------------------------------------------------------------ free or not

    def _expect_new(self, frame: Frame) -> None:
        """Raises `SightError` for what cannot be a new picture of this camera."""
        if not frame.is_coloured:
            raise SightError(phrase("eyes.no_colours"))
        expect_size(frame.shape, self._lens)
        if self._freeze.is_frozen(frame):
            raise SightError(phrase("eyes.stuck"))

    def _survey(self, arrangement: Arrangement) -> PlayArea:
        """The play area in the small picture for an arrangement of camera and cards."""
        cards = [(card.at_mm, card.turn_deg) for card in arrangement.cards]
        return survey(arrangement.view, self._play, cards, self._pieces.pieces)

    def _whose(self, arm: Arm | None) -> int | None:
        """The player whose arm it is, where that can be told."""
        stands = self._watch.arrangement
        return None if arm is None or stands is None else self._shoulders.whose(arm, stands.view)

    # ------------------------------------------------------------ reading

    def _read(self, frame: Frame) -> Look:
        arrangement = self._watch.measure(frame)
        if arrangement.view is not self._view:
            self._view, self._before, self._noise = arrangement.view, None, None
            self._contents.camera_moved()
        white = fit_white(frame.image, arrangement, self._white)
        self._white = self._white or white
        exposure, cards = judge_exposure(white.patches), seen_cards(arrangement)
        if exposure is not None and not (exposure[0] == "bright" and self._was_as_bright(white)):
            return Look(frame.number, frame.at_s, *exposure, cards)
        covered = self._watch.covered
        image = (frame.image if covered is None or self._before is None
                 else seen_under(frame.image, self._before.frame.image, covered))
        scene = Scene(image, arrangement.view, white, self._pieces.bare, self._pieces.crate_colours)
        if self._noise is None:
            scene.measure_noise(self._play_box(scene))
            self._noise = scene.noise
        scene.noise = self._noise
        sights, whole, stages = self._contents.read(scene)
        if self._before is None or sights != self._sights:
            self._before, self._sights = keep(Frame(image, frame.small, frame.at_s, frame.number)), sights
        told, strange = None, tuple[Strange, ...]()
        if covered is None:
            self._told = frozenset()
            strange = self._find_strange(frame, sights, arrangement.view)
        else:
            sights, whole, told = self._uncovered(sights, whole, covered, arrangement.view)
        return Look(frame.number, frame.at_s, "free", arrangement.bumped or told or strange_phrase(strange), cards,
                    Observation(frame.at_s, sights, whole), stages, tuple(each.at_mm for each in strange))

    def _play_box(self, scene: Scene) -> Box:
        """Where the picture shows the play area."""
        corners_px = scene.view.project_at(np.concatenate([np.array(corners) for corners in self._play]), 0.0)
        return box_within(corners_px, 0.0, scene.image.shape)

    def _was_as_bright(self, white: White) -> bool:
        """Whether the pieces were learned in pictures as bright as one whose white paper is burnt out."""
        bare = self._pieces.bare
        return bare is not None and is_as_bright(white, bare.white)

    def _find_strange(self, frame: Frame, sights: Sequence[Sight], view: View) -> tuple[Strange, ...]:
        """What changed without a reading that changed."""
        places = {each.spot: np.array(each.at_mm) for each in sights
                  if each.spot in self._places and self._bodies.isdisjoint(each.loglik)}
        area = self._watch.area
        return () if area is None else self._strange.find(
            frame.small, frame.at_s, sights, places, self._bodies, (view, area))

    def _uncovered(self, sights: tuple[Sight, ...], whole: frozenset[Spot], covered: SmallMask, view: View
                   ) -> tuple[tuple[Sight, ...], frozenset[Spot], Phrase | None]:
        """What was read without what things cover, and a sentence when they cover more than was told."""
        seen = self._contents.uncovered(sights, whole, covered, view)
        told = None if self._told.issuperset(seen.covered) else covered_phrase(seen.covered)
        self._told |= frozenset(seen.covered)
        return seen.sights, seen.zones, told


def _unread(frame: Frame, reason: tuple[LookState, Phrase | None], cards: tuple[CardSeen, ...], spent_s: float) -> Look:
    """A look that was not read: for a hand, or because something is wrong with the picture as a whole."""
    return Look(frame.number, frame.at_s, *reason, cards, ms={"watch": 1000 * spent_s})


def _enrolled(lens: Lens, pieces: PieceSet) -> Arrangement | None:
    """The poses of camera and cards at enrolment; None when the piece set has none."""
    bare = pieces.bare
    if bare is None or not pieces.cards or not bare.view.lens.is_like(lens):
        return None
    return Arrangement(bare.view, pieces.cards, frozenset(card.card for card in pieces.cards), 0.0)
