"""The loop of the eyes, from frame to look: what they see of one table goes out through a pipe."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2

from companion.errors import Phrase, SightError, phrase
from companion.main.bare_eyes import surveyed
from companion.main.frugal import give_back
from companion.main.keeper import Keeper
from companion.main.messages import (
    CloseUp, CloseUpRequest, FromAboveRequest, FromEyes, LookFor, MeasureLens, Preview, Round, SurveyRequest, Teach,
    ToEyes, Understood)
from companion.main.progress import Progress
from companion.session.sighted import Sighted
from companion.session.survey import TableFromAbove
from companion.table import LookState, Placement
from hardware.camera import Camera, frames
from vision.imaging.camera import Lens
from vision.imaging.frame import Frame, Image, Look
from vision.overlay.from_above import SeenFromAbove

if TYPE_CHECKING:
    from companion.main.lens_measuring import LensMeasuring

PREVIEW_WIDTH: Final = 1280
PREVIEW_EVERY_S: Final = 1.0
REST_AFTER_READ_S: Final = 0.3
"""How long a camera's pictures are skipped after a free table was read. A hand takes longer to do anything."""
EXPOSE_EVERY_S: Final = 1.0
EXPOSURE_FACTORS: Final[dict[LookState, float]] = {"dark": 1.4, "bright": 0.7}
"""By what the exposure is multiplied after a look that was too dark or too bright to be read."""
PREVIEW_JPEG_QUALITY: Final = 75


class Pipe(Protocol):
    """The eyes' end of the pipe to the service."""

    def send(self, said: FromEyes, /) -> None:
        """Says something."""

    def recv(self) -> ToEyes:
        """What the service says next."""

    def poll(self, timeout_s: float = 0.0, /) -> bool:
        """Whether something was said."""


