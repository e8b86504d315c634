"""How places look empty, and with a piece of each colour: learned from one picture of a placement that is known.

Each pair of content and printed colour of the place is a class with its mean; all classes share one covariance. Some
places may hold something else than was said, as when people had begun to play: their labels are doubted (a few rounds
of classification EM). What was once seen at a place itself is remembered, and tells more than its class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.boards.place_features import FEATURES
from vision.boards.surfaces import Kinds
from vision.imaging.arrays import Floats

Content = str
"""What eyes tell of a place: the name of a colour, or "" where nothing stands."""

LIGHTEST: Final[Content] = "white"
DARKEST: Final[Content] = "black"
"""Of all colours these two are told by nothing but their lightness."""
EM_ROUNDS: Final = 5
RELABEL_NATS: Final = 4.0
"""The prior against a place that does not hold what was said: about one in fifty."""
LEAST_SAMPLES: Final = 3
"""A class of a content on one printed colour has at least so many places; else one for all printed colours is used."""
SHRUNK: Final = 0.3
"""What is added to the variances, as a share of them: there are few places beside the number of features."""
FLOOR: Final = np.array([0.02, 0.03, 0.03, 0.01, 0.01, 0.01, 0.004]) ** 2
"""The least variance of each feature: no board is printed more evenly, and no light falls so."""
HEAVY_TAIL: Final = 6.0
"""Degrees of freedom of the t distribution of features: now and then a place looks like nothing before."""
TOLD_D2: Final = 6.0
"""By so much a place must be nearer to its own content than to others, in squared distance, to be told."""
SAME_PLACE: Final = 4.0
"""By what a place looks more like itself than like others with the same content, in variance."""
NEW_COLOUR_D2: Final = 30.0
"""Squared distance at which a place that looks like nothing before is taken for a piece of a colour not yet seen."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceModel:
    """`means` by content and printed colour, their inverse covariance `precision` (7, 7), and what was seen at each
    place itself by content. `kinds` (n,) are the printed colours of the places, `unseen` the colours of pieces that no
    place has shown yet."""

    kinds: Kinds
    means: Mapping[tuple[Content, int], Floats]
    precision: Floats
    own: tuple[Mapping[Content, Floats], ...]
    contents: tuple[Content, ...]
    unseen: tuple[Content, ...] = ()

    def distances2(self, features: Floats) -> Floats:
        """The squared distance (n, contents) of each place from each content."""
        found = np.empty((len(features), len(self.contents)))
        for column, content in enumerate(self.contents):
            off = features - np.array([self.means[content, int(kind)] for kind in self.kinds])
            found[:, column] = np.einsum("ni,ij,nj->n", off, self.precision, off)
            for place, own in enumerate(self.own):
                if content in own:
                    away = features[place] - own[content]
                    near = SAME_PLACE * float(away @ self.precision @ away)
                    found[place, column] = min(found[place, column], near)
        return found

    def logliks(self, features: Floats) -> list[dict[Content, float]]:
        """For each place the log-likelihood of each content."""
        d2 = self.distances2(features)
        nats = -0.5 * (HEAVY_TAIL + FEATURES) * np.log1p(d2 / HEAVY_TAIL)
        new = -0.5 * (HEAVY_TAIL + FEATURES) * float(np.log1p(NEW_COLOUR_D2 / HEAVY_TAIL))
        return [dict(zip(self.contents, row, strict=True)) | dict.fromkeys(self.unseen, new) for row in nats.tolist()]

    def remembering(self, features: Floats, contents: Sequence[Content | None]) -> PlaceModel:
        """The model that knows what these places look like now; None where that is doubtful."""
        own = tuple(was if content is None else {**was, content: features[place]}
                    for place, (was, content) in enumerate(zip(self.own, contents, strict=True)))
        return replace(self, own=own)


def are_exchanged(model: PlaceModel) -> bool:
    """Whether what is called white is darker everywhere than what is called black: a set-up that is the same from both
    sides, but for the colours, fits just as well when the board is turned by a half."""
    kinds = range(int(model.kinds.max()) + 1)
    return {LIGHTEST, DARKEST} <= set(model.contents) and all(
        model.means[LIGHTEST, kind][0] < model.means[DARKEST, kind][0] for kind in kinds)


@dataclass(frozen=True, slots=True, eq=False)
class LearnedPlaces:
    """A model, and the share of the places it was learned from that look like what was said to stand there, and unlike
    all else, by their classes alone."""

    model: PlaceModel
    told_share: float


def learn_places(features: Floats, kinds: Kinds, said: Sequence[Content], colours: Sequence[Content]) -> LearnedPlaces:
    """Learn from places with these features (n, 7) of which most hold what was `said`, with pieces of these `colours`
    in all."""
    contents = tuple(dict.fromkeys(("", *said)))
    unseen = tuple(colour for colour in colours if colour not in contents)
    given = np.array([contents.index(each) for each in said])
    labels = given
    blank: tuple[Mapping[Content, Floats], ...] = ({},) * len(said)
    for _ in range(EM_ROUNDS):
        means = _means(features, kinds, labels, contents)
        model = PlaceModel(kinds, means, _precision(features, kinds, labels, contents, means), blank, contents, unseen)
        cost = 0.5 * model.distances2(features)
        cost += RELABEL_NATS * (np.arange(len(contents)) != given[:, None])
        likeliest = cost.argmin(axis=1)
        if np.bincount(likeliest, minlength=len(contents)).min() > 0:
            labels = likeliest
    sure = [said[place] if labels[place] == given[place] else None for place in range(len(said))]
    return LearnedPlaces(model.remembering(features, sure), _told_share(model.distances2(features), given))


def _told_share(distances2: Floats, given: Kinds) -> float:
    """The share of places that are told as what was said by a clear margin."""
    own = distances2[np.arange(len(given)), given]
    others = distances2.copy()
    others[np.arange(len(given)), given] = np.inf
    return float((others.min(axis=1) - own > TOLD_D2).mean())


def _means(features: Floats, kinds: Kinds, labels: Kinds, contents: Sequence[Content]
           ) -> dict[tuple[Content, int], Floats]:
    """The median of each class; where it has too few places, that of the content on any printed colour."""
    means = {}
    for number, content in enumerate(contents):
        for kind in range(int(kinds.max()) + 1):
            of_class = (labels == number) & (kinds == kind)
            chosen = of_class if of_class.sum() >= LEAST_SAMPLES else labels == number
            means[content, kind] = np.median(features[chosen], axis=0)
    return means


def _precision(features: Floats, kinds: Kinds, labels: Kinds, contents: Sequence[Content],
               means: Mapping[tuple[Content, int], Floats]) -> Floats:
    """The inverse of the covariance within classes, shrunk towards its diagonal, in which outliers count little."""
    off = features - np.array([means[contents[label], int(kind)] for label, kind in zip(labels, kinds, strict=True)])
    spread = 1.48 * np.median(np.abs(off), axis=0) + np.sqrt(FLOOR)
    off = np.clip(off, -3.0 * spread, 3.0 * spread)
    covariance = off.T @ off / max(len(off) - len(means), 1)
    return np.asarray(np.linalg.inv(covariance + np.diag(SHRUNK * np.diag(covariance) + FLOOR)), np.float64)
