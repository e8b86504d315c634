"""What a person asks of a journal in a terminal: is it whole, give me its games, save what can be read.

Everything here works on any journal: one in use, a damaged one, one that was put aside.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, InvalidError, JournalError, phrase
from companion.session import events
from companion.session.evolve import resume
from companion.session.exports import whole_record
from companion.session.journal.anchor import Anchor, read_anchor_file
from companion.session.journal.build import Loss, Saved
from companion.session.journal.carve import OnProgress, carve
from companion.session.journal.chain import Standing
from companion.session.journal.games import KeptGame, chained_games, events_of, old_games
from companion.session.journal.opening import lock_folder
from companion.session.journal.pages import files_of
from companion.session.journal.salvage import salvage
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, NewerError, reader
from companion.session.journal.sound import OldError, is_new, sound_standing
from companion.session.journal.stored import stored_games
from companion.session.journal.verify import verify_games
from companion.session.library import GameLibrary


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. `why` says what is wrong, in a programmer's words; empty: the journal is whole, or so old
    that nobody can tell."""

    why: str
    is_old: bool
    saved: Saved


def journal_at(where: Path) -> Path:
    """The journal that a file or a folder means. Raises `InvalidError` when there is none."""
    path = where / JOURNAL_NAME if where.is_dir() else where
    if is_new(path):
        raise InvalidError(phrase("journal.none", where=str(path)))
    return path


def check_journal(path: Path, progress: OnProgress) -> Checked:
    """Is everything there, as it was written? Raises `OSError`."""
    why, is_old = _fault(path, progress)
    with _games(path, not why and not is_old, progress) as games:
        return Checked(why, is_old, tally(games))


@contextmanager
def found_games(path: Path, progress: OnProgress) -> Iterator[Iterator[KeptGame]]:
    """All games that can be found in the files of a journal, with good beginnings of damaged ones."""
    why, is_old = _fault(path, progress)
    with _games(path, not why and not is_old, progress) as games:
        yield games


def _fault(path: Path, progress: OnProgress) -> tuple[str, bool]:
    """What is wrong with the journal, and whether it is of version 1."""
    try:
        standing = sound_standing(path, read_anchor_file(path.with_suffix(".anchor")))
        with closing(reader(path)) as connection:
            for steps, game in enumerate(verify_games(connection, standing.tip.game)):
                if game is not None:
                    return f"game {game} is not as it was written", False
                progress(min(steps, standing.tip.game), standing.tip.game)
    except OldError:
        return "", True
    except NewerError:
        return "a newer version wrote it", False
    except (DamagedError, sqlite3.Error) as error:
        return str(error) or "damaged", False
    return "", False


@contextmanager
def _games(path: Path, is_sound: bool, progress: OnProgress) -> Iterator[Iterator[KeptGame]]:
    """The games of a sound journal as SQLite has them, those of a damaged one out of its raw pages."""
    if is_sound:
        with closing(reader(path)) as connection:
            connection.execute("BEGIN")
            yield stored_games(connection)
        return
    carved = carve(files_of(path), progress)
    try:
        anchored = read_anchor_file(path.with_suffix(".anchor"))
        yield old_games(carved.old_rows()) if carved.is_old else chained_games(carved, anchored)
    finally:
        carved.close()


def tally(games: Iterable[KeptGame]) -> Saved:
    """How much there is, and what is missing."""
    count, lines, losses, nameless = 0, 0, list[Loss](), list[int]()
    for game in games:
        count += game.number > 0 and bool(game.lines)
        lines += len(game.lines)
        losses += [Loss(game.number, game.lost, not game.lines)] if game.lost != 0 else []
        nameless += [game.number] if game.nameless else []
    return Saved(Standing(), count, lines, tuple(losses), tuple(nameless))


def record_of(game: KeptGame, library: GameLibrary) -> tuple[dict[str, object], ...]:
    """The lines of a game's record, as far as it was played; nothing is left out. Empty when nobody began it. Raises
    `CompanionError` when its lines cannot be followed."""
    read = [events.read_event(each) for each in events_of(game)]
    played = [each for each in read if not isinstance(each, events.SETTING_UP)]
    try:
        state = resume(played, library, 0, game.number)
    except CompanionError:
        raise
    except (ValueError, LookupError, TypeError) as error:
        raise InvalidError(phrase("journal.unfit", given=str(error)[:80])) from error
    return () if state.match is None else whole_record(state.match)


def recover(path: Path, folder: Path, progress: OnProgress) -> Saved:
    """Saves what can be read into a new journal in `folder`. Raises `JournalError` when there is one already."""
    with closing(lock_folder(folder)):
        new = folder / JOURNAL_NAME
        if not is_new(new):
            raise JournalError(phrase("journal.there", where=str(new)))
        saved = salvage(path, new, read_anchor_file(path.with_suffix(".anchor")), progress)
        with closing(Anchor(folder)) as anchor:
            anchor.write(saved.standing)
    return saved
