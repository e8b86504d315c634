"""A lens that is known, rendered sheets, and the lens that is found again from them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.errors import SightError
from vision.fiducials.lens_sheet import (
    LEAST_PICTURES, SheetSeen, calibrate, find_sheet, finding, sheet_picture, unseen_parts, verdict,
)
from vision.imaging.camera import Lens, lens_from_json
from vision.imaging.frame import Image

SIZE = (960, 540)
LENS = Lens(*SIZE, np.array([[742.0, 0, 471.0], [0, 739.0, 276.0], [0, 0, 1]]),
            np.array([-0.11, 0.05, 0.001, -0.0008, 0.0]))
SQUARE_PX = 60
POSES = [(tilt, turn, x, y) for tilt, turn, x, y in (
    (25, 0, 0, 0), (25, 90, -2.2, 0), (25, 180, 2.2, 0), (25, 270, 0, -1), (35, 45, -2, -1), (35, 135, 2, -1),
    (35, 225, 2, 1), (35, 315, -2, 1), (15, 20, 0, 1), (30, 200, -1, 0), (20, 110, 1, 0.5), (40, 300, 0, 0),
)]  # fmt: skip


def rendered(tilt_deg: float, turn_deg: float, x: float, y: float, seed: int, far: float = 11.0) -> Image:
    """The sheet held so: tilted about an axis that is turned, its middle aside by so many squares."""
    sheet = sheet_picture(SQUARE_PX)
    axis = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg)), 0.0]) * np.radians(tilt_deg)
    rotation = cv2.Rodrigues(axis)[0]
    middle = np.array([x, y, far])
    across, down = np.meshgrid(np.arange(SIZE[0] * 2) / 2 - 0.25, np.arange(SIZE[1] * 2) / 2 - 0.25)
    rays = LENS.rays(np.column_stack([across.ravel(), down.ravel()]))
    rays = np.column_stack([rays, np.ones(len(rays))])
    normal = rotation[:, 2]
    points = rays * (middle @ normal / (rays @ normal))[:, None] - middle
    flat = (points @ rotation[:, :2]) * SQUARE_PX + np.array(sheet.shape[::-1]) / 2 - 0.5
    shape = across.shape
    large = cv2.remap(sheet, flat[:, 0].reshape(shape).astype(np.float32), flat[:, 1].reshape(shape).astype(np.float32),
                      cv2.INTER_LINEAR, borderValue=(150,))
    grey = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA) * 0.8 + 20.0
    grey += np.random.default_rng(seed).normal(0, 2.0, grey.shape)
    return np.asarray(np.repeat(grey.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    for number, pose in enumerate(POSES):
        cv2.imwrite(str(folder / f"{number:02d}.png"), rendered(*pose, seed=number))
    return folder


def test_twelve_pictures_tell_the_lens(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "lens.json"

    assert main(["calibrate", str(folder), "--out", str(out)]) == 0

    found = lens_from_json(json.loads(out.read_text("utf-8")))
    error = float(capsys.readouterr().out.split(" pixels")[0].split()[-1])
    assert error <= 0.3
    for at in ((0, 0), (1, 1), (0, 2), (1, 2)):
        assert found.camera_matrix[at] == pytest.approx(LENS.camera_matrix[at], rel=0.005)
    assert (found.width, found.height) == SIZE


ON_A_TABLE = (
    (0, 0, 11), (1, 0, 12), (-1, 0, 11), (0, 0.5, 13), (0, -0.5, 11), (1, 0.5, 14), (-1, -0.5, 12), (0, 0, 15),
)  # fmt: skip
"""Where the sheet lies, and how far away, before a camera that looks straight at it."""


def on_a_table(tilt_deg: float) -> list[SheetSeen]:
    """The sheet in all these places, tilted so much to one side after the other."""
    return [sheet_in(rendered(tilt_deg, 45 * n, x, y, n, far)) for n, (x, y, far) in enumerate(ON_A_TABLE)]


def sheet_in(image: Image) -> SheetSeen:
    seen = find_sheet(image)
    assert seen is not None
    return seen


def test_a_sheet_that_is_never_tilted_tells_no_lens_however_well_it_fits() -> None:
    done = calibrate(on_a_table(0.0), SIZE)
    assert done.error_px < 0.3
    assert done.lens.focal_px > 2 * LENS.focal_px
    assert (verdict(done), finding(done).id) == ("poor", "calibrate.poor_flat")


@pytest.mark.parametrize(("tilt_deg", "grade"), [(4.0, "poor"), (7.0, "usable"), (12.0, "good")])
def test_the_more_the_sheet_is_tilted_the_better_is_the_lens(tilt_deg: float, grade: str) -> None:
    done = calibrate(on_a_table(tilt_deg), SIZE)
    assert done.tilt_deg == pytest.approx(tilt_deg, rel=0.1)
    assert verdict(done) == grade
    assert abs(done.lens.focal_px / LENS.focal_px - 1) < {"poor": 0.1, "usable": 0.02, "good": 0.005}[grade]


@pytest.mark.parametrize("number", [0, 4])
def test_pictures_of_a_sheet_that_did_not_move_count_once(number: int, folder: Path) -> None:
    same = [sheet_in(rendered(*POSES[number], seed)) for seed in range(LEAST_PICTURES)]
    with pytest.raises(SightError, match=r"too_few.*number=1\b"):
        calibrate(same, SIZE)
    rest = [sheet_in(np.asarray(cv2.imread(str(each)), np.uint8)) for each in sorted(folder.glob("*.png"))[:6]]
    assert calibrate([*same, *rest], SIZE).pictures == 6


def test_a_lens_that_no_tilt_tells_is_not_written_and_it_is_said_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n, (x, y, far) in enumerate(ON_A_TABLE):
        cv2.imwrite(str(tmp_path / f"{n}.png"), rendered(0, 0, x, y, n, far))
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "lens.json")]) == 1
    assert "tilted to all sides, by about a third of a right angle" in capsys.readouterr().out
    assert not (tmp_path / "lens.json").exists()


def test_pictures_that_were_turned_or_zoomed_do_not_agree(folder: Path) -> None:
    images = [np.asarray(cv2.imread(str(each)), np.uint8) for each in sorted(folder.glob("*.png"))]
    turned = [np.asarray(cv2.rotate(each, cv2.ROTATE_180), np.uint8) for each in images[1::2]]
    done = calibrate([sheet_in(each) for each in images[::2] + turned], SIZE)
    assert done.error_px < 0.3
    assert (verdict(done), finding(done).id) == ("usable", "calibrate.usable_unsure")
    zoomed = [np.asarray(cv2.resize(each[60:-60, 107:-107], SIZE), np.uint8) for each in images[6:]]
    done = calibrate([sheet_in(each) for each in images[:6] + zoomed], SIZE)
    assert (verdict(done), finding(done).id) == ("poor", "calibrate.poor_unsure")


def test_a_picture_without_the_sheet_is_left_out_and_too_few_are_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("00.png", "01.png"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    cv2.imwrite(str(tmp_path / "cat.jpg"), np.full((540, 960, 3), 90, np.uint8))
    (tmp_path / "torn.jpg").write_bytes(b"\xff\xd8torn")

    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "lens.json")]) == 2
    said = capsys.readouterr().err
    assert "cat.jpg" in said
    assert "torn.jpg" in said
    assert "Different pictures of the sheet: 2" in said


def test_pictures_of_two_sizes_are_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = np.asarray(cv2.imread(str(folder / "00.png")), np.uint8)
    cv2.imwrite(str(tmp_path / "00.png"), image)
    cv2.imwrite(str(tmp_path / "01.png"), cv2.resize(image, (1280, 720)))

    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "lens.json")]) == 2
    assert "01.png has another size" in capsys.readouterr().err


def test_the_sheet_is_written_and_is_seen_in_its_own_picture(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"

    assert main(["calibrate", "--sheet", str(sheet)]) == 0
    seen = find_sheet(np.asarray(cv2.imread(str(sheet)), np.uint8))
    assert seen is not None
    assert len(seen.px) == 9 * 6
    assert main(["calibrate", "--sheet", str(tmp_path / "nowhere" / "sheet.png")]) == 2
    assert main(["calibrate"]) == 2


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_printed_sheet_is_seen_whole_with_square_squares(paper: str, tmp_path: Path) -> None:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed (apt install poppler-utils)")
    assert main(["print", "sheet", "--paper", paper, "--out", str(tmp_path / "sheet.pdf")]) == 0
    subprocess.run(["pdftoppm", "-r", "150", "-png", "-singlefile", "sheet.pdf", "sheet"], cwd=tmp_path, check=True)
    page = np.asarray(cv2.imread(str(tmp_path / "sheet.png")), np.uint8)
    seen = find_sheet(page)
    assert seen is not None
    assert len(seen.px) == 9 * 6
    on_sheet = np.column_stack([seen.squares[:, :2], np.ones(len(seen.px))])
    shift = np.linalg.lstsq(on_sheet, seen.px, rcond=None)[0]
    sides = np.linalg.norm(shift[:2], axis=1)
    assert sides[0] == pytest.approx(sides[1], rel=1e-3)
    assert np.abs(seen.px - on_sheet @ shift).max() < 0.5
    assert sides[0] * 25.4 / 150 > 22.0  # it fills the page
    assert min(seen.px.min(), (np.array(page.shape[1::-1]) - seen.px).min()) > sides[0]


def test_parts_of_the_picture_that_saw_no_sheet_are_named() -> None:
    left = SheetSeen(np.array([[10.0, 10.0], [20.0, 500.0]]), np.zeros((2, 3)))
    assert unseen_parts([left], SIZE) == ((1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2))
    with pytest.raises(SightError, match="too_few"):
        calibrate([left], SIZE)
