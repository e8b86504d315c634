"""Learning from what players say: a thing that was seen and is then named becomes an example of how it looks.

    reads = reading(frame, lens, layout, zones, seats)
    learned = learn(learned, layout, {"hex:0,0": ("coin:knight",)}, reads)

An example is only taken if the same picture, read anew with it, shows that nothing got worse (`judge`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Appearance, Layout, Observation, Placement, Point, Sight, Spot
from vision.imaging.camera import Lens
from vision.imaging.frame import Frame
from vision.learning.example_extraction import with_example
from vision.learning.label_assignment import (
    CERTAIN,
    LabelledSight,
    best,
    is_certain,
    is_drink,
    labelled_sights,
    lead_nats,
    log_share,
)
from vision.pieces.exemplars import Learned
from vision.pieces.face_separability import ALIKE_NATS, confusable_faces
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

log = logging.getLogger(__name__)

MAX_LEAD_LOSS_NATS = 1.0
"""A certain reading may lead by so much less with an example: readings differ by that from look to look."""

MIN_GAIN_NATS = 0.1
"""By so much at least an example must make its own thing likelier."""

MAX_BEHIND_NATS = 9.0
"""What is said of a thing that looks this much more like something else is no example, but a slip, or of a table that
has changed since; and so is what is said of a thing that is certain."""

SAME_THING_MM = 6.0
"""Things of a zone this near to each other in two readings are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """What a picture shows when it is read anew, and the picture opened as it was for that."""

    observation: Observation
    scene: Scene


RereadWith = Callable[[PieceSet], Reread | None]
"""Reads one picture from the beginning with a piece set; None where that is not possible."""


def reread_with(frame: Frame, lens: Lens, layout: Layout, zones: Mapping[Spot, Sequence[Point]],
                seats: Mapping[int, float]
            ) -> RereadWith:
    """Reads a frame as a new `Reader` would, with these arguments."""

    def read(pieces: PieceSet) -> Reread | None:
        reader = Reader(lens, pieces, layout, zones, seats)
        observation = reader.look(frame).observation
        scene = reader.opened(frame)
        return None if observation is None or scene is None else Reread(observation, scene)

    return read


def learn_labels(learned: Learned, layout: Layout, told: Placement, reads: RereadWith) -> Learned:
    """What is known of the pieces after players said what stands at some spots (lowest first) of the picture that
    `reads` reads. What is contradicted, says nothing new, or would make something else worse is left out."""
    before = reads(learned.pieces)
    if before is None:
        return learned
    for each in labelled_sights(before.observation.sights, layout, told):
        if _was_taught_wrongly(learned, each):
            log.info("what was taught of %s is forgotten", best(each.sight))
            learned = learned.without(best(each.sight))
            continue
        why = _refused(each.sight, each.name)
        with_it = None if why else with_example(learned, before.scene, each)
        if with_it is None:
            log.info("no example of %s at %s: %s", each.name, each.sight.spot, why or "it cannot be seen well enough")
            continue
        after = reads(with_it.pieces)
        why = "it cannot be read any more" if after is None else objection(before.observation, after.observation, each)
        if not why and _mixed_up(learned.pieces, with_it.pieces, each.name):
            why = "others would look too much like it"
        log.info("%s example of %s at %s%s", "no" if why else "an", each.name, each.sight.spot, why and f": {why}")
        if not why and after is not None:
            learned, before = with_it, after
    return learned


def can_learn_from(learned: Learned, observation: Observation, layout: Layout, told: Placement) -> bool:
    """Whether something can be learned of what players said, by how things were read; that is known at once."""
    return any(not _refused(each.sight, each.name) or _was_taught_wrongly(learned, each)
               for each in labelled_sights(observation.sights, layout, told))


def _was_taught_wrongly(learned: Learned, thing: LabelledSight) -> bool:
    """Whether a thing is surely taken for another one, of which players taught something before: a slip, then or now.
    """
    name = best(thing.sight)
    return name != thing.name and is_certain(thing.sight) and learned.was_taught(name)


# ---------------------------------------------------------------- whether it is taken


def objection(before: Observation, after: Observation, example: LabelledSight) -> str:
    """Why an example is not taken; empty when its own thing became likelier and all that was certain is as certain."""
    then, own = _again(example.sight, before), _again(example.sight, after)
    if then is None or own is None or lead_nats(own, example.name) < lead_nats(then, example.name) + MIN_GAIN_NATS:
        return "it would not be read any better"
    for sight in (sight for sight in before.sights if sight is not then):
        if is_certain(sight) and not _as_sure(sight, _again(sight, after)):
            return f"{best(sight) or 'nothing'} at {sight.spot} would be less sure"
        if is_drink(example.name) and _comes_near(sight, _again(sight, after), example.name):
            return f"what stands at {sight.spot} would look like it"
    return ""


def _comes_near(sight: Sight, now: Sight | None, name: Appearance) -> bool:
    """Whether another thing comes to look like a drink of which there is only one."""
    return now is not None and log_share(now, name) > max(log_share(sight, name) + MAX_LEAD_LOSS_NATS,
                                                          np.log(1 - CERTAIN))


def _as_sure(sight: Sight, now: Sight | None) -> bool:
    """Whether what was certain is read the same, and as surely."""
    name = best(sight)
    return now is not None and best(now) == name and is_certain(now) and (
        lead_nats(now, name) >= lead_nats(sight, name) - MAX_LEAD_LOSS_NATS)


def _refused(sight: Sight, name: Appearance) -> str:
    """Why nothing can be learned of a thing by its name."""
    likeliest = best(sight)
    if is_certain(sight):
        return "it is known well" if likeliest == name else f"it certainly looks like {likeliest or 'nothing'}"
    return f"it looks far more like {likeliest or 'nothing'}" if lead_nats(sight, name) < -MAX_BEHIND_NATS else ""


def _mixed_up(before: PieceSet, after: PieceSet, name: Appearance) -> bool:
    """Whether an example brings a face so near to another one that they are no longer told apart well."""
    if name not in before.faces:
        return False
    like = [other for other, face in before.faces.items() if face.outline == before.faces[name].outline]
    then, now = (confusable_faces(replace(pieces, faces={other: pieces.faces[other] for other in like}))
                 for pieces in (before, after))
    return bool(then is not None and now is not None and now.nats < min(ALIKE_NATS, then.nats - MAX_LEAD_LOSS_NATS))


def _again(sight: Sight, observation: Observation) -> Sight | None:
    """The same thing in another reading."""
    there = [each for each in observation.sights if each.spot == sight.spot]
    near = min(there, key=lambda each: _apart_mm(each, sight), default=None)
    return near if near is not None and (len(there) == 1 or _apart_mm(near, sight) < SAME_THING_MM) else None


def _apart_mm(one: Sight, other: Sight) -> float:
    return float(np.hypot(*np.subtract(one.at_mm, other.at_mm)))
