"""Detection of drinks in zones of bare table: foreground is segmented, then explained drink by drink.

Drinks are found greedily, the largest blob of the mask first; then those that stand close together are read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np

from companion.table import Point
from vision.drinks.classifier import UNCHANGED_NATS, read_drink
from vision.drinks.drawing import draw_reading, outline_px
from vision.drinks.drink_pose import DrinkPose, stands_near
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.feet_seen import FeetSeen, SeenFeet
from vision.drinks.foreground import BinaryImage, foreground_masks, largest_blob, strewn_with
from vision.drinks.lone_shadows import MIN_THROWER_MM, clear_shades, lone_shadows
from vision.drinks.models import Models
from vision.drinks.second_opinion import SURELY_THERE_NATS, is_there, likely_shapes
from vision.drinks.silhouettes import Silhouettes
from vision.drinks.zone_changes import ZoneChanges
from vision.drinks.zone_rereading import (
    FIRST_NEW_NUMBER,
    FOOT_REACH_MM,
    MIN_SPACING_MM,
    STOOD_MM,
    ZoneRereading,
)
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around, grow
from vision.scene.scene import Scene
from vision.scene.shadow_depth import expect_deeper
from vision.scene.surfaces import TABLE
from vision.scene.zone_margins import FOREGROUND_MISFIT, ZONE_TOLERANCE_MM

MIN_BLOB_SHARE, MIN_SAVED_SHARE = 0.1, 0.3
"""A blob smaller than the first share of the lowest drink's silhouette is no drink: under a lid in the colour of the
table only a crescent of the body may be foreground. A drink must save at least the cost of as many pixels of foreground
as the second share."""

FOLLOWED_MM = 2.0
"""A drink that was found farther than this, across or down the picture, from where its search began is sought once more
from there: of the drinks that it may be instead, some might stand beyond `FOOT_REACH_MM`."""

ALMOST_OUT_MM = 0.9 * FOOT_REACH_MM
"""So far from there it may be farther still."""

PERHAPS_NATS = -1.0
"""A drink is sought where the network sees one at a foot of its grid by more: at the foot itself it sees it better."""

STREWN_SHARE, STREWN_TIMES, MOST_STREWN = 0.04, 4.0, 12
"""Where specks of foreground fill the first share of a square as large as the lowest drink's silhouette, and so many
times as much as on the average, the network seeks a drink: of a white lid on a white table the camera may see but some
of the ring around it. So many of these are looked at."""

MOST_SHADED = 4
"""Of the shadows that nothing which was found throws so many are looked at."""

SMALL_SHARE = 0.7
"""A smaller blob is none if the network surely sees none where its silhouettes fit: then none is sought around."""

WHOLE_SHARE = 0.65
"""A blob that covers less of a silhouette may be the body alone."""

ENOUGH_FOR_SHADOWS = 6
"""So many drinks tell whether shadows are deeper than was expected, before all others are sought among them."""

CHANGED_MM = 12.0
"""Drinks are sought no farther from a change than this, about as much as they are wide."""

FIRST_KEPT_NUMBER = 2000
"""Drinks that keep their reading are numbered from here in the scene."""


@dataclass(frozen=True, slots=True, eq=False)
class _Zone:
    """A zone to detect drinks in: its `corners` (4, 2) in mm including the tolerance, the `mask` (h, w) of foreground
    that is not explained yet and all `specks` of it (h, w), the share of them where they lie densely, the clear shadows
    (h, w), the area of the lowest drink's silhouette, and the least gain of a drink."""

    corners: Floats
    box: Box
    mask: BinaryImage
    specks: BinaryImage
    strewn_share: float
    shades: BinaryImage
    silhouettes: Silhouettes
    drink_px: float
    min_gain: float
    feet_seen: FeetSeen

    def erase(self, reading: DrinkReading) -> None:
        """Erase a drink that was read."""
        for each in (self.mask, self.specks):
            self.silhouettes.erase(each, reading)

    def __contains__(self, foot: Point) -> bool:
        outline = self.corners.astype(np.float32).reshape(-1, 1, 2)
        return bool(cv2.pointPolygonTest(outline, foot, False) >= 0)


