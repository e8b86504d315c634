"""What is believed, or seen at one look, compared with what really lies on the table. Pure: dicts in, counts out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.engine import Json
from companion.table import SHAPES, PieceKind, Point, colour_of, shape_of

SEEN_ENOUGH: Final = 0.3
"""Pieces of which less can be seen may be believed; they count only when they are believed wrongly."""
NO_PIECE: Final = ""
"""In a confusion: nothing lies there, or nothing was seen."""
CANS: Final = SHAPES[:3]

RAISED_MM: Final = 4.0
SHIFT_CLASSES_MM: Final = ((0.3, "< 0.3 mm"), (0.7, "0.3–0.7 mm"), (math.inf, "≥ 0.7 mm"))
"""Shapes are told apart by how far 4 mm of height shift a lid on the picture: upper limit and name of each class."""
LID_MM: Final = 16.0

Eye = tuple[float, float, float]
"""Where the camera is in the table frame, in mm."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A piece of the truth and the stand that was taken for it (None: none), or a stand where nothing lies (piece
    None). `answer` is right, open or wrong."""

    piece: Json | None
    stand: Json | None
    answer: str

    @property
    def counts(self) -> bool:
        """Whether this is a spot: what is hardly seen is one only if it is believed wrongly."""
        is_wrongly_believed = self.stand is not None and self.answer == "wrong"
        return self.piece is None or is_wrongly_believed or float(self.piece["visible"]) >= SEEN_ENOUGH


def match_spots(stands: Sequence[Json], pieces: Sequence[Json], sizes: Mapping[str, float]) -> list[Matched]:
    """Each piece with the nearest stand in its reach: first those of its own appearance, then those that leave it open,
    then any; well seen pieces before others. `sizes`: the smaller side of each appearance in mm."""
    found: dict[int, Matched] = {}
    left = list(stands)
    order = sorted(range(len(pieces)), key=lambda i: pieces[i]["visible"] < SEEN_ENOUGH)
    for wanted in ("right", "open", "wrong"):
        for i in order:
            piece = pieces[i]
            reach = min(15.0, max(6.0, 0.45 * sizes.get(piece["appearance"], 0.0)))
            near = [] if i in found else [
                stand for stand in left
                if math.dist(stand["at"], piece["at"]) <= reach and _answer(stand, piece) == wanted
            ]
            if near:
                nearest = min(near, key=lambda stand: math.dist(stand["at"], piece["at"]))
                left.remove(nearest)
                found[i] = Matched(piece, nearest, wanted)
    matched = [found.get(i, Matched(piece, None, "wrong")) for i, piece in enumerate(pieces)]
    return [*matched, *(Matched(None, stand, "wrong") for stand in left)]


def _answer(stand: Json, piece: Json) -> str:
    if stand["appearance"] == piece["appearance"]:
        return "right"
    return "open" if stand["appearance"] is None and piece["appearance"] in stand.get("among", ()) else "wrong"


# --- one look alone ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class OneLook:
    """How single looks fared, as pairs: how many were right, of how many.

    `occupied`: pieces that were seen at all and places that were seen empty. `shape` by how far 4 mm of height shift
    the lid. `faces`: coins, tiles, trays, cards; `clear_faces` those outside reflections. `confused` counts what was
    taken for what (`NO_PIECE`: nothing there). `sure`: how sure each reading was, and whether it was right.
    """

    occupied: Counter[str] = field(default_factory=Counter)
    colour: Counter[str] = field(default_factory=Counter)
    family: Counter[str] = field(default_factory=Counter)
    shape: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for _, name in SHIFT_CLASSES_MM})
    faces: Counter[str] = field(default_factory=Counter)
    clear_faces: Counter[str] = field(default_factory=Counter)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def __iadd__(self, other: OneLook) -> OneLook:
        """Pools another set's counts."""
        for name in ("occupied", "colour", "family", "faces", "clear_faces", "confused"):
            getattr(self, name).update(getattr(other, name))
        for name, counts in other.shape.items():
            self.shape[name].update(counts)
        self.sure += other.sure
        return self

    def json(self) -> dict[str, Json]:
        """Pairs as `{"right", "of"}`."""
        pairs: dict[str, Json] = {
            name: pair(getattr(self, name)) for name in ("occupied", "colour", "family", "faces", "clear_faces")
        }
        return pairs | {"shape": {name: pair(counts) for name, counts in self.shape.items()}}


def pair(counts: Counter[str]) -> dict[str, int]:
    """How many were right, of how many."""
    return {"right": counts["right"], "of": counts["of"]}


@dataclass(frozen=True, slots=True)
class LookContext:
    """What one look is judged by: `eye` is where the camera is (None: not known), `empty` how many places have nothing
    on them, `faces` the appearances that have a face, `dazzled` the pieces (by number) that lie in a reflection."""

    eye: Eye | None
    empty: int
    faces: Collection[str]
    dazzled: frozenset[int] = frozenset()


def with_faces(pieces: Mapping[str, Json], kinds: Iterable[PieceKind]) -> dict[str, Json]:
    """Those of a set's pieces, by name, that are read by a face."""
    names = {kind.name for kind in kinds if kind.has_face}
    return {name: piece for name, piece in pieces.items() if piece["kind"] in names}


def judge_look(total: OneLook, matched: Sequence[Matched], context: LookContext) -> None:
    """Add one look to the counts."""
    extra = [each for each in matched if each.piece is None]
    total.occupied.update(of=context.empty, right=max(0, context.empty - len(extra)))
    for number, each in enumerate(matched):
        if not each.counts:
            continue
        true = NO_PIECE if each.piece is None else str(each.piece["appearance"])
        seen = NO_PIECE if each.stand is None else str(each.stand["appearance"])
        if each.stand is not None and "confidence" in each.stand:
            total.sure.append((float(each.stand["confidence"]), each.answer == "right"))
        if true != seen:
            total.confused[true, seen] += 1
        if each.piece is None:
            continue
        _add(total.occupied, bool(seen))
        if seen and "/" in true:
            _judge_drink(total, true, seen, _shift_class(context.eye, each.piece["at"]))
        elif seen and true in context.faces:
            _add(total.faces, true == seen)
            if number not in context.dazzled:
                _add(total.clear_faces, true == seen)


def _judge_drink(total: OneLook, true: str, seen: str, shift_class: str | None) -> None:
    is_drink = "/" in seen
    _add(total.colour, is_drink and colour_of(true) == colour_of(seen))
    _add(total.family, is_drink and (shape_of(true) in CANS) == (shape_of(seen) in CANS))
    if shift_class is not None:
        _add(total.shape[shift_class], is_drink and shape_of(true) == shape_of(seen))


def _shift_class(eye: Eye | None, at: Point) -> str | None:
    if eye is None:
        return None
    shift_mm = RAISED_MM * math.dist(eye[:2], at) / (eye[2] - LID_MM)
    return next(name for limit, name in SHIFT_CLASSES_MM if shift_mm < limit)


def _add(counts: Counter[str], is_right: Any) -> None:
    counts.update(of=1, right=int(bool(is_right)))
