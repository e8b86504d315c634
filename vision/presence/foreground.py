"""Classification of a blob by colour and shape: a hand, a thing, or nothing but light.

Light and shade have no outline. A hand has, and shows skin: more than a thing's colour or gloss resembles. What shows
none is a thing if it is compact, or if its outline is as plain as those of things are: thin, round or rectangular.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.arrays import Mask, Values
from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.srgb import to_lab
from vision.presence.blob_light import NOISE_LIGHT, SHADE_TINT, light_of, shade_tint
from vision.presence.blobs import CLOSE, FINGERTIP_PX, Blob, shared_px
from vision.presence.grain import DARK_GREY, LOGARITHMS, log_light, shows_table
from vision.presence.outline import CONTRASTS, Shape, blob_shape, closed_outline, round_share
from vision.presence.play_area import PlayArea, SmallMask

SKIN_SHARE, SMALL_SKIN_SHARE = 0.45, 0.25
"""A thing may resemble skin on at most this share of its pixels, as it reflects a warm table: on less if it is small or
lies within the play area, where a few pixels are a finger."""

SLEEVED_SHARE, SLEEVED_MM2, HAND_MM2 = 0.3, 2000.0, 9000.0
"""Skin on that share, in one patch as large as half a palm, is a hand with its sleeve; so is a patch as large as a
whole hand, however much sleeve there is. A shadow in mixed light may be tinted like skin, but is not as large."""

SPECKLE_MM2, SPECKLED_SHARE = 400.0, 0.6
"""Gloss comes in patches smaller than the first: it may be this share of a thing."""

RIM_PX, BEYOND_RIM, FINGER = 5, 0.15, np.ones((4, 4), np.uint8)
"""The coloured edge of a thing, with its soft shadow, is no wider than the first; so small a share of it at most as the
second lies deeper or is as thick as a finger."""

FINGERS_MM2 = 800.0
"""A patch of skin as large as two fingers, or a few apart that are, of what comes from the border, may be all that is
told of dark skin in poor light, or of a hand beside a bowl."""

HALF_CARD_MM2 = 2500.0
"""People put nothing on a tag card: what comes from the border and hides as much of one is a hand."""

SMALL_PX, LEAST_PX = 8 * FINGERTIP_PX, 3 * FINGERTIP_PX
"""A blob is small below the first number of pixels; below the second its colour cannot be judged."""

SHORT_MM, COMPACT_MM, THIN_MM, BROAD_MM, TIP_MM = 210.0, 180.0, 25.0, 40.0, 70.0
"""An arm that shows no skin is longer than the first; a mug with its handle is not longer than the second; fingers side
by side are thicker than the third, and one finger is thinner than the fourth; a fingertip and its shadow, if both lie
on one circle, are shorter than the last."""

FINGER_MM, LONGEST_FINGER_MM = 18.0, 95.0
"""No finger is longer than the second; a hand or an arm, of which more is seen than that, is thicker than the first."""

SLENDER, SLENDER_MM = 6.0, 60.0
"""No finger is as many times longer than it is thick; what is shorter than the second is too short to be measured."""

STRAIGHT_FILL = 0.6
"""A straight rod fills this share of the smallest rectangle around it."""

BESIDE_SHARE, WITHIN_SHARE = 0.25, 0.95
"""A thing beside the play area overlaps it, with its shadow, by at most the first share; pieces at the border by at
least the second."""

PLAIN_FILL, PLAIN_ROUND, ROUND_ON_PLAY = 0.8, 0.5, 0.6
"""An outline is plain if it fills this share of the smallest rectangle around it, or if this share of it lies on one
circle: more of what reaches into the play area, for so may half the outline of a hand."""

EXACT_FILL, EXACT_ROUND = 0.88, 0.65
"""What is wholly in the picture and fits a rectangle or a circle so well is a thing, of whatever colour; and so is a
rectangle that the border cuts where pieces lie: cards."""

DISC_MM2, DISC_FILL = 2000.0, 0.72
"""Larger than the first and filling so much of the circle around it, nothing of a hand or an arm is exactly round."""

TABLE_SHINE = 0.9
"""A dark thing reflects the table's colour, though less red; dark skin is redder than what it lies on."""

RED_TABLE = 3.0
"""Nobody's skin is redder than a table with so many times as much red light as green: there dark things and dark skin
are told by their outlines alone."""

