"""Drawings come out as they were drawn. `python -m tests.web.make_drawings` makes them anew, if one was to change."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from tests.web.make_drawings import DRAWINGS, drawings


@pytest.mark.parametrize("name", drawings())
def test_a_drawing_comes_out_as_it_was_drawn(name: str) -> None:
    drawn = drawings()[name]()
    ET.fromstring(drawn)
    assert drawn == (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8"), "python -m tests.web.make_drawings"


def test_every_drawing_that_is_kept_is_drawn() -> None:
    assert {file.stem for file in DRAWINGS.iterdir()} == set(drawings())
