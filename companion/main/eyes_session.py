"""The eyes of one table, in their process: a piece set, learned or loaded, and a reader for the game that is played."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.enrolling.described import lens_of
from companion.errors import CompanionError, InvalidError, Phrase, SightError, phrase
from companion.main.bare_eyes import from_above_by
from companion.main.look_pictures import LookPictures
from companion.main.messages import CloseUpRequest, LookFor, EyesConfig
from companion.session.keeping import PIECES
from companion.session.kept_pieces import kept_piece_files
from companion.session.kept_zones import read_zones, table_key
from companion.table import SHAPES, Observation, Placement, Spot, colour_of, shape_of
from companion.table.laid import Laid, areas, as_drawn
from vision.enrolment.picture_set import PictureSet, read_set
from vision.imaging.camera import Lens
from vision.imaging.fitting import fit_frame, lens_for
from vision.imaging.frame import Frame, Image, Look
from vision.imaging.jpeg_frame import KeptFrame, keep
from vision.imaging.layout_pose import ZoneCorners
from vision.overlay.close_up import draw_close_up
from vision.overlay.from_above import SeenFromAbove, seen_from_above
from vision.overlay.overlay import overlay
from vision.pieces.exemplars import Learned, examples_file, with_examples
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set
from vision.pipeline.reader import Reader

_logger = logging.getLogger(__name__)



class NoPiecesError(InvalidError):
    """The camera does not know its pieces yet; all else is well."""


Tell = Callable[[Phrase], object]
Loaded = Callable[[float], object]
"""Hears how much of something is done, from 0 to 1."""


@dataclass
class TableEyes:
    """See `eyes_watch.WatchedTable`. Before a game is played, pictures are passed on unread. `enrolment` is the file
    of the enrolled pieces; what was learned since is kept beside it."""

    lens: Lens
    learned: Learned
    enrolment: Path
    zones: Mapping[Spot, ZoneCorners]
    seats: Mapping[int, float]
    header: dict[str, Any] | None = None
    pictures: int = 1
    reader: Reader | None = None
    draft: bool = False
    newest: KeptFrame | None = None
    read: Observation | None = None
    wanted: LookFor | None = None
    kept: Mapping[str, Path] = field(default_factory=dict)
    """Piece sets by game, where people enrolled more than one."""
    other_lens: Lens | None = None
    """The lens for pictures of another size, where such come."""
    looks: LookPictures | None = None
    """Where pictures of what was seen are kept, if they are."""
    laid: Mapping[str, Laid] = field(default_factory=dict)
    """Where people said that layouts lie, by `table_key`; these go before `zones` and `seats`."""
    is_replay: bool = False
    """Whether they look at a kept table: what they learn of its pieces is not kept."""

    @property
    def pieces(self) -> PieceSet:
        """The pieces as they are known now."""
        return self.learned.pieces

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the drinks, as the piece set names them."""
        names = (each.name for each in self.pieces.pieces if shape_of(each.name) in SHAPES)
        return tuple(dict.fromkeys(colour_of(each) for each in names))

    def look_for(self, wanted: LookFor) -> None:
        """A game stands on the table: everything is read anew."""
        self.draft, self.newest, self.read, self.wanted = wanted.draft, None, None, wanted
        self._take_pieces_of(wanted.game)
        self.reader = Reader(self._used_lens, self.pieces, wanted.layout, *self._lying(wanted))

    def _take_pieces_of(self, game: str) -> None:
        file = self.kept.get(game, self.enrolment)
        if file != self.enrolment:
            self.learned, self.enrolment = with_examples(load_piece_set(file), file), file

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        """What the frame shows."""
        if self.reader is None:
            return Look(frame.number, frame.at_s, "free")
        frame = self._fitted(frame)
        look = self.reader.look(frame, begins)
        if look.observation is not None and (self.read is None or look.observation.sights != self.read.sights):
            self.newest, self.read = keep(frame), look.observation
            if self.looks is not None and not self.draft:
                self.looks.keep(frame)
        return look

    def _fitted(self, frame: Frame) -> Frame:
        """The frame in a size that the lens is known for. The camera may have been set to another size since."""
        lens = lens_for(frame, self.lens)
        if lens.width != self._used_lens.width and self.wanted is not None:
            self.other_lens = lens
            self.look_for(self.wanted)
        return fit_frame(frame, self._used_lens)

    @property
    def _used_lens(self) -> Lens:
        return self.other_lens or self.lens

    def learn(self, labels: Placement) -> None:
        """People said what stands at some spots (lowest first) of the newest free look."""
        if self.newest is None or self.read is None or self.wanted is None or self.reader is None:
            return
        # only now: many tables are never corrected
        from vision.learning.online_learning import can_learn_from, learn_labels, reread_with

        if not can_learn_from(self.learned, self.read, self.wanted.layout, labels):
            return  # reading the picture again, twice, takes seconds
        reads = reread_with(
            self.newest.frame, self._used_lens, self.wanted.layout, *self._lying(self.wanted))
        before, self.learned = self.learned, learn_labels(self.learned, self.wanted.layout, labels, reads)
        if self.learned is before:
            return
        self.reader.use(self.pieces)
        if self.is_replay:
            return
        try:
            self.learned.save(self.enrolment)
        except OSError as error:
            _logger.warning("what was learned of the pieces cannot be kept: %s", error)

    def _lying(self, wanted: LookFor) -> tuple[Mapping[Spot, ZoneCorners], Mapping[int, float]]:
        """The zones of a game, and where its players sit."""
        laid = self.laid.get(table_key(wanted.game, wanted.seats))
        if laid is not None:
            return areas(wanted.layout, laid), laid.directions(wanted.seats)
        return self.zones, self.seats or as_drawn(wanted.layout).directions(wanted.seats)

    def from_above(self, frame: Frame) -> SeenFromAbove:
        """The table as if seen from straight above, by the cards as they were measured last, or are now."""
        if self.reader is None or self.reader.arrangement is None:
            return from_above_by(frame, self.lens)
        return seen_from_above(fit_frame(frame, self._used_lens).image, self.reader.arrangement)

    def close_up(self, wanted: CloseUpRequest) -> Image | None:
        """What lies there in the newest free look, while a set-up is being read."""
        arrangement = self.reader.arrangement if self.reader else None
        if not self.draft or self.newest is None or arrangement is None or not wanted.things:
            return None
        return draw_close_up(self.newest.frame.image, arrangement.view, wanted.things)

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the reading drawn over it."""
        frame = fit_frame(frame, self._used_lens)
        arrangement = self.reader.arrangement if self.reader else None
        kinds = self.wanted.layout.kinds if self.wanted else ()
        return overlay(frame.image, arrangement.view if arrangement else None, look, width, kinds)

    def put_by(self, folder: Path) -> dict[str, Any] | None:
        """Lens, zones and seats; the pieces are copied into the folder."""
        shutil.copyfile(self.enrolment, folder / PIECES)
        with suppress(FileNotFoundError):
            shutil.copyfile(examples_file(self.enrolment), examples_file(folder / PIECES))
        zones, seats = (self.zones, self.seats) if self.wanted is None else self._lying(self.wanted)
        return {"lens": self.lens.json, "zones": {spot: [list(each) for each in at] for spot, at in zones.items()},
                "seats": {str(seat): degrees for seat, degrees in seats.items()}}


def open_table(config: EyesConfig, tell: Tell, loaded: Loaded = lambda _: None) -> TableEyes:
    """The eyes for a source. `tell` hears what takes long, `loaded` how much of it is done. Raises `CompanionError`
    when something is missing.

    A folder (of the source `folder`, or given beside a camera) says how camera, zones and seats stand, and has pictures
    to learn the pieces from; what was learned is kept. Pieces that people enrolled with the camera go before these, and
    a piece set file that the config names goes before all. A camera with none of them is told what to do.
    """
    source = config.source
    kept = {} if source.pieces is not None else kept_piece_files(config.keep)
    laid = {} if source.zones is None else read_zones(source.zones)
    if source.folder is None:
        lens, file = lens_of(source), source.pieces or next(iter(kept.values()), None)
        if file is None:
            raise NoPiecesError(phrase("house.no_pieces"))
        return TableEyes(lens, with_examples(load_piece_set(file), file), file, {}, {}, kept=kept, laid=laid)
    known = read_set(source.folder)
    file = source.pieces or kept.get(known.game) or enrolled(known, config.keep, tell, loaded)
    pieces = with_examples(load_piece_set(file), file)
    if source.kind != "folder":
        return TableEyes(lens_of(source) if source.lens else known.lens, pieces, file, known.zones, known.seats,
                         kept={**kept, known.game: file}, laid=laid)
    return TableEyes(known.lens, pieces, file, known.zones, known.seats, _header(source.folder),
                     max(1, len(known.pictures)))


def enrolled(known: PictureSet, keep: Path, tell: Tell, loaded: Loaded = lambda _: None) -> Path:
    """The file with the pieces of a set's enrolment pictures: kept from an earlier start, or learned now and kept.

    A process of its own learns them, because that needs much memory once.
    """
    file = keep / f"pieces-{_fingerprint(known)}.zip"
    if file.exists():
        try:
            load_piece_set(file)
            return file
        except CompanionError:
            pass  # damaged, or of another version: learn it anew
    tell(phrase("house.learning", number=len(known.enrolments)))
    if not learn_pieces(known.folder, file, loaded):
        raise SightError(phrase("house.not_learned", where=str(known.folder)))
    return file


def learn_pieces(folder: Path, file: Path, loaded: Loaded) -> bool:
    """Whether another process has learned the pieces of the pictures in this folder, into this file."""
    command = [sys.executable, "-m", "companion.main.enrolment_process", str(folder), str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as learning:
        assert learning.stdout is not None
        for said in learning.stdout:  # how much is done, a number a line
            loaded(float(said))
    return learning.returncode == 0


def _fingerprint(known: PictureSet) -> str:
    """A hash that changes with the enrolment pictures and with what is said about them."""
    files = [known.folder / "set.json", known.folder / "enrol.json", *(each.picture for each in known.enrolments)]
    said = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files if file.exists()]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def _header(folder: Path) -> dict[str, Any]:
    """The first line of the set's record. The rest of it is what was really played: the eyes never look at it."""
    try:
        with (folder / "record.jsonl").open(encoding="utf-8") as file:
            header = json.loads(file.readline())
    except (OSError, ValueError) as error:
        raise InvalidError(phrase("house.no_header", where=str(folder))) from error
    return dict(header)
