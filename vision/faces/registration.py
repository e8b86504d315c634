"""Faces of one outline registered to a window, each from where `template_search` found it best.

Robust Gauss–Newton registration with a light model: gain and added light (`light_model`) are solved for together with
shift and turn, all with Gaussian priors. The Jacobian uses gradients of the face, not of the picture, as in inverse
compositional alignment (S. Baker and I. Matthews, "Lucas–Kanade 20 years on", IJCV 56, 2004); outliers (a sharp
reflection, something that reaches over) are downweighted by Geman and McClure's weights in every round (IRLS).
Residuals are those of gamma-coded colours, weighted by `METRIC` and by the trust in each channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.faces.face_samples import FIT_BLUR_PX, by_channel, fine_grid, sample_face
from vision.faces.light_model import (
    LIGHT_MEAN,
    LIGHT_PARAMETERS,
    expect,
    light_fields,
    light_prior,
    lit,
)
from vision.faces.linear_light import to_light
from vision.faces.robust_step import solve_step
from vision.faces.sharp_gloss import glossy_loss
from vision.faces.templates import PX_PER_MM, Face, FaceSize
from vision.imaging.arrays import Floats, Values
from vision.photometry.background_model import Lab
from vision.photometry.channel_noise import FULL_TRUST, Trust
from vision.photometry.difference import METRIC

MAX_SHIFT_STEP_MM, MAX_TURN_STEP = 1.0, 0.1
"""The largest step in one round: mm and radians."""

FIT_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class FaceRegistration:
    """The registration of one face: `shift_mm` from the window's centre, `turn_deg`; `cost` is the mean robust loss of
    its residuals, `prior` the negative log-prior of its light in nats."""

    shift_mm: tuple[float, float]
    turn_deg: float
    cost: float
    prior: float


@dataclass(frozen=True, slots=True, eq=False)
class FitTarget:
    """A window to register faces to: `values` (side, side, 3), weighted by `METRIC`, the linear light (3,) B G R at
    which the camera clips, and the trust in each channel."""

    values: Lab
    brightest: Values
    trust: Trust = FULL_TRUST


def make_target(colours: Lab, brightest: Values, trust: Trust = FULL_TRUST) -> FitTarget:
    """The target of registration from a window's colours (side, side, 3)."""
    values = np.asarray(colours * METRIC, np.float32)
    return FitTarget(np.asarray(cv2.GaussianBlur(values, (0, 0), FIT_BLUR_PX), np.float32), brightest, trust)


@dataclass(frozen=True, slots=True, eq=False)
class _Parameters:
    """Of each face: `shifts_mm` (faces, 2), `turns` (faces,) in radians and `light` (faces, LIGHT_PARAMETERS)."""

    shifts_mm: Floats
    turns: Floats
    light: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """Faces of one outline: `grid` (n, 2) in mm, the basis functions of light `fields` (FIELDS, n), linear `light`
    (faces, 3, n) and gradients `slopes` (faces, 2, 3, n)."""

    grid: Values
    fields: Values
    light: Values
    slopes: Values


def _model(faces: Sequence[Face]) -> _Model:
    outline, samples = faces[0].outline, [sample_face(face) for face in faces]
    return _Model(fine_grid(outline), light_fields(outline), np.stack([each.light for each in samples]),
                  np.stack([each.slopes for each in samples]))


def register_faces(target: FitTarget, faces: Sequence[Face], shifts_mm: Floats, turns_deg: Floats
                   ) -> list[FaceRegistration]:
    """Register faces of one outline, each from an initial pose: shifts (faces, 2) in mm, turns (faces,) in degrees."""
    model, best = _model(faces), _Best(len(faces))
    start = now = _Parameters(shifts_mm, np.radians(turns_deg), np.tile(LIGHT_MEAN, (len(faces), 1)))
    for _ in range(FIT_ROUNDS):
        seen = _seen(target.values, model.grid, now)
        predicted, design = expect(model.light, now.light, model.fields, target.brightest)
        best.keep(now, _loss(target, seen, model, now))
        now = _moved(target, model, start, now, design, seen - predicted)
    seen = _seen(target.values, model.grid, now)
    predicted, design = expect(model.light, now.light, model.fields, target.brightest)
    best.keep(now, _loss(target, seen, model, now))
    now = replace(now, light=now.light + solve_step(design, seen - predicted, now.light, target.trust))
    best.keep(now, _loss(target, seen, model, now))
    return best.registrations()


def _loss(target: FitTarget, seen: Values, model: _Model, here: _Parameters) -> Values:
    """The costs (faces,) of faces in their light, where values (faces, 3, n) are seen."""
    expected = lit(model.light, here.light, model.fields, target.brightest)
    return glossy_loss(seen, expected, target.brightest, target.trust)


