"""The process of the eyes: `python -m companion.main.eyes_process FD`. Started by their supervisor, never by people.

Frames come from the camera, looks go out through the pipe. It ends when the pipe closes, and on any error: the service
starts it anew.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Final

from companion.errors import CompanionError, Phrase
from companion.main.expendable import EYES, may_go
from companion.main.messages import EyesConfig, EyesTrouble, Loading, Pieces
from companion.main.progress import Progress, PulseThread
from companion.main.shared_pipe import SharedPipe
from companion.session.sighted import Sighted

NICENESS: Final = 5
"""Pages and lamps go first."""
LOADED: Final = 0.1
"""The share of the start that is done once all is imported; the rest is learning."""
LEARNING_S: Final = 900.0
"""Learning a piece set takes a small Pi minutes, in a process of its own."""


def main(arguments: list[str]) -> int:
    """Exit code: 0 the service closed the pipe, 1 something went wrong and was reported."""
    os.nice(NICENESS)
    may_go(EYES)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the service, which ends this process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that a process that learns is ended too
    pipe, progress = SharedPipe(Connection(int(arguments[0]))), Progress()
    pulse = PulseThread(progress, pipe.send)
    pulse.start()  # before anything that may hang
    try:
        _see(pipe, progress)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return 0
    except CompanionError as error:
        with suppress(OSError):
            pipe.send(EyesTrouble(error.phrase))
        return 1
    finally:
        pulse.stop()
    return 0


def _see(pipe: SharedPipe, progress: Progress) -> None:
    """Opens the eyes and looks until the pipe closes or the pictures end."""
    import cv2

    from companion.enrolling.described import lens_of
    from companion.main.bare_eyes import BareEyes
    from companion.main.board_eyes import BoardEyes
    from companion.main.eyes_by_game import EyesByGame
    # only now: it takes a small Pi seconds
    from companion.main.eyes_session import NoPiecesError, open_table
    from companion.main.eyes_watch import WatchedTable, watch
    from companion.main.keeper import Keeper
    from companion.main.kept_eyes import open_kept
    from companion.main.look_pictures import LookPictures
    from companion.session.kept_boards import boards_of
    from hardware.camera import camera_for

    def takes_long(why: Phrase) -> None:
        pipe.send(Sighted(-1, "starting", why))
        progress.allow(LEARNING_S)

    def loaded(share: float) -> None:
        pipe.send(Loading(LOADED + (1.0 - LOADED) * share))

    cv2.setNumThreads(1)
    config = pipe.recv()
    assert isinstance(config, EyesConfig)
    progress.step()
    open_camera = partial(camera_for, config.source, sleep=progress.sleep, allow=progress.allow)
    if config.enrol is not None:
        from companion.main.enrol_watch import enrol_pieces

        enrol_pieces(pipe, config, open_camera, progress)
        return
    loaded(0.0)
    source, looks = config.source, LookPictures(config.keep) if config.evidence_mb else None

    def opened() -> WatchedTable:
        try:
            eyes = open_table(config, takes_long, loaded)
        except NoPiecesError as error:
            return BareEyes(error.phrase, lens_of(source))
        eyes.looks = looks
        if eyes.colours:
            pipe.send(Pieces(eyes.colours))
        return eyes

    table: WatchedTable
    if source.kind == "kept" and source.folder is not None:
        table = open_kept(source.folder, looks, progress.step)
    elif source.kind == "folder":
        table = opened()
    else:
        boards = BoardEyes(source.corners, looks, boards_of(source))
        table = boards if source.corners or source.kind == "video" else EyesByGame(boards, opened())
        open_camera = partial(open_camera, holds=lambda: boards.is_waiting)
    loaded(1.0)
    keeper = Keeper(config.tables, config.tables_mb, pipe.send) if config.tables is not None else None
    watch(pipe, table, open_camera, progress=progress, keeper=keeper, every_look_counts=config.every_look_counts,
          lens=lens_of(source) if source.kind == "camera" else None)


def _leave(arguments: list[str]) -> None:
    """Ends the process at once after `main`: a thread that waits for a camera's next picture cannot be ended in an
    orderly way, and would bring all of it down with a dump."""
    code: object = 1
    try:
        code = main(arguments)
    except SystemExit as over:
        code = over.code
    except BaseException:
        logging.exception("the eyes end")
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    _leave(sys.argv[1:])
