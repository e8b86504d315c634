"""The drawings of box and arm: true to size on either paper, and what docs/build.md says of them."""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import parts_pdf, print_cards
from companion.cli.parts_pdf import BOX_DEEP_MM, BOX_WIDE_MM, CAMERA_HOLES_MM, FOOT_DEEP_MM, FOOT_WIDE_MM, TAN_TILT
from companion.cli.pdf_sheet import PAPERS_MM
from companion.words import load
from hardware.wiring import BUZZER_OHM, LED_OHM
from vision.imaging.camera import module_3_lens

DPI = 200
PX_PER_MM = DPI / 25.4
PAGE = (Path(__file__).parents[2] / "docs" / "build.md").read_text(encoding="utf-8")


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    print_cards.add(parser.add_subparsers())
    return print_cards.run(parser.parse_args(["print", *arguments]), load())


def sheets(folder: Path, *arguments: str) -> list[Any]:
    """The printed pages in grey."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed (apt install poppler-utils)")
    assert run(*arguments, "--out", str(folder / "part.pdf")) == 0
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "part.pdf", "page"], cwd=folder, check=True)
    pages = [cv2.imread(str(each), cv2.IMREAD_GRAYSCALE) for each in sorted(folder.glob("page*.pgm"))]
    return [each for each in pages if each is not None]


def holes(sheet: Any, wide_mm: float) -> list[tuple[float, float]]:
    """Middles in mm, from the upper left, of circles of this width."""
    ring = np.full((int((wide_mm + 4) * PX_PER_MM),) * 2, 255, np.uint8)
    middle = ring.shape[0] / 2
    cv2.circle(ring, (int(middle), int(middle)), round(wide_mm / 2 * PX_PER_MM), 0, 2)
    found = cv2.matchTemplate(sheet, ring, cv2.TM_CCOEFF_NORMED)
    at = []
    while (best := cv2.minMaxLoc(found))[1] > 0.55:
        x, y = best[3]
        at.append(((x + middle) / PX_PER_MM, (y + middle) / PX_PER_MM))
        reach = int(PX_PER_MM * 2)
        found[max(0, y - reach):y + reach, max(0, x - reach):x + reach] = -1
    return sorted(at)


def dark_span_mm(sheet: Any, row_mm: float) -> tuple[float, float]:
    """The first and the last dark point of a row, counted from below, in mm."""
    row = sheet[sheet.shape[0] - round(row_mm * PX_PER_MM)]
    dark = np.flatnonzero(row < 128)
    return float(dark[0] / PX_PER_MM), float(dark[-1] / PX_PER_MM)


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_box_is_true_to_size_and_within_the_paper(paper: str, tmp_path: Path) -> None:
    first, second = sheets(tmp_path, "box", "--paper", paper, "--seats", "2", "--button", "16")
    middle_mm = PAPERS_MM[paper][1] / 2 - 6
    left, right = dark_span_mm(first, middle_mm + 3)
    assert right - left == pytest.approx(BOX_WIDE_MM + 2 * parts_pdf.BOX_HIGH_MM, abs=0.4)
    assert left > 8
    high_mm = BOX_DEEP_MM + 2 * parts_pdf.BOX_HIGH_MM
    assert high_mm < PAPERS_MM[paper][1] - 60
    assert len(holes(first, 16.4)) == 1
    assert first.shape == second.shape
    assert not np.array_equal(first, second)  # each with the letter of its seat


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_arms_parts_are_true_to_size(paper: str, tmp_path: Path) -> None:
    (sheet,) = sheets(tmp_path, "arm", "--paper", paper)
    left, right = dark_span_mm(sheet, 135.0)  # near the lower edge of the foot
    assert right - left == pytest.approx(FOOT_WIDE_MM, abs=0.4)
    column = sheet[:, round((left + 0.2) * PX_PER_MM) - 3:round((left + 0.2) * PX_PER_MM) + 3].min(axis=1)
    from_below_mm = (sheet.shape[0] - np.flatnonzero(column < 128)) / PX_PER_MM
    foot = from_below_mm[(from_below_mm > 120) & (from_below_mm < 245)]
    assert foot.max() - foot.min() == pytest.approx(FOOT_DEEP_MM, abs=0.4)


def test_the_wedge_has_the_tilt_that_is_written_on_it() -> None:
    assert math.degrees(math.atan(TAN_TILT)) == pytest.approx(parts_pdf.TILT_DEG, abs=0.01)
    assert CAMERA_HOLES_MM == (21.0, 12.5)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("arm", "--out", str(tmp_path / "nowhere" / "arm.pdf")) == 1
    assert "cannot be written" in capsys.readouterr().out


def test_the_page_says_the_resistors_and_what_the_camera_sees() -> None:
    lens = module_3_lens()
    wide = 2 * math.tan(math.atan(lens.width / 2 / lens.focal_px))
    deep = 2 * math.tan(math.atan(lens.height / 2 / lens.focal_px))
    for told in (f"resistor {LED_OHM} Ω", f"resistor {BUZZER_OHM} Ω", f"sees {wide:.1f} times as wide and {deep:.2f}"):
        assert told in PAGE


def test_the_page_has_the_wiring_as_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    from companion.cli import wiring

    wiring.run(argparse.Namespace(config=None), load())
    assert capsys.readouterr().out in PAGE
