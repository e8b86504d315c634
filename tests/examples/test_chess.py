"""Chess on a real board: a video with hands, shadows and an exposure that jumps, read to the mate."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess
import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.games import registry
from hardware.sources.video import Video
from tests.examples.footage import CORNERS, EXAMPLE, FIRST_MOVE, FOOTAGE, ROOT, lines_of, moves_of
from vision.boards.board_reader import BoardReader
from companion.table.board_corners import read_corners

PLAYED = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"
HANDS = (*range(30, 59), *range(62, 84), *range(88, 108), *range(150, 183), *range(192, 207), *range(217, 262))
"""Frames with a hand over the board or next to it."""
BUSY = (*HANDS, *range(6, 28), *range(289, 296))
"""And those in which the shadow of somebody moves over it."""
FREE_WITHIN_S = {107: 0.5, 182: 0.5, 206: 0.5, 261: 0.7, 268: 0.5}
"""How soon the board is free after these frames, in which a hand or its shadow is seen for the last time: the last hand
is gone after frame 261, its shadow lies on h1 and h2 for seven more."""
RATE = 20.0
EVERY_START = [(start, every) for every in (1, 3) for start in range(FIRST_MOVE)]
SAMPLE = [(0, 1), (0, 3), (28, 1)]


pytestmark = pytest.mark.usefixtures("chess_offered")


def positions(moves: list[str]) -> list[str]:
    """The positions that moves lead to, one after the other."""
    board, found = chess.Board(), []
    for uci in moves:
        board.push_uci(uci)
        found.append(board.board_fen())
    return found


def is_the_game(moves: list[str]) -> bool:
    """Whether these moves are the ones that were played; the first four may be in another order."""
    board = chess.Board()
    played = [board.push_san(san).uci() for san in PLAYED.split()]
    there = positions(played)
    return len(moves) == len(played) and moves[4:] == played[4:] and positions(moves)[3:] == there[3:]


def test_the_example_keeps_its_own_tests(chess_site: Path) -> None:
    path = os.pathsep.join([str(chess_site), str(ROOT)])
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(EXAMPLE),
           str(EXAMPLE / "tests")]
    done = subprocess.run(run, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("start", "every"), SAMPLE)
def test_a_real_game_is_followed_to_the_mate(start: int, every: int, tmp_path: Path) -> None:
    lines = lines_of(FOOTAGE, tmp_path / "read.jsonl", "--start", str(start), "--every", str(every))

    assert is_the_game(moves_of(lines)), moves_of(lines)
    assert all(not line["asked"] for line in lines[1:])
    assert [line["frame"] for line in lines[1:] if line["state"] == "free" and line["frame"] in BUSY] == []


def test_the_board_is_free_soon_after_the_hand_is_gone_and_its_shadow(tmp_path: Path) -> None:
    states = {line["frame"]: line["state"] for line in lines_of(FOOTAGE, tmp_path / "read.jsonl")[1:]}

    free = [number for number, state in states.items() if state == "free"]
    took_s = {last: (min(number for number in free if number > last) - last) / RATE for last in FREE_WITHIN_S}
    assert {last for last, seconds in took_s.items() if seconds > FREE_WITHIN_S[last]} == set(), took_s


@pytest.mark.long
@pytest.mark.parametrize(("start", "every"), [each for each in EVERY_START if each not in SAMPLE])
def test_it_is_followed_from_every_start_at_both_rates(start: int, every: int, tmp_path: Path) -> None:
    test_a_real_game_is_followed_to_the_mate(start, every, tmp_path)


def test_a_resting_hand_is_no_free_board_and_says_so() -> None:
    game = registry.game("chess")
    layout, start = game.layout({}), game.start({}, {}, 2)
    eyes = BoardReader(layout, game.placement(start), read_corners(CORNERS, layout))
    looks = [eyes.look(frame) for frame in Video(str(FOOTAGE)).frames(130) if frame.number < 180]
    resting = [look for look in looks if 169 <= look.number <= 171]

    assert {look.number for look in looks if look.state == "free"} <= set(range(130, 143))
    assert [look.state for look in resting] == ["hand"] * 3
    assert resting[0].why.id == "board.hand"


@pytest.mark.parametrize(("corners", "says"), [
    ("h8=141,9 h1=507,10 a1=510,377", "Four are needed"),
    ("h8=141,9 h1=507,10 a1=510,377 z9=138,376", "no place z9"),
    ("h8=141,9 h1=507,10 a1=510,377 g8=138,376", "at the same corner"),
    ("a8=141,9 h1=507,10 a1=510,377 h8=138,376", "exchanged or mirrored"),
    ("h8=507,10 h1=141,9 a1=138,376 a8=510,377", "exchanged or mirrored"),
    ("h8=100,100 h1=200,100 a1=300,100 a8=400,100", "one line"),
    ("h8=100,100 h1=105,100 a1=105,105 a8=100,105", "too small"),
])  # fmt: skip
def test_corners_that_cannot_be_are_told(
    corners: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "read.jsonl")

    assert main(["read", str(FOOTAGE), "--game", "chess", "--corners", corners, "--out", out]) == 2
    said = capsys.readouterr().err.strip()
    assert says in said


def test_what_is_no_video_or_is_not_said_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.avi"
    page.write_text("<html>no video</html>", "utf-8")

    assert main(["read", str(page), "--game", "chess", "--corners", CORNERS, "--out", str(tmp_path / "out")]) == 2
    assert "no video" in capsys.readouterr().err
    assert main(["read", str(FOOTAGE), "--game", "chess", "--out", str(tmp_path / "out")]) == 2
    assert "--corners" in capsys.readouterr().err


def last_said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The last progress that was told, and what was said after it."""
    progress, *after = capsys.readouterr().err.rpartition("\r")[2].strip().splitlines()
    return [progress, *after]


