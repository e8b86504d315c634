"""Drinks rendered in their enrolled colours: the predicted pixels, and their derivatives by the light.

Each part of a drink may be lit otherwise than at enrolment. Its gains are solved for when it is compared
(`residual.fit_light`); the matrix of the normal equations, which does not depend on the picture, is inverted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.lightness import as_light
from vision.drinks.pixel_coverage import BLUR_PX, Coverage
from vision.drinks.ring_raster import OVERSAMPLING, Painted
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Values
from vision.photometry.background_model import COLOUR_BLUR_PX, Lab

LIGHTNESS_GAIN_SD, CHROMA_GAIN_SD, MIXTURE_SD, SLANT_SD = 0.4, 0.3, 0.5, 0.1
"""Priors of a part's gain of lightness against enrolment (standard deviation, relative), of a further gain of its
chroma, of how much more the one of two lamps lights it than the other (1: that one alone), and of how much brighter the
body is on one side than it was at enrolment: a lamp that is near shines from elsewhere at the other end of the table.
"""

PIXEL_ERROR = 10.0
"""Standard deviation of a pixel's error in the fit of gains; it is large because errors of neighbours are
correlated."""


@dataclass(frozen=True, slots=True, eq=False)
class Renderings:
    """Renderings of drinks, of one shape or of several.

    `painted` (3, drinks, parts, pixels): L, a, b of each part times the share of the pixel that it covers; `light`
    (drinks, parts, pixels): the same of its light. `enrolled` (3, drinks, pixels): the light, a and b of all parts
    together, lit as enrolled. `mixed` (2, drinks, parts, pixels): the chroma that each part gains in the light of one
    of two lamps alone; no drinks (size 0) where all light has one colour. `side` (drinks, 2, pixels): as in `Coverage`;
    `slanted` (3, drinks, 2, pixels): L, a, b of the body times that. `to_gains` (drinks, gains, gains): from residuals
    projected onto each part's colours, onto its chroma, onto `mixed` and onto `slanted`, to the gains of lightness, of
    chroma and of the lamp of each part, and of the sides of the body. `clear` (3, drinks, pixels): the share of L, a, b
    not covered; `beside` (drinks, pixels): as in `Coverage`.
    """

    painted: Values
    light: Values
    enrolled: Values
    mixed: Values
    side: Values
    slanted: Values
    to_gains: Values
    clear: Values
    beside: npt.NDArray[np.intp]

    @classmethod
    def of(cls, several: Sequence[Renderings]) -> Renderings:
        """All drinks of several renderings, in their order."""
        if len(several) == 1:
            return several[0]
        return cls(np.concatenate([each.painted for each in several], axis=1),
                   np.concatenate([each.light for each in several]),
                   np.concatenate([each.enrolled for each in several], axis=1),
                   np.concatenate([each.mixed for each in several], axis=1),
                   np.concatenate([each.side for each in several]),
                   np.concatenate([each.slanted for each in several], axis=1),
                   np.concatenate([each.to_gains for each in several]),
                   np.concatenate([each.clear for each in several], axis=1),
                   np.concatenate([each.beside for each in several]))

    def some(self, rows: Sequence[int]) -> Renderings:
        """A subset of the drinks; rows at even steps are a view, not a copy."""
        step = rows[1] - rows[0] if len(rows) > 1 else 1
        is_even = step > 0 and list(rows) == list(range(rows[0], rows[-1] + 1, step))
        which = slice(rows[0], rows[-1] + 1, step) if is_even else np.array(rows)
        mixed = self.mixed[:, which] if self.mixed.size else self.mixed
        return Renderings(self.painted[:, which], self.light[which], self.enrolled[:, which], mixed, self.side[which],
                          self.slanted[:, which], self.to_gains[which], self.clear[:, which], self.beside[which])


def render(coverage: Coverage, colours: Values, shrunk: int = 1, mixture: Values | None = None) -> Renderings:
    """Render each solid of a coverage in the colours (solids, drinks, bands, 3) Lab of some drinks, in a picture
    downsampled by `shrunk`. `mixture` (3, 3): as `Shadow.mixture`."""
    (drinks, bands), (parts, pixels) = colours.shape[1:3], (coverage.parts.shape[1], coverage.shade.shape[1])
    lit = coverage.cover * coverage.shade[:, :, None]
    covered, hued = lit.swapaxes(2, 3)
    by_part = _colours_by_part(colours, coverage.parts)
    painted = np.stack([by_part[channel] @ lit for channel, lit in enumerate((covered, hued, hued))])
    painted = painted.reshape(3, -1, parts, pixels)
    light = (as_light(by_part[0]) @ (covered * coverage.shade[:, None])).reshape(-1, parts, pixels)
    enrolled = painted.sum(axis=2)
    enrolled[0] = light.sum(axis=1)
    body = by_part.reshape(3, len(lit[0]), drinks, parts, bands)[:, :, :, :-1].sum(axis=3)
    slanted = np.stack([(of_body @ each)[:, :, None] * coverage.side[:, None]
                        for of_body, each in zip(body, (covered, hued, hued))]).reshape(3, -1, 2, pixels)
    bases = [by_part, np.concatenate([np.zeros_like(by_part[:1]), by_part[1:]])]
    mixed = np.empty((2, 0, parts, pixels), np.float32)
    if mixture is not None:
        bases.append(np.tensordot(mixture, by_part, 1))
        mixed = (bases[-1][1:] @ hued[None]).reshape(2, -1, parts, pixels)
    clear = (1 - coverage.cover @ np.ones(bands, np.float32))[[0, 1, 1]]
    return Renderings(painted, light, enrolled, mixed, coverage.side.repeat(drinks, axis=0), slanted,
                      _gain_solver(bases, body, lit, coverage.side, shrunk),
                      clear.repeat(drinks, axis=1), coverage.beside.repeat(drinks, axis=0))


def _colours_by_part(colours: Values, parts: Values) -> Values:
    """The colours (solids, drinks, bands, 3) split by part: (3, solids, drinks * parts, bands)."""
    solids, drinks, bands, _ = colours.shape
    alone = (colours[:, :, None] * parts[:, None, ..., None]).transpose(4, 0, 1, 2, 3)
    return alone.reshape(3, solids, drinks * parts.shape[1], bands)


def _gain_solver(bases: Sequence[Values], body: Values, lit: Values, side: Values, shrunk: int) -> Values:
    """`Renderings.to_gains`: the inverse of the normal equations of a ridge regression (A. Hoerl and R. Kennard,
    Technometrics 12, 1970) of residuals on each part's colours in some `bases` (3, solids, drinks * parts, bands), and
    on those of the `body` (3, solids, drinks, bands) by the `side` (solids, 2, pixels) it faces. The products are
    summed over the bands, which are far fewer than the pixels, by the Gram matrix of their coverages `lit` (2, solids,
    pixels, bands), and of these times each coordinate of the side."""
    solids, drinks, bands = body.shape[1:]
    even = np.concatenate([basis.reshape(3, solids, drinks, -1, bands) for basis in bases], axis=3)
    number = even.shape[3]
    sided = [lit * along[:, :, None] for along in side.swapaxes(0, 1)]
    normal = np.empty((solids, drinks, number + 2, number + 2), np.float32)
    along = (even.reshape(3, solids, -1, bands) @ _gram(lit, lit)).reshape(even.shape)
    normal[..., :number, :number] = (along @ even.swapaxes(3, 4)).sum(axis=0)
    for row, one in enumerate(sided, number):
        slanted = (body @ _gram(one, lit))[..., None]
        normal[..., :number, row] = normal[..., row, :number] = (even @ slanted)[..., 0].sum(axis=0)
        for column, other in enumerate(sided[:row - number + 1], number):
            both = ((body @ _gram(one, other)) * body).sum(axis=(0, 3))
            normal[..., row, column] = normal[..., column, row] = both
    parts = bases[0].shape[2] // drinks
    sds = [*np.repeat((LIGHTNESS_GAIN_SD, CHROMA_GAIN_SD, MIXTURE_SD)[:len(bases)], parts), SLANT_SD, SLANT_SD]
    ridge = (PIXEL_ERROR / (np.array(sds) * shrunk)) ** 2
    return np.asarray(np.linalg.inv(normal.reshape(-1, *normal.shape[2:]) + np.diag(ridge)).astype(np.float32))


def _gram(one: Values, other: Values) -> Values:
    """The products (3, solids, bands, bands) of coverages (2, solids, pixels, bands), of light for L and of chroma for
    a and b, summed over the pixels."""
    return np.asarray((one.swapaxes(2, 3) @ other)[[0, 1, 1]], np.float32)


def blend(painted: Painted, solid: Solid, texture: Values) -> tuple[Lab, Lab]:
    """A painted solid with a texture (bands, 3): its colours (h, w, 3), premultiplied by the share of each pixel's
    lightness and colours that it covers, and that share (h, w, 3)."""
    of_ring = np.zeros((256, 4), np.float32)
    of_ring[1:len(solid) + 1, :3], of_ring[1:len(solid) + 1, 3] = texture[solid.bands], 1.0
    size = (painted.shape[1] // OVERSAMPLING, painted.shape[0] // OVERSAMPLING)
    small = cv2.resize(of_ring[painted], size, interpolation=cv2.INTER_AREA)
    light, colour = (cv2.GaussianBlur(small, (0, 0), blur) for blur in (BLUR_PX, COLOUR_BLUR_PX))
    return np.dstack([light[..., :1], colour[..., 1:3]]), np.dstack([light[..., 3:], colour[..., 3:], colour[..., 3:]])
