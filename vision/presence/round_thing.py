"""A round thing, mostly one that the picture's border cuts: a mug, a bowl or a plate, of whatever colour and however
deep its shadow.

What of a blob is not the disc is its body, if it is taller than wide, and its shadows. Each of them is the disc swept
along a line: the body towards the place below the camera, a shadow away from a lamp. A hand fills no such shape.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Floats
from vision.imaging.frame import SMALL_WH, Image
from vision.presence.blob_light import SHADE_TINT, light_of, shade_tint
from vision.presence.blobs import CLOSE, Blob
from vision.presence.edge_circles import Circle, circles_in
from vision.presence.play_area import PlayArea, SmallMask

RADIUS_MM, FIST_MM, ALONE_DEG = (28.0, 140.0), 50.0, 270.0
"""From broader than a thumb to as broad as a plate. What is not broader than a fist must show so much of its circle
that there is no room for an arm, or a second circle within the first, as a mug's rim has two."""

EDGE_SHARE, SEEN_DEG, BULGE_PX = 0.95, 115.0, 8.0
"""An edge runs along so much of a circle, of which so much is seen: a shorter arc fits many an arm's side."""

SHARP_STEP = 8.0
"""The edge of a thing is mostly as steep, in grey values a px: an arm's soft shadow may be as round as a bowl."""

OUTER_SHARE, OUTER_DEG = 0.9, 80.0
"""The same of the outermost circle around one that is sure: a part of it may lie in shade."""

INNER = (0.5, 0.93)
"""The radius of the second circle of a rim, as a share of the first's."""

SOLID_SHARE = 0.3
"""On so much of a disc it is no shade: a round shadow may hide a hand."""

SWEEPS, DIRECTIONS, STEP_PX = 3, 24, 2.0
"""A body and two shadows; directions and lengths that are tried."""

BODY_REACH, BODY_TURN_DEG = 0.25, 35.0
"""What stands as high as a mug is seen farther from the place below the camera by at most this share; the camera may
be tilted."""

SHADOW_REACH = 2.4
"""A shadow is not longer than so many radii of the disc that casts it."""

FILLED, DARKER, LEAST_PX = 0.8, 0.85, 20
"""A swept disc is a body or a shadow if the blob fills so much of what it adds, and that is a gain; a shadow if so much
of that is nowhere lighter than before."""

SOFT_PX = 2
"""A shadow's edge is so soft."""


def beside_disc(blob: Blob, before: Image, area: PlayArea) -> SmallMask | None:
    """If there is a disc in a blob, what else of the blob is neither its body nor its shadow (180, 320); else None.
    `before` is the reference (180, 320, 3) in the same light."""
    disc = _disc_in(blob, before, area)
    if disc is None:
        return None
    tints = shade_tint(*light_of(blob, before, area))
    darker, solid = np.zeros_like(blob.mask), np.zeros_like(blob.mask)
    inside = blob.mask[blob.part] > 0
    darker[blob.part][inside] = 255 * np.isfinite(tints)
    solid[blob.part][inside] = 255 * (tints >= SHADE_TINT)
    done = _swept(disc, np.zeros(2))
    if cv2.countNonZero(cv2.bitwise_and(solid, done)) < SOLID_SHARE * cv2.countNonZero(done):
        return None
    rest = np.asarray(cv2.subtract(blob.mask, done), np.uint8)
    for _ in range(SWEEPS):
        sweep = _best_sweep(disc, rest, done, darker)
        if sweep is None:
            break
        rest = np.asarray(cv2.subtract(rest, sweep), np.uint8)
        done = np.asarray(cv2.bitwise_or(done, sweep), np.uint8)
    rest = np.asarray(cv2.subtract(rest, cv2.dilate(done, CLOSE, iterations=SOFT_PX)), np.uint8)
    return np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, CLOSE), np.uint8)


def _disc_in(blob: Blob, before: Image, area: PlayArea) -> Circle | None:
    """The outermost circle of a round thing in a blob, if there is one."""
    least, most = (radius * area.px_per_mm for radius in RADIUS_MM)
    circles = circles_in(blob, before, (least, most))
    certain = [each for each in circles if each.edge_share >= EDGE_SHARE and each.seen_deg >= SEEN_DEG
               and each.bulge_px >= BULGE_PX and each.steepness >= SHARP_STEP]
    if not certain:
        return None
    surest = max(certain, key=lambda circle: circle.edge_share * circle.radius)
    around = [each for each in circles if each.edge_share >= OUTER_SHARE and each.seen_deg >= OUTER_DEG
              and each.holds(surest)]
    outer = max([*around, surest], key=lambda circle: circle.radius)
    has_rim = any(each.edge_share >= OUTER_SHARE and INNER[0] <= each.radius / outer.radius <= INNER[1]
                  and outer.holds(each) for each in circles)
    shown_deg = max(each.seen_deg for each in (outer, *certain) if outer.holds(each))
    is_fist = outer.radius <= FIST_MM * area.px_per_mm and shown_deg < ALONE_DEG
    return outer if has_rim or not is_fist else None


def _best_sweep(disc: Circle, rest: SmallMask, done: SmallMask, darker: SmallMask) -> SmallMask | None:
    """The swept disc that explains most of the rest of a blob, if any does; `done`: what is explained."""
    inwards = (np.array(SMALL_WH) - 1) / 2 - disc.centre
    best, gain = None, float(LEAST_PX)
    for turn in np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False):
        way = np.array([np.cos(turn), np.sin(turn)])
        is_body = inwards @ way > np.cos(np.radians(BODY_TURN_DEG)) * np.linalg.norm(inwards)
        for length in np.arange(STEP_PX, SHADOW_REACH * disc.radius, STEP_PX):
            swept = _swept(disc, length * way)
            added = cv2.subtract(swept, done)
            filled = cv2.bitwise_and(added, rest)
            pixels, hit = cv2.countNonZero(added), cv2.countNonZero(filled)
            if hit - 2 * (pixels - hit) < gain or hit < FILLED * pixels:
                continue
            may_be_body = is_body and length <= BODY_REACH * np.linalg.norm(inwards)
            if may_be_body or cv2.countNonZero(cv2.bitwise_and(filled, darker)) >= DARKER * hit:
                best, gain = swept, hit - 2 * (pixels - hit)
    return best


def _swept(disc: Circle, way_px: Floats) -> SmallMask:
    """A disc swept along a line (2,), with a pixel around it (180, 320)."""
    start, end = (np.round(8 * place).astype(int).tolist() for place in (disc.centre, disc.centre + way_px))
    swept = np.zeros(SMALL_WH[::-1], np.uint8)
    return np.asarray(cv2.line(swept, start, end, (255,), round(2 * (disc.radius + 1)), cv2.LINE_8, 3), np.uint8)
