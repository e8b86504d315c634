"""Which pins: the real ones on a Raspberry Pi, gpiozero's mock pins elsewhere.

`GPIOZERO_PIN_FACTORY` decides when it is set (`lgpio`, `mock`); without it the machine does. A Pi never falls back
to pins that do not exist: it fails at once, in words.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import HardwareError, phrase

Factory = Any
"""A pin factory of gpiozero (which has no types)."""

REVISION = Path("/proc/device-tree/system/linux,revision")
"""Exists on every Raspberry Pi, and nowhere else."""


def on_a_pi(revision: Path = REVISION) -> bool:
    """Whether this machine is a Raspberry Pi."""
    return revision.exists()


def factory(environ: Mapping[str, str] | None = None, *, pi: bool | None = None) -> Factory:
    """The pin factory that this machine and `GPIOZERO_PIN_FACTORY` ask for.

    Raises `HardwareError` when real pins are wanted and cannot be had.
    """
    environ = os.environ if environ is None else environ
    pi = on_a_pi() if pi is None else pi
    wanted = environ.get("GPIOZERO_PIN_FACTORY") or ("lgpio" if pi else "mock")
    if wanted == "mock":
        return MockFactory(pin_class=MockPWMPin)
    if wanted != "lgpio":
        raise HardwareError(phrase("hw.factory_unknown", given=wanted))
    return _lgpio()


def _lgpio() -> Factory:
    try:
        with _fifo_elsewhere():
            from gpiozero.pins.lgpio import LGPIOFactory

            return LGPIOFactory()
    except ImportError as error:
        raise HardwareError(phrase("hw.no_lgpio")) from error
    except Exception as error:  # lgpio and gpiozero raise types of their own for a board they cannot use
        raise HardwareError(phrase("hw.no_pins", given=str(error))) from error


@contextlib.contextmanager
def _fifo_elsewhere() -> Iterator[None]:
    """lgpio makes a FIFO in its working directory at import and moves the process there: comes back afterwards."""
    here = Path.cwd()
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="companion-pins-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        yield
    finally:
        os.chdir(here)


def is_mock(pins: Factory) -> bool:
    """Whether these pins can be pressed by a page."""
    return isinstance(pins, MockFactory)
