"""Taking enrolment pictures: "lay these here", a look, what is missing, the next picture.

    taking = Taking(known, lens)
    for frame in frames:
        if taking.judge(frame).may_be_taken:
            checked = taking.check(frame)
            if not checked.lacks:
                taking.accept(checked)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.enrolling.laid_things import numbers_of
from companion.errors import Phrase, SightError, phrase
from companion.games import registry
from companion.session.enrolment import Lack
from companion.table import Body, Piece, Point
from vision.enrolment.picture_set import LaidPiece, PictureSet
from vision.enrolment.placement_plan import PlannedPicture, plan_pictures
from vision.enrolment.placement_search import PLACEMENT_SEARCH_MM, LocatedPiece, locate_pieces
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import SMALL_WH, Frame, Image
from vision.photometry.card_patches import judge_exposure, see_patches
from vision.photometry.white_fit import fit_white
from vision.presence.play_area import survey
from vision.presence.motion import is_like
from vision.presence.table_gate import TableGate
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

COME_AND_GO_MM = 40.0
"""The area in which pieces come and go is so much larger than that in which they are laid."""

SHADOW_MM = 20.0
"""How far from its place people may lay a piece, and its shadow may fall."""

BARE = PlannedPicture("bare", ())
"""The first picture of every plan."""


@dataclass(frozen=True, slots=True)
class Usable:
    """Whether a picture can be used: `why` not (None: it can), and whether the one before it shows the same."""

    why: Phrase | None
    is_still: bool

    @property
    def may_be_taken(self) -> bool:
        """Whether this is a picture of a free, still table whose cards and light are good."""
        return self.why is None and self.is_still


@dataclass(frozen=True, slots=True, eq=False)
class TakenPicture:
    """A picture that was taken, and where its pieces really lie."""

    frame: Frame
    pieces: tuple[LaidPiece, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CheckedPicture:
    """A picture with its pieces as located, and what does not lie where it was asked for."""

    frame: Frame
    found: tuple[LocatedPiece, ...]
    lacks: tuple[Lack, ...]

    @property
    def taken(self) -> TakenPicture:
        """The picture with the pieces that lie in it."""
        return TakenPicture(self.frame, tuple(each.laid for each in self.found if each.lies))


class Taking:
    """The pictures of one enrolment. `plan` begins with the bare table alone; the others follow from where the cards
    lie in it."""

    def __init__(self, known: PictureSet, lens: Lens) -> None:
        self.plan: tuple[PlannedPicture, ...] = (BARE,)
        self.number = 0
        """Which of them is to be taken now; their count once all are."""
        self.sizes: Mapping[str, Piece] = {piece.name: piece for piece in known.pieces}
        self._known, self._lens = known, lens
        self._arrangement: Arrangement | None = None
        self._gate: TableGate | None = None
        self._last: Image | None = None
        self._bare: Bare | None = None
        self._bare_small: Image | None = None
        self._asked: npt.NDArray[np.bool_] | None = None  # where in the small picture pieces are asked for

    @property
    def arrangement(self) -> Arrangement | None:
        """Camera and cards as measured last."""
        return self._arrangement

    @property
    def picture(self) -> PlannedPicture:
        """What is to be laid now."""
        return self.plan[min(self.number, len(self.plan) - 1)]

    def go_on(self, bare: Frame, plan: Sequence[PlannedPicture], number: int) -> None:
        """Goes on with an enrolment that was broken off: its bare table, its plan, and the picture to take now. Raises
        `SightError` when no cards are found."""
        self._arrangement = find_cards(bare.image, self._lens)
        self._learn_bare(bare, self._arrangement)
        self.plan = tuple(plan)
        self.turn_to(number)

    def turn_to(self, number: int) -> None:
        """This picture is to be taken now, perhaps again; the bare table begins with what lies there then."""
        self.number, self._last = number, None
        if number == 0:
            self._gate = self._asked = self._bare_small = None
        elif number < len(self.plan):
            self._asked = self._shown(self.picture)

    # ---------------------------------------------------------------- looking

    def judge(self, frame: Frame) -> Usable:
        """Whether a picture can be used; call it with every one."""
        still = self._last is not None and is_like(self._last, frame.small)
        self._last = frame.small
        try:
            return Usable(self._judge(frame), still)
        except SightError as error:
            return Usable(error.phrase, still)

    def check(self, frame: Frame) -> CheckedPicture:
        """Where the pieces of the present picture lie in one that can be used."""
        assert self._arrangement is not None
        if self.number == 0:
            return CheckedPicture(frame, (), ())
        white = fit_white(frame.image, self._arrangement)
        scene = Scene(frame.image, self._arrangement.view, white, self._bare, None)
        found = tuple(locate_pieces(scene, self.picture, self.sizes))
        return CheckedPicture(frame, found, tuple(self._lacks(found)))

    def accept(self, checked: CheckedPicture) -> None:
        """The present picture is taken; the next one is asked for."""
        if self.number == 0:
            assert self._arrangement is not None
            self._learn_bare(checked.frame, self._arrangement)
            if len(self.plan) == 1:
                self.plan = (BARE, *self._planned(self._arrangement))
        self.turn_to(self.number + 1)

    def _learn_bare(self, frame: Frame, arrangement: Arrangement) -> None:
        white = fit_white(frame.image, arrangement)
        self._bare, self._bare_small = Bare(frame.image, arrangement.view, white), frame.small
        self._open_gate(arrangement)

    def _planned(self, arrangement: Arrangement) -> Sequence[PlannedPicture]:
        """As the picture set says, or all pieces between the cards."""
        if self._known.enrolments:
            return [PlannedPicture("given", each.pieces) for each in self._known.enrolments if each.pieces]
        kinds = registry.kinds(self._known.game)
        return plan_pictures(self._known.pieces, arrangement.cards, arrangement.view, kinds)[1:]

    def _judge(self, frame: Frame) -> Phrase | None:
        """Why a picture cannot be used. Raises `SightError` where no cards are found."""
        height, width = frame.image.shape[:2]
        if (width, height) != (self._lens.width, self._lens.height):
            raise SightError(phrase("eyes.other_size", width=width, height=height, lens_width=self._lens.width,
                                    lens_height=self._lens.height))
        if self._gate is None:
            self._arrangement = find_cards(frame.image, self._lens)
            self._open_gate(self._arrangement)
        assert self._gate is not None
        verdict = self._gate.look(self._unasked(frame.small), frame.at_s)
        if verdict.state != "free":
            return verdict.why
        self._arrangement = find_cards(frame.image, self._lens, self._arrangement)
        exposure = judge_exposure(see_patches(frame.image, self._arrangement))
        return None if exposure is None else exposure[1]

    def _open_gate(self, arrangement: Arrangement) -> TableGate:
        """Watches the table; what was taken off the bare one, and what comes back to it, is nothing new."""
        known = [] if self._bare_small is None else [self._bare_small]
        self._gate = TableGate(survey(arrangement.view, [self._area(arrangement)], [
            (card.at_mm, card.turn_deg) for card in arrangement.cards], self._known.pieces), known)
        return self._gate

    def _unasked(self, small: Image) -> Image:
        """The small picture as if nothing of what is asked for lay there yet: a large board would be taken for a hand.
        """
        if self._asked is None or self._bare_small is None:
            return small
        return np.where(self._asked[..., None], self._bare_small, small)

    def _shown(self, picture: PlannedPicture) -> npt.NDArray[np.bool_]:
        """Where in the small picture its pieces are seen, with their shadows."""
        assert self._arrangement is not None
        view, mask = self._arrangement.view, np.zeros(SMALL_WH[::-1], np.uint8)
        shrink = np.array(SMALL_WH) / (view.lens.width, view.lens.height)
        for laid in picture.pieces:
            across, deep, height = self.sizes[laid.appearance].size_mm
            grown = (across + 2 * SHADOW_MM, deep + 2 * SHADOW_MM, height)
            corners = outline_mm(Body("", "", laid.at_mm, grown, laid.turn_deg))
            px = np.concatenate([view.project_at(corners, z) for z in (0.0, height)]) * shrink
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(px).astype(np.int32)), (1,))
        return mask > 0

    def _area(self, arrangement: Arrangement) -> list[Point]:
        """Corners of the area in which pieces are laid."""
        points = [piece.at_mm for each in self._known.enrolments for piece in each.pieces]
        points += [card.at_mm for card in arrangement.cards]
        (left, front), (right, back) = ((pick(x for x, _ in points), pick(y for _, y in points)) for pick in (min, max))
        left, front, right, back = (left - COME_AND_GO_MM, front - COME_AND_GO_MM,
                                    right + COME_AND_GO_MM, back + COME_AND_GO_MM)
        return [(left, front), (right, front), (right, back), (left, back)]

    def _lacks(self, found: Sequence[LocatedPiece]) -> list[Lack]:
        """What does not lie where it was asked for. Drinks in a crate are as missing as the crate."""
        numbers = numbers_of(self.picture, self.sizes)
        return [_lack(numbers[each.asked], each) for each in found if not each.lies and each.asked in numbers]


def _lack(number: int, found: LocatedPiece) -> Lack:
    piece = found.asked.appearance
    if found.is_empty:
        return Lack(number, phrase("enrol.nothing", number=number, piece=piece))
    return Lack(number, phrase("enrol.odd", number=number, piece=piece, mm=round(PLACEMENT_SEARCH_MM)))
