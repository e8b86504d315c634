"""Eyes of a camera over boards that are watched by their corners, and over games that are read by tag cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.main.bare_eyes import BareEyes
from companion.main.board_eyes import BoardEyes
from companion.main.eyes_watch import WatchedTable
from companion.main.messages import CloseUpRequest, LookFor
from companion.table import Placement
from companion.table.board_corners import is_board_alone
from vision.imaging.frame import Frame, Image, Look
from vision.overlay.from_above import SeenFromAbove


class EyesByGame:
    """See `eyes_watch.WatchedTable`. A game whose board's corners are known is watched by `boards`, or, if it needs
    nothing but these, while no pieces are known; any other, and a set-up that is still being read, by `cards`."""

    header: dict[str, Any] | None = None
    pictures = 1
    draft = False

    def __init__(self, boards: BoardEyes, cards: WatchedTable) -> None:
        self._boards, self._cards = boards, cards
        self._now: WatchedTable = cards

    def look_for(self, wanted: LookFor) -> None:
        """The game stands on the table."""
        is_bare = isinstance(self._cards, BareEyes) and is_board_alone(wanted.layout)
        by_corners = not wanted.draft and (self._boards.knows(wanted.game) or is_bare)
        self._now = self._boards if by_corners else self._cards
        self._now.look_for(wanted)
        self.draft = self._now.draft

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        """What the frame shows."""
        return self._now.look(frame, begins)

    def learn(self, labels: Placement) -> None:
        """People said what stands at some spots of the newest look."""
        self._now.learn(labels)

    def close_up(self, wanted: CloseUpRequest) -> Image | None:
        """What lies there in the newest picture."""
        return self._now.close_up(wanted)

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the reading drawn over it."""
        return self._now.drawn(frame, look, width)

    def from_above(self, frame: Frame) -> SeenFromAbove:
        """The table by the tag cards: other games lie there."""
        return self._cards.from_above(frame)

    def put_by(self, folder: Path) -> dict[str, Any] | None:
        """What the eyes of this game know."""
        return self._now.put_by(folder)
