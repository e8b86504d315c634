"""What the machine shows of itself, in files below `root`: power, heat, clock, name, memory, disk."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import phrase
from hardware.doctor import Finding

HOT_C: Final = 80.0
"""A Raspberry Pi slows down from here on."""
LEAST_FREE_BYTES: Final = 100_000_000
FULL: Final = 0.9
LEAST_MEMORY_KB: Final = 100_000
FIRST_YEAR_S: Final = 1_767_225_600.0
"""The first second of 2026: a clock before it has not been set."""
UNDER_VOLTAGE, WAS_UNDER_VOLTAGE = 0x1, 0x10000
"""Bits of what the firmware calls throttled."""


def machine_findings(
    root: Path, folder: Path, *, now_s: Callable[[], float] = time.time,
    throttled: Callable[[], int | None] | None = None,
) -> Iterator[Finding]:
    """Everything; `folder` is the state folder. Never raises."""
    yield from power((throttled or firmware_says)())
    yield from heat(root)
    yield clock(root, now_s())
    yield name(root)
    yield from memory(root)
    yield disk(folder)


def power(bits: int | None) -> Iterator[Finding]:
    """Whether the power supply is strong enough, where that can be known."""
    if bits is not None:
        well = not bits & (UNDER_VOLTAGE | WAS_UNDER_VOLTAGE)
        worse = "doctor.power_low" if bits & UNDER_VOLTAGE else "doctor.power_was_low"
        yield Finding(well, phrase("doctor.power" if well else worse))


def heat(root: Path) -> Iterator[Finding]:
    """The hottest place that the kernel knows."""
    found = []
    for file in root.glob("sys/class/thermal/thermal_zone*/temp"):
        with suppress(OSError, ValueError):
            found.append(int(file.read_text()) / 1000)
    if found:
        well = max(found) < HOT_C
        yield Finding(well, phrase("doctor.heat" if well else "doctor.hot", given=round(max(found))))


def clock(root: Path, now_s: float) -> Finding:
    """Whether the clock has been set since the machine started."""
    if now_s < FIRST_YEAR_S:
        return Finding(False, phrase("doctor.clock_wrong"))
    synchronized = (root / "run/systemd/timesync/synchronized").exists()
    return Finding(True, phrase("doctor.clock" if synchronized else "doctor.clock_alone"))


def name(root: Path) -> Finding:
    """Whether phones find the machine by its name."""
    host = socket.gethostname().split(".")[0]
    if (root / "run/avahi-daemon/pid").exists():
        return Finding(True, phrase("doctor.name", given=f"http://{host}.local"))
    return Finding(True, phrase("doctor.no_name"), ("avahi-daemon",))


def memory(root: Path) -> Iterator[Finding]:
    """What is left."""
    with suppress(OSError, ValueError, StopIteration):
        lines = (root / "proc/meminfo").read_text().splitlines()
        free_kb = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
        well = free_kb >= LEAST_MEMORY_KB
        yield Finding(well, phrase("doctor.memory" if well else "doctor.memory_low", given=free_kb // 1024))


def disk(folder: Path) -> Finding:
    """The disk of the state folder: room, and whether it takes anything."""
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))
    try:
        room = shutil.disk_usage(there)
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            return Finding(False, phrase("safe.read_only", where=str(folder)))
    except OSError as error:
        return Finding(False, phrase("safe.unwritable", where=str(folder), given=error.strerror or ""))
    full = room.free < LEAST_FREE_BYTES or room.used / max(1, room.used + room.free) > FULL
    told = phrase("doctor.disk_full" if full else "doctor.disk", given=room.free // 1_000_000, where=str(folder))
    return Finding(not full, told)


def firmware_says() -> int | None:
    """What the firmware of a Raspberry Pi says of its power; None elsewhere."""
    for file in Path("/sys/devices/platform/soc").glob("soc:firmware/get_throttled"):
        with suppress(OSError, ValueError):
            return int(file.read_text(), 16)
    with suppress(OSError, subprocess.SubprocessError, ValueError, IndexError):
        asked = subprocess.run(
            ["vcgencmd", "get_throttled"], capture_output=True, text=True, check=True, timeout=5)
        return int(asked.stdout.split("=")[1], 16)
    return None
