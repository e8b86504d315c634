"""What the eyes tell the session. Of its own, so that their process loads no commands of people."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import Phrase
from companion.table import EyesState, Observation


@dataclass(frozen=True, slots=True)
class Sighted:
    """One look of the eyes, or their state between looks. `observation` is there only when the table is free.

    `number` counts the frames of the source. Not a person's command: it has no `seq` and the newest one wins.
    """

    number: int
    state: EyesState
    why: Phrase | None = None
    observation: Observation | None = None
