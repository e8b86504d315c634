"""No camera: the game is played by phone and buttons alone."""

from __future__ import annotations

from vision.imaging.frame import Frame


class NoCamera:
    """Gives no pictures, ever."""

    def open(self) -> None:
        """There is nothing to open."""

    def read(self) -> Frame | None:
        """There will be no picture."""
        return None

    def expose(self, factor: float) -> bool:
        """Nothing can be set."""
        del factor
        return False

    def close(self) -> None:
        """There is nothing to close."""
