"""The eyes while pieces are enrolled: what people do at the phone and what the camera shows, picture by picture.

The camera is the eyes' own. Pictures are kept in the state folder as they are taken, so that an enrolment goes on where
it stopped; at the end a process of its own learns from them.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.enrolling.asked_view import draw_asked
from companion.enrolling.described import described
from companion.enrolling.kept_pictures import KeptPictures
from companion.enrolling.laid_things import laying_of
from companion.enrolling.taking import Taking
from companion.errors import Phrase, phrase
from companion.games import registry
from companion.main.eyes_watch import PREVIEW_EVERY_S, PREVIEW_WIDTH, Seldom, Pipe, jpeg_of
from companion.main.frugal import give_back
from companion.main.messages import EnrolSet, EyesConfig, Preview
from companion.main.progress import Progress
from companion.session.enrolled import WhosePieces, keep_whose, pictures_folder, read_alike, whose_pieces
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.events import read_phrase
from companion.session.sighted import Sighted
from hardware.camera import Camera, frames
from vision.presence.motion import is_like
from vision.enrolment.picture_set import PictureSet, read_set
from vision.imaging.camera import Lens
from vision.imaging.fitting import fit_frame
from vision.imaging.frame import Frame, Image

LEARNING_MOST_S: Final = 1800.0
"""A small Pi learns the pieces of a large game for some minutes."""

_logger = logging.getLogger(__name__)


def enrol_pieces(
    pipe: Pipe, config: EyesConfig, open_camera: Callable[[], Camera], progress: Progress,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Takes pictures and learns until the pieces are known; then waits to be ended. Raises `EOFError` or `OSError` when
    the pipe closes, `CompanionError` when what was kept is damaged."""
    pipe.send(Sighted(-1, "starting", phrase("enrol.away")))
    enrolling = Enrolling(pipe, config, progress, clock)
    while True:
        for frame in frames(open_camera(), enrolling.report_camera, progress.sleep):
            if enrolling.look(frame):
                break  # everything is taken and is to be learned: the camera rests
            del frame  # nine megabytes that would lie about until the next picture
            give_back()
        else:
            return  # a picture set that has ended
        enrolling.learn()
        while enrolling.is_learned:
            enrolling.listen()


