"""A frame whose picture is made when somebody looks at it for the first time, and which knows whether anybody did.

    >>> import numpy as np
    >>> from vision.imaging.frame import SMALL_WH
    >>> small = np.zeros((*SMALL_WH[::-1], 3), np.uint8)
    >>> frame = LazyFrame(lambda: np.zeros((720, 1280, 3), np.uint8), (720, 1280, 3), small, at_s=0.5, number=7)
    >>> frame.shape, frame.was_asked
    ((720, 1280, 3), False)
    >>> frame.image.shape, frame.was_asked
    ((720, 1280, 3), True)
"""

from __future__ import annotations

from collections.abc import Callable

from vision.imaging.frame import Frame, Image


class LazyFrame(Frame):
    """See the module. `make` gives the picture, `shape` is its shape; `shown` gives one for who only shows it, without
    making it."""

    __slots__ = ("_image", "_make", "_shape", "_shown")
    _image: Image | None
    _make: Callable[[], Image]
    _shape: tuple[int, ...]
    _shown: Callable[[], Image] | None

    def __init__(self, make: Callable[[], Image], shape: tuple[int, ...], small: Image, at_s: float, number: int,
                 shown: Callable[[], Image] | None = None) -> None:
        for name, value in (("small", small), ("at_s", at_s), ("number", number), ("_image", None), ("_make", make),
                            ("_shape", shape), ("_shown", shown)):
            object.__setattr__(self, name, value)

    @property
    def image(self) -> Image:
        """The picture."""
        if self._image is None:
            object.__setattr__(self, "_image", self._make())
            assert self._image is not None
        return self._image

    @property
    def was_asked(self) -> bool:
        """Whether anybody looked at the picture."""
        return self._image is not None

    @property
    def shape(self) -> tuple[int, ...]:
        """The picture's height, width and number of channels."""
        return self._shape

    @property
    def is_coloured(self) -> bool:
        """Whether it is a picture as eyes want it."""
        return len(self.shape) == 3 and self.shape[2] == 3

    @property
    def unasked(self) -> Frame:
        """The frame for who only shows it."""
        if self.was_asked or self._shown is None:
            return self
        return Frame(self._shown(), self.small, self.at_s, self.number)
