"""The eyes of a board that is watched by its four corners, in their process: a reader for the game that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np

from companion.errors import InvalidError, Phrase, SightError, phrase
from companion.main.look_pictures import LookPictures
from companion.main.messages import CloseUpRequest, LookFor
from companion.table import EMPTY, Observation, Placement
from vision.boards.board_reader import BoardReader
from companion.table.board_corners import corner_names, read_corners
from vision.imaging.frame import Frame, Image, Look
from vision.overlay.from_above import SeenFromAbove
from vision.overlay.overlay import DOUBT_BGR

EDGE_BGR: Final = (80, 200, 80)
STRANGE_PX: Final = 20
HALVES: Final = 16.0
"""Circles are drawn to a sixteenth of a pixel."""


class BoardEyes:
    """See `eyes_watch.WatchedTable`. `corners` are those of the board, as people gave them, `by_game` others by the id
    of their game; without any the picture is shown, and it is told what is missing. `looks` keeps pictures of what was
    seen, if they are kept."""

    header: dict[str, Any] | None = None
    pictures = 1
    draft = False

    def __init__(
        self, corners: str, looks: LookPictures | None = None, by_game: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._given, self._by_game, self._corners = corners, by_game, corners
        self._reader: BoardReader | None = None
        self._why: Phrase | None = None
        self._read: Observation | None = None
        self._looks = looks

    @property
    def is_waiting(self) -> bool:
        """Whether no board can be read yet: there is no game, or its corners are not known."""
        return self._reader is None

    def knows(self, game: str) -> bool:
        """Whether the corners of this game's board were given."""
        return bool(self._given or self._by_game.get(game))

    def look_for(self, wanted: LookFor) -> None:
        """A game stands on the board: how it looks is learned anew."""
        self._reader, self._why, self._read = None, None, None
        self._corners = self._given or self._by_game.get(wanted.game, "")
        try:
            if not self._corners:
                raise InvalidError(phrase("board.no_corners", known=corner_names(wanted.layout)))
            corners = read_corners(self._corners, wanted.layout)
            self._reader = BoardReader(wanted.layout, wanted.placement, corners, wanted.pieces)
        except InvalidError as error:
            self._why = error.phrase

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        """What the frame shows."""
        if self._reader is None:
            return Look(frame.number, frame.at_s, "free" if self._why is None else "blocked", self._why)
        try:
            look = self._reader.look(frame, begins)
        except SightError as error:
            return Look(frame.number, frame.at_s, "picture", error.phrase)
        if look.observation is not None and (self._read is None or look.observation.sights != self._read.sights):
            self._read = look.observation
            if self._looks is not None:
                self._looks.keep(frame)
        return look

    def learn(self, labels: Placement) -> None:
        """What stands where is known from the game."""

    def close_up(self, wanted: CloseUpRequest) -> Image | None:  # noqa: ARG002
        """Set-ups are not read from a board."""
        return None

    def from_above(self, frame: Frame) -> SeenFromAbove:  # noqa: ARG002
        """There are no tag cards; the corners say where all lies."""
        raise SightError(phrase("zones.corners"))

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the board's outline, a ring around each piece, and a larger one where something is strange."""
        scale = width / frame.image.shape[1]
        drawn = np.asarray(cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        if self._reader is None:
            return drawn
        view = self._reader.view
        outline = np.round(view.corners_px * scale).astype(np.int32)
        cv2.polylines(drawn, [outline.reshape(-1, 1, 2)], True, EDGE_BGR, 2, cv2.LINE_AA)
        for sight in look.observation.sights if look.observation else ():
            if sight.likeliest != EMPTY:
                x, y = (view.in_picture(np.array([sight.at_mm], np.float64))[0] * scale * HALVES).astype(int).tolist()
                cv2.circle(drawn, (x, y), int(7 * HALVES), EDGE_BGR, 2, cv2.LINE_AA, 4)
        for at_mm in look.strange:
            x, y = np.rint(view.in_picture(np.array([at_mm], np.float64))[0] * scale).astype(int).tolist()
            cv2.circle(drawn, (x, y), STRANGE_PX, DOUBT_BGR, 3, cv2.LINE_AA)
        return drawn

    def put_by(self, folder: Path) -> dict[str, Any] | None:  # noqa: ARG002
        """The corners are all that is known."""
        return None if self._reader is None else {"corners": self._corners}
