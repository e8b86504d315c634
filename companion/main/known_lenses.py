"""Cameras whose lenses are known by their field of view, and the lens file that this means: centred, undistorted."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.errors import ConfigError, InvalidError, phrase
from companion.session.whole_file import write_whole

LEAST_DEG: Final = 20.0
MOST_DEG: Final = 120.0


@dataclass(frozen=True, slots=True)
class KnownLens:
    """A camera by its maker's name, its horizontal field of view in degrees, and the size of its pictures in px."""

    name: str
    degrees: float
    width: int = 2304
    height: int = 1296


KNOWN_LENSES: Final[Mapping[str, KnownLens]] = {
    "module-3": KnownLens("Raspberry Pi Camera Module 3", 66.0),
    "module-3-wide": KnownLens("Raspberry Pi Camera Module 3 Wide", 102.0),
    "module-2": KnownLens("Raspberry Pi Camera Module 2", 62.2, 1640, 1232),
    "hq-6mm": KnownLens("Raspberry Pi HQ Camera, 6 mm lens", 63.0, 2028, 1520),
    "ai-camera": KnownLens("Raspberry Pi AI Camera", 66.3, 2028, 1520),
    "c920": KnownLens("Logitech C920, C922", 70.4, 1920, 1080),
}
"""By the word that stands in the lens file and in its name."""
MEASURED_NAME: Final = "lens-measured.json"
OTHER_LENS: Final = "other"
"""A lens that is known by its angle alone."""


def lens_named(name: str, degrees: str) -> KnownLens:
    """A lens of the list, or the one with this angle that somebody typed. Raises `InvalidError`."""
    if name in KNOWN_LENSES:
        return KNOWN_LENSES[name]
    try:
        angle = float(degrees.replace(",", "."))
    except ValueError:
        angle = math.nan
    if name != OTHER_LENS or not LEAST_DEG <= angle <= MOST_DEG:
        raise InvalidError(phrase("setup.lens_angle", least=int(LEAST_DEG), most=int(MOST_DEG)))
    return KnownLens("", angle)


def keep_lens(folder: Path, name: str, lens: KnownLens, size: tuple[int, int] | None) -> str:
    """Writes the lens file, for pictures of `size` px if the camera gives such, and says its name. Raises
    `ConfigError`."""
    width, height = size or (lens.width, lens.height)
    focal = width / 2 / math.tan(math.radians(lens.degrees) / 2)
    said = {"width": width, "height": height, "K": [focal, 0, (width - 1) / 2, 0, focal, (height - 1) / 2, 0, 0, 1],
            "dist": [0, 0, 0, 0, 0], "known_as": name, "degrees": lens.degrees}
    return _written(folder / f"lens-{name}.json", said)


def keep_measured_lens(folder: Path, lens: Mapping[str, Any]) -> str:
    """Writes the lens file of a lens that was measured, and says its name. Raises `ConfigError`."""
    return _written(folder / MEASURED_NAME, lens)


def _written(file: Path, said: Mapping[str, Any]) -> str:
    try:
        write_whole(file, json.dumps(said).encode())
    except OSError as error:
        raise ConfigError(phrase("settings.unwritable", where=str(file), given=str(error.strerror))) from error
    return file.name


def kept_lens(file: Path) -> tuple[str, float]:
    """The word and the angle of a lens file that `keep_lens` wrote; an empty word for one of people's own."""
    try:
        said: Any = json.loads(file.read_text(encoding="utf-8"))
        return str(said["known_as"]), float(said["degrees"])
    except (OSError, ValueError, LookupError, TypeError):
        return "", 0.0
