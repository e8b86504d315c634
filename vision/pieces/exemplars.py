"""Examples of pieces since their enrolment: every correction is an example of how a piece looks.

An example never replaces what was enrolled: both are averaged, and the weight of the enrolment is at least
`MIN_ENROLLED_SHARE`. The mean of examples is a running one that forgets exponentially once it has `MAX_EXAMPLES`.
"""

from __future__ import annotations

import hashlib
import logging
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.table import Appearance
from vision.faces.templates import Face
from vision.pieces.array_file import load_arrays, save_arrays
from vision.pieces.piece_set import PieceSet

log = logging.getLogger(__name__)

ENROLLED_COUNT = 3
"""Weight of the enrolment, in examples: people laid the pieces out with care, in good light."""

MIN_ENROLLED_SHARE = 0.5
"""The least weight of the enrolment."""

MAX_EXAMPLES = 12
"""The length of the running mean: lamps are changed, prints wear."""

Colours = npt.NDArray[np.float32]

ExampleKind = str
"""What an example shows: a `face`, or a drink's colours on the `table` or in a `crate`."""

ExampleKey = tuple[ExampleKind, Appearance]


@dataclass(frozen=True, slots=True, eq=False)
class ExampleMean:
    """The mean `colours` of `count` examples: those of a face, an array as the enrolled one, or the shift (3,) of a
    drink's hue."""

    colours: Colours
    count: int

    @property
    def share(self) -> float:
        """The weight of the examples against the enrolment, 0 to 1."""
        return min(self.count / (self.count + ENROLLED_COUNT), 1 - MIN_ENROLLED_SHARE)

    def with_example(self, colours: Colours) -> ExampleMean:
        """The mean with one more example."""
        count = min(self.count + 1, MAX_EXAMPLES)
        return ExampleMean((self.colours + (colours - self.colours) / count).astype(np.float32), count)


@dataclass(frozen=True, eq=False)
class Learned:
    """An enrolled piece set and the examples that were taken since."""

    enrolled: PieceSet
    means: Mapping[ExampleKey, ExampleMean] = field(default_factory=dict)

    @cached_property
    def pieces(self) -> PieceSet:
        """The piece set to read with."""
        if not self.means:
            return self.enrolled
        faces = {name: Face(face.piece, self._mixed(("face", name), face.colours))
                 for name, face in self.enrolled.faces.items()}
        table = {name: each + self.shift(("table", name)) for name, each in self.enrolled.table_textures.items()}
        crate = {name: each + self.shift(("crate", name)) for name, each in self.enrolled.crate_textures.items()}
        return replace(self.enrolled, faces=faces, table_textures=table, crate_textures=crate)

    def with_example(self, key: ExampleKey, colours: Colours) -> Learned:
        """The same with one more example of an appearance."""
        mean = self.means.get(key, ExampleMean(colours, 0)).with_example(colours)
        return Learned(self.enrolled, {**self.means, key: mean})

    def was_taught(self, name: Appearance) -> bool:
        """Whether there are examples of an appearance."""
        return any(taught == name for _, taught in self.means)

    def without(self, name: Appearance) -> Learned:
        """The same without the examples of an appearance."""
        return Learned(self.enrolled, {key: mean for key, mean in self.means.items() if key[1] != name})

    def _mixed(self, key: ExampleKey, enrolled: Colours) -> Colours:
        mean = self.means.get(key)
        if mean is None or mean.colours.shape != enrolled.shape:
            return enrolled
        return np.asarray(enrolled + mean.share * (mean.colours - enrolled), np.float32)

    def shift(self, key: ExampleKey) -> Colours:
        """The weighted shift (3,) of a drink's colours against those enrolled."""
        mean = self.means.get(key)
        return np.zeros(3, np.float32) if mean is None else (mean.share * mean.colours).astype(np.float32)

    def save(self, enrolment: Path) -> None:
        """Write the examples beside the file of the enrolment; an earlier file is replaced atomically."""
        about = {"enrolment": _fingerprint(enrolment),
                 "means": [[*key, mean.count] for key, mean in self.means.items()]}
        save_arrays(examples_file(enrolment), about,
                    {f"mean {number}": mean.colours for number, mean in enumerate(self.means.values())})


def examples_file(enrolment: Path) -> Path:
    """The file of the examples of an enrolment."""
    return enrolment.with_name(f"{enrolment.name}.examples")


def with_examples(pieces: PieceSet, enrolment: Path) -> Learned:
    """An enrolled piece set with the examples kept beside its file; without them if they are damaged or were taken
    before the pieces were enrolled anew."""
    try:
        about, arrays = load_arrays(examples_file(enrolment))
        if about["enrolment"] != _fingerprint(enrolment):
            return Learned(pieces)
        return Learned(pieces, {(str(kind), str(name)): ExampleMean(np.asarray(arrays[f"mean {number}"], np.float32),
                                                                    count)
                                for number, (kind, name, count) in enumerate(about["means"])})
    except FileNotFoundError:
        return Learned(pieces)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        log.warning("the examples beside %s cannot be read: %s", enrolment.name, error)
        return Learned(pieces)


def _fingerprint(enrolment: Path) -> str:
    return hashlib.sha256(enrolment.read_bytes()).hexdigest()[:16]
