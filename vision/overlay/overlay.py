"""The reading drawn over the picture: what people see on the page of the eyes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table import EMPTY, SHAPE_LETTERS, PieceKind, Sight
from vision.fiducials.tag_corners import CORNERS_MM
from vision.imaging.camera import View, spin
from vision.imaging.frame import CardSeen, Image, Look
from vision.overlay.bitmap_font import draw_text

EDGE_BGR, SURE_BGR, DOUBT_BGR, FOUND_BGR = (20, 20, 20), (255, 255, 255), (0, 200, 255), (80, 200, 80)
"""Colours: of edges, of names, of the names of what the eyes are not sure of, and of cards and ticks."""
DOUBT_NATS = 4.6
"""A reading whose lead is smaller than this is drawn as a doubt."""
TICK_MM = 9.0
STRANGE_MM = 30.0
"""The radius of the ring around something strange."""


def overlay(image: Image, view: View | None, look: Look, width: int, kinds: Sequence[PieceKind] = ()) -> Image:
    """A scaled copy of `image` (h, w, 3) B G R, `width` pixels wide, with the cards framed, a cross on each body and
    each piece named where it stands: `G TB?` is perhaps the green tallest bottle. A tick shows how a face is turned, a
    ring where something is strange.
    Of the game's `kinds`, those that are not lettered have no name beside them.

    Without a `view` it is the bare picture; on a look that was not read only the cards are drawn, if they were
    measured.
    """
    scale = width / image.shape[1]
    drawn = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if view is None:
        return drawn
    for card in look.cards:
        _card(drawn, view, card, scale)
    for sight in look.observation.sights if look.observation else ():
        _sight(drawn, view, sight, scale, kinds)
    for at_mm in look.strange:
        x, y = np.round(view.project_at([at_mm], 0.0)[0] * scale).astype(int).tolist()
        cv2.circle(drawn, (x, y), round(STRANGE_MM * view.px_per_mm(at_mm) * scale), DOUBT_BGR, 3, cv2.LINE_AA)
        draw_text(drawn, "?", (x - 3, y + 3), DOUBT_BGR, EDGE_BGR)
    return drawn


def _card(drawn: Image, view: View, card: CardSeen, scale: float) -> None:
    """The outline of a card's marker."""
    corners = CORNERS_MM @ spin(card.turn_deg).T + card.at_mm
    px = np.round(view.project_at(corners, 0.0) * scale).astype(np.int32)
    cv2.polylines(drawn, [px.reshape(-1, 1, 2)], True, FOUND_BGR, 2, cv2.LINE_AA)


def _sight(drawn: Image, view: View, sight: Sight, scale: float, kinds: Sequence[PieceKind]) -> None:
    ranked = sorted(sight.loglik.items(), key=lambda each: -each[1])
    if not ranked or ranked[0][0] == EMPTY:
        return
    sure = len(ranked) < 2 or ranked[0][1] - ranked[1][1] >= DOUBT_NATS
    colour = SURE_BGR if sure else DOUBT_BGR
    x, y = np.round(view.project_at([sight.at_mm], 0.0)[0] * scale).astype(int).tolist()
    best = ranked[0][0]
    name = None if any(kind.claims(best) and not kind.lettered for kind in kinds) else sight_label(best)
    if name is None:
        cv2.drawMarker(drawn, (x, y), colour, cv2.MARKER_CROSS, 8, 1, cv2.LINE_AA)
    elif "/" not in ranked[0][0]:
        _turn(drawn, view, sight, scale)
        draw_text(drawn, name + ("" if sure else "?"), (x - 3 * len(name), y + 3), colour, EDGE_BGR)
    else:
        cv2.circle(drawn, (x, y), 4, EDGE_BGR, -1, cv2.LINE_AA)
        cv2.circle(drawn, (x, y), 3, colour, -1, cv2.LINE_AA)
        draw_text(drawn, name + ("" if sure else "?"), (x - 14, y + 15), colour, EDGE_BGR)


def _turn(drawn: Image, view: View, sight: Sight, scale: float) -> None:
    """A tick from the centre of a face to where its upper edge is."""
    if sight.turn_deg is None:
        return
    turn = np.radians(sight.turn_deg)
    way = np.array([-np.sin(turn), np.cos(turn)]) * TICK_MM
    at = np.array(sight.at_mm)
    px = np.round(view.project_at(np.stack([at, at + way]), 0.0) * scale).astype(int)
    for colour, wide in ((EDGE_BGR, 3), (FOUND_BGR, 1)):
        cv2.line(drawn, px[0].tolist(), px[1].tolist(), colour, wide, cv2.LINE_AA)


def sight_label(appearance: str) -> str | None:
    """A label that does not cover the neighbours: `red/tall_can` is `r T`, as below the board, `coin:light_cavalry`
    `LC`, `tile:red:back` `r back`; None for what has one word for a name, as the crate has."""
    colour, _, shape = appearance.partition("/")
    if shape:
        return f"{colour[:1]} {SHAPE_LETTERS.get(shape) or _initials(shape)}"
    _, *names = appearance.split(":")
    if not names:
        return None
    before = "" if len(names) == 1 else names[0][:1] + " "
    return before + _initials(names[-1])


def _initials(name: str) -> str:
    """Initials of several words, the beginning of one."""
    words = name.split("_")
    return name[:4] if len(words) == 1 else "".join(word[0] for word in words).upper()