DARK_SKIN_L, LIGHT_SKIN_L, DARK_REDNESS, LIGHT_REDNESS, MAX_REDNESS = 30, 60, 1.5, 1.25, 7.5
"""The least ratio of red to green and to blue light of skin, interpolated over L*: the darker it is, the redder. Nobody
has more red for their green than the last: that is paint."""

SKIN_HUES_DEG = (5, 82)

SOFT_STEP, OTHER_COLOUR, SHARP_SHARE = 0.045, 0.6, 0.02
"""In a change of light hardly any step from pixel to pixel is larger than the first, and hardly any pixel changes more
in one channel than in another by the second, both in logarithms of grey values: at most this share of all pixels, and
fewer than the side of a square of their area."""

NOISE_STEPS = 3.0
"""In a dim picture a step is none before it is so many times as large as the middle one beside the blob, in grey values
as noise is: of five hundred steps of noise one is larger."""

AVERAGED_PX = (3, 3)
"""Over so many pixels a change is averaged to see whether it is faint: in a dim picture noise changes each by more."""

FAINT_STEP, FAINT_TINT = 0.28, 0.15
"""Nor is it a thing or a hand if hardly a pixel changes by more than the first, and by more than the second in one
channel than in another: a reflection in varnish has edges too."""


@dataclass(frozen=True, slots=True)
class Skin:
    """How much of a blob could be skin: the share of its pixels, its shadow on the table left out, and the areas in mm²
    of the largest patch, and of all that are larger than gloss. `untold`: the share that may be skin or a dark thing
    that shines in the colour of a red table."""

    share: float
    patch_mm2: float
    patches_mm2: float
    untold: float = 0.0

    @property
    def has_fingers(self) -> bool:
        """Whether so much of it could be a few fingers."""
        return self.patches_mm2 >= FINGERS_MM2


def looks_like_a_thing(blob: Blob, before: Image, area: PlayArea, on_play: float) -> bool:
    """Whether a blob is no hand by its looks alone. `before` is the reference (180, 320, 3) in the same light;
    `on_play`: the share of it that lies on the play area.

    What reaches from the border into the play area, or may show some skin, is a thing only if its outline is plain:
    skin may be too dark to be told, only the short end of an arm may be seen, and a dark one may fall to pieces. If it
    does both, no outline makes it a thing: a hand may be one with the bowl or the shadow beside it.
    """
    if blob.area < LEAST_PX:
        return False
    skin, shape = skin_of(blob, before, area), blob_shape(blob, before, area.px_per_mm)
    if on_play <= BESIDE_SHARE and _is_rod(shape, blob.at_border and skin.has_fingers):
        return True
    if on_play >= WITHIN_SHARE or blob.area < SMALL_PX:
        most = SMALL_SKIN_SHARE
    else:
        most = SKIN_SHARE if skin.patch_mm2 >= SPECKLE_MM2 else SPECKLED_SHARE
    if skin.share > most or skin.patch_mm2 >= (SLEEVED_MM2 if skin.share > SLEEVED_SHARE else HAND_MM2):
        if blob.area < SMALL_PX or (blob.at_border and on_play < WITHIN_SHARE):
            return False
        return is_exact(blob, before, area.px_per_mm)
    shows_fingers = blob.at_border and skin.has_fingers
    if (shows_fingers and 0.0 < on_play < WITHIN_SHARE) or _hides_a_card(blob, area):
        return False
    reaches_in = blob.at_border and BESIDE_SHARE < on_play < WITHIN_SHARE
    if shape.fill >= PLAIN_FILL:
        return not reaches_in or shape.thick_mm >= BROAD_MM
    is_untold = blob.at_border and skin.untold > SKIN_SHARE
    may_be_hand = reaches_in or shows_fingers or is_untold or skin.share > SMALL_SKIN_SHARE
    is_apart = not blob.at_border and not on_play  # no arm, however long the shadow that it casts
    is_compact = shape.length_mm <= SHORT_MM or shape.thick_mm <= THIN_MM or is_apart
    if is_compact and not may_be_hand:
        return True
    if may_be_hand and shape.thick_mm < BROAD_MM and shape.length_mm < TIP_MM:  # a fingertip may be round as a mug
        return False
    return shape.round_share >= (ROUND_ON_PLAY if on_play else PLAIN_ROUND)


def _hides_a_card(blob: Blob, area: PlayArea) -> bool:
    return blob.at_border and shared_px(blob, area.cards) >= HALF_CARD_MM2 * area.px_per_mm ** 2


