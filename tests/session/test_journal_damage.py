"""Whatever a journal's files become: it opens, nothing is lost without a word, and what can be read is saved."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.session.journal import JOURNAL_NAME
from companion.session.journal.anchor import ANCHOR_NAME
from companion.session.journal.anchor import SLOT_BYTES
from companion.session.journal.notices import NOTICES_NAME
from tests.bench.journal.damage import Journals, damaged, journals
from tests.session.journals import opened, written

STORED = Path(__file__).parents[1] / "data" / "journals" / "two-games"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Journals:
    return journals(tmp_path_factory.mktemp("journals"))


def sound(made: Journals, folder: Path, seed: int) -> None:
    outcome = damaged(made, folder, seed)
    assert outcome.starts, outcome
    assert not outcome.silent, outcome
    assert (outcome.still_wrong, outcome.again) == (0, False), outcome


@pytest.mark.parametrize("seed", range(1, 15))
def test_a_damage_by_chance_is_told_and_salvaged(made: Journals, tmp_path: Path, seed: int) -> None:
    sound(made, tmp_path / "damaged", seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_hundreds_of_damages_are_told_and_salvaged(made: Journals, tmp_path: Path, seed: int) -> None:
    sound(made, tmp_path / "damaged", seed)


@pytest.mark.parametrize("name", ["killed", "closed"])
def test_a_journal_without_damage_has_nothing_to_tell(made: Journals, tmp_path: Path, name: str) -> None:
    shutil.copytree(made.folders[name], tmp_path / "copy")
    with opened(tmp_path / "copy") as again:
        again.verify()
        found = {(game, n): event for game, events in again.contents().items() for n, event in enumerate(events, 1)}
        assert (again.notices, found) == ([], made.written[name])


def test_a_log_with_one_flipped_bit_loses_nothing(made: Journals, tmp_path: Path) -> None:
    shutil.copytree(made.folders["killed"], tmp_path / "copy")
    wal = tmp_path / "copy" / f"{JOURNAL_NAME}-wal"
    bytes_ = bytearray(wal.read_bytes())
    bytes_[32 + 24 + 4000] ^= 1  # in the first page of the log: SQLite ignores all that follows
    wal.write_bytes(bytes_)
    with opened(tmp_path / "copy") as again:
        assert again.notices == ["journal.damaged"]
        assert sum(map(len, again.contents().values())) == len(made.written["killed"])
    assert any(file.read_bytes() == bytes_ for file in (tmp_path / "copy").glob("journal-*-wal"))


def test_a_line_altered_in_an_old_game_is_found_in_the_background_and_saved_from_at_the_next_start(
    tmp_path: Path,
) -> None:
    before = written(tmp_path)
    bytes_ = (tmp_path / JOURNAL_NAME).read_bytes()
    at = bytes_.index(b'"ply_made"')
    (tmp_path / JOURNAL_NAME).write_bytes(bytes_[:at] + b'"ply_mode"' + bytes_[at + 10 :])
    with opened(tmp_path) as again:
        assert again.notices == []
        again.verify()
        assert again.notices == ["journal.game_damaged"]
        again.journal.notices.read()
    with opened(tmp_path) as salvaged:
        assert salvaged.notices == ["journal.damaged"]
        now = salvaged.contents()
    assert now[1] == before[1][: len(now[1])]
    assert {game: events for game, events in now.items() if game != 1} == {
        game: events for game, events in before.items() if game != 1}


def test_names_that_were_altered_are_found_and_told(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.play(3)
        name = journal.contents()[1][0]["header"]["players"][0]["name"]
    bytes_ = (tmp_path / JOURNAL_NAME).read_bytes()
    changed = chr(ord(name[0]) ^ 1) + name[1:]
    (tmp_path / JOURNAL_NAME).write_bytes(bytes_.replace(f'"{name}"'.encode(), f'"{changed}"'.encode()))
    with opened(tmp_path) as again:
        assert again.notices == ["journal.damaged"]
        assert again.contents()[1][0]["header"]["players"] == [{"name": "A"}, {"name": "B"}]


# --- the anchor -------------------------------------------------------------------------------------------------------


def slots(folder: Path) -> Iterator[bytes]:
    bytes_ = (folder / ANCHOR_NAME).read_bytes()
    yield from (bytes_[:SLOT_BYTES], bytes_[SLOT_BYTES:])


def test_an_older_journal_put_back_is_told(tmp_path: Path) -> None:
    written(tmp_path, 20)
    backup = (tmp_path / JOURNAL_NAME).read_bytes()
    with opened(tmp_path) as journal:
        journal.play(1)
    (tmp_path / JOURNAL_NAME).write_bytes(backup)
    with opened(tmp_path) as again:
        assert again.notices == ["journal.damaged"]


def test_a_kill_between_commit_and_anchor_is_no_damage(tmp_path: Path) -> None:
    written(tmp_path, 20)
    before = (tmp_path / ANCHOR_NAME).read_bytes()
    with opened(tmp_path) as journal:
        journal.play(2)
        lines = journal.contents()
    (tmp_path / ANCHOR_NAME).write_bytes(before)
    with opened(tmp_path) as again:
        assert (again.notices, again.contents()) == ([], lines)


@pytest.mark.parametrize("slot", [0, 1])
def test_one_damaged_slot_of_the_anchor_is_no_loss(tmp_path: Path, slot: int) -> None:
    written(tmp_path, 20)
    kept = list(slots(tmp_path))
    kept[slot] = kept[slot][:70] + b"x" + kept[slot][71:]
    (tmp_path / ANCHOR_NAME).write_bytes(b"".join(kept))
    with opened(tmp_path) as again:
        assert again.notices == []


@pytest.mark.parametrize("damage", [b"", b"rubbish"])
def test_a_lost_anchor_is_told_and_written_anew(tmp_path: Path, damage: bytes) -> None:
    before = written(tmp_path, 20)
    (tmp_path / ANCHOR_NAME).write_bytes(damage)
    with opened(tmp_path) as again:
        assert (again.notices, again.contents()) == (["journal.no_anchor"], before)
        again.journal.notices.read()
    with opened(tmp_path) as once_more:
        assert once_more.notices == []


# --- notices ----------------------------------------------------------------------------------------------------------


def test_a_notice_stays_until_somebody_has_read_it(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_NAME).write_bytes(b"rubbish")
    for _ in range(2):
        with opened(tmp_path) as journal:
            assert journal.notices == ["journal.damaged"]
    with opened(tmp_path) as journal:
        journal.journal.notices.read()
    with opened(tmp_path) as journal:
        assert journal.notices == []


def test_damaged_notices_are_told_themselves(tmp_path: Path) -> None:
    written(tmp_path, 2)
    for damage in (b"\xff", b"[]", b'{"unread": [{"id": 1}], "repair": false}'):
        (tmp_path / NOTICES_NAME).write_bytes(damage)
        with opened(tmp_path) as journal:
            assert journal.notices == ["journal.unread_lost"]


class KilledError(BaseException):
    """Stands in for a kill."""


@pytest.mark.parametrize("renames", range(12))
def test_a_salvage_that_a_kill_cut_off_anywhere_is_done_by_the_next_start(
    made: Journals, tmp_path: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made.folders["killed"], folder)
    wal = folder / f"{JOURNAL_NAME}-wal"
    wal.write_bytes(wal.read_bytes()[:5000] + b"rubbish" + wal.read_bytes()[5007:])
    left, rename = [renames], Path.rename

    def killed(path: Path, target: Path) -> Path:
        if left[0] == 0:
            raise KilledError
        left[0] -= 1
        return rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", killed)
        with suppress(KilledError), opened(folder):
            pass
    with opened(folder) as again:
        assert set(again.notices) == {"journal.damaged"}
        assert sum(map(len, again.contents().values())) == len(made.written["killed"])
        again.journal.notices.read()
    with opened(folder) as once_more:
        assert once_more.notices == []


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_journal_without_checksums_opens_and_is_told(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    bytes_ = bytearray((STORED / JOURNAL_NAME).read_bytes())
    at = rng.randrange(len(bytes_))
    bytes_[at : at + 100] = rng.randbytes(min(100, len(bytes_) - at))
    (tmp_path / JOURNAL_NAME).write_bytes(bytes_ if seed % 2 else bytes_[:at])
    with opened(tmp_path) as again:
        assert set(again.notices) <= {"journal.damaged", "journal.migrated", "journal.newer", "journal.unfollowable"}
        assert again.notices
        again.journal.notices.read()
    with opened(tmp_path) as once_more:
        assert set(once_more.notices) <= {"journal.unfollowable"}
