"""What the gate says of a small picture."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import Phrase
from companion.table import GateState
from vision.presence.arms import Arm


@dataclass(frozen=True, slots=True)
class Verdict:
    """Free, or why not. `moves`: it differs from the picture just before. `shifted`: the picture as a whole seems
    shifted. `at_cards`: the motion is at the tag cards, or what rests as a hand lies over one, as a card that was moved
    does over its old place. In both cases only the cards can tell what was moved. `arm`: the one that reaches over the
    table, where it is seen to come from outside."""

    state: GateState
    why: Phrase | None = None
    moves: bool = False
    shifted: bool = False
    at_cards: bool = False
    arm: Arm | None = None
