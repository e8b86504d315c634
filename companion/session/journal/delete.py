"""Deleting a game, or the names of those who played it, also of all games that were long ago, with the pictures of what
was seen of them. Everything else stays, and verifies as before.

The journal is written anew without the game and takes the old one's place, so that nothing of it is left in the file;
of the game, its number and the hash that it ended with remain.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from companion.errors import InvalidError, JournalError, phrase
from companion.session.evidence import forget_pictures
from companion.session.journal.anchor import read_anchor
from companion.session.journal.build import write_games
from companion.session.journal.chain import LINES_BITS, Standing, line_id
from companion.session.journal.games import NAMELESS, KeptGame
from companion.session.whole_file import sync_folder
from companion.session.journal.opening import lock_folder
from companion.session.journal.replace import BUILDING
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, NewerError, reader, writer
from companion.session.journal.sound import OldError, sound_standing
from companion.session.journal.stored import stored_games
from companion.session.journal.verify import read_lines


def delete_game(folder: Path, game: int, names_only: bool = False) -> tuple[Path, ...]:
    """Deletes a game, or only who played it. Gives the journals that were put aside, which may still hold it. Raises
    `JournalError` when the journal is in use, not whole or cannot be written, `InvalidError` for a game that is not
    there, and for the last one, which may be gone on with (its names can be deleted)."""
    with closing(lock_folder(folder)), _told(folder / JOURNAL_NAME):
        standing = sound_standing(folder / JOURNAL_NAME, read_anchor(folder))
        if not 1 <= game <= standing.tip.game:
            raise InvalidError(phrase("journal.no_game", game=game, last=standing.tip.game))
        if game == standing.tip.game and not names_only:
            raise InvalidError(phrase("journal.last_game", game=game))
        keys = _keys(folder / JOURNAL_NAME, (game,))
        _write_anew(folder, standing, lambda games: _without(games, game, names_only))
        forget_pictures(folder, keys)
    return tuple(sorted(folder.glob("journal-*.sqlite")))


def forget_names(folder: Path, before: str) -> tuple[int, ...]:
    """Deletes who played the games whose last line was written before this time of day (as a `Clock` says it); the
    numbers of these games. Raises `JournalError` as `delete_game` does."""
    path = folder / JOURNAL_NAME
    if not path.exists():
        return ()
    with closing(lock_folder(folder)), _told(path):
        with closing(reader(path)) as connection:
            found = tuple(_named_before(connection, before.encode()))
        if found:
            keys = _keys(path, found)
            _write_anew(folder, sound_standing(path, read_anchor(folder)), lambda games: (
                _nameless(game) if game.number in found else game for game in games))
            forget_pictures(folder, keys)
    return found


def _named_before(connection: sqlite3.Connection, before: bytes) -> Iterator[int]:
    """The games that name somebody and whose last line is older."""
    named = connection.execute(
        "SELECT DISTINCT id >> ? FROM people WHERE players != ? ORDER BY 1", (LINES_BITS, NAMELESS.decode())).fetchall()
    for (game,) in named:
        [(last,)] = connection.execute(
            "SELECT at FROM line WHERE id < ? ORDER BY id DESC LIMIT 1", (line_id(game + 1, 0),)).fetchall()
        if last < before:
            yield game


def _keys(path: Path, games: Iterable[int]) -> tuple[str, ...]:
    """What names these games among all, and their pictures."""
    with closing(reader(path)) as connection:
        begun = (json.loads(line.event) for game in games for line, _ in read_lines(connection, game)
                 if b'"game_started"' in line.event)
        return tuple(str(event.get("key", "")) for event in begun if event["type"] == "game_started")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Says as a `JournalError` what is wrong with a journal."""
    try:
        yield
    except (DamagedError, OldError, NewerError) as error:
        raise JournalError(phrase("journal.delete_whole", where=str(path))) from error
    except (sqlite3.Error, OSError) as error:
        raise JournalError(phrase("journal.unwritable", where=str(path), given=str(error))) from error


def _write_anew(
    folder: Path, standing: Standing, change: Callable[[Iterator[KeptGame]], Iterable[KeptGame]]
) -> None:
    path = folder / JOURNAL_NAME
    with closing(reader(path)) as connection:
        built = write_games(folder / BUILDING, change(stored_games(connection)))
    if built.standing != standing:
        raise DamagedError("the journal written anew is another")
    _take_its_place(path)


def _take_its_place(path: Path) -> None:
    with closing(writer(path)) as old:  # its log is folded in and removed: it must not be taken for the new one's
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if Path(f"{path}-wal").exists():
        raise DamagedError("the log is in use")
    (path.parent / BUILDING).rename(path)
    sync_folder(path.parent)


def _without(games: Iterable[KeptGame], number: int, names_only: bool) -> Iterator[KeptGame]:
    for game in games:
        if game.number == number - 1:  # set-ups that were read before the game stand behind the one before it
            head = line_id(game.number, 1) if game.number else 0
            yield replace(game, players=tuple((id, who if id == head else NAMELESS) for id, who in game.players))
        elif game.number == number:
            yield _nameless(game) if names_only else KeptGame(game.tip, deleted=True)
        else:
            yield game


def _nameless(game: KeptGame) -> KeptGame:
    return replace(game, players=tuple((id, NAMELESS) for id, _ in game.players))
