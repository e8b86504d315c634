"""Acceptance of an example: only if its own thing is read better with it, and nothing else worse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.table import Appearance, Observation, Sight
from vision.learning.label_assignment import (
    CERTAIN,
    LabelledSight,
    is_certain,
    is_drink,
    lead_nats,
    log_share,
)
from vision.pieces.face_separability import confusable_faces
from vision.pieces.piece_set import PieceSet
from vision.pieces.separability import ALIKE_NATS

MAX_LEAD_LOSS_NATS = 1.0
"""The most that the lead of a certain reading may shrink with an example: readings differ by that from look to look."""

MIN_GAIN_NATS = 0.1
"""The least gain of an example: the rise of the lead of its own thing's name."""

MAX_BEHIND_NATS = 9.0
"""A name that is this much less likely than another is no example, but a slip, or the table has changed since; the same
holds for a name of a thing that is certain."""

SAME_THING_MM = 6.0
"""Things of a zone this near to each other in two readings are the same."""


def refusal(sight: Sight, name: Appearance) -> str:
    """Why a thing with this name is no example; empty when it may be one."""
    likeliest = sight.likeliest
    if is_certain(sight):
        return "it is known well" if likeliest == name else f"it certainly looks like {likeliest or 'nothing'}"
    return f"it looks far more like {likeliest or 'nothing'}" if lead_nats(sight, name) < -MAX_BEHIND_NATS else ""


def objection(before: Observation, after: Observation, example: LabelledSight) -> str:
    """Why an example is not taken, by readings before and after; empty when the lead of its own name rose and every
    certain reading kept its own."""
    then, own = _again(example.sight, before), _again(example.sight, after)
    if then is None or own is None or lead_nats(own, example.name) < lead_nats(then, example.name) + MIN_GAIN_NATS:
        return "it would not be read any better"
    for sight in (sight for sight in before.sights if sight is not then):
        if is_certain(sight) and not _as_sure(sight, _again(sight, after)):
            return f"{sight.likeliest or 'nothing'} at {sight.spot} would be less sure"
        if is_drink(example.name) and _comes_near(sight, _again(sight, after), example.name):
            return f"what stands at {sight.spot} would look like it"
    return ""


def _comes_near(sight: Sight, now: Sight | None, name: Appearance) -> bool:
    """Whether another thing becomes similar to a drink of which there is only one."""
    return now is not None and log_share(now, name) > max(log_share(sight, name) + MAX_LEAD_LOSS_NATS,
                                                          np.log(1 - CERTAIN))


def _as_sure(sight: Sight, now: Sight | None) -> bool:
    """Whether what was certain is read the same, and as surely."""
    name = sight.likeliest
    return now is not None and now.likeliest == name and is_certain(now) and (
        lead_nats(now, name) >= lead_nats(sight, name) - MAX_LEAD_LOSS_NATS)


def mixes_up(before: PieceSet, after: PieceSet, name: Appearance) -> bool:
    """Whether an example makes a face so similar to another one that they are no longer separable."""
    if name not in before.faces:
        return False
    like = [other for other, face in before.faces.items() if face.outline == before.faces[name].outline]
    then, now = (confusable_faces(replace(pieces, faces={other: pieces.faces[other] for other in like}))
                 for pieces in (before, after))
    return bool(then is not None and now is not None and now.nats < min(ALIKE_NATS, then.nats - MAX_LEAD_LOSS_NATS))


def _again(sight: Sight, observation: Observation) -> Sight | None:
    """The same thing in another reading, None if it is not there."""
    there = [each for each in observation.sights if each.spot == sight.spot]
    near = min(there, key=lambda each: _apart_mm(each, sight), default=None)
    return near if near is not None and (len(there) == 1 or _apart_mm(near, sight) < SAME_THING_MM) else None


def _apart_mm(one: Sight, other: Sight) -> float:
    return float(np.hypot(*np.subtract(one.at_mm, other.at_mm)))
