"""How sets are read whose drinks were learned at another table: under another camera, table and light."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.cli.chain import Answerer, build
from companion.cli.evaluate import compared
from companion.cli.played import opened_by, played
from companion.cli.scoring import Score
from companion.games import registry
from companion.words import load
from tests.bench.page import share, table
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_set
from vision.pieces.piece_set import PieceSet

DRINK_PARTS = ("profiles", "table_textures", "crate_textures", "table_shading", "crate_shading", "table_cost_per_nat",
               "crate_cost_per_nat", "table_misfit", "crate_misfit")


def crossed(folders: Sequence[Path]) -> Iterator[str]:
    with_drinks = [folder for folder in folders if any("/" in piece.name for piece in _known(folder).pieces)]
    rows = []
    for mine in with_drinks:
        other = min((each for each in with_drinks if each != mine), key=lambda each: _unlike(mine, each))
        print(f"  {mine.name} with the drinks of {other.name} …", file=sys.stderr)
        rows.append(row_of_crossed(mine, other))
    yield from table(["set", "drinks learned from", "colour", "can or bottle", "shape, lid 0.3–0.7 mm", "≥ 0.7 mm",
                       "spots wrong", "spots open", "plies right, asked, silently wrong"], rows)


def row_of_crossed(mine: Path, other: Path) -> list[str]:
    score = played_with(mine, other)
    look = score.look.json()
    wrong = score.spots - score.spots_right - score.spots_open
    pairs = (look["colour"], look["family"], *list(look["shape"].values())[1:])
    return [mine.name, other.name, *(share(pair["right"], pair["of"]) for pair in pairs),
            share(wrong, score.spots), share(score.spots_open, score.spots),
            f"{score.right}, {score.asked}, {score.silently_wrong} of {score.plies}"]


def played_with(mine: Path, other: Path) -> Score:
    """How this set is read when its drinks were learned on the other one."""
    own, others = _enrolled(mine), _enrolled(other)
    mixed = replace(own, **{part: getattr(others, part) or getattr(own, part) for part in DRINK_PARTS})
    record = mine / "record.jsonl"
    words = load("en", [registry.game(id).words for id in registry.ids()])
    chain = build(_known(mine), opened_by(record), words, Answerer.of(played(record)), confidence=True, pieces=mixed)
    return compared(mine, list(chain.lines(_known(mine)))).score


def _unlike(mine: Path, other: Path) -> float:
    """How different the same drinks look on two tables."""
    own, others = _enrolled(mine).table_textures, _enrolled(other).table_textures
    common = own.keys() & others.keys()
    if not common:
        return np.inf
    return float(np.mean([np.abs(own[name].mean(axis=0) - others[name].mean(axis=0)).mean() for name in common]))


@cache
def _known(folder: Path) -> PictureSet:
    return read_set(folder)


@cache
def _enrolled(folder: Path) -> PieceSet:
    cv2.setNumThreads(1)  # as `companion read` does
    known = _known(folder)
    return enrol_set(known, registry.kinds(known.game))
