"""The threshold of similarity of two pieces."""

from __future__ import annotations

ALIKE_NATS = 6.0
"""With a smaller log-likelihood ratio in an enrolment picture, a reflection or a game's light may make the companion
ask which of two pieces it is."""
