"""Game records: JSON Lines with a header, a line a ply, and the result once the game has ended.

    >>> from random import Random
    >>> from companion.engine.play import random_record
    >>> from companion.games import registry
    >>> a_game = registry.game(registry.ids()[0])
    >>> text = "".join(random_record(a_game, a_game.seats[0], Random(1), started="2000-01-01T12:00:00Z"))
    >>> checked = check(text, registry.game)
    >>> checked.text == text
    True
    >>> checked.result["reason"] in a_game.reasons
    True

A record that cannot be followed is an error with its line, ply, rule and words:

    >>> check(text.replace('"n": 3', '"n": 4', 1), registry.game)
    Traceback (most recent call last):
    companion.errors.RecordError: record.order(want=3, given=4)

Reading is strict: an unknown key in any object is an error, except keys beginning with `x-`, which come out again as
they went in. What is read is written in its exported spelling, with all options' defaults.
"""

from companion.engine.record.header import (
    RECORD_FORMAT, RECORD_VERSION, GameLookup, OpenedGame, read_header, write_header,
)
from companion.engine.record.plies import SOURCES, read_ply, read_ply_line, write_ply
from companion.engine.record.reading import CheckedRecord, RecordEnd, RecordStep, check, legal, replay
from companion.engine.record.result import ABANDONED, read_result, write_result

__all__ = [
    "ABANDONED", "RECORD_FORMAT", "RECORD_VERSION", "SOURCES", "CheckedRecord", "GameLookup", "OpenedGame", "RecordEnd",
    "RecordStep", "check", "legal", "read_header", "read_ply", "read_ply_line", "read_result", "replay", "write_header",
    "write_ply", "write_result",
]
