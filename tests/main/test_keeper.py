"""What the camera sees of a game is kept, and plays again with the same readings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import HardwareError, InvalidError, SightError
from companion.main.board_eyes import BoardEyes
from companion.main.keeper import STILL_EVERY_S, Keeper
from companion.main.kept_eyes import open_kept
from companion.main.messages import LookFor, Preview
from companion.session.keeping import ABOUT, FRAMES, LOOKS, SMALL, Keeping, kept_tables, numbered_tables
from companion.table import Placement
from hardware.sources.kept_table import KeptCamera, read_kept
from tests.main.kept_games import Film, as_said, kept_of, played_again, watched
from tests.vision.chequered import LAYOUT, START, moved
from tests.vision.drawn_board import STYLES, Camera
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

CAMERA = Camera(STYLES["dim"], LAYOUT)
CORNERS = " ".join(f"{name}={x:.0f},{y:.0f}" for name, (x, y) in CAMERA.corners.items())
HEADER = {"game": "draughts", "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {}}
WANTED = LookFor(LAYOUT, 2, placement=START, pieces=frozenset({"man:white", "man:black"}), game="draughts",
                 header=HEADER)
RATE = 10.0
AFTER = moved(START, "e2e4")


def film(*scenes: tuple[Placement, Sequence[float | None]]) -> Film:
    """Scenes with a hand that reaches so far, a picture each tenth of a second."""
    images = [CAMERA.picture(placement, hand) for placement, hands in scenes for hand in hands]
    return Film([shown(image, n) for n, image in enumerate(images)])


def shown(image: Image, n: int) -> Frame:
    return Frame(image, make_small(image), 100.0 + n / RATE, n)


@pytest.fixture(scope="module")
def game() -> Film:
    """A man is moved: three seconds, a hand, three seconds."""
    hand = [0.1, 0.4, 0.5]
    return film((START, [None] * 30), (START, hand), (AFTER, hand[::-1]), (AFTER, [None] * 30))


def keep(game: Film, folder: Path, wanted: LookFor = WANTED, quota_mb: int = 100) -> Any:
    told: list[Keeping] = []
    talk = watched(BoardEyes(CORNERS), game, wanted, Keeper(folder, quota_mb, told.append))
    talk.heard += told
    return talk


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FRAMES).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("speed", [0.0, 1.0, 20.0])
def test_a_kept_game_plays_again_with_the_same_readings_at_any_speed(
    game: Film, speed: float, tmp_path: Path
) -> None:
    live = keep(game, tmp_path)
    again, slept = played_again(tmp_path, WANTED, speed)

    assert as_said(again) == as_said(live)
    read = [each.observation for each in live.sighted if each.observation is not None]
    assert read[0].sights != read[-1].sights
    part, = kept_tables(tmp_path)
    at = [each["at"] for each in lines_of(part)]
    assert sum(slept) == pytest.approx((at[-1] - at[0]) / speed if speed else 0.0)


def test_only_what_the_eyes_looked_at_is_kept_large_and_a_still_table_seldom(game: Film, tmp_path: Path) -> None:
    live = keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    lines = lines_of(part)

    assert len(lines) == len(as_said(live)) < len(game.frames)
    large = {each["frame"] for each in lines if each["picture"]}
    assert large == {int(each.stem) for each in (part / LOOKS).iterdir()}
    assert large == {each["frame"] for each in lines if each["state"] == "free"}
    at = [each["at"] for each in lines]
    assert max(np.diff(at)) <= STILL_EVERY_S
    numbers = [each["frame"] for each in lines]
    assert numbers[numbers.index(29) + 1] - 29 <= 0.5 * RATE, "the hand comes with frame 30, and what was before it"
    assert {each.stat().st_mode & 0o077 for each in (part, part / SMALL, part / FRAMES)} == {0}


def test_a_still_table_is_shown_on_the_page_all_the_same(tmp_path: Path) -> None:
    talk = keep(film((START, [None] * 60)), tmp_path)

    assert len([each for each in talk.heard if isinstance(each, Preview)]) >= 5


def test_nobodys_name_is_kept(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)

    assert [each["name"] for each in read_kept(part).header["players"]] == ["A", "B"]
    assert "Ann" not in (part / ABOUT).read_text("utf-8")


def test_what_stands_there_while_a_set_up_is_read_is_not_kept(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path, replace(WANTED, draft=True))
    keep(game, tmp_path, replace(WANTED, header={}))

    assert kept_tables(tmp_path) == []


def test_the_oldest_games_make_room_and_a_game_that_is_too_long_is_told(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    size = sum(each.stat().st_size for each in tmp_path.rglob("*") if each.is_file())
    mb = int(1.5 * size / 1e6)
    assert mb >= 1
    keep(game, tmp_path, quota_mb=mb)
    assert [each.name for each in kept_tables(tmp_path)] == ["0002-draughts"]

    long = Film([replace(each, at_s=each.at_s + 10 * n, number=each.number + 100 * n)
                 for n in range(3) for each in game.frames])
    told = kept_of(keep(long, tmp_path, quota_mb=mb))
    assert [each.why_not.id for each in told if each.why_not] == ["keep.full"]
    assert sum(each.stat().st_size for each in tmp_path.rglob("*") if each.is_file()) < 1.3 * mb * 1e6
    played_again(tmp_path, WANTED)


def test_a_disk_that_takes_nothing_costs_what_is_kept_alone(game: Film, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("no folder")
    talk = keep(game, tmp_path / "kept")

    assert [each.why_not.id for each in kept_of(talk)] == ["keep.failed"]
    assert [each for each in talk.sighted if each.observation is not None]


def test_the_newest_of_several_games_plays_and_one_can_be_named(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    keep(Film(game.frames[:5]), tmp_path)

    assert [each.name for each in kept_tables(tmp_path)] == ["0001-draughts", "0002-draughts"]
    assert read_kept(tmp_path).folder.name == "0002-draughts"
    assert read_kept(tmp_path / "0001-draughts").folder.name == "0001-draughts"


def test_it_plays_on_after_the_frame_that_was_understood_last(game: Film, tmp_path: Path) -> None:
    live = keep(game, tmp_path)
    again, _ = played_again(tmp_path, replace(WANTED, after=9))

    assert as_said(again) == as_said(live)[10:]


def test_what_was_learned_then_is_learned_again_before_the_same_frame(game: Film, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, 100, lambda _: None)
    table = BoardEyes(CORNERS)
    keeper.begin(WANTED, table)
    table.look_for(WANTED)
    labels = {"square:e4": ("man:white",)}
    for frame in game.frames[:6]:
        for each in keeper.given(frame):
            keeper.saw(each, table.look(each, lambda: None))
        if frame.number == 3:
            keeper.taught(labels)

    assert read_kept(tmp_path).lessons() == {4: [labels]}


def test_a_line_that_a_power_cut_left_half_written_is_the_end(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    whole = (part / FRAMES).read_bytes()
    (part / FRAMES).write_bytes(whole[:-20])

    assert len(list(read_kept(part).frames())) == len(whole.splitlines()) - 1


def test_missing_and_damaged_pictures_are_told(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    first, second = sorted((part / LOOKS).iterdir(), key=lambda each: int(each.stem))[:2]
    first.write_bytes(b"")
    second.unlink()
    said = []
    for frame in read_kept(part).frames():
        try:
            frame.image  # noqa: B018 (it is made when it is asked for)
        except SightError as error:
            said.append(str(error))
    assert said == [f"hw.kept_look(where=0001-draughts/looks/{each.name})" for each in (first, second)]
    again, _ = played_again(tmp_path, WANTED)
    assert [each.state for each in again.sighted].count("picture") == 2
    (part / SMALL).unlink()
    with pytest.raises(SightError, match="kept_damaged"):
        list(read_kept(part).frames())


def test_frames_whose_small_picture_is_damaged_are_left_out_and_counted(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    small = (part / SMALL).read_bytes()
    (part / SMALL).write_bytes(small[:-1000])
    number = len(lines_of(part))

    camera = KeptCamera(tmp_path, speed=0.0, sleep=lambda _: None)
    camera.open()
    assert all(camera.read() is not None for _ in range(number - 1))
    for _ in range(2):
        with pytest.raises(HardwareError, match=r"kept_lost\(where=.*, number=1\)"):
            camera.read()


def test_what_comes_before_a_damaged_line_is_counted_and_learned(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    lines = (part / FRAMES).read_text("utf-8").splitlines()
    taught = json.dumps({"taught": {"square:e4": ["man:white"]}})
    (part / FRAMES).write_text("\n".join([*lines[:4], taught, "[]", *lines[5:], taught]), "utf-8")

    assert read_kept(part).length == 4
    assert open_kept(part).lessons == {4: [{"square:e4": ("man:white",)}]}


def test_frames_that_are_left_out_count_where_a_game_goes_on(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    small = (part / SMALL).read_bytes()
    at, size = lines_of(part)[2]["small"]
    (part / SMALL).write_bytes(small[:at] + bytes(size) + small[at + size:])
    seen = list[int]()

    class Eyes(BoardEyes):
        def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
            seen.append(frame.number)
            return super().look(frame, begins)

    eyes = replace(open_kept(tmp_path), table=Eyes(CORNERS))
    eyes.look_for(replace(WANTED, after=5))
    assert seen == [0, 1, 3, 4, 5]


@pytest.mark.parametrize("line", ["5", '{"frame": 3, "at": 1.5, "sma', "[]", '{"frame": 3, "at": 1, "small": 7}'])
def test_a_line_that_is_damaged_ends_the_frames_and_is_told(game: Film, line: str, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    lines = (part / FRAMES).read_text("utf-8").splitlines()
    (part / FRAMES).write_text("\n".join([*lines[:4], line, *lines[5:]]), "utf-8")

    frames = read_kept(part).frames()
    assert [next(frames).number for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(SightError, match="kept_damaged"):
        next(frames)


def test_a_game_is_not_kept_over_another_that_lies_where_games_should(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    mine = part.rename(tmp_path / "0001-mine")
    before = {file: file.read_bytes() for file in mine.rglob("*") if file.is_file()}

    keep(game, mine, quota_mb=1)

    assert {file: file.read_bytes() for file in before} == before
    assert [each.name for each in numbered_tables(mine)] == ["0001-draughts"]


def test_a_folder_that_is_gone_costs_what_is_kept_alone(game: Film, tmp_path: Path) -> None:
    told: list[Keeping] = []
    keeper, table = Keeper(tmp_path / "kept", 100, told.append), BoardEyes(CORNERS)
    keeper.begin(WANTED, table)
    table.look_for(WANTED)
    for frame in game.frames[:3]:
        for each in keeper.given(frame):
            keeper.saw(each, table.look(each, lambda: None))
    shutil.rmtree(tmp_path / "kept")

    keeper.taught({"square:e4": ("man:white",)})

    assert [each.why_not.id for each in told if each.why_not] == ["keep.failed"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "companion-kept-table", "version": 2}'])
def test_what_is_no_kept_game_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / ABOUT).write_text(text, "utf-8")

    with pytest.raises(InvalidError, match="no_kept"):
        read_kept(tmp_path)
    with pytest.raises(HardwareError, match="no_kept"):
        KeptCamera(tmp_path).open()


def test_pictures_larger_than_any_cameras_are_none_that_were_kept(game: Film, tmp_path: Path) -> None:
    keep(game, tmp_path)
    part, = kept_tables(tmp_path)
    about = json.loads((part / ABOUT).read_text("utf-8"))
    (part / ABOUT).write_text(json.dumps(about | {"shape": [100_000, 100_000, 3]}), "utf-8")

    with pytest.raises(InvalidError, match="no_kept"):
        read_kept(tmp_path)
