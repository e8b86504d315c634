"""Pages over a camera that looks at a chess board whose corners nobody has touched yet."""

from __future__ import annotations

import importlib
from typing import Any

import cv2

from companion.session.survey import Survey
from companion.words import Words, load
from hardware.sources.video import Video
from tests.examples.footage import FOOTAGE
from tests.web import web_tables
from tests.web.own_tables import FakeOwnTable
from web.fakes import NO_GAME, FakeDesk

WIDTH, HEIGHT = 640, 480
"""Of the real video."""


def chess_game() -> tuple[Any, Words]:
    """The installed example and its words."""
    game = importlib.import_module("chess_by_camera").GAME
    return game, load("en", [game.words, web_tables.GAME.words])


def looking_at_chess() -> tuple[FakeDesk, FakeOwnTable]:
    """A desk that shows the first picture of the real game, and a table whose camera takes it."""
    desk, own = FakeDesk(NO_GAME), FakeOwnTable()
    desk.picture = cv2.imencode(".jpg", next(Video(str(FOOTAGE)).frames()).image)[1].tobytes()
    own.keep({"source.kind": "camera", "source.camera": 0})
    own.seen = Survey(WIDTH, HEIGHT)
    return desk, own
