"""From where a version comes: a wheel or a working folder, looked at before anything is made of it."""

from __future__ import annotations

import hashlib
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final

from companion.errors import InvalidError, phrase

NAME: Final = "tabletop-companion"
PARTS_OF_FOLDER: Final = ("companion", "vision", "web", "hardware", "systemd", "tests/data")
"""What of a working folder becomes part of a version."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A wheel or folder. With `wheels` all libraries are taken from that folder."""

    path: Path
    version: str
    digest: str
    """The same for the same content."""
    told: str
    """As people are told it."""
    wheels: Path | None = None


def origin_of(given: str | Path, wheels: Path | None = None, told: str = "") -> Origin:
    """What lies there. Raises `InvalidError` for what is no companion."""
    path = Path(given).resolve()
    if wheels is not None and not wheels.is_dir():
        raise InvalidError(phrase("box.no_wheels", where=str(wheels)))
    wheels = wheels.resolve() if wheels else None
    if path.is_dir():
        return Origin(path, _version_of_folder(path), _digest(path), told or str(path), wheels)
    return Origin(path, _version_of_wheel(path), _digest(path), told or path.name, wheels)


def newest_wheel(folder: Path) -> Path:
    """The wheel of the companion with the highest version in this folder. Raises `InvalidError` if there is none."""
    found = [each for each in folder.glob("*.whl") if each.name.lower().replace("_", "-").startswith(f"{NAME}-")]
    if not found:
        raise InvalidError(phrase("box.no_wheel", where=str(folder)))
    return max(found, key=lambda each: (version_key(each.name.split("-")[1]), each.stat().st_mtime))


def version_key(version: str) -> tuple[int, ...]:
    """Orders versions: 0.10.0 comes after 0.9.1."""
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in version.split("."))


def _version_of_folder(path: Path) -> str:
    with suppress(OSError, ValueError, LookupError, TypeError):
        project = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == NAME:
            return str(project["version"])
    raise InvalidError(phrase("box.no_companion", where=str(path)))


def _version_of_wheel(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as wheel:
            inside = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            told = BytesHeaderParser().parsebytes(wheel.read(inside)[:100_000])
            if wheel.testzip() is not None:
                raise InvalidError(phrase("box.broken_wheel", where=path.name))
    except (OSError, zipfile.BadZipFile, StopIteration, RuntimeError, NotImplementedError) as error:
        raise InvalidError(phrase("box.broken_wheel", where=path.name)) from error
    name = str(told["Name"] or "")
    if name.lower().replace("_", "-") != NAME:
        raise InvalidError(phrase("box.other_package", where=path.name, given=name or "?"))
    return str(told["Version"])


def _digest(path: Path) -> str:
    summed = hashlib.sha256()
    for file in _files(path):
        summed.update(f"{file.relative_to(path.parent)}\0{file.stat().st_size}\0".encode())
        summed.update(file.read_bytes())
    return summed.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    yield path / "pyproject.toml"
    for room in PARTS_OF_FOLDER:
        for file in sorted((path / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file
