"""Exposure and white balance judged by the tag cards, once they are seen, and then left alone while the light stays.

What a camera finds by itself depends on all that it sees: a dark cloth under the cards makes it overexpose them. The
white patches of the cards are what colours are compared with, so they decide. A lamp that is switched on or off later
burns the picture out or leaves it dark: then they decide again.
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
AGAIN_EVERY_S: Final = 5.0
"""How often a light that was found good is looked at again."""
OTHER_LIGHT_FACTOR: Final = 2.5
"""By such a factor darker or brighter, another light has come: clouds and the shadow of a hand change less."""
CONFIRMED: Final = 2
"""So many looks in a row have to show another light."""

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


def is_other_light(seen: CardLight, held: CardLight) -> bool:
    """Whether the cards are burnt out, or far darker or brighter than under the light whose setting is held."""
    if seen.is_clipped or held.is_clipped:
        return seen.is_clipped != held.is_clipped
    return not 1 / OTHER_LIGHT_FACTOR <= seen.green / held.green <= OTHER_LIGHT_FACTOR


class CardJudge:
    """Looks for the cards now and then until the picture is good by them, or was changed often enough; then more
    seldom, whether the light is still that one."""

    def __init__(self, clock: Callable[[], float], with_colour: bool) -> None:
        self._clock, self._with_colour = clock, with_colour
        self.begin()

    def begin(self) -> None:
        """The camera was opened anew."""
        self._looked_s, self._left = self._clock(), MAX_CHANGES
        self._held: CardLight | None = None
        self._others = 0

    def fault(self, image: Image) -> CardLight | None:
        """What is wrong with the cards' light and is to be changed now; None when nothing is."""
        now_s = self._clock()
        if now_s - self._looked_s < (EVERY_S if self._held is None else AGAIN_EVERY_S):
            return None
        self._looked_s = now_s
        seen = card_light(image)
        if seen is None or self._is_as_held(seen):
            return None
        if not self._left or is_good(seen, self._with_colour):
            self._held = seen
            return None
        self._left -= 1
        return seen

    def _is_as_held(self, seen: CardLight) -> bool:
        """Whether nothing is to be judged: the light is that whose setting is held, or not surely another."""
        if self._held is None:
            return False
        self._others = self._others + 1 if is_other_light(seen, self._held) else 0
        if self._others < CONFIRMED:
            return True
        self.begin()
        return False
