"""The reader of a board that is watched by its four corners: one frame after another goes in, a look comes out.

Distances are in the layout's own frame (mm), as there are no tag cards that would give another one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.errors import SightError, phrase
from companion.table import EMPTY, Appearance, Layout, Observation, Placement, Sight, spot_phrase
from vision.boards.board_follow import SeenBoard, find_again, seen_board
from vision.boards.board_gate import WHOLE_WH, BoardGate, Gated
from companion.table.board_corners import BoardCorners, places_of
from vision.boards.lying import LyingPieces
from vision.boards.patch import BoardView
from vision.boards.place_features import PlaceLooks, look_at_places
from vision.boards.place_model import Content, PlaceModel, are_exchanged, learn_places
from vision.boards.surfaces import printed_kinds
from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Frame, Look

REMEMBERED_NATS: Final = 2.5
"""What is read so surely is remembered of its place."""
UNCHANGED_D2: Final = 12.0
"""A place that looks so much like it did keeps its reading (squared distance)."""
FOLLOW_AFTER_S: Final = 0.2
SOUGHT_EVERY_S: Final = 1.0
"""A board that seems to have been pushed is looked for once it rests, and not all the time: it takes a while."""
FOLLOWED_SHARE: Final = 0.12
"""Where it is found again, less than this share of it looks otherwise than before."""
SAME_SHAPE: Final = 0.02
"""Pictures whose sides relate so nearly alike show the same in another size."""
TOLD_SHARE: Final = 0.7
"""Of the places so many must look like what is said to stand there, and like nothing else, for a board to be known."""


class BoardReader:
    """Reads the frames of one board. `placement` is what stands there now, but for some plies: from it is learned how
    places look. `pieces` are those of the game, where some of them do not stand there now. Raises `InvalidError` for a
    layout without a board."""

    def __init__(self, layout: Layout, placement: Placement, corners: BoardCorners,
                 pieces: Collection[Appearance] = ()) -> None:
        self._layout, self._places = layout, places_of(layout)
        self._said = tuple(content_of(placement.get(place.spot, ())) for place in self._places)
        self._names: dict[Content, list[Appearance]] = {EMPTY: [EMPTY]}
        for name in sorted({*pieces, *(each for pieces in placement.values() for each in pieces)}):
            self._names.setdefault(content_of((name,)), []).append(name)
        self._model: PlaceModel | None = None
        self._sights: tuple[Sight, ...] = ()
        self._lying: LyingPieces | None = None
        self._looks: Floats | None = None
        self._shape: tuple[int, ...] = ()
        self.view = BoardView(layout, corners)
        self._gate: BoardGate | None = None
        self._seen: SeenBoard | None = None  # the last free picture
        self._sought_s = -math.inf

    def look(self, frame: Frame, begins: Callable[[], object] = lambda: None) -> Look:
        """The look at a frame. Frames must come in order. `begins` is called before a free board is read."""
        start = time.perf_counter()
        _expect_colours(frame)
        gate = self._gate_for(frame.shape)
        small = self.view.small(frame.small, frame.shape)
        gated = gate.look(small, frame.small, frame.at_s)
        if gated.state == "hand" and self._has_followed(frame, gate, small):
            gated = Gated("bumped", phrase("board.bumped"))
        watch_ms = 1000 * (time.perf_counter() - start)
        if gated.state != "free":
            return _unread(frame, gated, watch_ms)
        begins()
        looks = look_at_places(self.view, self.view.rectified(frame.image))
        if self._model is None and (lacks := self._learn(looks)):
            return _unread(frame, Gated("blocked", phrase(lacks)), watch_ms)
        gate.accept(small)
        self._seen = seen_board(frame.image, self.view.corners)
        sights = self._read(looks)
        lying, changed = self._find_lying(looks)
        standing = tuple(each for number, each in enumerate(sights) if number not in lying)
        strange = [self._places[number] for number in sorted(lying | changed)]
        why = phrase("eyes.strange", spot=spot_phrase(strange[0].spot)) if strange else None
        read_ms = 1000 * (time.perf_counter() - start) - watch_ms
        return Look(frame.number, frame.at_s, "free", why, (), Observation(frame.at_s, standing),
                    {"watch": watch_ms, "read": read_ms}, tuple(place.at_mm for place in strange))

    def _gate_for(self, shape: tuple[int, ...]) -> BoardGate:
        """The gate; anew when the camera's pictures have another shape, in which the board is where it was. Raises
        `SightError` for corners outside, and for a shape that shows another part of the table."""
        if self._gate is None or shape != self._shape:
            height, width = shape[:2]
            if self._shape and shape != self._shape:
                self._follow_shape(height, width)
            if (self.view.corners_px < 0).any() or (self.view.corners_px > (width, height)).any():
                raise SightError(phrase("board.outside", width=width, height=height))
            self._shape = shape
            self._gate = BoardGate(self.view.on_board, self.view.seen(shape),
                                   self.view.beside(shape, WHOLE_WH))
        return self._gate

    def _follow_shape(self, height: int, width: int) -> None:
        """The same picture has more or fewer pixels now."""
        across, down = width / self._shape[1], height / self._shape[0]
        if abs(across / down - 1.0) > SAME_SHAPE:
            raise SightError(phrase("board.other_shape", width=width, height=height))
        corners = self.view.corners
        in_px = tuple((across * x, down * y) for x, y in corners.in_px)
        self.view, self._seen = BoardView(self._layout, BoardCorners(corners.in_mm, in_px)), None

    def _has_followed(self, frame: Frame, gate: BoardGate, small: Values) -> bool:
        """Whether the board was pushed, and is watched where it is now. It is looked for when all rests."""
        is_due = gate.rests_s(frame.at_s) >= FOLLOW_AFTER_S and frame.at_s - self._sought_s >= SOUGHT_EVERY_S
        if self._seen is None or not is_due or gate.changed_share(small) < FOLLOWED_SHARE:
            return False
        self._sought_s = frame.at_s
        corners = find_again(self._seen, frame.image)
        if corners is None:
            return False
        view = BoardView(self._layout, corners)
        if gate.changed_share(view.small(frame.small, frame.shape)) > FOLLOWED_SHARE:
            return False
        self.view, free = view, gate.free
        self._gate = None
        anew = self._gate_for(frame.shape)
        if free is not None:
            anew.accept(free)
        return True

    def _learn(self, looks: PlaceLooks) -> str:
        """Learn how places look, if they can be told apart and most of them look like what was said; else why not, as
        a phrase's id."""
        at_mm = np.array([place.at_mm for place in self._places], np.float64)
        kinds = printed_kinds(looks.surface, at_mm, self.view.pitch_mm)
        learned = learn_places(looks.features, kinds, self._said, list(self._names)[1:])
        if learned.told_share < TOLD_SHARE:
            return "board.not_as_said"
        if are_exchanged(learned.model):
            return "board.turned"
        self._model = learned.model
        return ""

    def _find_lying(self, looks: PlaceLooks) -> tuple[frozenset[int], frozenset[int]]:
        """See `LyingPieces.find`."""
        assert self._model is not None
        contents = [content_of((each.likeliest,)) if each.likeliest else EMPTY for each in self._sights]
        sure = [number for number, each in enumerate(self._sights) if _surely(_by_content(each.loglik)) is not None]
        if self._lying is None:
            self._lying = LyingPieces(looks.cells, contents, self._model.kinds)
            return frozenset(), frozenset()
        return self._lying.find(looks.cells, contents, sure)

    def _read(self, looks: PlaceLooks) -> tuple[Sight, ...]:
        """What stands at each place; where nothing changed, the last reading again."""
        assert self._model is not None
        logliks = self._model.logliks(looks.features)
        kept = self._unchanged(looks.features)
        sights = tuple(
            replace(self._sights[number], fresh=False) if kept[number]
            else Sight(place.spot, place.at_mm, _by_appearance(logliks[number], self._names))
            for number, place in enumerate(self._places))
        sure = [None if kept[number] else _surely(loglik) for number, loglik in enumerate(logliks)]
        self._model = self._model.remembering(looks.features, sure)
        fresh = np.array([not each for each in kept])[:, None]
        self._looks = looks.features if self._looks is None else np.where(fresh, looks.features, self._looks)
        self._sights = sights
        return sights

    def _unchanged(self, features: Floats) -> Sequence[bool]:
        assert self._model is not None
        if self._looks is None or len(self._sights) != len(features):
            return [False] * len(features)
        off = features - self._looks
        return list(np.einsum("ni,ij,nj->n", off, self._model.precision, off) < UNCHANGED_D2)


