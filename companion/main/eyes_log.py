"""What stands in the log of the eyes: one line when pictures cease to come, and one when they come again.

A camera that is away is tried for hours, and eyes that end are started anew: what did not change is not said again.
"""

from __future__ import annotations

import logging

from companion.errors import Phrase
from companion.table import EyesState

_logger = logging.getLogger(__name__)


class StateLog:
    """Logs each change once. For the thread of the eyes' supervisor."""

    def __init__(self) -> None:
        self._why: Phrase | None = None

    def state(self, state: EyesState, why: Phrase | None) -> None:
        """The eyes are in this state now."""
        if state == "gone":
            if why != self._why:
                self._why = why
                _logger.warning("no pictures: %s", why)
        elif state not in ("starting", "none") and self._why is not None:
            self._why = None
            _logger.warning("pictures come again")
