"""Taking enrolment pictures with a camera: "lay these here", a look, what is missing, the next picture.

What was taken is kept as a picture set, from which `companion enrol` learns now and may learn again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.cli.run import source_named
from companion.errors import ConfigError, HardwareError, Phrase, SightError, phrase
from companion.main.examples import examples
from companion.main.eyes_session import lens_of
from companion.session.config import SourceConfig
from companion.table import Body, Piece
from companion.words import Words
from hardware.camera import camera_for, frames
from vision.enrolment.picture_set import LaidPiece, PictureSet, read_set
from vision.enrolment.placement_plan import PlannedPicture, draw_plan, group_by_crate, plan_pictures, plan_rows
from vision.enrolment.placement_search import SEARCH_DEG, SEARCH_MM, LocatedPiece, locate_pieces
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import SMALL_WH, CardSeen, Frame, Image
from vision.photometry.white_reference import fit_white, judge_exposure, see_patches
from vision.presence.table_gate import MOTION, MOTION_SHARE, Watcher, survey
from vision.scene.scene import Bare, Scene

GO_ON = "k"
"""What people type to go on without what is missing."""

PACE_S = 0.05
"""Pictures of a set come so soon after each other."""

STALE = 3
"""A camera's first pictures after a pause may have been taken before it."""

AROUND_MM = 40.0
"""The area in which pieces come and go is so much larger than that in which they are laid."""

SHADOW_MM = 20.0
"""So far around a piece people may lay it, and its shadow may fall."""