def read_zone(scene: Scene, corners_mm: Sequence[Point], models: Models, kept: Sequence[DrinkReading] = (),
              stood_mm: Sequence[Point] = (), changes: ZoneChanges | None = None) -> list[DrinkReading]:
    """All drinks that stand in a zone, given by its corners in the table frame (mm), but for those `kept` from earlier.
    Each is read beside those that were found before it, and again if later ones are its neighbours. `stood_mm`: where
    drinks stood at the look before; `changes`: since then, None if the zone was not read."""
    seen: SeenFeet = {}
    for number, old in enumerate(kept, FIRST_KEPT_NUMBER):
        draw_reading(scene, number, old, models)
    found: list[DrinkReading] = []
    zone = _open(scene, corners_mm, models, changes, seen, kept)
    _find(scene, models, zone, kept, found, ENOUGH_FOR_SHADOWS)
    if expect_deeper(scene, [outline_px(scene.view, each, models) for each in (*kept, *found)]):
        _wipe(scene, FIRST_NEW_NUMBER, len(found))
        found.clear()
        zone = _open(scene, corners_mm, models, changes, seen, kept)
    _find(scene, models, zone, kept, found)
    _find_strewn(scene, models, zone, found, kept)
    _find_shaded(scene, models, zone, found, kept)
    _find_again(scene, models, zone, found, [each.at_mm for each in kept], stood_mm)
    rereading = ZoneRereading(scene, models, found, kept, zone.min_gain, stood_mm)
    rereading.run()
    for first, readings in ((FIRST_NEW_NUMBER, found), (FIRST_KEPT_NUMBER, kept)):
        _wipe(scene, first, len(readings))  # the next zone counts from the same
    return [each for each in rereading.readings.values() if each.at_mm in zone]  # others stand in a zone beside


def _wipe(scene: Scene, first: int, count: int) -> None:
    """Wipe out so many drinks that were drawn into the scene, numbered from `first`."""
    for number in range(first, first + count):
        scene.draw(number, None)


def _open(scene: Scene, corners_mm: Sequence[Point], models: Models, changes: ZoneChanges | None,
          seen: SeenFeet, kept: Sequence[DrinkReading]) -> _Zone:
    """The zone as it is before new drinks are sought, with those that are `kept` erased."""
    corners = grow(np.array(corners_mm, np.float64), ZONE_TOLERANCE_MM)
    box = _box(scene, corners, max(models.heights_mm.values()))
    silhouettes = Silhouettes(scene.view, models, box)
    drink_px = silhouettes.area(corners.mean(axis=0))
    mask, specks = foreground_masks(scene, box)
    strewn_share, shades = max(STREWN_SHARE, STREWN_TIMES * float(specks.mean())), clear_shades(scene, box)
    if changes is not None:
        near = changes.near(box, round(CHANGED_MM * scene.view.px_per_mm(corners.mean(axis=0))))
        mask, specks, shades = mask & near, specks & near, shades & near
    zone = _Zone(corners, box, mask, specks, strewn_share, shades, silhouettes, drink_px,
                 MIN_SAVED_SHARE * drink_px * FOREGROUND_MISFIT * FOREGROUND_MISFIT,
                 FeetSeen(scene, models, box, seen))
    for old in kept:
        zone.erase(old)
    return zone


def _box(scene: Scene, corners: Floats, height_mm: float) -> Box:
    """The box of the picture in which a zone is seen, up to a height above it."""
    return box_around(np.concatenate([scene.view.project_at(corners, height) for height in (0.0, height_mm)]), 2)


def _find(scene: Scene, models: Models, zone: _Zone, kept: Sequence[DrinkReading], found: list[DrinkReading],
          most: float = np.inf) -> None:
    """Adds the drinks that explain the blobs of a zone, until so many are found. They are erased from its mask and
    drawn into the scene. A blob that shows but one of them again is what that left unexplained."""
    while len(found) < most and (blob := largest_blob(zone.mask, MIN_BLOB_SHARE * zone.drink_px)) is not None:
        taken = [each.at_mm for each in (*kept, *found)]
        reading = _read_blob(scene, models, zone, blob, FIRST_NEW_NUMBER + len(found), taken)
        if not _add(scene, models, zone, found, kept, reading):
            zone.mask[blob > 0] = 0