def content_of(pieces: Sequence[Appearance]) -> Content:
    """What eyes can tell of the pieces of a place: the colour of the top one, which is the second word of its name, as
    in `man:white:knight`."""
    return [*pieces[-1].split(":"), pieces[-1]][1] if pieces else EMPTY


def _by_appearance(logliks: Mapping[Content, float], names: Mapping[Content, Sequence[Appearance]]
                   ) -> dict[Appearance, float]:
    """All pieces of one colour look alike."""
    return {name: nats for content, nats in logliks.items() for name in names[content]}


def _by_content(loglik: Mapping[Appearance, float]) -> dict[Content, float]:
    """The log-likelihood of each content."""
    return {content_of((name,)) if name else EMPTY: nats for name, nats in loglik.items()}


def _surely(loglik: Mapping[Content, float]) -> Content | None:
    """What a place holds, if that is sure."""
    best = max(loglik, key=lambda content: loglik[content])
    others = [nats for content, nats in loglik.items() if content != best]
    return best if not others or loglik[best] - max(others) > REMEMBERED_NATS else None


def _expect_colours(frame: Frame) -> None:
    if not frame.is_coloured:
        raise SightError(phrase("eyes.no_colours"))


def _unread(frame: Frame, gated: Gated, watch_ms: float) -> Look:
    return Look(frame.number, frame.at_s, gated.state, gated.why, ms={"watch": watch_ms})
