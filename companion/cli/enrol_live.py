"""Taking enrolment pictures with a camera: "lay these here", a look, what is missing, the next picture.

What was taken is kept as a picture set, from which `companion enrol` learns now and may learn again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.cli.enrol_pictures import KeptPictures, TakenPicture
from companion.cli.enrol_plan import plan_lines, spoken
from companion.cli.run import source_named
from companion.errors import ConfigError, HardwareError, Phrase, SightError, phrase
from companion.games import registry
from companion.main.examples import examples
from companion.main.eyes_session import lens_of
from companion.session.config import SourceConfig
from companion.table import Body, Piece
from companion.words import Words
from hardware.camera import camera_for, frames
from vision.enrolment.picture_set import PictureSet, read_set
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate, plan_pictures
from vision.enrolment.placement_search import PLACEMENT_SEARCH_MM, LocatedPiece, locate_pieces
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import SMALL_WH, Frame, Image
from vision.photometry.card_patches import judge_exposure, see_patches
from vision.photometry.white_fit import fit_white
from vision.presence.table_gate import MOTION, MOTION_SHARE, TableGate
from vision.presence.play_area import survey
from vision.scene.scene import Scene
from vision.scene.bare_table import Bare

GO_ON = "k"
"""What people type to go on without what is missing."""

PACE_S = 0.05
"""Pause between the pictures of a set."""

STALE = 3
"""A camera's first pictures after a pause may have been taken before it."""

COME_AND_GO_MM = 40.0
"""The area in which pieces come and go is so much larger than that in which they are laid."""

SHADOW_MM = 20.0
"""How far from its place people may lay a piece, and its shadow may fall."""


def take_pictures(args: argparse.Namespace, words: Words) -> Path | None:
    """Asks for each picture and takes it; gives the folder with all of them, None when people stopped before the end.
    Raises `CompanionError`."""
    source = replace(source_named(args.source, SourceConfig()), lens=args.lens, pace_s=PACE_S)
    keep: Path = args.keep or args.out.with_name(args.out.name + ".pictures")
    if keep.exists() and any(keep.iterdir()):
        raise ConfigError(phrase("cli.enrol.taken_before", where=str(keep)))
    known, lens = _described(args.set, source)
    stale = STALE if source.kind == "camera" else 0
    taking = Taking(frames(camera_for(source), lambda why: None if why is None else _say(words, why)), known, lens,
                    words, stale)
    kept = KeptPictures(keep, known, lens)
    try:
        for picture in taking.pictures():
            kept.add(picture)
    except EOFError:  # nobody is there to press Enter
        _say(words, phrase("cli.enrol.stopped", count=kept.count, where=str(keep)))
        return None
    _say(words, phrase("cli.enrol.kept", where=str(keep)))
    return keep


def _described(named: Path, source: SourceConfig) -> tuple[PictureSet, Lens]:
    """The pieces and the lens: of a folder with set.json, in which enrol.json may say what to lay where; of a set.json
    alone; or the pieces of an example, for which the lens is not the camera's."""
    example = examples().get(str(named))
    known = read_set(example or (named.parent if named.is_file() else named))
    lens = known.lens if example is None and source.lens is None else lens_of(source)
    if example is not None:
        return replace(known, enrolments=(), zones={}, seats={}), lens  # those of another table
    return (replace(known, enrolments=()) if named.is_file() else known), lens


