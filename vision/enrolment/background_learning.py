"""The background of enrolment pictures: the bare table and the tint of its shadows, the colours of crates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body, Piece
from companion.table.crate import RIM_MM
from vision.enrolment.opened_picture import OpenedPicture
from vision.enrolment.picture_set import LaidPiece
from vision.imaging.arrays import Mask
from vision.imaging.box import box_around
from vision.imaging.camera import spin
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import Image
from vision.photometry.background_model import LIGHTNESS_BINS, CrateColours, Lab, learn_crate_colours
from vision.photometry.bare_picture import bare_table
from vision.photometry.shadow_tint import Pixels, learn_shadow
from vision.photometry.white_reference import White, to_opponent
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.scene.surfaces import CRATE_INSIDE, CRATE_RIM, TABLE

PIECE_CLEARANCE_MM = 8.0
"""Clearance around a piece that excludes it and its shadow from the picture of the bare table."""

SHADOW_CLEARANCE_MM = 2.0
"""Clearance around a piece beyond which only the table is seen, possibly in its shadow."""

SHADOW_PER_HEIGHT = 2.0
"""How far a shadow may reach beyond a piece, by the piece's height: in light from 27° above the table, or higher."""

SHADOW_SHRINK = 4
"""Factor by which pictures are downsampled for learning shadows."""

NEAR_CRATE_MM = 23.0
"""A piece within this of a crate's middle, along and across it, is in it or close beside it."""

NO_COLOURS = CrateColours(np.zeros((LIGHTNESS_BINS, 2)), 0.0, 1.0, 1.0)


def learn_crates_light(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece]) -> CrateColours | None:
    """The crates' colours, from empty ones, and from what is seen beside the drinks in others; None without any."""
    inside: list[Lab] = []
    rims: list[Lab] = []
    beside: list[Lab] = [np.empty((0, 3), np.float32)]
    for each in opened:
        if not each.crates:
            continue
        covered = covered_by_drinks(each, sizes)
        for crate in each.crates:
            box = box_around(each.view.project_at(outline_mm(crate), RIM_MM), 2)
            scene = Scene(each.image, each.view, each.white, None, NO_COLOURS, [crate])
            seen, kinds = scene.plain(box), scene.kinds(box)
            if is_in_use(crate, each.pieces):
                beside.append(seen[_core(kinds != TABLE) & (box.cut(covered) == 0)])
            else:
                inside.append(seen[_core(kinds == CRATE_INSIDE)])
                rims.append(seen[_core(kinds == CRATE_RIM)])
    return learn_crate_colours(*map(np.concatenate, (inside, rims, beside))) if inside else None


def is_in_use(crate: Body, pieces: Sequence[LaidPiece]) -> bool:
    """Whether anything lies in a crate, or so near that it casts a shadow into it."""
    return any(np.abs((np.array(laid.at_mm) - crate.at_mm) @ spin(crate.turn_deg)).max() < NEAR_CRATE_MM
               for laid in pieces if laid.appearance != crate.appearance)


def covered_by_drinks(opened: OpenedPicture, sizes: Mapping[str, Piece]) -> npt.NDArray[np.uint8]:
    """The mask (h, w) of drinks in a laid picture, not 0."""
    drinks = tuple(opened.of_kind("drink", sizes))
    return _covered(replace(opened, pieces=drinks), sizes, 0.0).astype(np.uint8)


def _core(where: Mask) -> Mask:
    """The mask, eroded; as it is where nothing would be left, as of rims in pictures of few pixels."""
    eroded = np.asarray(cv2.erode(where.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)
    return eroded if eroded.any() else where


def learn_bare(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece]) -> Bare:
    """The table without pieces, from what the pictures show beside them, and the tint of its shadows."""
    image = bare_table([each.image for each in opened], [_covered(each, sizes, PIECE_CLEARANCE_MM) for each in opened],
                       [_covered(each, sizes, PIECE_CLEARANCE_MM, SHADOW_PER_HEIGHT) for each in opened])
    bare = Bare(image, opened[0].view, opened[0].white)
    return replace(bare, shadow=learn_shadow(*table_beside(opened, sizes, bare)))


def table_beside(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], bare: Bare
                 ) -> tuple[list[Pixels], list[Pixels]]:
    """The table beside pieces, where at least one picture shows it bare: its pixels in each picture, and the bare ones.
    """
    known = ~np.logical_and.reduce([_covered(each, sizes, PIECE_CLEARANCE_MM) for each in opened])
    beside = [known & ~_covered(each, sizes, SHADOW_CLEARANCE_MM) for each in opened]
    return ([_small(each.image, each.white, where) for each, where in zip(opened, beside)],
            [_small(bare.image, bare.white, where) for where in beside])


def _covered(opened: OpenedPicture, sizes: Mapping[str, Piece], beyond_mm: float, per_height: float = 0.0) -> Mask:
    """The mask (h, w) of pieces in a laid picture, dilated by a clearance, and by so much for each mm of height."""
    mask = np.zeros(opened.image.shape[:2], np.uint8)
    for laid in opened.pieces:
        if laid.appearance not in sizes:
            continue
        x, y, height = sizes[laid.appearance].size_mm
        reach = (np.hypot(x, y) if max(x, y) > 20 else max(x, y)) / 2 + beyond_mm + per_height * height
        ring = [(np.cos(a) * reach, np.sin(a) * reach) for a in np.linspace(0, 2 * np.pi, 16)]
        foot = np.array(ring) + laid.at_mm
        outline = np.concatenate([opened.view.project_at(foot, z) for z in (0.0, height)])
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(outline).astype(np.int32)), 1)
    return mask > 0


def _small(image: Image, white: White, where: Mask) -> Pixels:
    """Pixels (n, 3) of a picture downsampled by `SHADOW_SHRINK`, which reduces noise, that lie wholly within the mask
    `where` (h, w)."""
    size = (image.shape[1] // SHADOW_SHRINK, image.shape[0] // SHADOW_SHRINK)
    whole = cv2.resize(where.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.999
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    gains = white.gains * np.array([1, SHADOW_SHRINK, SHADOW_SHRINK])  # by pixels of the whole picture
    return to_opponent(replace(white, gains=gains), np.asarray(small, np.uint8))[whole]
