"""Pictures of what was seen: each ply gets its own, within a quota, and they go with their game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.session.clock import FakeClock
from companion.session.evidence import EVIDENCE_NAME, EvidenceKeeper, PlyPictures, PliesSeen, forget_pictures
from companion.session.journal.delete import delete_game, forget_names
from companion.session.past import PastGames
from companion.session.port import Refused
from companion.errors import phrase
from tests.session.journals import written
from tests.session.tables import library

KEY, OTHER = "AbcdEfgh-_123456", "ZbcdEfgh-_123456"


def look(folder: Path, number: int, size: int = 100) -> None:
    (folder / EVIDENCE_NAME).mkdir(exist_ok=True)
    (folder / EVIDENCE_NAME / f"look-{number}.jpg").write_bytes(bytes([number % 256]) * size)


def kept(folder: Path, key: str = KEY) -> dict[int, int]:
    """By ply, the look whose picture it has."""
    pictures = PlyPictures(lambda: folder)
    found = {n: pictures.picture(key, n) for n in pictures.plies(key)}
    return {n: picture[0] for n, picture in found.items() if picture}


@pytest.fixture
def keeper(tmp_path: Path) -> EvidenceKeeper:
    keeper = EvidenceKeeper(tmp_path, 1)
    keeper.follow(PliesSeen(KEY))
    return keeper


def test_a_ply_has_the_picture_of_its_look(keeper: EvidenceKeeper, tmp_path: Path) -> None:
    for number in (3, 5, 8):
        look(tmp_path, number)
    keeper.follow(PliesSeen(KEY, (3,)))
    keeper.follow(PliesSeen(KEY, (3, 7)))  # a look like the one before has no picture of its own
    assert kept(tmp_path) == {1: 3, 2: 5}
    for number in (3, 5, 8):
        (tmp_path / EVIDENCE_NAME / f"look-{number}.jpg").unlink()
    assert kept(tmp_path) == {1: 3, 2: 5}


def test_what_a_person_said_has_the_newest_picture(keeper: EvidenceKeeper, tmp_path: Path) -> None:
    look(tmp_path, 4)
    look(tmp_path, 9)
    keeper.follow(PliesSeen(KEY, (None,)))
    assert kept(tmp_path) == {1: 9}


def test_a_correction_keeps_the_picture_on_which_it_was_wrong(keeper: EvidenceKeeper, tmp_path: Path) -> None:
    look(tmp_path, 4)
    keeper.follow(PliesSeen(KEY, (4, 4)))
    look(tmp_path, 9)
    keeper.follow(PliesSeen(KEY, (None, None)))
    assert kept(tmp_path) == {1: 4, 2: 4}
    keeper.follow(PliesSeen(KEY, (None,)))
    keeper.follow(PliesSeen(KEY, (None, 9)))
    assert kept(tmp_path) == {1: 4, 2: 9}


def test_a_game_that_is_met_in_its_middle_was_seen_by_other_eyes(tmp_path: Path) -> None:
    keeper = EvidenceKeeper(tmp_path, 1)
    look(tmp_path, 2)
    keeper.follow(PliesSeen(KEY, (1, 2, 3, 4, 5, 6)))
    keeper.follow(PliesSeen())  # a set-up is read meanwhile, and given up
    keeper.follow(PliesSeen(KEY, (1, 2, 3, 4, 5, 6)))
    assert kept(tmp_path) == {}
    keeper.follow(PliesSeen(KEY, (1, 2, 3, 4, 5, 6, 2)))
    assert kept(tmp_path) == {7: 2}


def test_the_games_seen_longest_ago_make_room_first(keeper: EvidenceKeeper, tmp_path: Path) -> None:
    for age, key in ((50, OTHER), (90, OTHER[::-1])):
        folder = tmp_path / EVIDENCE_NAME / key
        folder.mkdir(parents=True)
        (folder / "ply-1.jpg").write_bytes(bytes(400_000))
        os.utime(folder, (folder.stat().st_mtime - age, folder.stat().st_mtime - age))
    (tmp_path / "journal.sqlite").write_bytes(bytes(2_000_000))
    look(tmp_path, 1, 500_000)
    keeper.follow(PliesSeen(KEY, (1,)))
    assert [list(kept(tmp_path, key)) for key in (OTHER[::-1], OTHER, KEY)] == [[], [1], [1]]
    look(tmp_path, 2, 600_000)
    keeper.follow(PliesSeen(KEY, (1, 2)))
    assert [list(kept(tmp_path, key)) for key in (OTHER, KEY)] == [[], [2]]
    assert (tmp_path / "journal.sqlite").stat().st_size == 2_000_000, "nothing else is ever deleted"


@pytest.mark.parametrize("key", ["", "..", "../../../etc", "a/b/c/d/e/f", "short"])
def test_a_name_that_is_none_of_ours_is_no_folder(tmp_path: Path, key: str) -> None:
    (tmp_path / EVIDENCE_NAME).mkdir()
    (tmp_path / "ply-1.jpg").write_bytes(b"x")
    look(tmp_path, 1)
    EvidenceKeeper(tmp_path, 1).follow(PliesSeen(key, (1,)))
    pictures = PlyPictures(lambda: tmp_path)
    assert (pictures.plies(key), pictures.picture(key, 1)) == ((), None)
    forget_pictures(tmp_path, (key,))
    assert (tmp_path / "ply-1.jpg").exists()


def test_without_a_disk_only_the_picture_is_missing(keeper: EvidenceKeeper, tmp_path: Path) -> None:
    (tmp_path / EVIDENCE_NAME).write_text("no folder")
    keeper.follow(PliesSeen(KEY, (1,)))
    assert kept(tmp_path) == {}


def test_pictures_go_with_their_game_and_with_the_names_of_those_who_played(tmp_path: Path) -> None:
    written(tmp_path, 60)
    past = PastGames(lambda: tmp_path, library(), lambda *_: Refused(phrase("session.stale"), 0))
    games = {each.number: each.key for each in past.listed(None, 99)}
    assert len(set(games.values())) == len(games) > 3
    for key in games.values():
        keeper = EvidenceKeeper(tmp_path, 1)
        keeper.follow(PliesSeen(key))
        look(tmp_path, 1)
        keeper.follow(PliesSeen(key, (1,)))
    delete_game(tmp_path, 1)
    delete_game(tmp_path, 2, names_only=True)
    assert [kept(tmp_path, games[number]) for number in (1, 2, 3)] == [{}, {}, {1: 1}]
    assert not list((tmp_path / EVIDENCE_NAME).glob("look-*.jpg"))
    forget_names(tmp_path, FakeClock(3600.0).now())
    assert not any(kept(tmp_path, key) for key in games.values())
