"""How well faces of one form match a window, each fitted from where `template_search` found it best.

Gain and light (`light_basis`) are solved for with what they usually are as a prior; a pixel that does not fit
at all (a sharp reflection, something that reaches over) hardly counts. Differences are taken of gamma-coded colours,
weighted as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces.light_basis import FIELDS, GAIN_SD, KINDS, LIGHT_SD, LIGHTS, PIXEL_SD, TO_VALUES, Values, light_ways
from vision.faces.templates import EDGE_MARGIN_MM, PX_PER_MM, Face, FaceOutline, covers, to_light
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC
from vision.photometry.white_reference import GAMMA

LOSS_SCALE = 22.0
"""A pixel off by more than this hardly counts any more."""

SHIFT_SD_MM, TURN_SD_DEG = 0.8, 4.0
"""How far the first try may be off."""

MAX_SHIFT_STEP_MM, MAX_TURN_STEP = 1.0, 0.1
"""A fit moves by at most this in one round: mm and radians."""

FIT_ROUNDS = 2

_PARTS = tuple((way, colour) for way, kind in enumerate(KINDS) for colour in range(len(LIGHT_SD[kind])))
"""Which way and which colour each kind of added light has that a fit knows."""

_WAYS, _COLOURS = (np.array(each) for each in zip(*_PARTS))
_ADDED = np.einsum("pw,pc->pwc", np.eye(FIELDS, dtype=np.float32)[_WAYS], LIGHTS[_COLOURS]).reshape(-1, FIELDS * 3)
"""By how much each part adds to each way's light in B G R."""

LIGHT_PARAMETERS = 1 + len(_PARTS)
"""Parameters of a fit that describe the light, the gain first; three more say where the piece lies."""

MIN_LIGHT = 1e-3
MIN_GRID_STEP_MM, POINTS_ACROSS = 1.0, 22
FIT_BLUR_PX = 0.7

_LIGHT_VALUES = np.concatenate([TO_VALUES.T * light for light in LIGHTS])
"""From how steeply B G R rise with light to how values do with light of each of the `LIGHTS`, (3 * 3, 3)."""


@dataclass(frozen=True, slots=True)
class Registration:
    """How one face fits best. `shift_mm` from the window's centre, `turn_deg`; `cost` is its mean square of differences
    (pixels that do not fit at all count little), `prior` what the light it needs costs in nats."""

    shift_mm: tuple[float, float]
    turn_deg: float
    cost: float
    prior: float


