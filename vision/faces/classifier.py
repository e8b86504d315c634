"""Reading a place on which a flat piece may lie: which face is up, how it is turned, or that nothing lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Point
from vision.faces.light_basis import PIXEL_SD, voices
from vision.faces.ortho_window import BareTable, CandidateWindow, PrintedSurface, Surface, make_window, top_of
from vision.faces.registration import Registration, fit
from vision.faces.template_search import CENTRES_PX, Templates, make_templates, try_all
from vision.faces.templates import PX_PER_MM, Face, linear_values
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.scene.scene import Scene

Values = npt.NDArray[np.float32]
Cells = npt.NDArray[np.intp]

__all__ = ["BareTable", "FaceReading", "PrintedSurface", "Surface", "read_face"]

NOISE_COST = 6.0
"""Below this mean square, differences are noise and tell faces apart no better."""

OUTLIER_RATE, OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS = 5e-4, 8.0, -6.0
"""How often a sight is expected to be fooled by what no face's picture tells; how many times less it is believed then,
and the least that is left of anything."""

MAX_FITS, MAX_COST_RATIO = 5, 2.0
"""At most so many faces are fitted, none that seems so many times worse than the best."""

CLEARLY_BARE_COST = 12.0
"""Where the bare ground explains what is seen this well, only the best face is fitted."""

MIN_TURN_APART_DEG, TURN_MARGIN_NATS = 30.0, 1.5
"""A face is also fitted from another turn than the one that seems best, at least so far from it. A turn is told when no
other fits as well within so many nats."""

MAX_CENTRES, REFINED_CENTRES = 60, 4
"""Of more centres than this only some are tried at first; around so many of them it is tried again."""

FIT_MARGIN_MM = 2.0
"""Beyond the slack a fitted centre may still move by so much."""


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What one place looks like. `loglik` in nats for each candidate, and for `EMPTY` when it was said what lies
    beneath; `best` is the likeliest candidate (never `EMPTY`), `fits` how each candidate fits best."""

    loglik: Mapping[Appearance, float]
    best: Appearance
    fits: Mapping[Appearance, FaceFit]

    @property
    def at_mm(self) -> Point:
        """Centre of the foot in the table frame."""
        return self.fits[self.best].at_mm

    @property
    def turn_deg(self) -> float | None:
        """Turn of the face, anticlockwise; None where it cannot be told."""
        return self.fits[self.best].turn_deg

    @property
    def is_empty(self) -> bool:
        """Whether nothing lying there is likelier than any candidate."""
        return EMPTY in self.loglik and self.loglik[EMPTY] > self.loglik[self.best]


@dataclass(frozen=True, slots=True)
class FaceFit:
    """How one face fits a place best: its foot's centre in the table frame, its turn, None where others fit as well,
    and the mean square of the differences that remain, about 16 where all is well and far more where something else
    lies. `lies_deg` is one of the turns that fit best."""

    at_mm: Point
    turn_deg: float | None
    misfit: float
    lies_deg: float


def read_face(scene: Scene, centre_mm: Point, floor_mm: float, candidates: Sequence[Face], slack_mm: float = 2.0,
              ground: Surface | None = None, rise_mm: float = 0.0, around_mm: Floats | None = None) -> FaceReading:
    """Which of the candidates lies with its foot's centre within `slack_mm` of a point (table frame) and its foot
    `floor_mm` above the table, or up to `rise_mm` more when it may lie on a stack: its centre is then told as if it did
    not. With `around_mm` (n, 2) its centre is looked for at these points instead. `ground` is what is seen while
    nothing lies there; without it `EMPTY` is not judged."""
    return read_windows(open_windows(scene, centre_mm, floor_mm, candidates, slack_mm, ground, rise_mm, around_mm))


def open_windows(scene: Scene, centre_mm: Point, floor_mm: float, candidates: Sequence[Face], slack_mm: float = 2.0,
         ground: Surface | None = None, rise_mm: float = 0.0, around_mm: Floats | None = None) -> list[CandidateWindow]:
    """What is seen there, for each form and height that candidates have."""
    seen = []
    for form in _forms(tuple(candidates)):
        height = floor_mm + form[0].piece.size_mm[2]
        centres = (_centres(scene.view, centre_mm, height, slack_mm, rise_mm) if around_mm is None
                   else _cells(around_mm - centre_mm))
        reach_mm = float(np.abs(centres).max()) / PX_PER_MM
        window = make_window(scene.view, centre_mm, height, form[0].radius_mm + reach_mm + FIT_MARGIN_MM)
        seen.append(CandidateWindow(scene, ground, form, centres, window))
    return seen


