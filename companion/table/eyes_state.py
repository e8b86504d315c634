"""The states of the eyes: those of a look, and those in which there is no look at all."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

GateState: TypeAlias = Literal["free", "hand", "moving"]
"""The verdict on the small picture: the table is free, a hand is over it, or something moves."""

ExposureFault: TypeAlias = Literal["dark", "bright"]

LookState: TypeAlias = GateState | ExposureFault | Literal[
    "settling", "blocked", "bumped", "cards", "picture"]
"""Why a frame was read (`free`) or not: besides the gate's reasons and the light's, nothing has moved for a moment only
(`settling`), what is seen is no board as it is known (`blocked`), a card or the camera is still being moved (`bumped`),
too few cards are seen (`cards`), or something is wrong with the picture as a whole (`picture`)."""

EyesState: TypeAlias = LookState | Literal["reading", "starting", "gone", "none"]
"""The state of the last look, or: a free table is being read (`reading`), the eyes are starting, they are being
restarted after they or the camera ended (`gone`), or there are none."""

HINDERED: Final[frozenset[EyesState]] = frozenset(
    {"blocked", "cards", "dark", "bright", "bumped", "picture", "gone"})
"""States in which the eyes need a person's hand."""