def _find_strewn(scene: Scene, models: Models, zone: _Zone, found: list[DrinkReading], kept: Sequence[DrinkReading]
                 ) -> None:
    """Adds the drinks that the network sees where specks of foreground lie densely: too thin a ring for a blob."""
    side_px = round(float(np.sqrt(zone.drink_px)))
    for column, row in islice(strewn_with(zone.specks, side_px, zone.strewn_share), MOST_STREWN):
        around = np.zeros_like(zone.specks)
        cv2.circle(around, (column, row), side_px // 4, (1,), -1)
        _add_seen(scene, models, zone, found, kept, around)


def _find_shaded(scene: Scene, models: Models, zone: _Zone, found: list[DrinkReading], kept: Sequence[DrinkReading]
                 ) -> None:
    """Adds the drinks that the network sees beside shadows which neither the others nor crates throw: of a white can
    under a white lid on a white table that may be all there is to see."""
    bare = np.asarray(scene.kinds(zone.box, MIN_THROWER_MM) == TABLE, np.uint8)
    for each in (*kept, *found):
        zone.silhouettes.erase(bare, each)
    beside = np.ones((round(float(np.sqrt(zone.drink_px))),) * 2, np.uint8)
    for shadow in islice(lone_shadows(zone.shades, 1 - bare, zone.drink_px), MOST_SHADED):
        _add_seen(scene, models, zone, found, kept, np.asarray(cv2.dilate(shadow, beside), np.uint8))


def _add_seen(scene: Scene, models: Models, zone: _Zone, found: list[DrinkReading], kept: Sequence[DrinkReading],
              around: BinaryImage) -> None:
    """Add the drink that the network surely sees at or beside a part of the zone (h, w), if there is one."""
    taken = [each.at_mm for each in (*kept, *found)]
    reading = _read_seen(scene, models, zone, around, FIRST_NEW_NUMBER + len(found), taken, SURELY_THERE_NATS)
    _add(scene, models, zone, found, kept, reading)


def _add(scene: Scene, models: Models, zone: _Zone, found: list[DrinkReading], kept: Sequence[DrinkReading],
         reading: DrinkReading | None) -> bool:
    """Add what was read to the drinks that were found, unless it is none, or one of those that stand there: whether it
    was."""
    if reading is None or _is_known(reading, (*kept, *found)):
        return False
    draw_reading(scene, FIRST_NEW_NUMBER + len(found), reading, models)
    found.append(reading)
    zone.erase(reading)
    return True


def _is_known(reading: DrinkReading, others: Sequence[DrinkReading]) -> bool:
    """Whether a drink stands where the search for another reached, which explains at least as much."""
    return any(stands_near(reading.at_mm, [each.at_mm], FOOT_REACH_MM) and each.gain >= reading.gain
               for each in others)


def _find_again(scene: Scene, models: Models, zone: _Zone, found: list[DrinkReading], feet: Sequence[Point],
                stood_mm: Sequence[Point]) -> None:
    """Adds the drinks that still stand where they did though no blob showed them: in the shadow of a new neighbour a
    drink may be lost in its silhouette. `feet`: where those that keep their reading stand."""
    for foot in stood_mm:
        if stands_near(foot, (*feet, *(each.at_mm for each in found)), MIN_SPACING_MM):
            continue
        prior = DrinkPrior(FIRST_NEW_NUMBER + len(found), STOOD_MM, least_gain=zone.min_gain, must_gain=True)
        reading = read_drink(scene, DrinkPose(np.array([*foot, 0.0]), 0.0), models, prior)
        if is_there(reading, zone.min_gain) and reading.at_mm in zone:
            draw_reading(scene, prior.number, reading, models)
            found.append(reading)


def _read_blob(scene: Scene, models: Models, zone: _Zone, blob: BinaryImage, number: int, taken: Sequence[Point]
               ) -> DrinkReading | None:
    """The drink that a blob shows; None where it shows none that belongs to the zone. Where the network sees none
    where its silhouette fits, it tells where one may be, beside the feet that are `taken`, unless the blob is small
    and it surely sees none: nothing is rendered where it sees none."""
    best: DrinkReading | None = None
    feet = list(_feet(zone, blob))
    for foot, shape in feet:
        if foot not in zone or (best is not None and stands_near(foot, [best.at_mm], FOLLOWED_MM)):
            continue
        if not zone.feet_seen.may_stand(foot):
            continue
        reading = _read_foot(scene, models, zone, (foot, shape), number, zone.min_gain)
        if _explains(reading, zone, models) and (best is None or reading.gain >= best.gain):
            best = reading
    if best is None and not (blob.sum() < SMALL_SHARE * zone.drink_px
                             and all(zone.feet_seen.surely_bare(foot) for foot, _ in feet)):
        return _read_seen(scene, models, zone, blob, number, taken, PERHAPS_NATS)
    return best


def _read_seen(scene: Scene, models: Models, zone: _Zone, blob: BinaryImage, number: int, taken: Sequence[Point],
               least_nats: float) -> DrinkReading | None:
    """The drink that the network sees at or beside a blob, by so many nats at least; None where it sees none that
    belongs to the zone."""
    seen = zone.feet_seen.best(blob, taken, least_nats)
    if seen is None or seen not in zone:
        return None
    reading = _read_foot(scene, models, zone, (seen, None), number, np.inf)
    return reading if _explains(reading, zone, models) else None


def _read_foot(scene: Scene, models: Models, zone: _Zone, likely: tuple[Point, str | None], number: int,
               least_gain: float) -> DrinkReading:
    """The reading of a likely foot, with the shape that it may have; given up early where it shows no drink, unless the
    network sees one: a body in the colour of the table's shadows costs much more wherever it does not fit."""
    foot, shape = likely
    prior = DrinkPrior(number, FOOT_REACH_MM, taken_for=shape, least_gain=least_gain, seen=zone.feet_seen.seen(foot))
    return _followed(scene, models, read_drink(scene, DrinkPose(np.array([*foot, 0.0]), 0.0), models, prior), number)


def _explains(reading: DrinkReading, zone: _Zone, models: Models) -> bool:
    """Whether a drink explains a blob: it has to save as many times more as more than is usual is left unexplained."""
    unexplained = models.effective_cost_per_nat(reading) / models.cost_per_nat
    return is_there(reading, zone.min_gain * unexplained)


def _followed(scene: Scene, models: Models, reading: DrinkReading, number: int) -> DrinkReading:
    """A reading; sought once more from where the drink was found, if that shows it at all, is far from where its search
    began, and it may have another shape or be farther still."""
    strayed_mm = reading.strayed_px / scene.view.px_per_mm(reading.pose.foot_mm[:2], 0.0)
    is_sure = reading.told is not None and len(likely_shapes(reading.told, models)) == 1
    if reading.gain <= 0 or strayed_mm < (ALMOST_OUT_MM if is_sure else FOLLOWED_MM):
        return reading
    pose = DrinkPose(np.array([*reading.at_mm, 0.0]), 0.0)
    again = read_drink(scene, pose, models, DrinkPrior(number, FOOT_REACH_MM, like=reading, seen=reading.told))
    return again if again.gain > reading.gain - UNCHANGED_NATS * models.cost_per_nat else reading


def _feet(zone: _Zone, blob: BinaryImage) -> Iterator[tuple[Point, str]]:
    """Where the drink may stand that a blob shows, and as which shape: if the blob is but a part of it, its lid may
    look like the table."""
    first = zone.silhouettes.best_foot(blob, zone.mask)
    yield first
    if zone.silhouettes.share(blob, *first) < WHOLE_SHARE:
        second = zone.silhouettes.best_foot(blob, zone.mask, lid_shows=False)
        if second != first:
            yield second
