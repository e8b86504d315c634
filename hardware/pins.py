"""Which pins: the real ones on a Raspberry Pi, gpiozero's mock pins elsewhere.

The config's `factory` decides, else `GPIOZERO_PIN_FACTORY`, else the machine: `lgpio`, `rpigpio` (the module RPi.GPIO,
by rpi-lgpio or the original) or `mock`. Real pins that are wanted and cannot be had are an error, in words: nobody
falls back to pins that do not exist.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import HardwareError, Phrase, phrase
from hardware.holders import programs_with

Factory = Any
"""A pin factory of gpiozero (which has no types)."""

REVISION = Path("/proc/device-tree/system/linux,revision")
"""Exists on every Raspberry Pi, and nowhere else."""

CHIPS = Path("/dev")


def on_a_pi(revision: Path = REVISION) -> bool:
    """Whether this machine is a Raspberry Pi."""
    return revision.exists()


def wanted(given: str | None, environ: Mapping[str, str] | None = None, *, pi: bool | None = None) -> str:
    """The name of the pin factory: as the config has `given` it, else as `GPIOZERO_PIN_FACTORY` and the machine do."""
    environ = os.environ if environ is None else environ
    pi = on_a_pi() if pi is None else pi
    return given or environ.get("GPIOZERO_PIN_FACTORY") or ("lgpio" if pi else "mock")


def factory(given: str | None = None, environ: Mapping[str, str] | None = None, *, pi: bool | None = None) -> Factory:
    """The pin factory of that name.

    Raises `HardwareError` when real pins are wanted and cannot be had.
    """
    name = wanted(given, environ, pi=pi)
    if name not in FACTORIES:
        raise HardwareError(phrase("hw.factory_unknown", given=name))
    return FACTORIES[name]()


def _mock() -> Factory:
    return MockFactory(pin_class=MockPWMPin)


def _lgpio() -> Factory:
    try:
        with _fifo_elsewhere():
            from gpiozero.pins.lgpio import LGPIOFactory

            return LGPIOFactory()
    except ImportError as error:
        raise HardwareError(phrase("hw.no_lgpio")) from error
    except Exception as error:  # lgpio and gpiozero raise types of their own for a board they cannot use
        raise HardwareError(phrase("hw.no_pins", given=str(error))) from error


def _rpigpio() -> Factory:
    try:
        with _fifo_elsewhere():  # rpi-lgpio loads lgpio
            from gpiozero.pins.rpigpio import RPiGPIOFactory

            return RPiGPIOFactory()
    except ImportError as error:
        raise HardwareError(phrase("hw.no_rpigpio")) from error
    except Exception as error:  # the original cannot use a Pi 5, and says so in its own way
        raise HardwareError(phrase("hw.no_pins", given=str(error))) from error


FACTORIES: Final[Mapping[str, Callable[[], Factory]]] = {"lgpio": _lgpio, "rpigpio": _rpigpio, "mock": _mock}
"""The factories by their names."""


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


@contextlib.contextmanager
def told_pins(part: Phrase, bcm: Sequence[int], factory: Factory) -> Iterator[None]:
    """Says in words which part's pin cannot be had, and who has it: raises `HardwareError` for whatever is raised."""
    try:
        yield
    except Exception as error:  # lgpio has an error type of its own, which only a Pi could name
        named = tuple(f"GPIO{each}" for each in bcm)
        if "busy" not in str(error).lower():
            raise HardwareError(phrase("hw.pin_taken", part=part, pins=named, given=str(error))) from error
        programs = programs_with(CHIPS / f"gpiochip{getattr(factory, 'chip', 0)}")
        if not programs:
            raise HardwareError(phrase("hw.pin_busy", part=part, pins=named)) from error
        raise HardwareError(phrase("hw.pin_busy_by", part=part, pins=named, given=programs)) from error


def is_mock(pins: Factory) -> bool:
    """Whether these pins can be pressed by a page."""
    return isinstance(pins, MockFactory)


def chosen_pins(given: str | None, environ: Mapping[str, str] | None = None, *, pi: bool | None = None) -> Phrase:
    """Which pins are used, and who chose them."""
    environ = os.environ if environ is None else environ
    name = wanted(given, environ, pi=pi)
    if given:
        return phrase("hw.factory.config", name=name)
    return phrase("hw.factory.environment" if environ.get("GPIOZERO_PIN_FACTORY") else f"hw.factory.{name}", name=name)
