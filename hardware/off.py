"""Switches every lamp and the buzzer off: `python -m hardware.off [CONFIG]`, run by systemd after the service ended.

A Raspberry Pi keeps the levels of its pins when a process dies, so a crash would leave lamps that lie. The service
wrote down which pins it used (`hardware.last_pins`): neither a broken config nor one that was changed since is in the
way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import gpiozero

from companion.errors import CompanionError, Phrase
from companion.session import config
from companion.session.config import PinConfig
from companion.session.config_file import tables_in
from companion.words import load
from hardware import pins
from hardware.last_pins import last_pins
from hardware.pins import told_pins
from hardware.wiring import Wire, wires


def main(arguments: list[str]) -> int:
    """Exit code: 0 all dark, 1 not (the reason is printed)."""
    file = Path(arguments[0]) if arguments else None
    try:
        used = _used(file)
        factory = pins.factory(used.factory)
    except CompanionError as error:
        return _say(error.phrase)
    lit = [_switch_off(wire, factory) for wire in wires(used) if wire.role != "button"]
    return max((_say(why) for why in lit if why is not None), default=0)


def _switch_off(wire: Wire, factory: pins.Factory) -> Phrase | None:
    """Drives one pin low and gives it back; the reason when it cannot be had. The others go off all the same."""
    try:
        with told_pins(wire.part, (wire.bcm,), factory):
            gpiozero.OutputDevice(wire.bcm, initial_value=False, pin_factory=factory).close()
    except CompanionError as error:
        return error.phrase
    return None


def _say(why: Phrase) -> int:
    sys.stderr.write(load().say(why) + "\n")
    return 1


def _used(file: Path | None) -> PinConfig:
    """The pins that were used last, else those of the config. Raises `ConfigError`."""
    known = (last_pins(folder) for folder in _state_folders(file))
    return next((each for each in known if each is not None), None) or config.load_config(file).pins


def _state_folders(file: Path | None) -> Iterator[Path]:
    """Where the service keeps its state: as the config says, if that much of it can be read, and as it is without."""
    with suppress(CompanionError):
        if file is not None and "state" in (tables := tables_in(file)):
            yield config.read_config({"state": tables["state"]}, file.parent).folder
    yield config.default_folder()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
