# ruff: noqa: T201 (a script prints)
"""How crates look beside what they hold: `python tests/vision/score_crate_colours.py SET…` prints for each set by how
much the colours of crates that hold drinks are off beside these (root mean square over both opponent colours): as
empty crates teach it, with those of dark places too, and with colours that run into each other besides. Every other
crate is learned from, the others are judged."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision import enrol, scene
from vision.background import CrateColours, Lab
from vision.crates import RIM_MM
from vision.ground_learn import Opened, _covered, _holds, learn_bare, learn_crates_light
from vision.outlines import outline_mm
from vision.pictureset import read_picture, read_set
from vision.scene import TABLE, Bare, Scene
from vision.solids import box_around


def as_they_are(ground: Lab, seen: Lab) -> Lab:
    """Table and crates as if a picture kept all colours where they are."""
    return np.asarray(ground, np.float32)


def off(opened: Sequence[Opened], bare: Bare, colours: CrateColours, covered: Sequence[np.ndarray]) -> float:
    """By how much crates' colours are off where nothing covers them."""
    squares = []
    for each, mask in zip(opened, covered):
        for crate in each.crates:
            box = box_around(each.view.project_at(outline_mm(crate), RIM_MM), 2)
            at = Scene(each.image, each.view, each.white, bare, colours, [crate])
            seen = at.plain(box)
            clear = (at.kinds(box) != TABLE) & (box.cut(mask.astype(np.uint8)) == 0)
            squares.append(np.square((seen - at.background(box, seen))[clear][:, 1:]).sum(axis=1))
    return float(np.sqrt(np.concatenate(squares).mean()))


def main() -> None:
    """Score the sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    for folder in parser.parse_args().sets:
        known = read_set(folder)
        sizes = {piece.name: piece for piece in known.pieces}
        opened = [enrol._open(enrol.LaidPicture(read_picture(each.picture, known.lens), each.pieces), sizes, known.lens)
                  for each in known.enrolments]
        bare = learn_bare(opened, sizes)
        full = [replace(each, crates=tuple(crate for crate in each.crates if _holds(crate, each.pieces)))
                for each in opened]
        empty = [replace(each, crates=tuple(crate for crate in each.crates if not _holds(crate, each.pieces)))
                 for each in opened]
        half = [replace(each, crates=each.crates[::2]) for each in full]
        others = [replace(each, crates=each.crates[1::2]) for each in full]
        colours, dark = learn_crates_light(empty, sizes), learn_crates_light([*empty, *half], sizes)
        if colours is None or dark is None or not any(each.crates for each in others):
            print(f"{folder.name}: no crates, or none that holds drinks")
            continue
        covered = [_covered(each, [laid for laid in each.pieces if sizes[laid.appearance].kind == "drink"], sizes, 0.0)
                   for each in opened]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scene, "spread_colours", as_they_are)
            plain = [off(others, bare, each, covered) for each in (colours, dark)]
        print(f"{folder.name}: {plain[0]:.1f} as empty crates teach it, {plain[1]:.1f} with dark places, "
              f"{off(others, bare, dark, covered):.1f} with colours that run into each other", flush=True)


if __name__ == "__main__":
    main()
