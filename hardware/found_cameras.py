"""The cameras of this machine, by what the system says of them: none is opened, and no library of theirs is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

V4L2: Final = Path("/sys/class/video4linux")
NO_CAMERAS: Final = ("bcm2835-codec", "bcm2835-isp", "pispbe", "rp1-cfe", "unicam", "rpivid", "rpi-hevc", "hevc")
"""What a Raspberry Pi's own devices are called: they compute, or are read through picamera2."""
MAX_CAMERA_NUMBER: Final = 63
MAX_CAMERA_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera as `source.camera` names it, and as people know it; an empty `label`: the Pi's own."""

    source: int | str
    label: str


def found_cameras(folder: Path = V4L2, find: Callable[[str], Any] = find_spec) -> tuple[FoundCamera, ...]:
    """The Pi's own camera, where its library is there, and all others by their numbers."""
    own = (FoundCamera("picamera2", ""),) if find("picamera2") is not None else ()
    return (*own, *sorted(_of_v4l2(folder), key=lambda each: int(each.source)))


def _of_v4l2(folder: Path) -> Iterator[FoundCamera]:
    for device in folder.glob("video*"):
        number, name = device.name.removeprefix("video"), _said(device / "name")
        if not number.isdecimal() or int(number) > MAX_CAMERA_NUMBER or name.lower().startswith(NO_CAMERAS):
            continue
        if _said(device / "index") in ("", "0"):  # others give what the first one does, or no pictures at all
            yield FoundCamera(int(number), name or device.name)


def _said(file: Path) -> str:
    """A line of the system's, fit to be shown; empty when there is none."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "".join(each for each in text.strip() if each.isprintable())[:MAX_CAMERA_NAME]
