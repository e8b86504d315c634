# ruff: noqa: T201 (a script prints)
"""How crates look beside what they hold: `python -m tests.vision.score_crate_colours SET…` prints for each set by how
much the colours of crates that hold drinks are off beside these (root mean square over both opponent colours): as
empty crates teach it, with those of dark places too, and with colours that run into each other besides. Every other
crate is learned from, the others are judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.table import Body, Piece
from companion.table.crate import RIM_MM
from tests.vision.scored_sets import open_enrolment, sets_to_score
from vision.enrolment.background_learning import covered_by_drinks, is_in_use, learn_bare, learn_crates_light
from vision.enrolment.opened_picture import OpenedPicture
from vision.imaging.box import box_around
from vision.imaging.footprints import outline_mm
from vision.photometry.background_model import CrateColours, Lab
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE


def as_they_are(ground: Lab, seen: Lab) -> Lab:
    """Table and crates as if a picture kept all colours where they are."""
    return np.asarray(ground, np.float32)


def with_crates(opened: Sequence[OpenedPicture], some: Callable[[OpenedPicture],
                                                                Sequence[Body]]) -> list[OpenedPicture]:
    """The same pictures as if only some of their crates were known."""
    return [replace(each, crates=tuple(some(each))) for each in opened]


def full(opened: OpenedPicture) -> list[Body]:
    return [crate for crate in opened.crates if is_in_use(crate, opened.pieces)]


def off(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], bare: Bare, colours: CrateColours) -> float:
    """By how much crates' colours are off where no drink covers them."""
    squares = []
    for each in opened:
        covered = covered_by_drinks(each, sizes)
        for crate in each.crates:
            box = box_around(each.view.project_at(outline_mm(crate), RIM_MM), 2)
            at = Scene(each.image, each.view, each.white, bare, colours, [crate])
            seen = at.plain(box)
            clear = (at.kinds(box) != TABLE) & (box.cut(covered) == 0)
            squares.append(np.square((seen - at.background(box, seen))[clear][:, 1:]).sum(axis=1))
    return float(np.sqrt(np.concatenate(squares).mean()))


def main() -> None:
    """Score the sets named on the command line."""
    for known in sets_to_score(__doc__):
        sizes = {piece.name: piece for piece in known.pieces}
        opened = open_enrolment(known)
        bare = learn_bare(opened, sizes)
        empty = with_crates(opened, lambda each: [crate for crate in each.crates if crate not in full(each)])
        learned_from = with_crates(opened, lambda each: full(each)[::2])
        judged = with_crates(opened, lambda each: full(each)[1::2])
        colours, dark = learn_crates_light(empty, sizes), learn_crates_light([*empty, *learned_from], sizes)
        if colours is None or dark is None or not any(each.crates for each in judged):
            print(f"{known.folder.name}: no crates, or none that holds drinks")
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("vision.scene.scene.spread_colours", as_they_are)
            plain = [off(judged, sizes, bare, each) for each in (colours, dark)]
        print(f"{known.folder.name}: {plain[0]:.1f} as empty crates teach it, {plain[1]:.1f} with dark places, "
              f"{off(judged, sizes, bare, dark):.1f} with colours that run into each other", flush=True)


if __name__ == "__main__":
    main()