class WatchedTable(Protocol):
    """What the loop asks of the eyes that look at one table."""

    header: dict[str, Any] | None
    """The game that a picture set begins with; None for a real table."""
    pictures: int
    """How many pictures the set has; 1 for a real table."""
    draft: bool
    """Whether the set-up is still being read."""

    def look_for(self, wanted: LookFor) -> None:
        """A game stands on the table."""

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        """What the frame shows; `begins` is called when the table is free and is now read."""

    def learn(self, labels: Placement) -> None:
        """People said what stands at some spots of the newest look."""

    def close_up(self, wanted: CloseUpRequest) -> Image | None:
        """What lies there in the newest picture, while a set-up is being read."""

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the reading drawn over it, `width` pixels wide."""

    def from_above(self, frame: Frame) -> SeenFromAbove:
        """The table as if seen from straight above. Raises `SightError` when the frame does not tell how it lies."""

    def put_by(self, folder: Path) -> dict[str, Any] | None:
        """What these eyes know, to be kept in this folder with what they see; None where nothing is read."""


@dataclass
class Seldom:
    """What is done at most once in `every_s` seconds."""

    every_s: float
    since_s: float = -math.inf

    def is_over(self, now_s: float) -> bool:
        """Whether it may be done again."""
        return now_s - self.since_s >= self.every_s

    def begin(self, now_s: float) -> None:
        """It is done now."""
        self.since_s = now_s


def watch(
    pipe: Pipe, table: WatchedTable, open_camera: Callable[[int], Camera], clock: Callable[[], float] = time.monotonic,
    progress: Progress | None = None, keeper: Keeper | None = None, every_look_counts: bool = False,
    lens: Lens | None = None,
) -> None:
    """Looks at every frame; ends with the pictures, raises `EOFError` or `OSError` when the pipe closes. A `keeper`
    keeps what is seen; the camera's `lens` tells what can be. With `every_look_counts` it goes on when what was read
    was understood.

    `open_camera` gives the camera, from the picture with this number on.
    """
    progress = progress or Progress()
    loop = _Loop(pipe, table, clock, progress, keeper, every_look_counts, lens)
    camera = open_camera(0 if table.header is None else loop.begin_round())
    for frame in frames(camera, loop.report_camera, progress.sleep):
        given = (frame,) if keeper is None else keeper.given(frame)
        if not given:
            loop.glance(frame, camera)
        took = [loop.take(each, camera) for each in given]
        del frame, given  # nine megabytes that would lie about until the next picture
        if any(took):
            give_back()


class _Loop:
    """What the loop remembers from one frame to the next."""

    def __init__(
        self, pipe: Pipe, table: WatchedTable, clock: Callable[[], float], progress: Progress, keeper: Keeper | None,
        every_look_counts: bool, lens: Lens | None,
    ) -> None:
        self._pipe, self._table, self._clock, self._progress, self._lens = pipe, table, clock, progress, lens
        self._keeper, self._every_look_counts, self._waits = keeper, every_look_counts, False
        self._newest: Look | None = None
        self._round = 0
        self._state: LookState | None = None
        self._rest, self._preview = Seldom(REST_AFTER_READ_S), Seldom(PREVIEW_EVERY_S)
        self._exposure, self._refuses_light = Seldom(EXPOSE_EVERY_S), False
        self._survey: SurveyRequest | None = None
        self._wants_above = False
        self._lens_wish: MeasureLens | None = None
        self._measuring: LensMeasuring | None = None

    def report_camera(self, why: Phrase | None) -> None:
        """Something is wrong with the camera; None: it is well again."""
        if why is not None:
            self._pipe.send(Sighted(-1, "gone", why))

    def begin_round(self) -> int:
        """Says that the set's game begins, and waits until it has; gives the number of the picture to go on with."""
        assert self._table.header is not None
        self._pipe.send(Round(self._table.header))
        while (wanted := self._listen()) is None:
            pass
        return 0 if wanted.after is None else wanted.after % self._table.pictures + 1  # may be the next round's first

    def take(self, frame: Frame, camera: Camera) -> bool:
        """Looks at a frame and says what it shows; False when it was passed over."""
        self._progress.step()
        while self._pipe.poll(0):
            self._listen()
        if self._table.header is None and not self._rest.is_over(self._now_s(frame)):
            return False
        self._follow_round(frame)
        look = self._look(frame, self._reading_of(frame))
        if self._table.header is not None and self._table.draft and look.observation is not None:
            self._show(frame, look)
            look = self._stay(frame)  # the next picture would show the first ply
        if look.observation is not None:
            self._rest.begin(self._now_s(frame))
        self._expose(camera, look)
        self._tell_survey(frame, camera)
        self._tell_above(frame)
        self._tell_lens(frame)
        self._show_seldom(frame, look)
        return True

    def _now_s(self, frame: Frame) -> float:
        """Where every look counts it must not matter how fast they are taken."""
        return frame.at_s if self._every_look_counts else self._clock()

    def glance(self, frame: Frame, camera: Camera) -> None:
        """A frame that shows nothing new to a table that is kept."""
        self._progress.step()
        while self._pipe.poll(0):
            self._listen()
        self._tell_survey(frame, camera)
        self._tell_above(frame)
        self._tell_lens(frame)
        if self._newest is not None:
            self._show_seldom(frame, self._newest)

    def _show_seldom(self, frame: Frame, look: Look) -> None:
        if self._preview.is_over(self._clock()):
            self._preview.begin(self._clock())
            self._show(frame, look)

    def _follow_round(self, frame: Frame) -> None:
        """A picture set that was played to its end begins anew."""
        if self._table.header is not None and frame.number // self._table.pictures != self._round:
            self._round = frame.number // self._table.pictures
            self.begin_round()

    def _reading_of(self, frame: Frame) -> Callable[[], object]:
        """What is called when the frame is read: says so, unless the table was free before."""
        return _nothing if self._state == "free" else lambda: self._pipe.send(Sighted(frame.number, "reading"))

    def _look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        look = self._table.look(frame, begins)
        self._progress.step()
        self._state, self._newest = look.state, look
        if self._keeper is not None:
            self._keeper.saw(frame, look)
        told = phrase(f"eyes.{look.state}_held") if self._refuses_light and look.state in EXPOSURE_FACTORS else look.why
        self._pipe.send(Sighted(look.number, look.state, told, look.observation))
        self._waits = self._every_look_counts and look.observation is not None
        while self._waits:
            self._listen()
        return look

    def _stay(self, frame: Frame) -> Look:
        """Looks at this picture, as often as people want, until its set-up is known; gives the last look."""
        while True:
            if self._listen() is None:
                continue
            look = self._look(frame, _nothing)
            if not self._table.draft:
                return look

    def _expose(self, camera: Camera, look: Look) -> None:
        if look.state in EXPOSURE_FACTORS and self._exposure.is_over(self._clock()):
            self._exposure.begin(self._clock())
            self._refuses_light = not camera.expose(EXPOSURE_FACTORS[look.state])

    def _tell_survey(self, frame: Frame, camera: Camera) -> None:
        """Says what the picture is like, if somebody wants to know."""
        wish, self._survey = self._survey, None
        if wish is None:
            return
        if wish.brighter != 1.0:
            camera.expose(wish.brighter)
        self._pipe.send(surveyed(frame.unasked, camera, self._lens))

    def _tell_above(self, frame: Frame) -> None:
        """Shows the table from above, if somebody wants to see it."""
        if not self._wants_above:
            return
        self._wants_above = False
        try:
            seen = self._table.from_above(frame.unasked)
        except SightError as error:
            self._pipe.send(TableFromAbove(why=error.phrase))
        else:
            self._pipe.send(TableFromAbove(jpeg_of(seen.image), seen.left_mm, seen.back_mm, seen.wide_mm, seen.deep_mm))

    def _tell_lens(self, frame: Frame) -> None:
        """Says how far the measuring of the lens is, if somebody measures it."""
        wish, self._lens_wish = self._lens_wish, None
        if wish is None:
            return
        if self._measuring is None:
            from companion.main.lens_measuring import LensMeasuring  # hardly ever

            self._measuring = LensMeasuring()
        if wish.how == "anew":
            self._measuring.begin_anew()
        elif wish.how == "later":
            self._measuring.leave_for_later()
        self._pipe.send(self._measuring.look(frame.unasked.image))

    def _show(self, frame: Frame, look: Look) -> None:
        self._pipe.send(Preview(jpeg_of(self._table.drawn(frame.unasked, look, PREVIEW_WIDTH))))

    def _listen(self) -> LookFor | None:
        """Does what the service says next; gives the game that is to be looked for, if it is that."""
        self._progress.rest()
        said = self._pipe.recv()
        self._progress.step()
        if isinstance(said, CloseUpRequest):
            picture = self._table.close_up(said)
            if picture is not None:
                self._pipe.send(CloseUp(said.name, jpeg_of(picture)))
            return None
        if isinstance(said, SurveyRequest):
            self._survey = said
            return None
        if isinstance(said, MeasureLens):
            self._lens_wish = said
            return None
        if isinstance(said, FromAboveRequest):
            self._wants_above = True
            return None
        if isinstance(said, Understood):
            self._waits = False
            return None
        if isinstance(said, Teach):
            if self._keeper is not None:
                self._keeper.taught(said.labels)
            self._table.learn(said.labels)
            return None
        assert isinstance(said, LookFor)
        self._table.look_for(said)
        self._state = None  # the next free look reads the whole table
        if self._keeper is not None:
            self._keeper.begin(said, self._table)
        return said


def _nothing() -> None:
    """A table that stays free is read again and again; saying so each time would make lamps and pages restless."""


def jpeg_of(picture: Image) -> bytes:
    """A picture as the pages show it."""
    good, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PREVIEW_JPEG_QUALITY])
    assert good
    return jpeg.tobytes()