def read_windows(seen: Sequence[CandidateWindow]) -> FaceReading:
    """The same, of what `look` found to be looked at."""
    tries = [each for outlook in seen for each in _try(outlook)]
    tries.sort(key=lambda each: each.cost)
    first = tries[0]
    bare = _bare_cost(first)
    most = MAX_FITS if bare is None or bare[0] > CLEARLY_BARE_COST else 1
    worth = [each for each in tries[:most] if each.cost <= MAX_COST_RATIO * first.cost + PIXEL_SD ** 2]
    fits = sorted(_fit(worth), key=lambda each: each.fit.cost)
    share = fits[0].fit.cost / max(fits[0].tried.cost, 1.0)
    fits += [_Fitted(each, Registration(each.shift_mm, each.turn_deg, max(fits[-1].fit.cost, each.cost * share),
                               fits[0].fit.prior)) for each in tries if each not in worth]
    if fits[0].tried.face.form != first.face.form:
        bare = _bare_cost(fits[0].tried)
    return _judge(fits, bare)


def _bare_cost(tried: _Try) -> tuple[float, float] | None:
    """Cost and prior of nothing lying where a face seems to lie best."""
    return None if tried.place.ground is None else tried.place.bare_cost(tried.shift_mm, tried.turn_deg)


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    """A face, and where and in which turn it seems to lie best."""

    face: Face
    place: CandidateWindow
    shift_mm: tuple[float, float]
    turn_deg: float
    cost: float


def _try(place: CandidateWindow) -> list[_Try]:
    """Faces of one form with their tops at a height, each where it seems to lie best."""
    centres, costs = _search(linear_values(place.colours), _templates(place.form), place.centres_px)
    nearest = costs.argmin(axis=1)
    by_turn = np.take_along_axis(costs, nearest[:, None], axis=1)[:, 0]
    turns = _two_turns(by_turn)
    shifts = (centres[np.take_along_axis(nearest, turns, axis=1)] / PX_PER_MM).tolist()
    best = np.take_along_axis(by_turn, turns, axis=1).tolist()
    turns_deg = (turns * 360.0 / costs.shape[2]).tolist()
    return [_Try(face, place, (x, y), turn_deg, cost) for face, *two in zip(place.form, shifts, turns_deg, best)
            for (x, y), turn_deg, cost in zip(*two)]


