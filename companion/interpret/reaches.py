"""How often who reaches over this table plays something: how much an arm tells, the table itself tells.

At a table whose players sit otherwise than was said, or reach for their glasses over the pieces, arms tell little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

USUAL_ACTIVE, USUAL_IDLE = 10.0, 0.2
"""Players who reached over the table between two looks and played something, and who played nothing, before this table
has shown its own: the share is that of the picture sets (of 75 none was idle, which is not to say that none ever is),
the numbers are small, for tables differ."""


@dataclass(frozen=True, slots=True)
class Reaches:
    """How many players reached over the table and had played something at the next look, and how many had not."""

    active: int = 0
    idle: int = 0

    @property
    def idle_nats(self) -> float:
        """How unlikely it is that somebody reached over the table and played nothing."""
        return math.log((self.active + self.idle + USUAL_ACTIVE + USUAL_IDLE) / (self.idle + USUAL_IDLE))

    def after(self, arms: int, idle: int) -> Reaches:
        """The same with so many arms more, so many of them of players who played nothing."""
        return Reaches(self.active + arms - idle, self.idle + idle)
