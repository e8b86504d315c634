"""Enrolment at a phone, as the service has it: which pieces there are to enrol, how far it is, what people want.

The eyes do it (`enrol_watch.py`), with the camera that they hold; here nothing is computed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.main.examples import EXAMPLES, examples, game_of, pieces_in
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.messages import EnrolSet, EyesConfig
from companion.session.enrolled import alike_picture, left_off, pictures_folder, whose_pieces
from companion.session.kept_pieces import kept_piece_files
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.eyes_side import EyesSide

OWN_SET: Final = "own"
"""The name of the pieces that the folder beside the table's camera lists."""


@dataclass(frozen=True, slots=True)
class PiecesOffered:
    """A set of pieces that can be enrolled: its name, its game's id, how many they are, whether they are known."""

    name: str
    game: str
    pieces: int
    is_known: bool


class Enrolments:
    """What the page of enrolment asks of the house. `own` gives the real table's source of pictures and the folder in
    which its pieces are kept, None without a camera. Any thread may call."""

    def __init__(
        self, own: Callable[[], EyesConfig | None], eyes: EyesSupervisor, side: EyesSide,
        folders: tuple[Path, ...] = EXAMPLES,
    ) -> None:
        self._own, self._eyes, self._side = own, eyes, side
        self._folders = examples(folders)

    @property
    def has_camera(self) -> bool:
        """Whether there is a camera to enrol with."""
        return self._own() is not None

    @property
    def offers(self) -> tuple[PiecesOffered, ...]:
        """All sets of pieces that can be enrolled, the table's own first."""
        own = self._own()
        known = kept_piece_files(own.keep) if own is not None else {}
        return tuple(PiecesOffered(name, each.game, pieces_in(each.folder), each.game in known)
                     for name, each in self._sets().items())

    def shown(self) -> EnrolmentShown | None:
        """How far it is; None when none was begun."""
        going_on, own = self._eyes.enrolling, self._own()
        if going_on is not None and going_on.enrol is not None:
            opening = EnrolmentShown("opening", going_on.enrol.name, going_on.enrol.game)
            return self._side.enrolment or opening
        return None if own is None else left_off(own.keep)

    def begin(self, name: str) -> None:
        """Enrols the pieces of this set, from the first picture on. Raises `InvalidError`."""
        own, sets = self._own(), self._sets()
        if own is None:
            raise InvalidError(phrase("enrol.no_camera"))
        if name not in sets:
            raise InvalidError(phrase("enrol.no_set", given=name[:80]))
        if self._eyes.enrolling is not None:
            raise InvalidError(phrase("enrol.going_on"))
        shutil.rmtree(pictures_folder(own.keep), ignore_errors=True)
        self._eyes.enrol(replace(own, enrol=sets[name]))

    def go_on(self, again: int | None = None) -> None:
        """Goes on where an enrolment was broken off, or with this picture once more. Raises `InvalidError` when there
        is none."""
        own = self._own()
        whose = whose_pieces(own.keep) if own is not None else None
        wanted = self._sets().get(whose.name) if whose is not None else None
        if own is None or wanted is None:
            raise InvalidError(phrase("enrol.nothing_begun"))
        if self._eyes.enrolling is None:
            self._eyes.enrol(replace(own, enrol=replace(wanted, again=again)))

    def order(self, wanted: EnrolOrder) -> None:
        """Does this with the present picture. Raises `InvalidError` when the page is not up to date."""
        shown = self.shown()
        if shown is not None and shown.stage == "learned" and wanted.act == "again":
            self.go_on(wanted.number)
            return
        if self._eyes.enrolling is None or shown is None:
            raise InvalidError(phrase("enrol.nothing_begun"))
        if wanted.number != shown.number if wanted.act != "again" else wanted.number not in shown.taken:
            raise InvalidError(phrase("enrol.too_late"))
        self._side.order(wanted)

    def stop(self) -> None:
        """Breaks off; pictures stay, and the eyes watch the table again."""
        if self._eyes.enrolling is not None:
            self._eyes.enrol(None)

    def drop(self) -> None:
        """Ends it for good: its pictures are deleted; what was learned stays."""
        self.stop()
        if (own := self._own()) is not None:
            shutil.rmtree(pictures_folder(own.keep), ignore_errors=True)

    def picture(self, name: str) -> bytes | None:
        """The picture of one of two pieces that are much alike, as JPEG."""
        own = self._own()
        return None if own is None else alike_picture(own.keep, name)

    def _sets(self) -> Mapping[str, EnrolSet]:
        own, games = self._own(), registry.ids()
        if own is None:
            return {}
        found = {name: EnrolSet(name, game_of(folder), folder, True) for name, folder in self._folders.items()}
        folder = own.source.folder
        here = {} if folder is None else {OWN_SET: EnrolSet(OWN_SET, game_of(folder), folder, False)}
        return {name: each for name, each in (here | found).items() if each.game in games}
