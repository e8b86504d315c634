"""Small letters for pictures."""

import numpy as np
import pytest

from vision.overlay.bitmap_font import ROWS, draw_text

INK, PAPER = (1, 2, 3), (200, 201, 202)


def written(text: str, at: tuple[int, int]) -> np.ndarray:
    image = np.zeros((20, 60, 3), np.uint8)
    draw_text(image, text, at, PAPER, INK)
    return image


def test_all_letters_are_seven_rows_of_one_width() -> None:
    for rows in ROWS.values():
        assert len(rows.split()) == 7
        assert len({len(row) for row in rows.split()}) == 1


def test_a_letter_stands_on_its_lower_left_corner() -> None:
    is_paper = (written("L", (10, 15)) == PAPER).all(axis=2)
    rows, columns = np.nonzero(is_paper)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (9, 15, 10, 14)


def test_letters_have_an_edge_all_around() -> None:
    image = written("r TC", (10, 15))
    rows, columns = np.nonzero((image == PAPER).all(axis=2))
    around = [image[row + down, column + right] for row, column in zip(rows, columns)
              for down in (-1, 0, 1) for right in (-1, 0, 1)]
    assert all(tuple(each) in (PAPER, INK) for each in around)


@pytest.mark.parametrize("at", [(-3, 15), (55, 15), (10, 2), (10, 22), (-90, 15), (10, 90), (90, -5)])
def test_what_lies_outside_the_picture_is_cut_off(at: tuple[int, int]) -> None:
    larger = np.zeros((220, 260, 3), np.uint8)
    draw_text(larger, "TB?", (at[0] + 100, at[1] + 100), PAPER, INK)
    assert (written("TB?", at) == larger[100:120, 100:160]).all()


def test_an_unknown_letter_is_a_dot() -> None:
    assert (written("\u00e9", (10, 15)) == written("\u00f1", (10, 15))).all()
    assert (written("\u00e9", (10, 15)) == PAPER).any()
