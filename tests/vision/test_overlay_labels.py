"""What the picture of the eyes calls a piece."""

import pytest

from companion.table import SHAPES
from vision.overlay.bitmap_font import ROWS
from vision.overlay.overlay import sight_label


def test_no_two_drinks_of_a_colour_are_called_the_same() -> None:
    labels = [sight_label(f"red/{shape}") for shape in SHAPES]
    assert labels == ["r U", "r H", "r T", "r Q", "r N", "r B"]
    assert all(letter in ROWS for label in labels if label for letter in label.upper() if letter != " ")


@pytest.mark.parametrize(("piece", "label"), [
    ("coin:light_cavalry", "LC"), ("tile:red:back", "r back"), ("crate", None), ("red/carton_box", "r CB"),
])
def test_other_pieces_are_called_by_initials(piece: str, label: str | None) -> None:
    assert sight_label(piece) == label