class Enrolling:
    """One enrolment, from the first picture to the piece set."""

    def __init__(self, pipe: Pipe, config: EyesConfig, progress: Progress, clock: Callable[[], float]) -> None:
        assert config.enrol is not None
        self._pipe, self._keep, self._progress, self._clock = pipe, config.keep, progress, clock
        known, self._lens = _begun(config, config.enrol)
        lens = self._lens
        folder = pictures_folder(config.keep)
        self._taking, self._kept = Taking(known, lens), KeptPictures(folder, known, lens)
        if plan := self._kept.plan():
            self._taking.go_on(self._kept.bare(), plan, 0)
            again = config.enrol.again
            self._taking.turn_to(again if again in self._kept.taken else self._next())
        self._order: EnrolOrder | None = None
        self._checked: Image | None = None  # the small picture that was looked through last
        self._preview = Seldom(PREVIEW_EVERY_S)
        self._shown = EnrolmentShown(
            "opening", config.enrol.name, known.game, kinds=registry.kinds(known.game), count=len(self._taking.plan))

    @property
    def is_learned(self) -> bool:
        """Whether the pieces are known."""
        return self._shown.stage == "learned"

    # --- looking ------------------------------------------------------------------------------------------------------

    def report_camera(self, why: Phrase | None) -> None:
        """Something is wrong with the camera; None: it is well again."""
        self._tell(why=why)

    def look(self, frame: Frame) -> bool:
        """Looks at a picture and does what people want; True when the pieces are to be learned now."""
        frame = fit_frame(frame, self._lens)
        self._progress.step()
        while self._pipe.poll(0):
            self.listen()
        if self._is_complete:
            self._tell(stage="ready", **self._asked(), why=None)
        else:
            self._look_for(frame)
        if self._preview.is_over(self._clock()):
            self._preview.begin(self._clock())
            self._pipe.send(Preview(jpeg_of(self._drawn(frame))))
        is_wanted = self._order is not None and self._order.act == "learn" and self._is_complete
        if is_wanted:
            self._order = None
        return is_wanted

    def _look_for(self, frame: Frame) -> None:
        """A picture of what is to be laid: whether it can be taken, and is to be."""
        usable = self._taking.judge(frame)
        self._progress.step()
        is_new = self._checked is None or not is_like(self._checked, frame.small)
        self._tell(stage="laying", **self._asked(), why=usable.why,
                   **({"is_checked": False, "lacks": ()} if is_new else {}))
        act = self._order.act if self._order is not None else None
        if not usable.may_be_taken or (act is None and self._shown.is_checked):
            return
        checked = self._taking.check(frame)
        self._checked, self._order = frame.small, None
        self._tell(is_checked=True, lacks=checked.lacks, is_taking=False)
        if act == "go_on" or (act == "take" and not checked.lacks):
            try:
                self._kept.add(self._taking.number, checked.taken)
                self._taking.accept(checked)
                self._kept.keep_plan(self._taking.plan)
            except OSError as error:
                given = error.strerror or type(error).__name__
                self._tell(trouble=phrase("enrol.picture_not_kept", given=given))
                return
            self._turn_to(self._next())
            self._tell(stage="ready" if self._is_complete else "laying", **self._asked())

    def _next(self) -> int:
        """The first picture that is not taken, or their count."""
        return next((each for each in range(len(self._taking.plan)) if each not in self._kept.taken),
                    len(self._taking.plan))

    def _turn_to(self, number: int) -> None:
        self._taking.turn_to(number)
        self._checked = None
        self._shown = replace(self._shown, is_checked=False, lacks=(), trouble=None, is_taking=False)

    @property
    def _is_complete(self) -> bool:
        return self._taking.number >= len(self._taking.plan)

    # --- people -------------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Hears what people want next. What is of a picture that is no longer asked for comes too late."""
        self._progress.rest()
        said = self._pipe.recv()
        self._progress.step()
        if not isinstance(said, EnrolOrder):
            return
        if said.act == "again":
            if said.number in self._kept.taken:
                self._turn_to(said.number)
                self._order = None
        elif said.number == self._taking.number:
            self._order = said
            self._tell(trouble=None, is_taking=True)

    # --- telling ------------------------------------------------------------------------------------------------------

    def _asked(self) -> dict[str, Any]:
        """What is shown of the picture that is asked for."""
        taking, seen = self._taking, self._taking.arrangement
        return {"number": taking.number, "count": len(taking.plan), "taken": self._kept.taken, "laying": laying_of(
            taking.picture, taking.sizes, seen.cards if seen is not None else ())}

    def _tell(self, **changed: Any) -> None:
        shown = replace(self._shown, **changed)
        if shown != self._shown:
            self._shown = shown
            self._pipe.send(shown)

    def _drawn(self, frame: Frame) -> Image:
        seen, shown = self._taking.arrangement, self._shown
        lacking = {lack.number for lack in shown.lacks} if shown.is_checked else None
        is_asked = seen is not None and not self._is_complete
        return draw_asked(frame.image, PREVIEW_WIDTH, seen.view if seen is not None and is_asked else None,
                          (self._taking.picture, self._taking.sizes), lacking)

    # --- learning -----------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Learns the pieces in a process of its own. What fails is told, and may be tried again."""
        self._tell(stage="learning", share=0.0, trouble=None, is_taking=False)
        self._progress.allow(LEARNING_MOST_S)
        give_back()
        trouble: Phrase | None = phrase("enrol.failed")
        with subprocess.Popen([sys.executable, "-m", "companion.main.enrolment_process", str(self._keep)],
                              stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                said = json.loads(line)
                if "share" in said:
                    self._tell(share=float(said["share"]))
                else:
                    trouble = read_phrase(said["trouble"])
        if process.returncode == 0:
            self._tell(stage="learned", alike=read_alike(self._keep, self._shown.game))
            return
        _logger.warning("the pieces were not learned: %s", trouble)
        self._tell(stage="ready", trouble=trouble)


def _begun(config: EyesConfig, wanted: EnrolSet) -> tuple[PictureSet, Lens]:
    """The pieces and the lens: of the enrolment that was begun with these pieces, or of a new one."""
    folder = pictures_folder(config.keep)
    if (folder / "set.json").exists() and whose_pieces(config.keep) == WhosePieces(wanted.name, wanted.game):
        lens = read_set(folder).lens
        known, _ = described(wanted.folder, config.source, wanted.folder if wanted.is_example else None)
        return known, lens
    known, lens = described(wanted.folder, config.source, wanted.folder if wanted.is_example else None)
    keep_whose(folder, WhosePieces(wanted.name, wanted.game))
    return known, lens
