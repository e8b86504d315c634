"""The reading drawn over the picture: what people see on the page of the eyes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table import EMPTY, PieceKind, Point, Sight
from vision.imaging.camera import View
from vision.imaging.frame import CardSeen, Image, Look
from vision.overlay.bitmap_font import write

INK, PAPER, DOUBT, FOUND = (20, 20, 20), (255, 255, 255), (0, 200, 255), (80, 200, 80)
"""Colours B G R; `DOUBT` is for what the eyes are not sure of, `FOUND` for a card."""
SURE_NATS = 4.6
"""A best reading less than this ahead of the next one is drawn as a doubt."""
CARD_MM = 20.0
"""Half the side of a card's marker."""
TICK_MM = 9.0
CLOSE_UP_PX, AROUND_MM, RING_MM, CLOSE_UP_HEIGHT_MM = 720, 40.0, 13.0, 8.0
"""A close-up: its width, how much of the table it shows around things, the rings around them, and how high those lie.
"""


def overlay(image: Image, view: View | None, look: Look, width: int, kinds: Sequence[PieceKind] = ()) -> Image:
    """A small copy of `image` (h, w, 3) B G R, `width` pixels wide, with the cards framed, a cross on each body and
    each piece named where it stands: `G TB?` is perhaps the green tallest bottle. A tick shows how a face is turned.
    Of the game's `kinds`, those that are not lettered have no name beside them.

    Without a `view`, or on a look that was not read, it is the bare picture.
    """
    scale = width / image.shape[1]
    drawn = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if view is None:
        return drawn
    for card in look.cards:
        _card(drawn, view, card, scale)
    for sight in look.observation.sights if look.observation else ():
        _sight(drawn, view, sight, scale, kinds)
    return drawn


def close_up(image: Image, view: View, things: Sequence[tuple[Point, bool]]) -> Image:
    """The part of `image` (h, w, 3) B G R around some things, `CLOSE_UP_PX` pixels wide: points (mm, table frame) and
    whether each is clear. Those that are not are marked, all if all are."""
    px = view.project_at([at for at, _ in things], CLOSE_UP_HEIGHT_MM)
    per_mm = view.px_per_mm(things[0][0])
    low, high = px.min(axis=0) - AROUND_MM * per_mm, px.max(axis=0) + AROUND_MM * per_mm
    half = np.maximum((high - low) / 2, (high - low)[0] * 3 / 8)
    middle = (low + high) / 2
    x0, y0 = np.maximum(middle - half, 0).astype(int).tolist()
    x1, y1 = np.minimum(middle + half, [image.shape[1], image.shape[0]]).astype(int).tolist()
    scale = CLOSE_UP_PX / max(x1 - x0, 1)
    drawn = np.asarray(cv2.resize(image[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
                                  if scale < 1 else cv2.INTER_CUBIC), np.uint8)
    marked = [not clear for _, clear in things]
    for at, is_marked in zip(px, marked if any(marked) else [True] * len(things)):
        x, y = ((at - [x0, y0]) * scale).astype(int).tolist()
        for colour, wide in ((INK, 5), (DOUBT, 3)) if is_marked else ():
            cv2.circle(drawn, (x, y), round(RING_MM * per_mm * scale), colour, wide, cv2.LINE_AA)
    return drawn


def _card(drawn: Image, view: View, card: CardSeen, scale: float) -> None:
    turn = np.radians(card.turn_deg)
    x, y = np.array([np.cos(turn), np.sin(turn)]) * CARD_MM, np.array([-np.sin(turn), np.cos(turn)]) * CARD_MM
    corners = np.array(card.at_mm) + np.array([-x - y, x - y, x + y, -x + y])
    px = np.round(view.project_at(corners, 0.0) * scale).astype(np.int32)
    cv2.polylines(drawn, [px.reshape(-1, 1, 2)], True, FOUND, 2, cv2.LINE_AA)


def _sight(drawn: Image, view: View, sight: Sight, scale: float, kinds: Sequence[PieceKind]) -> None:
    ranked = sorted(sight.loglik.items(), key=lambda each: -each[1])
    if not ranked or ranked[0][0] == EMPTY:
        return
    sure = len(ranked) < 2 or ranked[0][1] - ranked[1][1] >= SURE_NATS
    colour = PAPER if sure else DOUBT
    x, y = np.round(view.project_at([sight.at_mm], 0.0)[0] * scale).astype(int).tolist()
    best = ranked[0][0]
    name = None if any(kind.claims(best) and not kind.lettered for kind in kinds) else short_name(best)
    if name is None:
        cv2.drawMarker(drawn, (x, y), colour, cv2.MARKER_CROSS, 8, 1, cv2.LINE_AA)
    elif "/" not in ranked[0][0]:
        _turn(drawn, view, sight, scale)
        write(drawn, name + ("" if sure else "?"), (x - 3 * len(name), y + 3), colour, INK)
    else:
        cv2.circle(drawn, (x, y), 4, INK, -1, cv2.LINE_AA)
        cv2.circle(drawn, (x, y), 3, colour, -1, cv2.LINE_AA)
        write(drawn, name + ("" if sure else "?"), (x - 14, y + 15), colour, INK)


def _turn(drawn: Image, view: View, sight: Sight, scale: float) -> None:
    """A tick from the centre of a face to where its upper edge is."""
    if sight.turn_deg is None:
        return
    turn = np.radians(sight.turn_deg)
    way = np.array([-np.sin(turn), np.cos(turn)]) * TICK_MM
    at = np.array(sight.at_mm)
    px = np.round(view.project_at(np.stack([at, at + way]), 0.0) * scale).astype(int)
    for colour, wide in ((INK, 3), (FOUND, 1)):
        cv2.line(drawn, px[0].tolist(), px[1].tolist(), colour, wide, cv2.LINE_AA)


def short_name(appearance: str) -> str | None:
    """A label that does not cover the neighbours: `red/tall_can` is `r TC`, `coin:light_cavalry` `LC`, `tile:red:back`
    `r back`; None for what has one word for a name, as the crate has."""
    colour, _, shape = appearance.partition("/")
    if shape:
        return f"{colour[:1]} {_initials(shape)}"
    _, *names = appearance.split(":")
    if not names:
        return None
    before = "" if len(names) == 1 else names[0][:1] + " "
    return before + _initials(names[-1])


def _initials(name: str) -> str:
    """Initials of several words, the beginning of one."""
    words = name.split("_")
    return name[:4] if len(words) == 1 else "".join(word[0] for word in words).upper()
