"""What the pages ask about the lens of the own table's camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from companion.session.survey import LensMeasured, LensWish


class OfferedLens(Protocol):
    """A lens that is known."""

    @property
    def name(self) -> str:
        """Its camera, by its maker's name."""

    @property
    def degrees(self) -> float:
        """Its horizontal field of view."""


class LensPort(Protocol):
    """The lens: chosen, or measured by the sheet."""

    @property
    def lenses(self) -> Mapping[str, OfferedLens]:
        """The lenses to choose from, by a word."""

    @property
    def lens(self) -> tuple[str, float]:
        """The word of the chosen lens and its angle; an empty word for a file of people's own, or for none."""

    def choose_lens(self, name: str, degrees: str) -> None:
        """The camera has this lens from now on, or one with so many degrees; raises `CompanionError`."""

    def measure_lens(self, how: LensWish) -> LensMeasured | None:
        """How far the measuring of the lens is; None while no picture comes. Asked once, it soon goes on."""

    def use_measured_lens(self) -> None:
        """The camera has the lens that was measured from now on; raises `CompanionError`."""

    def lens_pdf(self, paper: str) -> bytes:
        """The sheet by which a lens is measured, as PDF; raises `CompanionError`."""

    def lens_png(self) -> bytes:
        """The same as a picture; raises `CompanionError`."""
