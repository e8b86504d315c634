"""A frame as it comes from a camera, and the result of one look at it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.errors import Phrase
from companion.table import LookState, Observation, Point

Image = npt.NDArray[np.uint8]
"""(height, width, 3) uint8, colours in the order B, G, R, gamma-encoded (sRGB)."""

SMALL_WH = (320, 180)
"""Width and height in px of the small picture that is watched for hands."""

STREAM_S = 0.7
"""Pictures farther apart are single moments: whether something moves cannot be told from them."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image` (h, w, 3) B G R for reading, `small` (180, 320, 3) B G R for watching.

    `at_s` is monotonic time in seconds, `number` counts the frames of one source from 0.
    """

    image: Image
    small: Image
    at_s: float
    number: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The picture's height, width and number of channels. Who wants to know no more asks here: of a frame that is
        kept, the large picture is written only if it was looked at."""
        return self.image.shape

    @property
    def is_coloured(self) -> bool:
        """Whether it is a picture as eyes want it."""
        return self.image.ndim == 3 and self.image.shape[2] == 3 and self.image.dtype == np.uint8

    @property
    def unasked(self) -> Frame:
        """The frame for who only shows it: looking at its picture does not count."""
        return self


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A tag card as found: centre of its marker in the table frame (mm), turn anticlockwise in degrees."""

    card: int
    at_mm: Point
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Look:
    """All that the eyes report of one frame.

    `state` is `free`, or why the frame was not read; `why` says it to people. `observation` is there only when the
    table is free. `ms` are milliseconds by stage: watch, read, and of reading: bodies, places, zones. `strange` are
    points of the table frame (mm) at which something changed that is no piece's doing.
    """

    number: int
    at_s: float
    state: LookState
    why: Phrase | None = None
    cards: tuple[CardSeen, ...] = ()
    observation: Observation | None = None
    ms: dict[str, float] = field(default_factory=dict)
    strange: tuple[Point, ...] = ()
