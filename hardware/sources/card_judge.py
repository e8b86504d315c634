"""Exposure and white balance judged by the tag cards, once they are seen, and then left alone.

What a camera finds by itself depends on all that it sees: a dark cloth under the cards makes it overexpose them. The
white patches of the cards are what colours are compared with, so they decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from vision.imaging.frame import Image
from vision.photometry.card_light import CardLight, card_light

WANTED_GREEN: Final = 0.6
"""The linear light of a white patch that leaves headroom for gloss, and is far from noise."""
NEAR: Final = 0.1
"""So near, as a share, is near enough."""
MAX_FACTOR: Final = 4.0
CLIPPED_FACTOR: Final = 0.4
"""By what light is changed when nobody knows how much too bright it is."""
EVERY_S: Final = 1.0
"""A change takes a few pictures to be seen; and looking for cards costs time."""
MAX_CHANGES: Final = 5

LONGEST_US: Final = 66_000
"""A longer exposure blurs what moves; more light comes from gain then."""
MAX_GAIN: Final = 10.0
LEAST_COLOUR, MOST_COLOUR = 0.3, 8.0


@dataclass(frozen=True, slots=True)
class Setting:
    """How a picture is taken: the time of exposure, the gain, and the gains of red and blue."""

    exposure_us: float
    gain: float
    red: float
    blue: float

    def brighter(self, factor: float) -> Setting:
        """The setting with so much more light; time goes first, as it makes no noise."""
        wanted_us = self.exposure_us * self.gain * factor
        exposure_us = min(LONGEST_US, wanted_us)
        gain = min(MAX_GAIN, max(1.0, wanted_us / exposure_us))
        return Setting(exposure_us, gain, self.red, self.blue)


def factor_to_white(seen: CardLight) -> float:
    """By what light has to be changed until the cards are as bright as they should be."""
    if seen.is_clipped:
        return CLIPPED_FACTOR
    return min(MAX_FACTOR, max(1 / MAX_FACTOR, WANTED_GREEN / seen.green))


def is_good(seen: CardLight, with_colour: bool) -> bool:
    """Whether nothing has to be changed."""
    shares = (seen.red_share, seen.blue_share) if with_colour else ()
    return not seen.is_clipped and all(abs(each - 1.0) <= NEAR for each in (seen.green / WANTED_GREEN, *shares))


def balanced(setting: Setting, seen: CardLight) -> Setting:
    """The setting under which the cards would be white."""
    brighter = setting.brighter(factor_to_white(seen))
    if seen.is_clipped:  # its colours tell nothing
        return brighter
    red, blue = (min(MOST_COLOUR, max(LEAST_COLOUR, gain / share)) for gain, share in (
        (setting.red, seen.red_share), (setting.blue, seen.blue_share)))
    return Setting(brighter.exposure_us, brighter.gain, red, blue)


class CardJudge:
    """Looks for the cards now and then until the picture is good by them, or was changed often enough."""

    def __init__(self, clock: Callable[[], float], with_colour: bool) -> None:
        self._clock, self._with_colour = clock, with_colour
        self._looked_s, self._left = clock(), MAX_CHANGES

    def begin(self) -> None:
        """The camera was opened anew."""
        self._looked_s, self._left = self._clock(), MAX_CHANGES

    def fault(self, image: Image) -> CardLight | None:
        """What is wrong with the cards' light and is to be changed now; None when nothing is."""
        now_s = self._clock()
        if not self._left or now_s - self._looked_s < EVERY_S:
            return None
        self._looked_s = now_s
        seen = card_light(image)
        if seen is None:
            return None
        if is_good(seen, self._with_colour):
            self._left = 0
            return None
        self._left -= 1
        return seen
