"""What tests share must be what each of them would have learned."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.table import Piece
from tests.learned import once
from vision.enrolment.opened_picture import LaidPicture
from vision.enrolment.picture_set import LaidPiece
from vision.imaging.camera import Lens, module_3_lens
from vision.pieces.piece_set import PieceSet

LENS = module_3_lens()
CAN = Piece("red/stub_can", "drink", (11.0, 11.0, 12.0), True)
LAID = LaidPiece(CAN.name, (1.0, 2.0), 0.0)
DARK, BRIGHT = np.zeros((4, 6, 3), np.uint8), np.ones((4, 6, 3), np.uint8)
GIVEN = ([LaidPicture(DARK, (LAID,))], [CAN], LENS)


class Counted:
    """Stands for learning; counts how often that is done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, pictures: Sequence[LaidPicture], pieces: Sequence[Piece], lens: Lens, *_: Any) -> PieceSet:
        self.times += 1
        return PieceSet(tuple(pieces), {}, {}, {}, {}, {}, float(self.times), 1.0, None, None, None)


def test_what_was_learned_from_the_same_is_not_learned_again(tmp_path: Path) -> None:
    counted = Counted()
    first = once(counted, tmp_path)(*GIVEN)
    again = once(counted, tmp_path)([LaidPicture(DARK.copy(), (LAID,))], (CAN,), module_3_lens())
    assert (first.table_cost_per_nat, again.table_cost_per_nat, counted.times) == (1.0, 1.0, 1)
    assert again.pieces == first.pieces == (CAN,)


@pytest.mark.parametrize("other", [
    ([LaidPicture(BRIGHT, (LAID,))], [CAN], LENS),
    ([LaidPicture(DARK, (replace(LAID, turn_deg=0.1),))], [CAN], LENS),
    ([LaidPicture(DARK, (LAID,))] * 2, [CAN], LENS),
    ([LaidPicture(DARK, (LAID,))], [replace(CAN, round=False)], LENS),
    ([LaidPicture(DARK, (LAID,))], [CAN], replace(LENS, dist=LENS.dist + 1e-9)),
    ([LaidPicture(DARK, (LAID,))], [CAN], LENS, lambda _: None, {"board:wc": DARK}),
])
def test_anything_else_is_learned(tmp_path: Path, other: tuple[Any, ...]) -> None:
    counted = Counted()
    once(counted, tmp_path)(*GIVEN)
    assert once(counted, tmp_path)(*other).table_cost_per_nat == counted.times == 2.0


def test_another_run_learns_anew(tmp_path: Path) -> None:
    counted = Counted()
    for run in ("1", "2"):
        (tmp_path / run).mkdir()
        once(counted, tmp_path / run)(*GIVEN)
    assert counted.times == 2
