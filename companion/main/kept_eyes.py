"""The eyes of a kept table: those that saw it, with what they knew then, shown the same again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import InvalidError, SightError, phrase
from companion.main.board_eyes import BoardEyes
from companion.main.eyes_session import TableEyes
from companion.main.eyes_watch import WatchedTable
from companion.main.look_pictures import LookPictures
from companion.main.messages import CloseUpRequest, LookFor
from companion.session.keeping import PIECES
from companion.table import Placement
from hardware.sources.kept_table import KeptTable, read_kept
from vision.imaging.camera import lens_from_json
from vision.imaging.frame import Frame, Image, Look
from vision.imaging.layout_pose import ZoneCorners
from vision.overlay.from_above import SeenFromAbove
from vision.pieces.exemplars import with_examples
from vision.pieces.piece_set_file import load_piece_set


@dataclass
class KeptEyes:
    """See `eyes_watch.WatchedTable`. Before the frame that came after them, `lessons` are learned as they were. Of a
    board whose look is learned by watching it, `watched` is looked at again up to where a game goes on; `step` is
    called after each frame of that."""

    table: WatchedTable
    header: dict[str, Any] | None
    lessons: Mapping[int, Sequence[Placement]] = field(default_factory=dict)
    watched: KeptTable | None = None
    step: Callable[[], object] = lambda: None
    pictures: int = 1_000_000_000
    """It is played once."""
    draft: bool = False

    def look_for(self, wanted: LookFor) -> None:
        """The game stands on the table."""
        if self.watched is None or wanted.after is None:
            self.table.look_for(wanted)
            return
        there, after = self.watched.placement, wanted.after
        pieces = wanted.pieces.union(piece for stack in there.values() for piece in stack)
        self.table.look_for(replace(wanted, placement=there, pieces=pieces, after=None))
        with suppress(SightError):  # it is told when it comes again
            for frame in takewhile(lambda each: each.number <= after, self.watched.frames()):
                self.look(frame)
                self.step()

    def look(self, frame: Frame, begins: Callable[[], object] = lambda: None) -> Look:
        """What the frame shows."""
        for labels in self.lessons.get(frame.number, ()):
            self.table.learn(labels)
        return self.table.look(frame, begins)

    def learn(self, labels: Placement) -> None:
        """What was learned then is learned again, and nothing else."""

    def close_up(self, wanted: CloseUpRequest) -> Image | None:
        """What lies there in the newest free look."""
        return self.table.close_up(wanted)

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the reading drawn over it."""
        return self.table.drawn(frame, look, width)

    def from_above(self, frame: Frame) -> SeenFromAbove:
        """The table as if seen from straight above."""
        return self.table.from_above(frame)

    def put_by(self, folder: Path) -> dict[str, Any] | None:  # noqa: ARG002
        """It is kept already."""
        return None


def open_kept(folder: Path, looks: LookPictures | None = None, step: Callable[[], object] = lambda: None) -> KeptEyes:
    """The eyes of the table that is kept in this folder; `step` as in `KeptEyes`. Raises `CompanionError`."""
    kept = read_kept(folder)
    eyes = _eyes_of(kept, looks)
    watched = kept if isinstance(eyes, BoardEyes) else None
    return KeptEyes(eyes, dict(kept.header), kept.lessons(), watched, step)


def _eyes_of(kept: KeptTable, looks: LookPictures | None) -> WatchedTable:
    said = kept.eyes
    if "corners" in said:
        return BoardEyes(str(said["corners"]), looks)
    file = kept.folder / PIECES
    try:
        zones = {str(spot): _corners(at) for spot, at in said["zones"].items()}
        seats = {int(seat): float(degrees) for seat, degrees in said["seats"].items()}
        lens = lens_from_json(said["lens"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidError(phrase("hw.no_kept", where=str(kept.folder))) from error
    learned = with_examples(load_piece_set(file), file)
    return TableEyes(lens, learned, file, zones, seats, looks=looks, is_replay=True)


def _corners(given: Any) -> ZoneCorners:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = np.asarray(given, np.float64).reshape(4, 2).tolist()
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