@lru_cache(maxsize=32)
def fine_grid(form: FaceOutline) -> Values:
    """Points (n, 2) in mm on a piece of this form, in its own frame."""
    across, deep, _ = form
    step = max(MIN_GRID_STEP_MM, max(across, deep) / POINTS_ACROSS)
    axes = [(np.arange(int(length / step)) - (int(length / step) - 1) / 2) * step for length in (across, deep)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    return np.asarray(grid[covers(form, grid, -EDGE_MARGIN_MM)], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """A face at the points of its `fine_grid`: linear light (3, n) B G R, and how its values change per mm along its
    own x and y (2, 3, n)."""

    light: Values
    slopes: Values


@lru_cache(maxsize=256)
def _samples(face: Face) -> _Samples:
    px = (fine_grid(face.form) * (PX_PER_MM, -PX_PER_MM) + face.middle_px).astype(np.float32)
    u, v = px[:, 0].reshape(1, -1), px[:, 1].reshape(1, -1)
    smooth = cv2.GaussianBlur(face.colours, (0, 0), FIT_BLUR_PX)

    def at(dx: float, dy: float) -> Values:
        colours = cv2.remap(smooth, u + np.float32(dx), v + np.float32(dy), cv2.INTER_LINEAR,
                            borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(colours[0], np.float32)

    slopes = np.stack([at(1, 0) - at(-1, 0), at(0, -1) - at(0, 1)]) * (METRIC * np.float32(PX_PER_MM / 2))
    return _Samples(_channels(to_light(at(0, 0))), _channels(slopes))


def _channels(values: Values) -> Values:
    """Values (..., n, 3) by channels (..., 3, n)."""
    return np.ascontiguousarray(values.swapaxes(-1, -2))


@dataclass(frozen=True, slots=True, eq=False)
class FitTarget:
    """A window to fit faces to: `values` (side, side, 3), weighted, and the linear light (3,) B G R that the camera
    cannot see more of."""

    values: Lab
    brightest: Values


def make_target(colours: Lab, brightest: Values) -> FitTarget:
    """A window's colours (side, side, 3), ready to be fitted to."""
    values = np.asarray(colours * METRIC, np.float32)
    return FitTarget(np.asarray(cv2.GaussianBlur(values, (0, 0), FIT_BLUR_PX), np.float32), brightest)


def fit(sight: FitTarget, faces: Sequence[Face], shifts_mm: npt.NDArray[np.float64], turns_deg: npt.NDArray[np.float64]
        ) -> list[Registration]:
    """Fit faces of one form, each from where it was tried best: shifts (faces, 2), turns (faces,)."""
    grid, fields = fine_grid(faces[0].form), _fields(faces[0].form)
    samples = [_samples(face) for face in faces]
    light = np.stack([each.light for each in samples])
    slopes = np.stack([each.slopes for each in samples])
    shifts, turns = shifts_mm.copy(), np.radians(turns_deg)
    first, first_turn = shifts.copy(), turns.copy()
    given = np.tile(_PRIOR_MEAN[:LIGHT_PARAMETERS], (len(faces), 1))
    best = _Best(len(faces))
    for round_ in range(FIT_ROUNDS + 1):
        moving = round_ < FIT_ROUNDS
        seen = _seen(sight.values, grid, shifts, turns)
        expected, design = _expect(light, given, fields, sight.brightest)
        off = seen - expected
        best.keep(shifts, turns, off, given)
        if moving:
            design = np.concatenate([design, _moves(slopes, grid, turns, given[:, 0])], axis=1)
        moved = np.column_stack([shifts - first, turns - first_turn])
        here = np.column_stack([given, moved]) if moving else given
        found = _solve(design, off, here)
        given = given + found[:, :LIGHT_PARAMETERS]
        if moving:
            shifts = shifts + np.clip(found[:, LIGHT_PARAMETERS:LIGHT_PARAMETERS + 2], -MAX_SHIFT_STEP_MM,
                                      MAX_SHIFT_STEP_MM)
            turns = turns + np.clip(found[:, LIGHT_PARAMETERS + 2], -MAX_TURN_STEP, MAX_TURN_STEP)
        else:
            best.keep(shifts, turns, seen - _expected(light, given, fields, sight.brightest), given)
    return best.fits()


class _Best:
    """For each face the best of the fits seen so far."""

    def __init__(self, faces: int) -> None:
        self._fits: list[Registration | None] = [None] * faces

    def keep(self, shifts: npt.NDArray[np.float64], turns: npt.NDArray[np.float64], off: Values,
             given: npt.NDArray[np.float64]) -> None:
        """Take those that are better than before."""
        costs, priors = _costs(off), _light_prior(given)
        for index, before in enumerate(self._fits):
            if before is None or costs[index] < before.cost:
                self._fits[index] = Registration((float(shifts[index, 0]), float(shifts[index, 1])),
                                        float(np.degrees(turns[index])), float(costs[index]), float(priors[index]))

    def fits(self) -> list[Registration]:
        """The fits of all faces."""
        return [each for each in self._fits if each is not None]


def cost_of_target(sight: FitTarget, other: FitTarget, form: FaceOutline, shift_mm: tuple[float, float], turn_deg: float
            ) -> tuple[float, float]:
    """Cost and prior, as a `Fit` has them, of seeing `other` where a piece of some form would lie."""
    grid, fields = fine_grid(form), _fields(form)
    shifts, turns = np.array([shift_mm]), np.radians([turn_deg])
    seen = _seen(sight.values, grid, shifts, turns)
    light = to_light(_seen(other.values, grid, shifts, turns).swapaxes(1, 2) / METRIC)
    light = _channels(light)
    given = _PRIOR_MEAN[None, :LIGHT_PARAMETERS]
    for _ in range(FIT_ROUNDS):
        expected, design = _expect(light, given, fields, sight.brightest)
        given = given + _solve(design, seen - expected, given)
    off = seen - _expected(light, given, fields, sight.brightest)
    return float(_costs(off)[0]), float(_light_prior(given)[0])


def _seen(values: Lab, grid: Values, shifts: npt.NDArray[np.float64], turns: npt.NDArray[np.float64]) -> Values:
    """What is seen (faces, 3, n) at the points of pieces so shifted and turned."""
    x, y = _directions(grid, turns)
    middle = values.shape[0] // 2
    u = middle + (x + shifts[:, :1].astype(np.float32)) * np.float32(PX_PER_MM)
    v = middle - (y + shifts[:, 1:].astype(np.float32)) * np.float32(PX_PER_MM)
    seen = cv2.remap(values, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _channels(np.asarray(seen, np.float32))


def _directions(grid: Values, turns: npt.NDArray[np.float64]) -> tuple[Values, Values]:
    """The points of turned pieces along the table's x and y, each (faces, n)."""
    cos, sin = np.cos(turns).astype(np.float32)[:, None], np.sin(turns).astype(np.float32)[:, None]
    return grid[:, 0] * cos - grid[:, 1] * sin, grid[:, 0] * sin + grid[:, 1] * cos


def _expect(light: Values, given: npt.NDArray[np.float64], fields: Values, brightest: Values) -> tuple[Values, Values]:
    """The values (faces, 3, n) to be seen of faces in linear light (faces, 3, n) that are `given` (faces, LIGHT) a
    gain and added light of all `_PARTS`; and how they change with each of these (faces, LIGHT, 3, n)."""
    faces, _, points = light.shape
    whole, coded = _lit(light, given, fields, brightest)
    steep = coded / (whole * np.float32(GAMMA))
    by_light = (_LIGHT_VALUES @ steep).reshape(faces, len(LIGHTS), 3, points)
    design = np.empty((faces, LIGHT_PARAMETERS, 3, points), np.float32)
    design[:, 0] = TO_VALUES.T @ (steep * light)
    np.multiply(by_light[:, _COLOURS], fields[_WAYS][:, None], out=design[:, 1:])
    return np.asarray(TO_VALUES.T @ coded, np.float32), design


def _expected(light: Values, given: npt.NDArray[np.float64], fields: Values, brightest: Values) -> Values:
    """The values alone."""
    return np.asarray(TO_VALUES.T @ _lit(light, given, fields, brightest)[1], np.float32)


def _lit(light: Values, given: npt.NDArray[np.float64], fields: Values, brightest: Values) -> tuple[Values, Values]:
    """Faces in the light that is given: linear, and gamma-coded (faces, 3, n)."""
    share = given.astype(np.float32)
    by_field = (share[:, 1:] @ _ADDED).reshape(len(light), FIELDS, 3)
    whole = light * share[:, :1, None] + by_field.swapaxes(1, 2) @ fields
    np.clip(whole, MIN_LIGHT, brightest[:, None], out=whole)
    return whole, np.asarray(cv2.pow(whole.reshape(-1, whole.shape[2]), 1 / GAMMA).reshape(whole.shape), np.float32)


@lru_cache(maxsize=32)
def _fields(form: FaceOutline) -> Values:
    """The ways in which light varies (FIELDS, n) at the points of a form's `fine_grid`."""
    grid = fine_grid(form)
    return np.ascontiguousarray(light_ways(grid / np.abs(grid).max()).T)


def _moves(slopes: Values, grid: Values, turns: npt.NDArray[np.float64], gain: npt.NDArray[np.float64]) -> Values:
    """(faces, 3, 3, n): how what is to be seen changes where a piece lies farther along x and y, in mm, or is turned
    more, in radians. Its points move along with it: seen from them, its face slides back."""
    cos, sin = (each.astype(np.float32)[:, None, None] for each in (np.cos(turns), np.sin(turns)))
    along_x, along_y = slopes[:, 0], slopes[:, 1]
    moves = np.empty((len(slopes), 3, *slopes.shape[2:]), np.float32)
    moves[:, 0] = along_y * sin - along_x * cos
    moves[:, 1] = -along_x * sin - along_y * cos
    moves[:, 2] = along_x * grid[:, 1] - along_y * grid[:, 0]
    return np.asarray(moves * gain.astype(np.float32)[:, None, None, None], np.float32)


_PRIOR_MEAN = np.array([1.0, *(0.0,) * (LIGHT_PARAMETERS + 2)])
_PRIOR_SD = np.array([GAIN_SD, *(LIGHT_SD[KINDS[way]][colour] for way, colour in _PARTS),
                      SHIFT_SD_MM, SHIFT_SD_MM, np.radians(TURN_SD_DEG)])


def _solve(design: Values, off: Values, here: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """By how much to change the parameters (faces, p), which are `here`, so that they explain best what is `off`
    (faces, 3, n), according to how this changes with each (faces, p, 3, n), and to what they usually are."""
    faces, _, points = off.shape
    count = design.shape[1]
    share = max(points / 36.0, 4.0) / points / PIXEL_SD ** 2
    flat = design.reshape(faces, count, points * 3)
    weighted = (design * (_weights(off) * np.float32(share))[:, None, None]).reshape(flat.shape)
    spread = _PRIOR_SD[:count] ** 2
    normal = (weighted @ flat.transpose(0, 2, 1)).astype(np.float64) + np.diag(1 / spread)
    right = (weighted @ off.reshape(faces, points * 3, 1)).astype(np.float64)
    right[:, :, 0] -= (here - _PRIOR_MEAN[:count]) / spread
    return np.asarray(np.linalg.solve(normal, right)[:, :, 0], np.float64)


def _weights(off: Values) -> Values:
    return np.asarray(1 / (1 + np.square(off).sum(axis=1) / LOSS_SCALE ** 2) ** 2, np.float32)


def _costs(off: Values) -> Values:
    """Mean squares (faces,) of differences (faces, 3, n), where gross ones count as hardly more than `GROSS`."""
    squares = np.square(off).sum(axis=1)
    return np.asarray((squares / (1 + squares / LOSS_SCALE ** 2)).mean(axis=1), np.float32)


def _light_prior(given: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Nats (faces,) that gain and light cost. A gloss is rare and may then be strong: it costs ever less more."""
    off = (given - _PRIOR_MEAN[:LIGHT_PARAMETERS]) / _PRIOR_SD[:LIGHT_PARAMETERS]
    return np.asarray(np.log1p(0.5 * np.square(off)).sum(axis=1), np.float64)
