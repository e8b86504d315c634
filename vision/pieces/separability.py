"""From when on two pieces count as much alike."""

from __future__ import annotations

ALIKE_NATS = 6.0
"""Of two pieces nearer than this in an enrolment picture, a reflection or a game's light may make the companion ask."""
