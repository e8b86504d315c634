"""The pin libraries, on lines that keep their level: gpiozero's own pins over stand-ins for the chip beneath them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.local import LocalPiFactory

from hardware import pins
from tests.hardware.fake_lgpio import FakeLgpio
from tests.hardware.fake_rpi_gpio import FakeRpiGpio

PI_5 = 0xC04170
LIBRARIES = ("lgpio", "rpigpio by rpi-lgpio", "rpigpio")
OURS = ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.lgpio", "gpiozero.pins.rpigpio")


@contextmanager
def on_chip(library: str, patch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    """The chip that this library's pins are on, while gpiozero finds nothing else."""
    chip = FakeLgpio()
    before = {name: sys.modules.pop(name) for name in OURS if name in sys.modules}
    modules: dict[str, ModuleType] = {"lgpio": chip}
    if library == "rpigpio by rpi-lgpio" and find_spec("RPi") is None:
        pytest.skip("rpi-lgpio is not installed: pip install rpi-lgpio")
    if library == "rpigpio":
        modules |= {"RPi": ModuleType("RPi"), "RPi.GPIO": FakeRpiGpio(chip)}
        modules["RPi"].GPIO = modules["RPi.GPIO"]  # type: ignore[attr-defined]
    patch.setattr(LocalPiFactory, "_get_revision", lambda self: PI_5)
    patch.setenv("RPI_LGPIO_REVISION", f"{PI_5:x}")
    patch.setenv("RPI_LGPIO_CHIP", "0")
    sys.modules.update(modules)
    try:
        yield chip
    finally:
        LocalPiFactory.pins.clear()  # both are those of all factories of a process
        LocalPiFactory._reservations.clear()
        for name in OURS:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def factory_of(library: str) -> Any:
    """The pin factory, as the config names it."""
    return pins.factory(library.partition(" ")[0])
