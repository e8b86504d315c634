"""Deleting a game, or the names of those who played it. Everything else stays, and verifies as before.

The journal is written anew without the game and takes the old one's place, so that nothing of it is left in the file;
of the game, its number and the hash that it ended with remain.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from companion.errors import InvalidError, JournalError, phrase
from companion.session.journal.anchor import read_anchor
from companion.session.journal.build import write_games
from companion.session.journal.chain import line_id
from companion.session.journal.games import NAMELESS, KeptGame
from companion.session.journal.notices import sync_folder
from companion.session.journal.opening import lock_folder
from companion.session.journal.replace import BUILDING
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, NewerError, reader, writer
from companion.session.journal.sound import OldError, sound_standing
from companion.session.journal.stored import stored_games


def delete_game(folder: Path, game: int, names_only: bool = False) -> tuple[Path, ...]:
    """Deletes a game, or only who played it. Gives the journals that were put aside, which may still hold it. Raises
    `JournalError` when the journal is in use, not whole or cannot be written, `InvalidError` for a game that is not
    there, and for the last one, which may be gone on with (its names can be deleted)."""
    path = folder / JOURNAL_NAME
    with closing(lock_folder(folder)):
        try:
            standing = sound_standing(path, read_anchor(folder))
            if not 1 <= game <= standing.tip.game:
                raise InvalidError(phrase("journal.no_game", game=game, last=standing.tip.game))
            if game == standing.tip.game and not names_only:
                raise InvalidError(phrase("journal.last_game", game=game))
            with closing(reader(path)) as connection:
                built = write_games(folder / BUILDING, _without(stored_games(connection), game, names_only))
            if built.standing != standing:
                raise DamagedError("the journal written anew is another")
            _take_its_place(path)
        except (DamagedError, OldError, NewerError) as error:
            raise JournalError(phrase("journal.delete_whole", where=str(path))) from error
        except (sqlite3.Error, OSError) as error:
            raise JournalError(phrase("journal.unwritable", where=str(path), given=str(error))) from error
    return tuple(sorted(folder.glob("journal-*.sqlite")))


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
            yield replace(game, players=tuple((id, NAMELESS) for id, _ in game.players)) if names_only \
                else KeptGame(game.tip, deleted=True)
        else:
            yield game
