from __future__ import annotations

from companion.session.config import PinConfig

TWO_SEATS = PinConfig(seats=((5, 17), (6, 27)), status_rgb=(12, 13, 19), buzzer=18)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
