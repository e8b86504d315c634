"""Lines chained by checksums: each line's SHA-256 covers the hash before it and everything that the line says.

A chain a game, so that a game can be deleted and all others still verify. The ends of the games are a chain of their
own: it says how many lines each game had and with which hash it ended, also of a game that is gone. Chain 0 is of what
came before the first game, set-ups that were read.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

LINES_BITS: Final = 24
"""A line's id in the database is its game's number, shifted so far, and its own number in the game."""
NO_ENDS: Final = sha256(b"ends").digest()
"""What the ends of no game are chained to."""


def line_id(game: int, n: int) -> int:
    """The id of line `n` (from 1) of a game. All lines of a game lie between `line_id(game, 0)` and the next game's."""
    return game << LINES_BITS | n


def line_of(id: int) -> tuple[int, int]:
    """Game and number of a line."""
    return id >> LINES_BITS, id & (1 << LINES_BITS) - 1


def chain_start(game: int) -> bytes:
    """What the first line of a game is chained to."""
    return sha256(f"game {game}".encode()).digest()


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands on the disk. `rest`: so many more lines were written with it in one append, all or none."""

    game: int
    n: int
    seq: int
    rest: int
    at: bytes
    event: bytes

    @property
    def id(self) -> int:
        """The line's id."""
        return line_id(self.game, self.n)

    def chained(self, before: bytes) -> bytes:
        """The line's hash, given the hash of the line before it."""
        head = f"{self.game} {self.n} {self.seq} {self.rest} "
        return sha256(b"".join((before, head.encode(), self.at, b"\n", self.event))).digest()


@dataclass(frozen=True, slots=True)
class Tip:
    """The last line of a game's chain; `n` = 0: no line yet."""

    game: int = 0
    n: int = 0
    seq: int = 0
    hash: bytes = chain_start(0)

    def ends(self, before: bytes) -> bytes:
        """The hash of this game's end in the chain of ends, given that of the game before it."""
        return sha256(b"".join((before, f"{self.game} {self.n} {self.seq} ".encode(), self.hash))).digest()


def follow(tip: Tip, line: Line) -> Tip:
    """The tip after one more line; `seq` never falls."""
    return Tip(line.game, line.n, line.seq, line.chained(tip.hash))


def check_sum(kind: str, number: int, text: bytes) -> bytes:
    """The checksum of a row that stands outside the chains."""
    return sha256(b"".join((f"{kind} {number} ".encode(), text))).digest()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a journal ends: its last line, and the last hash in the chain of the ends of the games before that."""

    tip: Tip = Tip()
    ends: bytes = NO_ENDS
