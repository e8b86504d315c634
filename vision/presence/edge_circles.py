"""Circles along the edges of what is new in a small picture: the rims of mugs, bowls and plates, also where the border
cuts them.

Two edges that look at the same centre from the same distance make a circle (a Hough transform of pairs: T. Davies, "A
modified Hough scheme for general circle location", 1988). It is one when an edge runs along all of it that the picture
shows: nothing of a hand does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Indices, Mask
from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.spread import spread
from vision.presence.blobs import Blob

LEAST_EDGE_STEP = 2.5
"""An edge is where what is new changes by so many grey values from pixel to pixel, and most across the edge."""

PAIRS, SAMPLE_PX, TRIALS = 4000, 300, 24
"""So many pairs of edge points are tried on a sample of them, and so many of the best circles on all."""

OTHER_PX = 2.0
"""Two circles are two if their centres or their radii differ by more."""

NEAR_PX, ALONG, CROSSING = 1.2, 0.93, 0.3
"""Points are on a circle when they are so near to it, and their edges run along it: the cosine between their normal and
the radius. The sine between the normals of a pair tells how well they make a centre."""

STEP_PX, GAP_PX = 1.5, 1.8
"""A circle is looked at in steps as long as the first: there is an edge if a point of one lies within the second."""

ROUNDS, LEAST_POINTS, LEAST_DENSE = 3, 8, 0.4
"""A circle is fitted so often, as long as it has so many points, and so many for each px of it that is seen."""

MARGIN_PX = 1.5
"""What lies nearer to the picture's border is not seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """Centre (2,) and radius in px of the small picture; how much of it the picture shows, in degrees, along which
    share of that an edge runs, and how steep that mostly is, in grey values a px."""

    centre: Floats
    radius: float
    seen_deg: float
    edge_share: float
    steepness: float

    @property
    def bulge_px(self) -> float:
        """How far the part that is seen is from a straight line."""
        return float(self.radius * (1 - np.cos(np.radians(min(self.seen_deg, 360.0) / 2))))

    def holds(self, other: Circle) -> bool:
        """Whether another circle lies about within this one: a rim is round farther from the table too."""
        apart = float(np.linalg.norm(self.centre - other.centre))
        return self.radius >= other.radius and apart <= self.radius - other.radius + 0.35 * self.radius


def circles_in(blob: Blob, before: Image, radii_px: tuple[float, float]) -> list[Circle]:
    """The likeliest circles with a radius in a range among the edges of a blob. `before` is the reference (180, 320, 3)
    in the same light."""
    points, normals, steps = _edges(blob, before)
    if len(points) < LEAST_POINTS:
        return []
    weights = np.cumsum(np.sqrt(steps))
    pairs = np.searchsorted(weights, spread(PAIRS, 2) * weights[-1], side="right")
    centres, radii = _through_pairs(points, normals, pairs, radii_px)
    some = np.linspace(0, len(points) - 1, min(SAMPLE_PX, len(points))).astype(np.intp)
    on_it = np.count_nonzero(_on_circle(points[some], normals[some], centres, radii), axis=1)
    best = _distinct(np.column_stack([centres, radii]), on_it / np.maximum(radii, 1.0))
    fitted = (_fitted(points, normals, steps, centres[each], float(radii[each])) for each in best)
    return [circle for circle in fitted if circle is not None and radii_px[0] <= circle.radius <= radii_px[1]]


def _distinct(circles: Floats, scores: Floats) -> list[int]:
    """The best `TRIALS` of circles (n, 3: centre, radius) that differ from all better ones."""
    chosen: list[int] = []
    for each in np.argsort(-scores).tolist():
        if not chosen or np.abs(circles[chosen] - circles[each]).max(axis=1).min() > OTHER_PX:
            chosen.append(each)
            if len(chosen) == TRIALS:
                break
    return chosen


def _edges(blob: Blob, before: Image) -> tuple[Floats, Floats, Floats]:
    """The points (n, 2) in px on edges of a blob, the unit normals (n, 2) of the edges and how steep they are (n,)."""
    margin = 3
    grown = cv2.dilate(blob.mask, np.ones((2 * margin - 1,) * 2, np.uint8))
    left, top, width, height = blob.box
    x, y = max(left - margin, 0), max(top - margin, 0)
    part = np.s_[y:top + height + margin, x:left + width + margin]
    new = blob.image[part].astype(np.float32) - before[part]
    across, down = (cv2.Sobel(new, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    strongest = cv2.magnitude(across, down).argmax(axis=2)[..., None]
    across, down = (np.take_along_axis(each, strongest, axis=2)[..., 0] for each in (across, down))
    steep = cv2.magnitude(across, down)
    normal_x, normal_y = across / (steep + 1e-6), down / (steep + 1e-6)
    grid = np.indices(steep.shape, np.float32)
    ahead, behind = (cv2.remap(steep, grid[1] + way * normal_x, grid[0] + way * normal_y, cv2.INTER_LINEAR)
                     for way in (1, -1))
    is_edge = (grown[part] > 0) & (steep > LEAST_EDGE_STEP) & (steep >= ahead) & (steep >= behind)
    points = np.argwhere(is_edge)[:, ::-1].astype(np.float64) + np.array([x, y])
    normals = np.column_stack([normal_x[is_edge], normal_y[is_edge]]).astype(np.float64)
    return points, normals, steep[is_edge].astype(np.float64)


def _through_pairs(points: Floats, normals: Floats, pairs: Indices, radii_px: tuple[float, float]
                   ) -> tuple[Floats, Floats]:
    """Centres (m, 2) and radii (m,) of the circles that pairs (2, n: numbers of points) of edges make."""
    (one, other), (normal, another) = points[pairs], normals[pairs]
    sine = normal[:, 0] * another[:, 1] - normal[:, 1] * another[:, 0]
    safe = np.where(np.abs(sine) > CROSSING, sine, np.inf)
    way = other - one
    along = (way[:, 0] * another[:, 1] - way[:, 1] * another[:, 0]) / safe
    centres = one + along[:, None] * normal
    near, far = np.abs(along), np.linalg.norm(centres - other, axis=1)
    radii = (near + far) / 2
    fits = (np.abs(near - far) < 2 * NEAR_PX) & (radii_px[0] <= radii) & (radii <= radii_px[1])
    return centres[fits], radii[fits]


def _on_circle(points: Floats, normals: Floats, centres: Floats, radii: Floats) -> Mask:
    """Which points (n, 2) lie on which circles (m): (m, n)."""
    x, y, across, down, x_of, y_of, radius = (each.astype(np.float32) for each in (
        *points.T, *normals.T, *centres.T[..., None], radii[:, None]))  # single precision: there are many pairs
    right, below = x - x_of, y - y_of
    away = np.sqrt(right * right + below * below)
    is_along = np.abs(right * across + below * down) > np.float32(ALONG) * away
    return np.asarray(is_along & (np.abs(away - radius) < np.float32(NEAR_PX)))


def _fitted(points: Floats, normals: Floats, steps: Floats, centre: Floats, radius: float) -> Circle | None:
    """The circle fitted to the points near to one (I. Kåsa, "A circle fitting procedure and its error analysis",
    1976), if there are enough."""
    for _ in range(ROUNDS):
        mine = points[_on_circle(points, normals, centre[None], np.array([radius]))[0]]
        if len(mine) < max(LEAST_POINTS, LEAST_DENSE * len(_seen_of(centre, radius)) * STEP_PX):
            return None
        equation = np.column_stack([2 * mine, np.ones(len(mine))])
        x, y, rest = np.linalg.lstsq(equation, np.square(mine).sum(axis=1))[0]
        centre, radius = np.array([x, y]), float(np.sqrt(max(rest + x * x + y * y, 0.0)))
    on_it = _on_circle(points, normals, centre[None], np.array([radius]))[0]
    mine, seen = points[on_it], _seen_of(centre, radius)
    if not len(seen) or not len(mine):
        return None
    gaps = np.linalg.norm(seen[:, None] - mine[None], axis=2).min(axis=1)
    seen_deg = 360.0 * len(seen) / _steps_of(radius)
    return Circle(centre, radius, seen_deg, float((gaps < GAP_PX).mean()), float(np.median(steps[on_it])))


def _steps_of(radius: float) -> int:
    """Into how many steps a circle is divided."""
    return max(int(2 * np.pi * radius / STEP_PX), 24)


def _seen_of(centre: Floats, radius: float) -> Floats:
    """The places (n, 2) in steps along a circle that the picture shows."""
    turns = np.linspace(0, 2 * np.pi, _steps_of(radius), endpoint=False)
    along = centre + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return along[((along > MARGIN_PX) & (along < np.array(SMALL_WH) - 1 - MARGIN_PX)).all(axis=1)]
