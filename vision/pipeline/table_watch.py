"""Is the table free, and what are the poses of camera and cards? The gate and the cards together.

The gate answers from the small picture. Where it finds the picture shifted as a whole, or motion at the cards, the
cards are measured to tell whether the camera or a card was bumped. While it still moves, its new pose is not accepted;
once it is at rest, the references of the gate are warped to the new view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.errors import Phrase, SightError, phrase
from companion.table import LookState
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.frame import CardSeen, Frame, Image
from vision.presence.arms import Arm
from vision.presence.play_area import PlayArea, SmallMask
from vision.presence.table_gate import TableGate
from vision.presence.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Watched:
    """Whether a frame can be read, the cards if they were measured for that, and an arm that reaches over the table."""

    state: LookState
    why: Phrase | None
    cards: tuple[CardSeen, ...] = ()
    arm: Arm | None = None


class TableWatch:
    """Watches one table. `known` are the poses of camera and cards at enrolment, if they are known, `references` are
    small pictures (180, 320, 3) without a hand, and `survey` gives the play area for an arrangement."""

    def __init__(self, lens: Lens, known: Arrangement | None, references: Sequence[Image],
                 survey: Callable[[Arrangement], PlayArea]) -> None:
        self._lens, self._references, self._survey = lens, references, survey
        self._gate: TableGate | None = None
        self._moving: Arrangement | None = None  # how camera and cards stood in the last picture in which they moved
        self.arrangement = known

    @property
    def covered(self) -> SmallMask | None:
        """Where things cover the play area in the last free picture, if they do."""
        return None if self._gate is None else self._gate.covered

    @property
    def area(self) -> PlayArea | None:
        """The play area in the small picture, once it is known."""
        return None if self._gate is None else self._gate.area

    def look(self, frame: Frame) -> Watched:
        """Judge a frame. Raises `SightError` when too few cards are seen while they are needed."""
        before, moving, self._moving = self.arrangement, self._moving, None
        if self._gate is None:
            self.arrangement = find_cards(frame.image, self._lens, before)
            self._gate = TableGate(self._survey(self.arrangement), self._references)
        verdict = self._gate.look(frame.small, frame.at_s)
        if verdict.state != "free" and (verdict.shifted or verdict.at_cards):
            followed = self._follow(frame, self._gate, verdict, moving)
            if followed is None:
                return Watched("bumped", phrase("eyes.bumped"))
            verdict = followed
        measured = self.arrangement is not None and self.arrangement is not before
        return Watched(verdict.state, verdict.why, seen_cards(self.arrangement) if measured else (), verdict.arm)

    def measure(self, frame: Frame) -> Arrangement:
        """Measure camera and cards in a free picture. Raises `SightError` when too few cards are seen."""
        self.arrangement = arrangement = find_cards(frame.image, self._lens, self.arrangement)
        if arrangement.bumped is not None and self._gate is not None:
            self._gate.area = self._survey(arrangement)
        return arrangement

    def _follow(self, frame: Frame, gate: TableGate, verdict: Verdict, moving: Arrangement | None
                ) -> Verdict | None:
        """Camera or cards seem moved: if they were, and are at rest, judge the picture again with their new poses.
        `moving` are their poses in the last picture, if they moved in it. None means that they still move."""
        before = self.arrangement
        try:
            found = find_cards(frame.image, self._lens, before)
        except SightError:
            if verdict.shifted:
                raise
            return verdict
        if found.bumped is not None and verdict.moves and (moving is None or not found.stands_as(moving)):
            self._moving = found
            return None
        self.arrangement = found
        if found.bumped is None or before is None:
            return verdict
        gate.realign(before.view, found.view, self._survey(found))
        return verdict if verdict.moves else gate.look(frame.small, frame.at_s)


def seen_cards(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were measured in that picture; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)
