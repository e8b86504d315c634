"""Is the table free, and where do camera and cards stand? The gate and the cards together.

The gate answers from the small picture. Where it finds the picture shifted as a whole, the cards tell whether the
camera was bumped; what is known of the free table is then turned to the new view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.errors import Phrase
from companion.table import LookState
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.frame import CardSeen, Frame, Image
from vision.presence.play_area import PlayArea
from vision.presence.table_gate import TableGate, Verdict


@dataclass(frozen=True, slots=True)
class Watched:
    """Whether a frame can be read, and the cards where they were measured for that."""

    state: LookState
    why: Phrase | None
    cards: tuple[CardSeen, ...] = ()


class TableWatch:
    """Watches one table. `known` is how camera and cards stood at enrolment, if that is known, `references` are small
    pictures (180, 320, 3) without a hand, and `survey` gives the play area for cards as they lie."""

    def __init__(self, lens: Lens, known: Arrangement | None, references: Sequence[Image],
                 survey: Callable[[Arrangement], PlayArea]) -> None:
        self._lens, self._references, self._survey = lens, references, survey
        self._gate: TableGate | None = None
        self.arrangement = known

    def look(self, frame: Frame) -> Watched:
        """Judge a frame. Raises `SightError` when too few cards are seen while they are needed."""
        before = self.arrangement
        if self._gate is None:
            self.arrangement = find_cards(frame.image, self._lens, before)
            self._gate = TableGate(self._survey(self.arrangement), self._references)
        verdict = self._gate.look(frame.small, frame.at_s)
        if verdict.state != "free" and verdict.shifted and self.arrangement is not None:
            verdict = self._follow_camera(frame, self._gate, self.arrangement, verdict)
        measured = self.arrangement is not None and self.arrangement is not before
        return Watched(verdict.state, verdict.why, seen_cards(self.arrangement) if measured else ())

    def measure(self, frame: Frame) -> Arrangement:
        """Where camera and cards stand in a free picture. Raises `SightError` when too few cards are seen."""
        self.arrangement = arrangement = find_cards(frame.image, self._lens, self.arrangement)
        if arrangement.bumped is not None and self._gate is not None:
            self._gate.area = self._survey(arrangement)
        return arrangement

    def _follow_camera(self, frame: Frame, gate: TableGate, before: Arrangement, verdict: Verdict) -> Verdict:
        """The picture as a whole seems moved: if the camera was, judge the picture again from its new place."""
        self.arrangement = found = find_cards(frame.image, self._lens, before)
        if found.bumped is None:
            return verdict
        gate.realign(before.view, found.view, self._survey(found))
        return gate.look(frame.small, frame.at_s)


def seen_cards(arrangement: Arrangement | None) -> tuple[CardSeen, ...]:
    """The cards that were really seen; the others may have been moved since."""
    return () if arrangement is None else tuple(card for card in arrangement.cards if card.card in arrangement.seen)
