"""The eyes of a camera whose table is still being set up: they know no pieces, but show the picture and what is in
it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.errors import Phrase, SightError
from companion.main.messages import CloseUpRequest, LookFor
from companion.session.survey import Survey
from companion.table import Placement
from hardware.camera import Camera, ChoosyCamera
from vision.fiducials.tag_detection import detect
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import Lens
from vision.imaging.fitting import fit_frame, lens_for
from vision.imaging.frame import Frame, Image, Look
from vision.overlay.from_above import SeenFromAbove, seen_from_above
from vision.pieces.lid_shift import heights_alike
from vision.presence.picture_faults import picture_faults

FRAME_BGR: Final = (80, 200, 80)


class BareEyes:
    """See `eyes_watch.WatchedTable`. `why` is what keeps them from reading a game, and `lens` that of the
    camera."""

    header: dict[str, Any] | None = None
    pictures = 1
    draft = False

    def __init__(self, why: Phrase, lens: Lens) -> None:
        self._why, self._lens = why, lens

    def look_for(self, wanted: LookFor) -> None:
        """A game stands on the table; it cannot be read yet."""

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:  # noqa: ARG002
        """Pictures come; they can be read when the pieces are known."""
        return Look(frame.number, frame.at_s, "picture", self._why)

    def learn(self, labels: Placement) -> None:
        """Nobody says what stands where before the pieces are known."""

    def close_up(self, wanted: CloseUpRequest) -> Image | None:  # noqa: ARG002
        """Nothing is asked about."""
        return None

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:  # noqa: ARG002
        """The picture, with the tag cards framed."""
        scale = width / frame.image.shape[1]
        drawn = np.asarray(cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        for corners in detect(drawn).values():
            px = np.round(corners).astype(np.int32)
            cv2.polylines(drawn, [px.reshape(-1, 1, 2)], True, FRAME_BGR, 2, cv2.LINE_AA)
        return drawn

    def put_by(self, folder: Path) -> dict[str, Any] | None:  # noqa: ARG002
        """Nothing is read."""
        return None

    def from_above(self, frame: Frame) -> SeenFromAbove:
        """The table from above, by the tag cards."""
        return from_above_by(frame, self._lens)


def from_above_by(frame: Frame, lens: Lens) -> SeenFromAbove:
    """The table from above, as this lens sees it. Raises `SightError` when too few tag cards are seen."""
    fitted = fit_frame(frame, lens_for(frame, lens))
    return seen_from_above(fitted.image, find_cards(fitted.image, lens_for(frame, lens)))


def surveyed(frame: Frame, camera: Camera, lens: Lens | None) -> Survey:
    """What this picture is like, and what its camera refuses. With its lens it is also known what cannot be told apart
    from there."""
    height, width = frame.image.shape[:2]
    cards = tuple(sorted(detect(frame.image)))
    refused = camera.refused() if isinstance(camera, ChoosyCamera) else ()
    alike = _heights_alike(frame, lens) if lens is not None and cards else None
    faults = *picture_faults(frame), *refused, *(() if alike is None else (alike,))
    return Survey(width, height, cards, faults)


def _heights_alike(frame: Frame, lens: Lens) -> Phrase | None:
    now = lens_for(frame, lens)
    try:
        return heights_alike(find_cards(fit_frame(frame, now).image, now))
    except SightError:  # too few cards, which is told as well
        return None
