"""Memory that was needed for a moment goes back to the system: a small Pi has little, and glibc keeps much."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""The numbers of glibc's options (`mallopt`)."""
FREE_BYTES: Final = 131_072
"""More than so much is not kept in store, and a piece of this size is asked for alone and given back alone."""


def be_frugal() -> None:
    """From now on, for all threads: one store of memory, and nothing kept that is free."""
    with suppress(OSError, AttributeError):  # another C library
        libc = ctypes.CDLL("libc.so.6")
        for option, value in ((ARENA_MAX, 1), (TRIM_THRESHOLD, FREE_BYTES), (MMAP_THRESHOLD, FREE_BYTES)):
            libc.mallopt(option, value)


def give_back() -> None:
    """Returns to the system what reading needed for a moment; glibc would keep most of it."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
