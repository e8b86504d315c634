"""What changed on the table while every reading stayed: a piece that lies on its side, a thing among the pieces.

The small picture of a free look is compared with one at which all was explained. A component of the difference in which
no reading changed, with an outline and in the same place at two looks in a row, is strange: people are asked to look
there. It never says what stands where, and changes no reading.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from companion.table import EMPTY, Appearance, Point, Sight, Spot, spot_phrase, turn_between_deg
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.imaging.frame import SMALL_WH, Image
from vision.presence.blobs import Blob, change_since, connected, most_of_channels, picture_edge, same_thing
from vision.presence.foreground import is_light
from vision.presence.play_area import PlayArea, SmallMask, small_scale
from vision.presence.relight import match_light

LEAST_PLACES, LARGE_PLACE_MM = 0.9, 20.0
"""A change that covers less, as a share of a place's area, is a shadow or a turned piece; places count as no larger."""
CONTRAST: Final = 30.0
"""A tenth of a strange thing's pixels differ by at least so many grey values."""
SAME_MM, SAME_DEG = 4.0, 20.0
"""What is read again within this distance, and turned by less, is the same reading."""
SHADOW_SHARE: Final = 0.5
"""A shadow differs by less, as a share of what the piece that casts it mostly differs by."""
AROUND_PLACES: Final = 0.85
"""So far around a piece that came or went, in places, its coming or going explains what changed."""
FAR_PLACES: Final = 1.2
"""A change whose middle is farther from every place is none of the game's."""

EXCLUDED_NATS: Final = 9.0
"""A reading of a place has changed when the one before is excluded so clearly; then the game has to explain it."""
OCCUPIED_LEAD_NATS: Final = 2.5
"""Where a piece took the place of another, it leads by so much over that there is none."""


@dataclass(frozen=True, slots=True)
class Strange:
    """Something strange at a spot, `at_mm` in the table frame."""

    spot: Spot
    at_mm: Point


@dataclass
class StrangeChanges:
    """Follows the free looks at one table."""

    _known: Image | None = None
    _view: View | None = None
    _sights: Sequence[Sight] = ()
    _suspect: list[Blob] = field(default_factory=list)
    tall_mm: float = 120.0
    """How high a piece may reach over its foot."""

    def find(self, small: Image, at_s: float, sights: Sequence[Sight], places: Mapping[Spot, Floats],
             bodies: Collection[Appearance], seen: tuple[View, PlayArea]) -> tuple[Strange, ...]:
        """What is strange in a free picture. `places` are where pieces stand, in the table frame (mm), `bodies` what
        pieces stand on, by their appearances."""
        view, area = seen
        before, self._sights = self._sights, sights
        changed = _changed(before, sights, places)
        moved_bodies = {each.likeliest for each in changed} & set(bodies)
        if self._known is None or view is not self._view or len(places) < 2 or moved_bodies:
            self._known, self._view, self._suspect = small, view, []
            return ()
        pitch_mm = _pitch_mm(list(places.values()))
        relit = match_light(self._known, small)
        emptied = {each.spot for each in changed if each.likeliest == EMPTY}
        moved = [each for each in changed if each.spot in emptied or each.spot not in places]
        handled = [each for each in sights if each.fresh and _is_clear(each)]  # turned, or one like it laid on top
        handled += [each for each in changed if each not in moved]
        size_mm = (AROUND_PLACES * pitch_mm, self.tall_mm)
        came_or_went, touched = (_explained([each.at_mm for each in some], view, size_mm) for some in (moved, handled))
        least = LEAST_PLACES * (min(pitch_mm, LARGE_PLACE_MM) * area.px_per_mm) ** 2
        blobs = [each for each in _blobs(relit, (small, at_s), area)
                 if _is_unexplained(each, relit, (came_or_went, touched), least)]
        lasting = [blob for blob in blobs if any(same_thing(old, blob) for old in self._suspect)]
        self._suspect = blobs
        kept = np.zeros(SMALL_WH[::-1], np.uint8)
        for blob in blobs:
            kept = np.asarray(cv2.bitwise_or(kept, blob.mask), np.uint8)
        around = cv2.dilate(kept, np.ones((5, 5), np.uint8))
        self._known = np.asarray(np.where(around[..., None] > 0, relit, small), np.uint8)
        found = (_placed(blob, places, view, FAR_PLACES * pitch_mm) for blob in lasting)
        return tuple(each for each in found if each is not None)


def strange_phrase(found: Sequence[Strange]) -> Phrase | None:
    """What people are told of it; None where nothing is strange."""
    return phrase("eyes.strange", spot=spot_phrase(found[0].spot)) if found else None