class _Best:
    """For each face the best fit of all rounds."""

    def __init__(self, faces: int) -> None:
        self._found: list[FaceRegistration | None] = [None] * faces

    def keep(self, here: _Parameters, costs: Values) -> None:
        """Keep those whose costs (faces,) are lower than before."""
        priors = light_prior(here.light)
        for index, before in enumerate(self._found):
            if before is None or costs[index] < before.cost:
                x, y = here.shifts_mm[index].tolist()
                self._found[index] = FaceRegistration((x, y), float(np.degrees(here.turns[index])), float(costs[index]),
                                                  float(priors[index]))

    def registrations(self) -> list[FaceRegistration]:
        """Those of all faces."""
        return [each for each in self._found if each is not None]


def cost_of_target(target: FitTarget, other: FitTarget, outline: FaceSize, shift_mm: tuple[float, float],
                   turn_deg: float) -> tuple[float, float]:
    """Cost and prior, as a `FaceRegistration` has them, of `other` (such as the bare ground) where a piece of some
    outline would lie."""
    grid, fields = fine_grid(outline), light_fields(outline)
    here = _Parameters(np.array([shift_mm]), np.radians([turn_deg]), LIGHT_MEAN[None])
    seen = _seen(target.values, grid, here)
    light = by_channel(to_light(_seen(other.values, grid, here).swapaxes(1, 2) / METRIC))
    given = here.light
    for _ in range(FIT_ROUNDS):
        predicted, design = expect(light, given, fields, target.brightest)
        given = given + solve_step(design, seen - predicted, given, target.trust)
    cost = glossy_loss(seen, lit(light, given, fields, target.brightest), target.brightest, target.trust)
    return float(cost[0]), float(light_prior(given)[0])


def _seen(values: Lab, grid: Values, here: _Parameters) -> Values:
    """The values (faces, 3, n) of the target, sampled at the points of pieces with these poses."""
    x, y = _turned(grid, here.turns)
    middle = values.shape[0] // 2
    u = middle + (x + here.shifts_mm[:, :1].astype(np.float32)) * np.float32(PX_PER_MM)
    v = middle - (y + here.shifts_mm[:, 1:].astype(np.float32)) * np.float32(PX_PER_MM)
    seen = cv2.remap(values, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return by_channel(np.asarray(seen, np.float32))


def _turned(grid: Values, turns: Floats) -> tuple[Values, Values]:
    """The x and y, each (faces, n), of the points of turned pieces, along the table's axes."""
    cos, sin = np.cos(turns).astype(np.float32)[:, None], np.sin(turns).astype(np.float32)[:, None]
    return grid[:, 0] * cos - grid[:, 1] * sin, grid[:, 0] * sin + grid[:, 1] * cos


# ---------------------------------------------------------------- one step of Gauss and Newton


def _moved(target: FitTarget, model: _Model, start: _Parameters, now: _Parameters, design: Values, off: Values
           ) -> _Parameters:
    """The parameters after one step; `design` is the Jacobian by the light, `off` the residuals (faces, 3, n)."""
    design = np.concatenate([design, _pose_derivatives(model, now)], axis=1)
    here = np.column_stack([now.light, np.column_stack([now.shifts_mm - start.shifts_mm, now.turns - start.turns])])
    step = solve_step(design, off, here, target.trust)
    light, shifts, turns = step[:, :LIGHT_PARAMETERS], step[:, LIGHT_PARAMETERS:-1], step[:, -1]
    return _Parameters(now.shifts_mm + np.clip(shifts, -MAX_SHIFT_STEP_MM, MAX_SHIFT_STEP_MM),
                       now.turns + np.clip(turns, -MAX_TURN_STEP, MAX_TURN_STEP), now.light + light)


def _pose_derivatives(model: _Model, now: _Parameters) -> Values:
    """The Jacobian (faces, 3, 3, n) of the predicted values by the pose: x and y in mm, turn in radians. The sampling
    points move with the piece, hence the sign."""
    slopes, grid = model.slopes, model.grid
    cos, sin = (each.astype(np.float32)[:, None, None] for each in (np.cos(now.turns), np.sin(now.turns)))
    along_x, along_y = slopes[:, 0], slopes[:, 1]
    moves = np.empty((len(slopes), 3, *slopes.shape[2:]), np.float32)
    moves[:, 0] = along_y * sin - along_x * cos
    moves[:, 1] = -along_x * sin - along_y * cos
    moves[:, 2] = along_x * grid[:, 1] - along_y * grid[:, 0]
    return np.asarray(moves * now.light[:, 0].astype(np.float32)[:, None, None, None], np.float32)
