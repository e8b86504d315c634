"""Taking enrolment pictures from a terminal: says what to lay, waits for Enter, tells what is missing.

What was taken is kept as a picture set, from which `companion enrol` learns now and may learn again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from companion.cli.enrol_plan import plan_lines
from companion.cli.run import source_named
from companion.enrolling.described import described
from companion.enrolling.kept_pictures import KeptPictures
from companion.enrolling.taking import CheckedPicture, Taking
from companion.errors import ConfigError, HardwareError, Phrase, phrase
from companion.main.examples import examples
from companion.session.config import SourceConfig
from companion.words import Words
from hardware.camera import camera_for, frames
from vision.imaging.frame import Frame

GO_ON = "k"
"""What people type to go on without what is missing."""

PACE_S = 0.05
"""Pause between the pictures of a set."""

STALE = 3
"""A camera's first pictures after a pause may have been taken before it."""


def take_pictures(args: argparse.Namespace, words: Words) -> Path | None:
    """Asks for each picture and takes it; gives the folder with all of them, None when people stopped before the end.
    Raises `CompanionError`."""
    source = replace(source_named(args.source, SourceConfig()), lens=args.lens, pace_s=PACE_S)
    keep: Path = args.keep or args.out.with_name(args.out.name + ".pictures")
    if keep.exists() and any(keep.iterdir()):
        raise ConfigError(phrase("cli.enrol.taken_before", where=str(keep)))
    known, lens = described(args.set, source, examples().get(str(args.set)))
    stale = STALE if source.kind == "camera" else 0
    camera = frames(camera_for(source), lambda why: None if why is None else _say(words, why))
    taking, kept = Taking(known, lens), KeptPictures(keep, known, lens)
    asking = _Asking(camera, taking, words, stale)
    try:
        while taking.number < len(taking.plan):
            checked = asking.ask()
            kept.add(taking.number, checked.taken)
            taking.accept(checked)
    except EOFError:  # nobody is there to press Enter
        _say(words, phrase("cli.enrol.stopped", count=len(kept.taken), where=str(keep)))
        return None
    _say(words, phrase("cli.enrol.kept", where=str(keep)))
    return keep


class _Asking:
    """Asks for one picture after the other. `stale` pictures are passed over after each pause."""

    def __init__(self, pictures: Iterator[Frame], taking: Taking, words: Words, stale: int) -> None:
        self._frames, self._taking, self._words, self._stale = pictures, taking, words, stale

    def ask(self) -> CheckedPicture:
        """Looks until all lies where it should, or people go on without what does not. Raises `EOFError` when people
        stop."""
        self._tell()
        self._enter("cli.enrol.ready")
        while True:
            checked = self._taking.check(self._look())
            for lack in checked.lacks:
                _say(self._words, lack.said)
            if not checked.lacks or self._enter("cli.enrol.again") == GO_ON:
                return checked

    def _look(self) -> Frame:
        """The next picture of a free, still table whose cards and light are good; what stays wrong until then is said.
        """
        before: Phrase | None = None
        said: Phrase | None = None
        for passed, frame in enumerate(self._frames):
            judged = self._taking.judge(frame)
            if judged.may_be_taken and passed >= self._stale:
                return frame
            if judged.why is not None and judged.why == before != said:
                _say(self._words, judged.why)
                said = judged.why
            before = judged.why
        raise HardwareError(phrase("cli.enrol.no_more_pictures"))

    def _tell(self) -> None:
        taking = self._taking
        what, number = phrase(f"enrol.lay.{taking.picture.what}"), taking.number
        asked = phrase("cli.enrol.picture", number=number, count=len(taking.plan) - 1, what=what)
        _say(self._words, asked if number > 0 else what)
        if number > 0 and taking.arrangement is not None:
            for line in plan_lines(taking.picture, taking.sizes, taking.arrangement.cards, self._words):
                print(line, file=sys.stderr)

    def _enter(self, id: str) -> str:
        sys.stderr.write(self._words.say(phrase(id)))
        sys.stderr.flush()
        return input().strip().lower()


def _say(words: Words, what: Phrase) -> None:
    print(words.sentence(what), file=sys.stderr, flush=True)