def test_a_video_that_is_read_whole_is_told_without_more_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines_of(FOOTAGE, tmp_path / "read.jsonl", "--every", "3")
    assert last_said(capsys) == ["Read 112 of 112 pictures"]


def test_a_video_without_a_free_look_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    black = tmp_path / "black.avi"
    writer = cv2.VideoWriter(str(black), cv2.VideoWriter.fourcc(*"MJPG"), 20, (640, 480))
    for _ in range(12):
        writer.write(np.zeros((480, 640, 3), np.uint8))
    writer.release()
    lines_of(black, tmp_path / "read.jsonl")
    progress, said = last_said(capsys)
    assert progress == "Read 12 of 12 pictures"
    assert "no move was read" in said
    assert "too dark" in said


def test_a_video_that_is_cut_off_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = tmp_path / "half.avi"
    half.write_bytes(FOOTAGE.read_bytes()[:FOOTAGE.stat().st_size // 2])
    lines_of(half, tmp_path / "read.jsonl", "--every", "2")
    progress, said = last_said(capsys)
    read, whole = (int(each) for each in progress.split() if each.isdigit())
    assert (read < whole, whole) == (True, 167)
    assert f"half.avi ended early, after {read} of the {whole} pictures" in said


@pytest.mark.long
@pytest.mark.parametrize("size_wh", [(320, 240), (480, 480), (1280, 720)])
def test_a_video_whose_pictures_change_size_midway_is_followed_all_the_same(
    size_wh: tuple[int, int], tmp_path: Path
) -> None:
    video, parts = tmp_path / "resized.mjpeg", []
    for frame in Video(str(FOOTAGE)).frames():
        image = frame.image if frame.number < 120 else cv2.resize(frame.image, size_wh, interpolation=cv2.INTER_AREA)
        parts.append(cv2.imencode(".jpg", image)[1].tobytes())
    video.write_bytes(b"".join(parts))

    assert is_the_game(moves_of(lines_of(video, tmp_path / "read.jsonl")))


def test_a_start_after_the_end_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines_of(FOOTAGE, tmp_path / "read.jsonl", "--start", "1000")
    assert "no picture from number 1000 on" in last_said(capsys)[-1]


def test_a_stream_that_does_not_say_how_long_it_is_is_never_past_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "plain.mjpeg"
    images = [frame.image for frame in Video(str(FOOTAGE)).frames(every=12)]
    stream.write_bytes(b"".join(cv2.imencode(".jpg", image)[1].tobytes() for image in images))
    lines_of(stream, tmp_path / "read.jsonl")
    assert last_said(capsys)[0] == f"Read {len(images)} of {len(images)} pictures"


def test_corners_in_a_wrong_place_give_nothing_out(tmp_path: Path) -> None:
    """Next to the board, or turned by a quarter: the pieces do not stand as they should at the beginning."""
    beside = "h8=241,109 h1=607,110 a1=610,477 a8=238,476"
    turned = "h1=141,9 a1=507,10 a8=510,377 h8=138,376"
    for corners in (beside, turned):
        lines = lines_of(FOOTAGE, tmp_path / "read.jsonl", "--every", "2", corners=corners)
        assert moves_of(lines) == []
    assert any("as they should stand" in said for line in lines[1:] for said in line["odd"])


def test_corners_that_are_turned_by_a_half_are_told(tmp_path: Path) -> None:
    turned = "a1=141,9 a8=507,10 h8=510,377 h1=138,376"
    lines = lines_of(FOOTAGE, tmp_path / "read.jsonl", "--every", "2", corners=turned)
    assert moves_of(lines) == []
    assert [line["frame"] for line in lines[1:] if line["state"] == "free"] == []
    said = {each for line in lines[1:] for each in line["odd"] if line["state"] == "blocked"}
    assert len(said) == 1
    assert "turned by a half" in said.pop()