class Taking:
    """Takes the pictures of one enrolment, one after the other. `stale` pictures are passed over after each pause."""

    def __init__(self, pictures: Iterator[Frame], known: PictureSet, lens: Lens, words: Words, stale: int) -> None:
        self._frames, self._known, self._lens, self._words, self._stale = pictures, known, lens, words, stale
        self._sizes: Mapping[str, Piece] = {piece.name: piece for piece in known.pieces}
        self._arrangement: Arrangement | None = None
        self._gate: TableGate | None = None
        self._bare: Bare | None = None
        self._bare_small: Image | None = None
        self._asked: npt.NDArray[np.bool_] | None = None  # where in the small picture pieces are asked for

    def pictures(self) -> Iterator[TakenPicture]:
        """All pictures, the bare table first. Raises `EOFError` when people stop."""
        self._say(phrase("cli.enrol.bare"))
        self._enter("cli.enrol.ready")
        frame, scene = self._look()
        self._bare, self._bare_small = Bare(frame.image, scene.view, scene.white), frame.small
        yield TakenPicture(frame, ())
        assert self._arrangement is not None
        if self._known.enrolments:
            asked = [PlannedPicture("given", each.pieces) for each in self._known.enrolments]
        else:
            asked = list(plan_pictures(self._known.pieces, self._arrangement.cards, scene.view,
                                       registry.kinds(self._known.game)))[1:]
        for number, picture in enumerate(asked, 1):
            self._ask(picture, number, len(asked))
            yield self._take(picture)

    def _take(self, picture: PlannedPicture) -> TakenPicture:
        """Looks until all lies where it should, or people go on without what does not."""
        self._asked = self._shown(picture)
        self._enter("cli.enrol.ready")
        while True:
            frame, scene = self._look()
            found = locate_pieces(scene, picture, self._sizes)
            missing = tuple(self._missing(picture, found))
            for lack in missing:
                self._say(lack)
            if not missing or self._enter("cli.enrol.again") == GO_ON:
                return TakenPicture(frame, tuple(each.laid for each in found if each.lies))

    # ---------------------------------------------------------------- looking

    def _look(self) -> tuple[Frame, Scene]:
        """The next picture of a free, still table whose cards and light are good; what stays wrong until then is said.
        """
        before: Phrase | None = None
        said: Phrase | None = None
        left, last = self._stale, None
        for frame in self._frames:
            still = last is not None and _is_like(last, frame.small)
            last = frame.small
            try:
                why = self._judge(frame)
            except SightError as error:
                why = error.phrase
            left -= 1
            if why is None and left < 0 and still:
                assert self._arrangement is not None
                white = fit_white(frame.image, self._arrangement)
                return frame, Scene(frame.image, self._arrangement.view, white, self._bare, None)
            if why is not None and why == before != said:
                self._say(why)
                said = why
            before = why
        raise HardwareError(phrase("cli.enrol.no_more_pictures"))

    def _judge(self, frame: Frame) -> Phrase | None:
        """Why a picture cannot be used. Raises `SightError` where no cards are found."""
        if self._gate is None:
            self._arrangement = find_cards(frame.image, self._lens)
            self._gate = TableGate(survey(self._arrangement.view, [self._area(self._arrangement)], [
                (card.at_mm, card.turn_deg) for card in self._arrangement.cards], self._known.pieces))
        verdict = self._gate.look(self._unasked(frame.small), frame.at_s)
        if verdict.state != "free":
            return verdict.why
        self._arrangement = find_cards(frame.image, self._lens, self._arrangement)
        exposure = judge_exposure(see_patches(frame.image, self._arrangement))
        return None if exposure is None else exposure[1]

    def _unasked(self, small: Image) -> Image:
        """The small picture as if nothing of what is asked for lay there yet: a large board would be taken for a hand.
        """
        if self._asked is None or self._bare_small is None:
            return small
        return np.where(self._asked[..., None], self._bare_small, small)

    def _shown(self, picture: PlannedPicture) -> npt.NDArray[np.bool_]:
        """Where in the small picture its pieces are seen, with their shadows."""
        assert self._arrangement is not None
        view, mask = self._arrangement.view, np.zeros(SMALL_WH[::-1], np.uint8)
        shrink = np.array(SMALL_WH) / (view.lens.width, view.lens.height)
        for laid in picture.pieces:
            across, deep, height = self._sizes[laid.appearance].size_mm
            grown = (across + 2 * SHADOW_MM, deep + 2 * SHADOW_MM, height)
            corners = outline_mm(Body("", "", laid.at_mm, grown, laid.turn_deg))
            px = np.concatenate([view.project_at(corners, z) for z in (0.0, height)]) * shrink
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(px).astype(np.int32)), (1,))
        return mask > 0

    def _area(self, arrangement: Arrangement) -> list[tuple[float, float]]:
        """Corners of the area in which pieces are laid."""
        points = [piece.at_mm for each in self._known.enrolments for piece in each.pieces]
        points += [card.at_mm for card in arrangement.cards]
        (left, front), (right, back) = ((pick(x for x, _ in points), pick(y for _, y in points)) for pick in (min, max))
        left, front, right, back = (left - COME_AND_GO_MM, front - COME_AND_GO_MM,
                                    right + COME_AND_GO_MM, back + COME_AND_GO_MM)
        return [(left, front), (right, front), (right, back), (left, back)]

    # ---------------------------------------------------------------- asking

    def _ask(self, picture: PlannedPicture, number: int, count: int) -> None:
        assert self._arrangement is not None
        self._say(phrase(f"cli.enrol.{picture.what}", number=number, count=count))
        for line in plan_lines(picture, self._sizes, self._arrangement.cards, self._words):
            print(line, file=sys.stderr)

    def _missing(self, picture: PlannedPicture, found: Sequence[LocatedPiece]) -> Iterator[Phrase]:
        """What does not lie where it was asked for. Drinks in a crate are as missing as the crate."""
        numbers = {thing: number for number, (thing, _) in enumerate(group_by_crate(picture, self._sizes), 1)}
        for each in found:
            if each.lies or each.asked not in numbers:
                continue
            number, piece = numbers[each.asked], spoken(each.asked.appearance)
            yield (phrase("cli.enrol.nothing", number=number, piece=piece) if each.is_empty
                   else phrase("cli.enrol.odd", number=number, piece=piece, mm=round(PLACEMENT_SEARCH_MM)))

    def _enter(self, id: str) -> str:
        sys.stderr.write(self._words.say(phrase(id)))
        sys.stderr.flush()
        return input().strip().lower()

    def _say(self, what: Phrase) -> None:
        _say(self._words, what)


def _is_like(before: Image, now: Image) -> bool:
    """Whether two small pictures show the same, also where pieces are asked for."""
    off = cv2.absdiff(cv2.blur(before, (3, 3)), cv2.blur(now, (3, 3))).max(axis=2)
    return bool(np.mean(off > MOTION) <= MOTION_SHARE)


def _say(words: Words, what: Phrase) -> None:
    print(words.sentence(what), file=sys.stderr, flush=True)