def _blobs(relit: Image, seen: tuple[Image, float], area: PlayArea) -> list[Blob]:
    """The components that differ, with an outline, within the play area."""
    change: SmallMask = change_since([relit], seen[0])
    change[(area.play == 0) | (area.cards > 0)] = 0
    found = connected(change, seen, area.play, picture_edge(np.zeros_like(change)))
    return [blob for blob in found if not is_light(blob, relit)]


def _is_unexplained(blob: Blob, relit: Image, explained: tuple[SmallMask, SmallMask], least_px: float) -> bool:
    """Whether a component differs clearly, and in so many pixels beside what is explained: by pieces that came or went,
    and by pieces that were touched. What differs much less beside a piece that came or went is its shadow."""
    part = blob.part
    off, inside = most_of_channels(cv2.absdiff(blob.image[part], relit[part])), blob.mask[part] > 0
    contrast = float(np.percentile(off[inside], 90))
    by_piece, touched = (each[part] > 0 for each in explained)
    beside = inside & ~by_piece & ~touched
    if (inside & by_piece).any():
        beside &= off > SHADOW_SHARE * contrast
    return bool(contrast >= CONTRAST and np.count_nonzero(beside) >= least_px)


def _explained(changed: Sequence[Point], view: View, size_mm: tuple[float, float]) -> SmallMask:
    """Where (180, 320) pieces that came, went or were moved explain a change: so far around them, and so high."""
    around_mm, tall_mm = size_mm
    mask = np.zeros(SMALL_WH[::-1], np.uint8)
    shrink = small_scale(view)
    for at_mm in changed:
        foot, top = (view.project_at([at_mm], height)[0] * shrink for height in (0.0, tall_mm))
        wide = 2 * max(1, round(around_mm * view.px_per_mm(at_mm) * float(np.sqrt(shrink.prod()))))
        ends = [tuple(int(each) for each in np.rint(end)) for end in (foot, top)]
        cv2.line(mask, ends[0], ends[1], (255,), wide)
    return mask


def _placed(blob: Blob, places: Mapping[Spot, Floats], view: View, far_mm: float) -> Strange | None:
    """The place at which a component lies; None where it is beside them all."""
    middle = np.argwhere(blob.mask > 0).mean(axis=0)[::-1] / small_scale(view)
    at_mm = view.to_table(middle[None])[0]
    spot = min(places, key=lambda each: float(np.hypot(*(places[each] - at_mm))))
    x, y = at_mm.tolist()
    return Strange(spot, (x, y)) if float(np.hypot(*(places[spot] - at_mm))) <= far_mm else None


def _pitch_mm(places: Sequence[Floats]) -> float:
    """The least distance between two places."""
    at_mm = np.array(places)
    apart = np.hypot(*(at_mm[:, None] - at_mm[None]).transpose(2, 0, 1))
    return float(apart[apart > SAME_MM].min())


def _changed(before: Sequence[Sight], now: Sequence[Sight], places: Collection[Spot]) -> list[Sight]:
    """What is read that was not, or no longer is: of a place where what was read there before is clearly excluded."""
    at_places = {each.spot: each for each in before if each.spot in places}
    doubtful = {each.spot for each in now if each.spot in at_places and not _is_excluded(at_places[each.spot], each)}
    return [each for one, other in ((before, _by_spot(now)), (now, _by_spot(before))) for each in one
            if each.spot not in doubtful and not any(_is_same(each, there) for there in other.get(each.spot, ()))]


def _by_spot(sights: Sequence[Sight]) -> dict[Spot, list[Sight]]:
    found: dict[Spot, list[Sight]] = {}
    for each in sights:
        found.setdefault(each.spot, []).append(each)
    return found


def _is_same(one: Sight, other: Sight) -> bool:
    """Whether the same piece lies at a spot as it lay. One like it that was laid on top is turned otherwise."""
    if _apart_mm(one, other) >= SAME_MM or one.likeliest != other.likeliest:
        return False
    if one.turn_deg is None or other.turn_deg is None:
        return True
    return turn_between_deg(one.turn_deg, other.turn_deg, max(one.folds, other.folds)) < SAME_DEG


def _is_excluded(before: Sight, now: Sight) -> bool:
    """Whether what was read of a place cannot be there any more; and where a piece took the place of one, whether it is
    clear that there is any."""
    best, lead = before.likeliest, max(now.loglik.values())
    if EMPTY not in (best, now.likeliest) and lead - now.loglik.get(EMPTY, -math.inf) < OCCUPIED_LEAD_NATS:
        return False
    return best not in now.loglik or lead - now.loglik[best] >= EXCLUDED_NATS


def _is_clear(sight: Sight) -> bool:
    """Whether it is quite clear which piece is there."""
    lead, *others = sorted(sight.loglik.values(), reverse=True)
    return sight.likeliest != EMPTY and (not others or lead - others[0] >= EXCLUDED_NATS)


def _apart_mm(one: Sight, other: Sight) -> float:
    return math.dist(one.at_mm, other.at_mm)