def _is_rod(shape: Shape, may_be_fingers: bool) -> bool:
    """Whether a blob of this shape is thin as a finger and longer than one, or more slender, as a pencil of which the
    border cuts some. Where it is crooked, as a cable is, it must not be a few fingertips in a row at the border."""
    if shape.thick_mm > FINGER_MM or (shape.fill < STRAIGHT_FILL and may_be_fingers):
        return False
    return shape.length_mm > LONGEST_FINGER_MM or shape.length_mm > max(SLENDER * shape.thick_mm, SLENDER_MM)


def is_light(blob: Blob, before: Image, play: SmallMask | None = None) -> bool:
    """Whether a blob is light or shade: it is faint, as the shadow of what is far from the table, or has no outline, as
    where a lamp brightens, or the table's own grain is seen in it, but for pieces that were played in the play area.
    `before` is the reference (180, 320, 3) in the same light."""
    part = blob.part
    inside = blob.mask[part] > 0
    now, then = (cv2.LUT(image[part], LOGARITHMS) for image in (blob.image, before))
    off = cv2.subtract(now, then)
    faint = SHARP_SHARE * blob.area
    change, tint = _change_and_tint(cv2.blur(off, AVERAGED_PX))
    if (np.count_nonzero(inside & (change > FAINT_STEP)) < faint
            and np.count_nonzero(inside & (tint > FAINT_TINT)) < faint):
        return True
    planes, (_, tint) = cv2.split(off), _change_and_tint(off)
    other, few = inside & (tint > OTHER_COLOUR), min(faint, np.sqrt(blob.area))
    if np.count_nonzero(other) >= few:
        return False
    steps = _steps(np.asarray((planes[0] + planes[1] + planes[2]) / 3, np.float32))
    if np.count_nonzero(other | (inside & (steps > SOFT_STEP))) < few or shows_table(blob, before, play):
        return True
    noise = NOISE_STEPS * _noise_beside(blob, before) / (blob.image[part].mean(axis=2) + DARK_GREY)
    return bool(np.count_nonzero(other | (inside & (steps > np.maximum(noise, SOFT_STEP)))) < few)


def _change_and_tint(off: cv2.typing.MatLike) -> tuple[Values, Values]:
    """The largest change (h, w) of a channel, and by how much more one changes than another, of logarithms of B G R
    (h, w, 3)."""
    planes = cv2.split(off)
    most, least = (extreme(extreme(planes[0], planes[1]), planes[2]) for extreme in (cv2.max, cv2.min))
    return np.asarray(cv2.max(most, -least), np.float32), np.asarray(most - least, np.float32)


def _noise_beside(blob: Blob, before: Image) -> float:
    """The middle step from pixel to pixel beside a blob, of the logarithmic ratio to the reference, times the grey
    value there; every other pixel each way tells it."""
    steps = _steps(log_light(blob.image) - log_light(before))[::2, ::2]
    beside = blob.mask[::2, ::2] == 0
    if not beside.any():
        return 0.0
    return float(np.median(steps[beside] * (blob.image[::2, ::2][beside].mean(axis=1) + DARK_GREY)))


