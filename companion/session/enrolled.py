"""What enrolments with the camera leave in the state folder: pictures until they are done with, piece sets, verdicts.

    KEEP/enrolment/             the pictures of the one that is going on, its plan, whose pieces they are
    KEEP/pieces/GAME.pieces     the pieces of a game as they are known now; .pieces.1, .pieces.2 … earlier ones
    KEEP/pieces/GAME.json       which of them are most alike, with pictures GAME-0.jpg …
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from companion.session.enrolment import AlikeShown, EnrolmentShown
from companion.session.events import read_phrase, write_phrase
from companion.session.kept_pieces import PIECES
from companion.session.whole_file import write_whole

_PICTURES: Final = "enrolment"
WHOSE, LEARNED = "whose.json", "learned"
"""Files among the pictures: whose pieces they show; that there is a piece set of all of them."""
PLAN: Final = "plan.json"
"""The file with what to lay where in each picture, so that an enrolment can be gone on with."""
_ALIKE_PICTURE: Final = re.compile(r"[a-z0-9-]{1,64}-[0-9]{1,2}")


@dataclass(frozen=True, slots=True)
class WhosePieces:
    """Whose pieces are enrolled: the `name` of the set that lists them, and the id of its game."""

    name: str
    game: str


def pictures_folder(keep: Path) -> Path:
    """The folder with the pictures of the enrolment that is going on."""
    return keep / _PICTURES


def keep_earlier(file: Path) -> Path | None:
    """Keeps a copy of a file that is about to be replaced, by the first number that is free; None without a file.
    Raises `OSError`."""
    if not file.exists():
        return None
    aside = next(each for number in count(1) if not (each := file.with_name(f"{file.name}.{number}")).exists())
    write_whole(aside, file.read_bytes())
    return aside


def keep_whose(folder: Path, whose: WhosePieces) -> None:
    """Says among the pictures whose pieces they show. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / WHOSE, json.dumps({"name": whose.name, "game": whose.game}).encode())


def whose_pieces(keep: Path) -> WhosePieces | None:
    """Whose pieces the enrolment is of that is going on; None when there is none."""
    told = _json(pictures_folder(keep) / WHOSE)
    if not isinstance(told, dict) or not all(isinstance(told.get(key), str) for key in ("name", "game")):
        return None
    return WhosePieces(told["name"], told["game"])


def left_off(keep: Path) -> EnrolmentShown | None:
    """The enrolment that was broken off, or is learned but not done with, as far as its files say it."""
    whose, folder = whose_pieces(keep), pictures_folder(keep)
    if whose is None:
        return None
    taken, plan = _json(folder / "enrol.json"), _json(folder / PLAN)
    number = len(taken) if isinstance(taken, list) else 0
    is_learned = (folder / LEARNED).exists()
    return EnrolmentShown(
        "learned" if is_learned else "stopped", whose.name, whose.game, number,
        len(plan) if isinstance(plan, list) else 1, tuple(range(number)),
        alike=read_alike(keep, whose.game) if is_learned else ())


def keep_alike(keep: Path, game: str, alike: tuple[AlikeShown, ...]) -> None:
    """Keeps which pieces of a game are most alike. Raises `OSError`."""
    told = [{"said": write_phrase(each.said), "one": each.one, "other": each.other, "is_good": each.is_good,
             "pictures": each.pictures} for each in alike]
    write_whole((keep / PIECES / f"{game}.json"), json.dumps(told).encode())


def read_alike(keep: Path, game: str) -> tuple[AlikeShown, ...]:
    """The same again; nothing when it was not kept."""
    with suppress(LookupError, TypeError):
        return tuple(AlikeShown(read_phrase(each["said"]), str(each["one"]), str(each["other"]), bool(each["is_good"]),
                                tuple(map(str, each["pictures"])))
                     for each in _json(keep / PIECES / f"{game}.json") or ())
    return ()


def alike_picture(keep: Path, name: str) -> bytes | None:
    """The picture of a piece that is much like another, as JPEG; None when there is none of this name."""
    if _ALIKE_PICTURE.fullmatch(name):
        with suppress(OSError):
            return (keep / PIECES / f"{name}.jpg").read_bytes()
    return None


def _json(file: Path) -> Any:
    with suppress(OSError, ValueError):
        return json.loads(file.read_text(encoding="utf-8"))
    return None
