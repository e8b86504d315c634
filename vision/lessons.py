"""Learning from what players say: a thing that was seen and is then named becomes an example of how it looks.

    reads = reading(frame, lens, layout, zones, seats)
    learned = learn(learned, layout, {"hex:0,0": ("coin:knight",)}, reads)

An example is only taken if the same picture, read anew with it, shows that nothing got worse (`judge`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import (
    EMPTY, SHAPES, Appearance, Layout, Observation, Placement, Point, Sight, Spot, shape_of,
)
from vision.camera import Lens
from vision.examples import Learned
from vision.faces_check import ASKED_NATS, confusable
from vision.faces_learn import LaidFace, learn_face
from vision.flat import read_flat
from vision.flat_zones import STRANGE
from vision.frames import Frame
from vision.pieceset import PieceSet
from vision.reader import Reader
from vision.scene import Scene

log = logging.getLogger(__name__)

CERTAIN = 0.99
"""A reading with at least this share is certain: as much as is given out unasked."""

WORSE_NATS = 1.0
"""A certain reading may lead by so much less with an example: readings differ by that from look to look."""

BETTER_NATS = 0.1
"""By so much at least an example must make its own thing likelier."""

CONTRADICTED_NATS = 9.0
"""What is said of a thing that looks this much more like something else is no example, but a slip, or of a table that
has changed since; and so is what is said of a thing that is certain."""

SAME_MM = 6.0
"""Things of a zone this near to each other in two readings are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A thing that was seen, with its name, and the height of its foot above the table."""

    sight: Sight
    name: Appearance
    floor_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What a picture shows when it is read anew, and the picture opened as it was for that."""

    observation: Observation
    scene: Scene


Reads = Callable[[PieceSet], Read | None]
"""Reads one picture from the beginning with a piece set; None where that is not possible."""


def reading(frame: Frame, lens: Lens, layout: Layout, zones: Mapping[Spot, Sequence[Point]], seats: Mapping[int, float]
            ) -> Reads:
    """Reads a frame as a new `Reader` would, with these arguments."""

    def read(pieces: PieceSet) -> Read | None:
        reader = Reader(lens, pieces, layout, zones, seats)
        observation = reader.look(frame).observation
        scene = reader.opened(frame)
        return None if observation is None or scene is None else Read(observation, scene)

    return read


def learn(learned: Learned, layout: Layout, told: Placement, reads: Reads) -> Learned:
    """What is known of the pieces after players said what stands at some spots (lowest first) of the picture that
    `reads` reads. What is contradicted, says nothing new, or would make something else worse is left out."""
    before = reads(learned.pieces)
    if before is None:
        return learned
    for each in named(before.observation.sights, layout, told):
        why = _refused(each.sight, each.name)
        with_it = None if why else _with_example(learned, before.scene, each)
        if with_it is None:
            log.info("no example of %s at %s: %s", each.name, each.sight.spot, why or "it cannot be seen well enough")
            continue
        after = reads(with_it.pieces)
        why = "it cannot be read any more" if after is None else judge(before.observation, after.observation, each)
        if not why and _mixed_up(learned.pieces, with_it.pieces, each.name):
            why = "others would look too much like it"
        log.info("%s example of %s at %s%s", "no" if why else "an", each.name, each.sight.spot, why and f": {why}")
        if not why and after is not None:
            learned, before = with_it, after
    return learned


# ---------------------------------------------------------------- which thing is named


def named(sights: Iterable[Sight], layout: Layout, told: Placement) -> Iterator[Named]:
    """The things that are named by what stands at some spots, as far as it is clear which they are: what lies on top
    of a place, and in a zone the one thing that is left once those are put aside that are certain."""
    floors = {place.spot: place.floor_mm for place in layout.places}
    piles = {zone.spot for zone in layout.zones if zone.heap == "pile"}
    zones = {zone.spot for zone in layout.zones}
    seen: dict[Spot, list[Sight]] = {}
    for sight in sights:
        if best(sight) != EMPTY or sight.spot not in zones:
            seen.setdefault(sight.spot, []).append(sight)
    for spot, pieces in told.items():
        names = list(pieces[-1:] if spot in floors or spot in piles else dict.fromkeys(pieces))
        things = seen.get(spot, [])
        if spot in zones:
            things, names = _unclear(things, names)
        if len(things) == len(names) == 1:
            yield Named(things[0], _side(things[0], names[0]), floors.get(spot, 0.0))


