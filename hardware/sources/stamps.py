"""When a picture was taken, by the stamp that its camera's driver gave it.

    >>> taken_s(100.0, stamp_ns=7_900_000_000, now_ns=8_000_000_000)
    99.9
    >>> taken_s(100.0, stamp_ns=0, now_ns=8_000_000_000)                # a driver that gives none
    100.0
"""

from __future__ import annotations

from typing import Final

MAX_AGE_S: Final = 5.0
"""An older stamp is of another clock."""


def taken_s(now_s: float, stamp_ns: float, now_ns: float) -> float:
    """The time of a picture on the clock that says `now_s`; the stamp is of the clock that says `now_ns` (the system's
    monotonic one, which drivers use). A stamp from the future, or an old one, is of some other clock: then it is now.
    """
    age_s = (now_ns - stamp_ns) / 1e9
    return now_s - age_s if 0.0 <= age_s <= MAX_AGE_S else now_s