QUALITY = 95


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
    kept = Kept(keep, known, lens)
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


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture that was taken, and where its pieces really lie."""

    frame: Frame
    pieces: tuple[LaidPiece, ...]


class Taking:
    """Takes the pictures of one enrolment, one after the other. `stale` pictures are passed over after each pause."""

    def __init__(self, pictures: Iterator[Frame], known: PictureSet, lens: Lens, words: Words, stale: int) -> None:
        self._frames, self._known, self._lens, self._words, self._stale = pictures, known, lens, words, stale
        self._sizes: Mapping[str, Piece] = {piece.name: piece for piece in known.pieces}
        self._arrangement: Arrangement | None = None
        self._watcher: Watcher | None = None
        self._bare: Bare | None = None
        self._bare_small: Image | None = None
        self._asked: npt.NDArray[np.bool_] | None = None  # where in the small picture pieces are asked for

    def pictures(self) -> Iterator[Picture]:
        """All pictures, the bare table first. Raises `EOFError` when people stop."""
        self._say(phrase("cli.enrol.bare"))
        self._enter("cli.enrol.ready")
        frame, scene = self._look()
        self._bare, self._bare_small = Bare(frame.image, scene.view, scene.white), frame.small
        yield Picture(frame, ())
        assert self._arrangement is not None
        if self._known.enrolments:
            asked = [PlannedPicture("told", each.pieces) for each in self._known.enrolments]
        else:
            asked = list(plan_pictures(self._known.pieces, self._arrangement.cards, scene.view))[1:]
        for number, picture in enumerate(asked, 1):
            self._ask(picture, number, len(asked))
            yield self._take(picture)

    def _take(self, picture: PlannedPicture) -> Picture:
        """Looks until all lies where it should, or people go on without what does not."""
        self._asked = self._shown(picture)
        self._enter("cli.enrol.ready")
        while True:
            frame, scene = self._look()
            found = locate_pieces(scene, picture, self._sizes)
            missing = tuple(self._missing(picture, found))
            for told in missing:
                self._say(told)
            if not missing or self._enter("cli.enrol.again") == GO_ON:
                return Picture(frame, tuple(each.laid for each in found if each.lies))

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
        if self._watcher is None:
            self._arrangement = find_cards(frame.image, self._lens)
            self._watcher = Watcher(survey(self._arrangement.view, [self._area(self._arrangement)], [
                (card.at_mm, card.turn_deg) for card in self._arrangement.cards], self._known.pieces))
        verdict = self._watcher.look(self._unasked(frame.small), frame.at_s)
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
        return [(left - AROUND_MM, front - AROUND_MM), (right + AROUND_MM, front - AROUND_MM),
                (right + AROUND_MM, back + AROUND_MM), (left - AROUND_MM, back + AROUND_MM)]

    # ---------------------------------------------------------------- asking

    def _ask(self, picture: PlannedPicture, number: int, count: int) -> None:
        assert self._arrangement is not None
        self._say(phrase(f"cli.enrol.{picture.what}", number=number, count=count))
        for line in plan(picture, self._sizes, self._arrangement.cards, self._words):
            print(line, file=sys.stderr)

    def _missing(self, picture: PlannedPicture, found: Sequence[LocatedPiece]) -> Iterator[Phrase]:
        """What does not lie where it was asked for. Drinks in a crate are as missing as the crate."""
        numbers = {thing: number for number, (thing, _) in enumerate(group_by_crate(picture, self._sizes), 1)}
        for each in found:
            if each.lies or each.asked not in numbers:
                continue
            number, piece = numbers[each.asked], _said(each.asked.appearance)
            yield (phrase("cli.enrol.nothing", number=number, piece=piece) if each.is_empty
                   else phrase("cli.enrol.odd", number=number, piece=piece, mm=round(SEARCH_MM)))

    def _enter(self, id: str) -> str:
        sys.stderr.write(self._words.say(phrase(id)))
        sys.stderr.flush()
        return input().strip().lower()

    def _say(self, what: Phrase) -> None:
        _say(self._words, what)


def plan(picture: PlannedPicture, sizes: Mapping[str, Piece], cards: Sequence[CardSeen], words: Words) -> Iterator[str]:
    """What to lay where, in lines: the table drawn in characters, then each row from the back, then what is in crates.
    """
    groups = group_by_crate(picture, sizes)
    things = [thing for thing, _ in groups]
    yield words.say(phrase("cli.enrol.looking"))
    yield ""
    yield from draw_plan(things, cards)
    yield ""
    for y, row in plan_rows(things):
        yield words.say(phrase("cli.enrol.row", y=round(y), things=tuple(_thing(*each, sizes) for each in row)))
    for number, (_, inside) in enumerate(groups, 1):
        if inside:
            drinks = tuple(phrase("cli.record.game", game=_said(each.appearance)) for each in inside)
            yield words.say(phrase("cli.enrol.inside", number=number, drinks=drinks))
    yield ""


def _thing(number: int, laid: LaidPiece, sizes: Mapping[str, Piece]) -> Phrase:
    told: dict[str, Any] = {"number": number, "piece": _said(laid.appearance), "x": round(laid.at_mm[0])}
    turn = round(laid.turn_deg) % 360
    if sizes[laid.appearance].round or min(turn, 360 - turn) < SEARCH_DEG:
        return phrase("cli.enrol.thing", **told)
    return phrase("cli.enrol.turned", turn=turn, **told)


def _is_like(before: Image, now: Image) -> bool:
    """Whether two small pictures show the same, also where pieces are asked for."""
    off = cv2.absdiff(cv2.blur(before, (3, 3)), cv2.blur(now, (3, 3))).max(axis=2)
    return bool(np.mean(off > MOTION) <= MOTION_SHARE)


def _said(name: str) -> str:
    return name.replace("/", " ").replace("_", " ").replace(":", " ")


def _say(words: Words, what: Phrase) -> None:
    print(words.sentence(what), file=sys.stderr, flush=True)


# ---------------------------------------------------------------- keeping


class Kept:
    """A picture set that can be enrolled from, written picture by picture: the description of a known one, the
    pictures, and what lies where in them."""

    def __init__(self, folder: Path, known: PictureSet, lens: Lens) -> None:
        self._folder, self._lines = folder, list[Any]()
        (folder / "enrol").mkdir(parents=True, exist_ok=True)
        about = json.loads((known.folder / "set.json").read_text(encoding="utf-8"))
        about |= {name: [] for name in ("zones", "seats") if not getattr(known, name)}
        about["camera"] = {"width": lens.width, "height": lens.height, "K": lens.camera_matrix.tolist(),
                           "dist": lens.dist.tolist()}
        drawing = (about.get("board") or {}).get("picture")
        if drawing is not None and (known.folder / drawing).is_file():
            shutil.copyfile(known.folder / drawing, folder / drawing)
        (folder / "set.json").write_text(json.dumps(about, indent=1), encoding="utf-8")

    @property
    def count(self) -> int:
        """How many pictures were taken."""
        return len(self._lines)

    def add(self, picture: Picture) -> None:
        """Keep one more picture."""
        name = f"enrol/{self.count}.jpg"
        cv2.imwrite(str(self._folder / name), picture.frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        self._lines.append({"picture": name, "pieces": [
            {"appearance": laid.appearance, "at": [round(at, 2) for at in laid.at_mm], "turn": round(laid.turn_deg, 2)}
            for laid in picture.pieces]})
        (self._folder / "enrol.json").write_text(json.dumps(self._lines, indent=1), encoding="utf-8")