def _steps(change: Values) -> Values:
    """How steeply a change (h, w) of logarithms rises from pixel to pixel."""
    across, down = (cv2.Sobel(change, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


# ------------------------------------------------------------ colour


def skin_of(blob: Blob, before: Image, area: PlayArea) -> Skin:
    """How much of a blob could be skin, of anybody, in this light."""
    now, then = light_of(blob, before, area)
    thing = shade_tint(now, then) >= SHADE_TINT
    if np.count_nonzero(thing) < FINGERTIP_PX:
        thing[:] = True  # dark like a shadow
    skin = thing & _may_be_skin(now)
    untold = skin & (then[2] > RED_TABLE * then[1])
    if skin.any():
        skin[skin] = is_skin(now[:, skin], then[:, skin])
    untold &= ~skin
    if untold.any():
        untold[untold] = is_skin(now[:, untold], np.ones_like(now[:, untold]))
    patches = np.zeros_like(blob.mask)
    patches[blob.part][blob.mask[blob.part] > 0] = skin
    _erase_disc(patches, DISC_MM2 * area.px_per_mm ** 2)
    if blob.area >= SMALL_PX and skin.any() and _is_rim(patches, blob):
        patches[:] = 0
    areas_mm2 = _areas_px(patches) / area.px_per_mm ** 2
    return Skin(np.count_nonzero(patches) / np.count_nonzero(thing), float(areas_mm2.max(initial=0.0)),
                float(areas_mm2[areas_mm2 >= SPECKLE_MM2].sum()), np.count_nonzero(untold) / np.count_nonzero(thing))


def _is_rim(patches: SmallMask, blob: Blob) -> bool:
    """Whether patches (180, 320) lie along the outline of a blob and are thinner than fingers: the coloured edge of a
    thing. What the picture's border cuts off is no outline."""
    deeper = cv2.erode(blob.mask, np.ones((2 * RIM_PX + 1,) * 2, np.uint8))
    thick = cv2.morphologyEx(cv2.morphologyEx(patches, cv2.MORPH_CLOSE, CLOSE), cv2.MORPH_OPEN, FINGER)
    most = max(cv2.countNonZero(thick), cv2.countNonZero(cv2.bitwise_and(patches, deeper)))
    return most < BEYOND_RIM * cv2.countNonZero(patches)


def _erase_disc(patches: SmallMask, least_px: float) -> None:
    """Erase the largest patch (180, 320) if it is a whole disc in the picture: coffee, wood, leather."""
    if np.count_nonzero(patches) < least_px:
        return
    labels, areas = patches_of(patches)
    largest, area = 1 + int(areas.argmax()), int(areas.max())
    left, top, width, height = cv2.boundingRect(cv2.inRange(labels, largest, largest))
    if area < least_px or min(left, top, SMALL_WH[0] - left - width, SMALL_WH[1] - top - height) < 2:  # cut off
        return
    outline = closed_outline(labels == largest, (0, 0))
    fill = cv2.contourArea(outline) / (np.pi * cv2.minEnclosingCircle(outline)[1] ** 2)
    if fill >= DISC_FILL and round_share(outline[:, 0].astype(np.float64)) >= EXACT_ROUND:
        patches[labels == largest] = 0


def _may_be_skin(thing: Values) -> Mask:
    """Which pixels (3, n) are as red as any skin is at least: quick."""
    blue, green, red = thing
    return np.asarray((red > LIGHT_REDNESS * green) & (red > LIGHT_REDNESS * blue) & (red < MAX_REDNESS * green))


def is_skin(thing: Values, table: Values) -> Mask:
    """Which pixels (3, n: light of B G R) that may be skin could be some that lies on pixels of the table."""
    lightness, a, b = to_lab(np.ascontiguousarray(0.8 * (thing - NOISE_LIGHT).T)[None])[0].T
    redness = np.interp(lightness, (DARK_SKIN_L, LIGHT_SKIN_L), (DARK_REDNESS, LIGHT_REDNESS))
    redness = np.where(lightness < DARK_SKIN_L, np.maximum(redness, TABLE_SHINE * table[2] / table[1]), redness)
    low, high = np.tan(np.radians(SKIN_HUES_DEG))
    return np.asarray((thing[2] > redness * np.maximum(thing[0], thing[1])) & (b > low * a) & (b < high * a))


def _areas_px(mask: SmallMask) -> Values:
    """The areas (n,) in px of the connected components of a mask, without what is a single pixel wide."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    left, top, width, height = cv2.boundingRect(opened)
    if width == 0:
        return np.zeros(0, np.float32)
    return np.asarray(patches_of(opened[top:top + height, left:left + width])[1], np.float32)


def patches_of(mask: cv2.typing.MatLike) -> tuple[cv2.typing.MatLike, cv2.typing.MatLike]:
    """The connected components of a mask, numbered from 1, and their areas (n,) in px. OpenCV's own statistics of them
    are slow."""
    count, labels = cv2.connectedComponents(mask, connectivity=8, ltype=cv2.CV_16U)
    return labels, cv2.calcHist([labels], [0], None, [count], (0, count)).ravel()[1:]


def is_exact(blob: Blob, before: Image, px_per_mm: float) -> bool:
    """Whether a blob fits a rectangle, or a circle that is wholly in the picture, so well that it is a thing."""
    shapes = (blob_shape(blob, before, px_per_mm, least) for least in CONTRASTS)
    return any(shape.fill >= EXACT_FILL or (not blob.at_border and shape.round_share >= EXACT_ROUND)
               for shape in shapes)
