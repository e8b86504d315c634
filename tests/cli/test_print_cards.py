from __future__ import annotations

import argparse
import builtins
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import print_cards
from companion.cli.pdf_sheet import PAPERS_MM
from companion.errors import ConfigError
from companion.words import load

DPI = 600
PX_PER_MM = DPI / 25.4
PAPERS = tuple(PAPERS_MM)


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    print_cards.add(parser.add_subparsers())
    return print_cards.run(parser.parse_args(["print", "cards", *arguments]), load())


@pytest.fixture(scope="module", params=PAPERS)
def sheet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The printed sheet in grey, 600 dots an inch."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed (apt install poppler-utils)")
    folder = tmp_path_factory.mktemp("cards")
    assert run("--out", str(folder / "cards.pdf"), "--paper", request.param) == 0
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-singlefile", "cards.pdf", "sheet"], cwd=folder, check=True)
    image = cv2.imread(str(folder / "sheet.pgm"), cv2.IMREAD_GRAYSCALE)
    width_mm, height_mm = PAPERS_MM[request.param]
    assert image is not None
    assert image.shape == pytest.approx((height_mm * PX_PER_MM, width_mm * PX_PER_MM), abs=1)
    return image


@pytest.fixture(scope="module")
def markers(sheet: Any) -> dict[int, Any]:
    """Corners (4, 2) in mm of each marker found by ArUco, from the upper left, clockwise as the card is seen."""
    found, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)).detectMarkers(
        sheet
    )
    # a marker's corner is the outer edge of its first and last pixel
    fine = [cv2.cornerSubPix(sheet, corners[0], (5, 5), (-1, -1), (3, 50, 0.001)) for corners in found]
    return {int(card): corners.reshape(4, 2) / PX_PER_MM for card, corners in zip(ids.ravel(), fine)}


def shade(sheet: Any, markers: dict[int, Any], card: int, x: float, y: float) -> float:
    """How bright the sheet is at (x, y) mm of a card, 0 to 255."""
    upper_left, upper_right, _, lower_left = markers[card]
    right, up = (upper_right - upper_left) / 40.0, (upper_left - lower_left) / 40.0
    place = lower_left + right * (x - 10.0) + up * (y - 10.0)
    column, row = np.round(place * PX_PER_MM).astype(int)
    return float(sheet[row - 3 : row + 4, column - 3 : column + 4].mean())


def test_the_four_cards_are_on_the_sheet_once_each(markers: dict[int, Any]) -> None:
    assert set(markers) == {0, 1, 2, 3}


def test_markers_are_40_mm_to_a_fifth_of_a_millimetre(markers: dict[int, Any]) -> None:
    for corners in markers.values():
        sides = [float(np.linalg.norm(b - a)) for a, b in pairwise([*corners, corners[0]])]
        assert sides == pytest.approx([40.0] * 4, abs=0.2)


def test_patches_lie_where_the_eyes_look_for_them(sheet: Any, markers: dict[int, Any]) -> None:
    wanted = {(66, 44): 255, (84, 44): 119, (66, 16): 0, (84, 16): 255}
    for card in markers:
        for (x, y), grey in wanted.items():
            for dx, dy in ((0, 0), (-6.8, 0), (6.8, 0), (0, -6.8), (0, 6.8)):
                assert shade(sheet, markers, card, x + dx, y + dy) == pytest.approx(grey, abs=2)
            assert shade(sheet, markers, card, x + 7.25, y) < 60


def test_the_paper_around_a_marker_is_white(sheet: Any, markers: dict[int, Any]) -> None:
    for card in markers:
        assert {shade(sheet, markers, card, x, y) for x, y in ((6, 30), (30, 6.5), (54, 30), (30, 54))} == {255.0}


def test_the_rulers_are_100_mm_long(sheet: Any) -> None:
    for turned in (sheet, sheet.T):
        lines = [np.flatnonzero(row) for row in (turned[:: round(PX_PER_MM / 10)] < 128)]
        longest = max((line[-1] - line[0] for line in lines if len(line) and np.all(np.diff(line) == 1)), default=0)
        assert longest / PX_PER_MM == pytest.approx(100.0, abs=0.3)


def test_the_same_sheet_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        assert run("--out", str(tmp_path / name)) == 0
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_without_reportlab_the_line_that_helps_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("reportlab"):
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigError) as caught:
        run("--out", str(tmp_path / "cards.pdf"))
    assert "pip install 'reportlab>=4.2'" in load().say(caught.value.phrase)


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "nowhere" / "cards.pdf"
    assert run("--out", str(out)) == 1
    assert capsys.readouterr().out.startswith(f"{out} cannot be written (No such file or directory).")
