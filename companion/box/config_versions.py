"""A config file of another version, written anew as this version has it; the file as it was is kept beside it.

Root does it when a version is put in use: the service may not write what root configured. People's lines and comments
stay as they are, lines are added to them. On the way back to an older version its own file counts again.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from companion.box.versions import write_file
from companion.errors import Phrase, phrase
from companion.session.config_file import CONFIG_VERSION, VERSION_KEY, version_of

VERSION_LINE: Final = "version = {}      # of this file; install.sh writes an older one anew and keeps a copy\n"


def fit_config(file: Path, factory: str) -> Phrase | None:
    """Brings the file to this version; says what was done, None: nothing. `factory` is which pins this machine has.

    A file that cannot be understood stays as it is: the start says what is wrong with it. Raises `OSError`."""
    try:
        text = file.read_text(encoding="utf-8")
        given = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    version = version_of(given)
    if version is None or version == CONFIG_VERSION:
        return None
    return _put_back(file, version) if version > CONFIG_VERSION else _migrate(file, text, given, version, factory)


def kept_copy(file: Path, version: int) -> Path:
    """Where the file of another version is kept."""
    return file.with_name(f"{file.name}.version-{version}")


def _migrate(file: Path, text: str, given: Mapping[str, Any], version: int, factory: str) -> Phrase | None:
    """From version 1, whose unit said which pins there are. A heading that cannot be told from a text stays away."""
    bare = VERSION_LINE.format(CONFIG_VERSION) + re.sub(rf"^{VERSION_KEY}\s*=.*\n", "", text, count=1, flags=re.M)
    pins, wanted = given.get("pins", {}), {**given, VERSION_KEY: CONFIG_VERSION}
    ways = [(bare, wanted, VERSION_KEY)]
    if isinstance(pins, dict) and "factory" not in pins:
        said = {**wanted, "pins": {**pins, "factory": factory}}
        ways.insert(0, (_with_pins(bare, f'factory = "{factory}"'), said, f"{VERSION_KEY}, pins.factory"))
    for new, said, added in ways:
        if _says(new, said):
            kept = _keep_copy(file, version)
            _write_like(file, new.encode(), file)
            return phrase("config.migrated", where=str(file), file=str(kept), given=added)
    return None


def _put_back(file: Path, version: int) -> Phrase | None:
    """The file of this version counts again, if it was kept."""
    ours = kept_copy(file, CONFIG_VERSION)
    if not ours.exists():
        return None
    kept = _keep_copy(file, version)
    _write_like(file, ours.read_bytes(), file)
    return phrase("config.put_back", where=str(file), file=str(kept))


def _with_pins(text: str, line: str) -> str:
    """The line below the heading of the pins, which is added where there is none."""
    heading = re.search(r"^[ \t]*\[[ \t]*pins[ \t]*\][^\n]*$", text, re.M)
    if heading is not None:
        return f"{text[:heading.end()]}\n{line}{text[heading.end():]}"
    return f"{text.rstrip()}\n\n[pins]\n{line}\n"


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    """Whether the new text says all that the old one did, and what was added, and nothing else."""
    with suppress(tomllib.TOMLDecodeError):
        return tomllib.loads(text) == wanted
    return False


def _keep_copy(file: Path, version: int) -> Path:
    """The file as it is, beside it; an older copy of that version gets a number."""
    kept = kept_copy(file, version)
    if kept.exists() and kept.read_bytes() != file.read_bytes():
        numbers = (kept.with_name(f"{kept.name}.{number}") for number in count(2))
        kept.rename(next(each for each in numbers if not each.exists()))
    _write_like(kept, file.read_bytes(), file)
    return kept


def _write_like(file: Path, content: bytes, like: Path) -> None:
    """Writes a file for the same eyes as this one: it may hold a password."""
    was = like.stat()
    write_file(file, content, was.st_mode & 0o777, (was.st_uid, was.st_gid))