def _two_turns(costs: Values) -> Cells:
    """The best of all turns, and the best of those that are not near it (faces, 2), by costs (faces, turns)."""
    turns = costs.shape[1]
    best = costs.argmin(axis=1)
    apart = np.abs((np.arange(turns) - best[:, None] + turns // 2) % turns - turns // 2)
    return np.column_stack([best, np.where(apart * 360.0 / turns < MIN_TURN_APART_DEG, np.inf, costs).argmin(axis=1)])


def _search(light: Values, templates: Templates, centres_px: Cells) -> tuple[Cells, Values]:
    """Centres (n, 2) in px and costs there (faces, n, turns). Where there are many, every other one is tried at first,
    and then those around the best of them."""
    if len(centres_px) > MAX_CENTRES:
        some = centres_px[(centres_px // CENTRES_PX % 2 == 0).all(axis=1)]
        costs = try_all(light, templates, some).min(axis=(1, 2))
        best = some[np.argsort(costs)[:REFINED_CENTRES]]
        near = np.abs(centres_px[:, None] - best).max(axis=2).min(axis=1) <= CENTRES_PX
        centres_px = centres_px[near]
    return centres_px, try_all(light, templates, centres_px).transpose(1, 0, 2)


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A face, and how it fits."""

    tried: _Try
    fit: Registration


def _fit(tries: Sequence[_Try]) -> list[_Fitted]:
    """The fits of faces from where they were tried best."""
    groups: dict[CandidateWindow, list[_Try]] = {}
    for each in tries:
        groups.setdefault(each.place, []).append(each)
    fits = []
    for place, group in groups.items():
        found = fit(place.sight, [each.face for each in group], np.array([each.shift_mm for each in group]),
                    np.array([each.turn_deg for each in group]))
        fits += [_Fitted(each, best) for each, best in zip(group, found)]
    return fits


def _judge(all_fits: Sequence[_Fitted], bare: tuple[float, float] | None) -> FaceReading:
    """What the fits of all candidates, the best first, and of the bare ground say together.

    All candidates speak with as many voices as the largest: a small one that fits its small part badly is no better
    than a large one that does."""
    fits = {each.tried.face.piece.name: each for each in reversed(all_fits)}
    loudest = max(voices(each.tried.face) for each in fits.values())
    nats = {name: _nats(loudest, each.fit.cost, each.fit.prior) for name, each in fits.items()}
    best = max(nats, key=nats.__getitem__)
    if bare is not None:
        nats[EMPTY] = _nats(loudest, *bare)
    placed = {name: _placed(each, [other.fit for other in all_fits if other.tried.face is each.tried.face], loudest)
              for name, each in fits.items()}
    return FaceReading(doubted(nats), best, placed)


def _placed(fitted: _Fitted, all_fits: Sequence[Registration], voices: float) -> FaceFit:
    """A fit in the table frame; its turn is unknown where another one fits about as well."""
    found = fitted.fit
    (x, y), (right, up) = fitted.tried.place.window.centre_mm, found.shift_mm
    turn = (found.turn_deg + 180) % 360 - 180
    nats = _nats(voices, found.cost, found.prior)
    is_sure = all(abs((other.turn_deg - turn + 180) % 360 - 180) < MIN_TURN_APART_DEG / 2
                  or _nats(voices, other.cost, other.prior) < nats - TURN_MARGIN_NATS for other in all_fits)
    return FaceFit((x + right, y + up), turn if is_sure else None, found.cost, turn)


def _nats(voices: float, cost: float, prior: float) -> float:
    """The log-likelihood of a fit. How much noise there is at this place is not known beforehand (a reflection makes
    much of it): with the noise that explains each fit best, what counts is by how many times one fits better."""
    return -0.5 * voices * float(np.log(cost + NOISE_COST)) - prior


def doubted(nats: Mapping[Appearance, float]) -> dict[Appearance, float]:
    """Log-likelihoods that leave room for the unforeseen."""
    names = list(nats)
    values = np.array([nats[name] for name in names])
    values -= values.max()
    sure, doubtful = np.exp(values), np.exp(np.maximum(values / OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS))
    shares = (1 - OUTLIER_RATE) * sure / sure.sum() + OUTLIER_RATE * doubtful / doubtful.sum()
    return {name: float(value) for name, value in zip(names, np.log(shares))}


def _forms(candidates: tuple[Face, ...]) -> list[tuple[Face, ...]]:
    """The candidates by form and height."""
    groups: dict[tuple[object, ...], list[Face]] = {}
    for face in candidates:
        groups.setdefault((face.form, face.piece.size_mm[2]), []).append(face)
    return [tuple(group) for group in groups.values()]


@lru_cache(maxsize=32)
def _templates(faces: tuple[Face, ...]) -> Templates:
    return make_templates(faces)


def lean_mm(view: View, centre_mm: Point, height_mm: float, rise_mm: float) -> float:
    """How far the centre of what lies higher by `rise_mm` seems to have moved."""
    return float(np.linalg.norm(top_of(view, centre_mm, height_mm + rise_mm, height_mm) - centre_mm))


def _centres(view: View, centre_mm: Point, height_mm: float, slack_mm: float, rise_mm: float) -> Cells:
    """Where (n, 2), in px right and up of the window's centre, the centre of a face may be seen."""
    lean = (top_of(view, centre_mm, height_mm + rise_mm, height_mm) - centre_mm) * PX_PER_MM
    reach = int(np.ceil(np.hypot(*lean) + slack_mm * PX_PER_MM))
    grid = _square(reach // CENTRES_PX)
    along = np.clip(grid @ lean / max(float(lean @ lean), 1e-9), 0.0, 1.0)
    x, y = (grid - along[:, None] * lean).T
    return np.asarray(grid[np.hypot(x, y) <= slack_mm * PX_PER_MM], np.intp)


@lru_cache(maxsize=16)
def _square(steps: int) -> Cells:
    """All centres (n, 2) in px so many steps to each side."""
    step = np.arange(-steps, steps + 1) * CENTRES_PX
    return np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2).astype(np.intp)


def _cells(off_mm: Floats) -> Cells:
    """The same from offsets (n, 2) in mm."""
    steps = np.unique(np.rint(off_mm * PX_PER_MM / CENTRES_PX).astype(np.intp), axis=0)
    return np.asarray(steps * CENTRES_PX, np.intp)
