"""Pieces are learned once a run: many tests begin with those of the same excerpt, and learning takes most of a minute.

What is kept is found by all that is learned from, so that nothing else (the truth of a set, its folder) can come in.
It is of this run alone: every run learns anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.table import Appearance, Piece, PieceKind
from vision.enrolment.opened_picture import LaidPicture
from vision.imaging.camera import Lens
from vision.imaging.frame import Image
from vision.pieces.piece_set import PieceSet

Learn = Callable[..., PieceSet]


def once(enrol: Learn, folder: Path) -> Learn:
    """`enrol` that keeps what it learned in a folder. Another process waits for what one is learning."""

    def learn(pictures: Sequence[LaidPicture], pieces: Sequence[Piece], lens: Lens,
              told: Callable[[float], None] = lambda _: None, drawn: Mapping[Appearance, Image] | None = None,
              kinds: Collection[PieceKind] = ()) -> PieceSet:
        file = folder / f"{fingerprint(pictures, pieces, lens, drawn or {}, kinds)}.pieces"
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_bytes(pickle.dumps(enrol(pictures, pieces, lens, told, drawn, kinds)))
        told(1.0)
        found = pickle.loads(file.read_bytes())
        assert isinstance(found, PieceSet)
        return found

    return learn


def fingerprint(pictures: Sequence[LaidPicture], pieces: Sequence[Piece], lens: Lens, drawn: Mapping[Appearance, Image],
                kinds: Collection[PieceKind] = ()) -> str:
    """Another one for anything else to learn from."""
    images: list[np.ndarray[Any, Any]] = [
        *(each.image for each in pictures), *drawn.values(), lens.camera_matrix, lens.dist]
    said = [[each.pieces for each in pictures], tuple(pieces), list(drawn), sorted(map(repr, kinds)),
            lens.width, lens.height, [(each.shape, str(each.dtype)) for each in images]]
    digest = hashlib.sha256(repr(said).encode())
    for each in images:
        digest.update(each.tobytes())
    return digest.hexdigest()[:16]
