"""Which pieces an enrolment is of, and by which lens they are seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from companion.errors import InvalidError, phrase
from companion.session.config import SourceConfig
from vision.enrolment.picture_set import PictureSet, read_set
from vision.imaging.camera import Lens, lens_from_json, module_3_lens


def described(named: Path, source: SourceConfig, example: Path | None) -> tuple[PictureSet, Lens]:
    """The pieces and the lens: of a folder with set.json, in which enrol.json may say what to lay where; of a set.json
    alone; or the pieces of an `example`, for which the lens is not the camera's. Raises `InvalidError`."""
    known = read_set(example or (named.parent if named.is_file() else named))
    lens = known.lens if example is None and source.lens is None else lens_of(source)
    if example is not None:
        return replace(known, enrolments=(), zones={}, seats={}), lens  # those of another table
    return (replace(known, enrolments=()) if named.is_file() else known), lens


def lens_of(source: SourceConfig) -> Lens:
    """The lens file of a source, or what is known of the usual camera. Raises `InvalidError`."""
    if source.lens is None:
        return module_3_lens()
    try:
        return lens_from_json(json.loads(source.lens.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise InvalidError(phrase("house.no_lens", where=str(source.lens))) from error