def _unclear(things: list[Sight], names: list[Appearance]) -> tuple[list[Sight], list[Appearance]]:
    """The things that are not certain, and the names that no certain thing has."""
    certain = {_plain(best(sight)) for sight in things if is_certain(sight)}
    return ([sight for sight in things if not (is_certain(sight) and _plain(best(sight)) in names)],
            [name for name in names if name not in certain])


def _side(sight: Sight, name: Appearance) -> Appearance:
    """The likelier side of a piece that may lie on either (`NAME:back`)."""
    back = f"{name}:back"
    return back if sight.loglik.get(back, -np.inf) > sight.loglik.get(name, -np.inf) else name


def _plain(name: Appearance) -> Appearance:
    return name.removesuffix(":back")


# ---------------------------------------------------------------- whether it is taken


def judge(before: Observation, after: Observation, example: Named) -> str:
    """Why an example is not taken; empty when its own thing became likelier and all that was certain is as certain."""
    own = _again(example.sight, after)
    if own is None or _ahead(own, example.name) < _ahead(example.sight, example.name) + BETTER_NATS:
        return "it would not be read any better"
    for sight in before.sights:
        if is_certain(sight) and not _as_sure(sight, _again(sight, after)):
            return f"{best(sight) or 'nothing'} at {sight.spot} would be less sure"
    return ""


def _as_sure(sight: Sight, now: Sight | None) -> bool:
    """Whether what was certain is read the same, and as surely."""
    name = best(sight)
    return now is not None and best(now) == name and is_certain(now) and (
        _ahead(now, name) >= _ahead(sight, name) - WORSE_NATS)


def _refused(sight: Sight, name: Appearance) -> str:
    """Why nothing can be learned of a thing by its name."""
    likeliest = best(sight)
    if is_certain(sight):
        return "it is known well" if likeliest == name else f"it certainly looks like {likeliest or 'nothing'}"
    return f"it looks far more like {likeliest or 'nothing'}" if _ahead(sight, name) < -CONTRADICTED_NATS else ""


def _mixed_up(before: PieceSet, after: PieceSet, name: Appearance) -> bool:
    """Whether an example brings a face so near to another one that they are no longer told apart well."""
    if name not in before.faces:
        return False
    like = [other for other, face in before.faces.items() if face.form == before.faces[name].form]
    then, now = (confusable(replace(pieces, faces={other: pieces.faces[other] for other in like}))
                 for pieces in (before, after))
    return bool(then is not None and now is not None and now.nats < min(ASKED_NATS, then.nats - WORSE_NATS))


def _again(sight: Sight, observation: Observation) -> Sight | None:
    """The same thing in another reading."""
    there = [each for each in observation.sights if each.spot == sight.spot]
    near = min(there, key=lambda each: _apart_mm(each, sight), default=None)
    return near if near is not None and (len(there) == 1 or _apart_mm(near, sight) < SAME_MM) else None


def _apart_mm(one: Sight, other: Sight) -> float:
    return float(np.hypot(*np.subtract(one.at_mm, other.at_mm)))


def best(sight: Sight) -> Appearance:
    """What a thing most likely is."""
    return max(sight.loglik, key=sight.loglik.__getitem__)


def is_certain(sight: Sight) -> bool:
    """Whether a thing is told unasked."""
    return bool(_share(sight, best(sight)) >= np.log(CERTAIN))


def _share(sight: Sight, name: Appearance) -> float:
    """The logarithm of the share that a name has of all."""
    return float(sight.loglik.get(name, -np.inf) - np.logaddexp.reduce(list(sight.loglik.values())))


def _ahead(sight: Sight, name: Appearance) -> float:
    """By how many nats a name is likelier than all others."""
    others = [nats for other, nats in sight.loglik.items() if other != name]
    return float(sight.loglik.get(name, -np.inf) - max(others, default=-np.inf))


# ---------------------------------------------------------------- what it looks like


def _with_example(learned: Learned, scene: Scene, thing: Named) -> Learned | None:
    """What is known with one more example; None where the thing cannot be seen well enough."""
    if shape_of(thing.name) in SHAPES:
        return None
    face = learned.pieces.faces.get(thing.name)
    if face is None:
        return None
    lies = read_flat(scene, thing.sight.at_mm, thing.floor_mm, (face,)).fits[thing.name]
    if lies.misfit > STRANGE:
        return None
    seen = learn_face(scene, LaidFace(face.piece, lies.at_mm, lies.lies_deg, thing.floor_mm))
    return learned.with_example(("face", thing.name), seen.colours)
