"""What to lay where for enrolment: a few pictures, in which all pieces lie between the cards in rows.

    for picture in lay_out(known.pieces, arrangement.cards, arrangement.view):
        print("\\n".join(draw_plan(picture.pieces, arrangement.cards)))

Drinks stand on the open table twice, each time beside others, and once in crates; three crates stay empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from companion.table import Body, Piece, PieceKind
from companion.table.crate import SLOTS
from vision.enrolment.picture_set import LaidPiece
from vision.fiducials.tag_corners import CARD_CORNERS_MM
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.footprints import is_within, outline_mm, slot_centres_mm
from vision.imaging.frame import CardSeen

GAP_MM_BY_KIND = {"drink": 16.0}
OTHER_GAP_MM = 12.0
"""So far apart pieces are laid: hands need room between drinks."""

CARD_CLEARANCE_MM, BORDER_CLEARANCE_PX = 15.0, 20.0
"""Pieces keep so far from cards and from the edge of the picture."""

ALONE_MIN_MM = 100.0
"""What is larger lies alone."""

BOARD_OVERHANG_MM = 150.0
"""A large board may lie so far out of the area between the cards."""

EMPTY_CRATES = 3

CHARACTER_WIDTH_MM, CHARACTER_HEIGHT_MM = 7.0, 14.0
"""A character of a plan is so wide and so high."""


@dataclass(frozen=True, slots=True)
class PlannedPicture:
    """The pieces of one enrolment picture; `what` names the kind of picture: bare, table, crates, empty_crates, flat
    or told (as a picture set says)."""

    what: str
    pieces: tuple[LaidPiece, ...]


def plan_pictures(pieces: Sequence[Piece], cards: Sequence[CardSeen], view: View, kinds: Collection[PieceKind] = ()
                  ) -> tuple[PlannedPicture, ...]:
    """The pictures to take of all pieces, beginning with the bare table. Where they are too many for the room between
    the cards, they come in more pictures. `kinds` are those of the game."""
    room = _Room(cards, view)
    drinks = [piece for piece in pieces if piece.kind == "drink"]
    upright = all(kind.found != "silhouette" for kind in kinds)  # else nothing ever stands in crates
    crate = next((piece for piece in pieces if piece.kind == "crate" and upright), None)
    others = [piece for piece in pieces if piece.kind not in ("drink", "crate")]
    large = [piece for piece in others if max(piece.size_mm[:2]) > ALONE_MIN_MM]
    flat = sorted((piece for piece in others if piece not in large), key=lambda piece: -max(piece.size_mm[:2]))
    pictures = [PlannedPicture("bare", ())]
    pictures += [PlannedPicture("flat", (room.lay_alone(piece),)) for piece in large]
    pictures += [PlannedPicture("flat", rows_) for rows_ in room.lay(flat)]
    for seed in (0, 1):
        pictures += [PlannedPicture("table", rows_) for rows_ in room.lay(_shuffled(drinks, seed))]
    if crate is not None and drinks:
        in_crates = _shuffled(drinks, 2)
        each = SLOTS[0] * SLOTS[1]
        filled = iter(in_crates[at:at + each] for at in range(0, len(in_crates), each))
        for crates in room.lay([crate] * -(-len(in_crates) // each)):
            laid = [piece for at in crates for piece in (at, *_slots(at, crate, next(filled)))]
            pictures.append(PlannedPicture("crates", tuple(laid)))
    if crate is not None:
        pictures += [PlannedPicture("empty_crates", rows_) for rows_ in room.lay([crate] * EMPTY_CRATES)]
    return tuple(pictures)


def _shuffled(pieces: Sequence[Piece], seed: int) -> list[Piece]:
    """The pieces in another order for each seed but 0, so that none always stands at one place beside the same."""
    return list(pieces) if seed == 0 else Random(seed).sample(list(pieces), len(pieces))


def _slots(at: LaidPiece, crate: Piece, drinks: Sequence[Piece]) -> Iterator[LaidPiece]:
    """Drinks in a crate, the front row first, left to right."""
    body = Body("", crate.name, at.at_mm, crate.size_mm, at.turn_deg)
    for drink, (x, y) in zip(drinks, slot_centres_mm(body).tolist()):
        yield LaidPiece(drink.name, (x, y), at.turn_deg)


class _Room:
    """The table between the cards."""

    def __init__(self, cards: Sequence[CardSeen], view: View) -> None:
        self._view = view
        markers = np.array([card.at_mm for card in cards])
        self._low, self._high = markers.min(axis=0), markers.max(axis=0)
        self._cards = [CARD_CORNERS_MM @ spin(card.turn_deg).T + card.at_mm for card in cards]

    def lay(self, pieces: Sequence[Piece]) -> Iterator[tuple[LaidPiece, ...]]:
        """The pieces in rows, from the back left to the front right, as few pictures as there is room for."""
        if not pieces:
            return
        across, deep = (max(piece.size_mm[way] for piece in pieces) for way in (0, 1))
        gap = max(GAP_MM_BY_KIND.get(piece.kind, OTHER_GAP_MM) for piece in pieces)
        free = self._free(across, deep, gap)
        most = max(len(free), 1)
        for first in range(0, len(pieces), most):
            some = pieces[first:first + most]
            cells = self._nearest(free, len(some))
            yield tuple(LaidPiece(piece.name, (float(x), float(y)), 0.0) for piece, (x, y) in zip(some, cells))

    def lay_alone(self, piece: Piece) -> LaidPiece:
        """A large piece, as near to the middle as cards let it."""
        across, deep = piece.size_mm[:2]
        middle = (self._low + self._high) / 2
        step = np.arange(-BOARD_OVERHANG_MM, BOARD_OVERHANG_MM + 1, 10.0)
        off = np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2)
        off = off[np.argsort(np.hypot(off[:, 0], off[:, 1]), kind="stable")]
        x, y = next((at for at in middle + off if self._is_free(at, across, deep)), middle)
        return LaidPiece(piece.name, (round(float(x)), round(float(y))), 0.0)

    def _free(self, across: float, deep: float, gap: float) -> Floats:
        """Middles (n, 2) of all cells of a grid that lie between the cards."""
        pitch = np.ceil((across + gap, deep + gap))
        middle = np.rint((self._low + self._high) / 2)
        reach = [np.arange(-int(half // each), int(half // each) + 1) * each
                 for half, each in zip((self._high - self._low) / 2, pitch)]
        cells = np.stack(np.meshgrid(*reach), axis=-1).reshape(-1, 2) + middle
        return np.array([at for at in cells if self._is_free(at, across, deep)]).reshape(-1, 2)

    def _nearest(self, free: Floats, count: int) -> Floats:
        """So many cells around the middle, the back row first."""
        off = np.abs(free - (self._low + self._high) / 2) / (self._high - self._low)
        chosen = free[np.argsort(off.max(axis=1), kind="stable")[:count]]
        return chosen[np.lexsort((chosen[:, 0], -chosen[:, 1]))]

    def _is_free(self, at: Floats, across: float, deep: float) -> bool:
        """Whether a piece with its middle there is seen whole and clear of all cards."""
        corners = outline_mm(Body("", "", (float(at[0]), float(at[1])), (across, deep, 0.0)))
        px = self._view.project_at(corners, 0.0)
        lens = self._view.lens
        if (px < BORDER_CLEARANCE_PX).any() or (px > np.array((lens.width, lens.height)) - BORDER_CLEARANCE_PX).any():
            return False
        grown = np.array((across, deep)) / 2 + CARD_CLEARANCE_MM
        return not any(_overlap(at, grown, card) for card in self._cards)


def _overlap(at: Floats, half: Floats, card: Floats) -> bool:
    """Whether an upright rectangle and the corners (4, 2) of a card overlap: no line parallel to a side parts them."""
    edges = card[1:3] - card[:2]
    corners = at + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    for way in (*np.eye(2), *(edges / np.linalg.norm(edges, axis=1, keepdims=True))):
        own, other = corners @ way, card @ way
        if own.max() <= other.min() or other.max() <= own.min():
            return False
    return True


def group_by_crate(picture: PlannedPicture, sizes: Mapping[str, Piece]) -> list[tuple[LaidPiece, list[LaidPiece]]]:
    """What lies on the table itself, each with the drinks that stand in it: the front row of a crate first."""
    crates = [laid for laid in picture.pieces if sizes[laid.appearance].kind == "crate"]
    inside: dict[LaidPiece, list[LaidPiece]] = {crate: [] for crate in crates}
    groups = []
    for laid in picture.pieces:
        around = next((crate for crate in crates if laid not in crates and _is_in(laid, crate, sizes)), None)
        if around is None:
            groups.append((laid, inside.get(laid, [])))
        else:
            inside[around].append(laid)
    return groups


def _is_in(laid: LaidPiece, crate: LaidPiece, sizes: Mapping[str, Piece]) -> bool:
    body = Body("", crate.appearance, crate.at_mm, sizes[crate.appearance].size_mm, crate.turn_deg)
    return is_within(body, laid.at_mm)


def draw_plan(things: Sequence[LaidPiece], cards: Sequence[CardSeen]) -> list[str]:
    """The table as seen from the front, in characters: cards as `[0]`, things by their number from 1."""
    texts = [(str(number), thing.at_mm) for number, thing in enumerate(things, 1)]
    texts += [(f"[{card.card}]", card.at_mm) for card in cards]
    left, back = min(at[0] for _, at in texts), max(at[1] for _, at in texts)
    lines: dict[int, dict[int, str]] = {}
    for text, (x, y) in texts:
        lines.setdefault(round((back - y) / CHARACTER_HEIGHT_MM), {})[round((x - left) / CHARACTER_WIDTH_MM)] = text
    drawn = []
    for row in range(max(lines) + 1):
        line = ""
        for column, text in sorted(lines.get(row, {}).items()):
            line += " " * max(column - len(line), 1 if line else 0) + text
        drawn.append(line)
    return drawn


def plan_rows(things: Sequence[LaidPiece]) -> list[tuple[float, list[tuple[int, LaidPiece]]]]:
    """What to lay in each row, from the back: how far behind card 0 it is in mm, and its things with their numbers."""
    found: dict[float, list[tuple[int, LaidPiece]]] = {}
    for number, thing in enumerate(things, 1):
        found.setdefault(thing.at_mm[1], []).append((number, thing))
    return sorted(found.items(), key=lambda row: -row[0])
