"""Online learning from players: a thing that was seen and is then named becomes an example of how it looks.

    reread = reread_with(frame, lens, layout, zones, seats)
    learned = learn_labels(learned, layout, {"hex:0,0": ("coin:knight",)}, reread)

An example is only taken if the same picture, read anew with it, shows that nothing got worse (`acceptance`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.table import Layout, Observation, Placement, Point, Spot
from vision.imaging.camera import Lens
from vision.imaging.frame import Frame
from vision.learning.acceptance import mixes_up, objection, refusal
from vision.learning.example_extraction import with_example
from vision.learning.label_assignment import LabelledSight, is_certain, labelled_sights
from vision.pieces.exemplars import Learned
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """The observation of a picture that was read anew, and its scene."""

    observation: Observation
    scene: Scene


RereadWith = Callable[[PieceSet], Reread | None]
"""Reads one picture from the beginning with a piece set; None when it cannot be read."""


def reread_with(frame: Frame, lens: Lens, layout: Layout, zones: Mapping[Spot, Sequence[Point]],
                seats: Mapping[int, float]) -> RereadWith:
    """A function that reads a frame as a new `Reader` with these arguments would."""

    def read(pieces: PieceSet) -> Reread | None:
        reader = Reader(lens, pieces, layout, zones, seats)
        observation = reader.look(frame).observation
        scene = reader.opened(frame)
        return None if observation is None or scene is None else Reread(observation, scene)

    return read


def learn_labels(learned: Learned, layout: Layout, labels: Placement, reread: RereadWith) -> Learned:
    """The learned piece set after players named what stands at some spots (lowest first) of the picture that `reread`
    reads. Labels that are contradicted, tell nothing new, or would make another reading worse are left out."""
    before = reread(learned.pieces)
    if before is None:
        return learned
    for thing in labelled_sights(before.observation.sights, layout, labels):
        if _was_taught_wrongly(learned, thing):
            log.info("what was taught of %s is forgotten", thing.sight.likeliest)
            learned = learned.without(thing.sight.likeliest)
            continue
        taken = _with_example(learned, before, thing, reread)
        if taken is not None:
            learned, before = taken
    return learned


def can_learn_from(learned: Learned, observation: Observation, layout: Layout, labels: Placement) -> bool:
    """Whether any label may become an example, by the observation alone, without reading a picture again."""
    return any(not refusal(each.sight, each.name) or _was_taught_wrongly(learned, each)
               for each in labelled_sights(observation.sights, layout, labels))


def _with_example(learned: Learned, before: Reread, thing: LabelledSight, reread: RereadWith
                  ) -> tuple[Learned, Reread] | None:
    """The learned piece set with a thing as an example, and the picture read with it; None when it is not taken."""
    why = refusal(thing.sight, thing.name)
    with_it = None if why else with_example(learned, before.scene, thing)
    if with_it is None:
        log.info("no example of %s at %s: %s", thing.name, thing.sight.spot, why or "it cannot be seen well enough")
        return None
    after = reread(with_it.pieces)
    why = _why_not(learned, with_it, before, after, thing)
    log.info("%s example of %s at %s%s", "no" if why else "an", thing.name, thing.sight.spot, why and f": {why}")
    return None if why or after is None else (with_it, after)


def _why_not(learned: Learned, with_it: Learned, before: Reread, after: Reread | None, thing: LabelledSight) -> str:
    """Why an example is not taken; empty when it is."""
    if after is None:
        return "it cannot be read any more"
    why = objection(before.observation, after.observation, thing)
    if not why and mixes_up(learned.pieces, with_it.pieces, thing.name):
        return "others would look too much like it"
    return why


def _was_taught_wrongly(learned: Learned, thing: LabelledSight) -> bool:
    """Whether a thing is read with certainty as another one, of which there are examples: a slip, then or now."""
    name = thing.sight.likeliest
    return name != thing.name and is_certain(thing.sight) and learned.was_taught(name)
