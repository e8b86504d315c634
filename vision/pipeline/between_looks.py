"""What was seen between two looks: whose arms, and for how long nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from companion.table import Observation


@dataclass(frozen=True, slots=True)
class BetweenLooks:
    """Since the last look that was read: when the newest picture was taken (monotonic seconds) and how long after the
    one before, the players whose arms were seen, for how long the table could not be read though nobody's arm was, and
    the longest time without any picture."""

    newest_s: float = math.inf
    waited_s: float = 0.0
    arms: frozenset[int] = frozenset()
    unread_s: float = 0.0
    unwatched_s: float = 0.0

    def until(self, at_s: float) -> BetweenLooks:
        """The same with a picture taken at `at_s`."""
        waited_s = max(0.0, at_s - self.newest_s)
        return replace(self, newest_s=at_s, waited_s=waited_s, unwatched_s=max(self.unwatched_s, waited_s))

    def unread(self, reaching: int | None) -> BetweenLooks:
        """The same where the newest picture could not be read, as this player was reaching over the table, or nobody
        that is known."""
        if reaching is None:
            return replace(self, unread_s=self.unread_s + self.waited_s)
        return replace(self, arms=self.arms | {reaching})

    def told(self, observation: Observation) -> Observation:
        """The look at the newest picture, with what was seen before it."""
        return replace(observation, arms=self.arms, unread_s=self.unread_s, unwatched_s=self.unwatched_s)
