"""The service's side of the eyes: starts their process, restarts it with growing pauses, passes on what it says.

A camera that is gone, or eyes that crash or hang, are a state that people see, never the end of a game.
"""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Event

from companion.errors import CompanionError, Phrase, phrase
from companion.main.messages import (
    CloseUpRequest,
    CloseUp,
    FromEyes,
    LookFor,
    EyesConfig,
    Pieces,
    Preview,
    Round,
    Teach,
    EyesTrouble,
)
from companion.session.clock import Clock
from companion.session.commands import LayOut, Sighted
from companion.session.port import Refused
from companion.session.worker import Worker

_logger = logging.getLogger(__name__)

RESTART_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses before each restart in a row; the last one repeats. A look that is understood begins them anew."""
STEP_S = 0.5
"""So often the game is compared with what the eyes look for."""
GOING_S = 2.0
"""So long a process of the eyes has to end by itself, then when it is told to, before it is killed."""
SILENT_S = 60.0
"""Eyes that say nothing for so long, over the pace of their source, hang and are ended."""
LEARNING_S = 900.0
"""The same until their first look: they may have to learn a piece set first, which takes a small Pi minutes."""

ROUND_REST_S = 30.0
"""So long the end of a picture set is shown before it is played again."""
BEGIN_ATTEMPTS = 3
SAME_GAME_KEYS = ("game", "players", "setup")
"""What two headers of one game have in common."""
FRUGAL = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}
"""Tells glibc to give memory back once a picture has been read, instead of keeping it for the next one."""

AHEAD = 2
"""Pictures are taken of so many parts of a set-up that are open next: who answers one does not wait for the next."""

GONE = phrase("house.eyes_gone")


class Child:
    """The process of the eyes and the pipe to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.main.eyes_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, **FRUGAL},
            )
        self.pipe: Connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def end(self) -> None:
        """Closes the pipe, at which it ends by itself; one that does not is killed."""
        self.pipe.close()
        for hurry in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(GOING_S)
                return
            except subprocess.TimeoutExpired:
                hurry()
        self._process.wait()


@dataclass
class _Life:
    """What is known of one life of the child."""

    heard_s: float
    why: Phrase = GONE
    looked: bool = False
    understood: bool = False

    def hear(self, said: FromEyes, now_s: float) -> None:
        self.heard_s = now_s
        if isinstance(said, EyesTrouble):
            self.why = said.why
        elif isinstance(said, Sighted) and said.number >= 0:
            self.looked = True
            self.understood = self.understood or said.state == "free"

    def silent_s(self, now_s: float) -> float:
        """Seconds of silence over what is borne."""
        return now_s - self.heard_s - (SILENT_S if self.looked else LEARNING_S)


class EyesSupervisor:
    """Runs in one thread (`run`)."""

    def __init__(
        self, *, config: EyesConfig | None, worker: Worker, clock: Clock, start: Callable[[], Child] = Child
    ) -> None:
        self._open, self._worker, self._clock, self._start = config, worker, clock, start
        self._stop = Event()
        self._move: tuple[EyesConfig | None, Callable[[], object]] | None = None
        self._looking: tuple[int, bool] | None = None  # the game that the eyes look for now, whether it is laid out
        self._was_read = False  # whether the set-up that is laid out has been read
        self._approached: set[str] = set()
        self._rounds = 0  # how often they have begun their picture set
        self._next: tuple[dict[str, object], float] | None = None  # the game of the next round, and since when it waits
        self.child: Child | None = None
        self.alive_s = clock.monotonic_s()

    def run(self) -> None:
        """Keeps the eyes going until `stop`."""
        failures = 0
        while not self._stop.is_set():
            if self._move is not None:
                failures = 0
                self._turn(*self._move)
            if self._open is None:
                self._pause(STEP_S)
                continue
            if failures == 0:
                self._tell("starting", phrase("house.eyes_starting"))
            why, understood = self._live(self._open)
            if self._stop.is_set() or self._move is not None:
                continue
            failures = 0 if understood else failures
            _logger.warning("the eyes ended: %s", why)
            self._tell("gone", why)
            self._pause(RESTART_S[min(failures, len(RESTART_S) - 1)])
            failures += 1

    def move(self, config: EyesConfig | None, meanwhile: Callable[[], object]) -> None:
        """Looks at another table from now on. `meanwhile` is called in this thread when nobody looks any more; if it
        raises a `CompanionError`, the eyes stay where they are."""
        self._move = config, meanwhile

    def _turn(self, config: EyesConfig | None, meanwhile: Callable[[], object]) -> None:
        self._move = None
        try:
            meanwhile()
        except CompanionError as error:
            _logger.warning("the eyes stay where they are: %s", error.phrase)
            return
        self._open = config
        if config is None:
            self._worker.post(Sighted(-1, "none"))

    def stop(self) -> None:
        """Lets `run` end, and the child with it."""
        self._stop.set()

    def _pause(self, pause_s: float) -> None:
        until_s = self._clock.monotonic_s() + pause_s
        while self._clock.monotonic_s() < until_s and not self._stop.wait(STEP_S) and self._move is None:
            self.alive_s = self._clock.monotonic_s()

    def _live(self, config: EyesConfig) -> tuple[Phrase, bool]:
        """One life of the child: why it ended, and whether it ever saw the table free."""
        life = _Life(self._clock.monotonic_s())
        self._looking, self._approached, self._rounds, self._next = None, set(), 0, None
        self.child = child = self._start()
        try:
            child.pipe.send(config)
            while not self._stop.is_set() and self._move is None:
                self.alive_s = self._clock.monotonic_s()
                if child.pipe.poll(STEP_S):
                    said = child.pipe.recv()
                    life.hear(said, self._clock.monotonic_s())
                    self._hear(said)
                elif not self._held(config) and life.silent_s(self._clock.monotonic_s()) > config.source.pace_s:
                    return phrase("house.eyes_silent"), life.understood
                self._follow_game(child, config)
        except (EOFError, OSError):
            pass  # the process has ended
        finally:
            self.child = None
            child.end()
        return life.why, life.understood

    def _hear(self, said: FromEyes) -> None:
        match said:
            case Sighted():
                self._worker.post(said)
            case Preview(jpeg):
                self._worker.show_preview(jpeg)
            case CloseUp(name, jpeg):
                self._worker.show_close_up(name, jpeg)
            case Pieces(colours):
                self._worker.colours = colours
            case Round(header):
                self._rounds += 1
                self._looking = None
                if self._rounds == 1:
                    self._begin(header)
                else:
                    self._next = header, self._clock.monotonic_s()
            case EyesTrouble():
                pass

    def _held(self, config: EyesConfig) -> bool:
        """Whether a picture set waits for people: to confirm its set-up, or to look at how its last round ended."""
        draft = self._looking is not None and self._looking[1]
        return config.source.kind == "folder" and (draft or self._next is not None)

    def _next_round(self) -> None:
        """A picture set that was played begins anew, once nothing is asked and people had a look at its end."""
        assert self._next is not None
        header, since_s = self._next
        if self._clock.monotonic_s() - since_s >= ROUND_REST_S and self._worker.snapshot().question is None:
            self._next = None
            self._begin(header)

    def _begin(self, header: dict[str, object]) -> None:
        """A picture set begins: its game begins with it, unless that very game is open after a restart."""
        now = self._worker.header()
        if self._rounds == 1 and now is not None and all(now.get(key) == header.get(key) for key in SAME_GAME_KEYS):
            return
        for _ in range(BEGIN_ATTEMPTS):  # people may have said something meanwhile
            told = self._worker.send(LayOut(self._worker.snapshot().seq, "table", header))
            if not isinstance(told, Refused):
                return
            _logger.warning("the set's game was refused: %s", told.phrase)

    def _follow_game(self, child: Child, config: EyesConfig) -> None:
        """Tells the eyes what to look for whenever another game is played, or its set-up was read; a picture set says
        first which one. Hands on what people said, asks for a picture of what they are asked about."""
        if self._next is not None:
            self._next_round()
        if self._next is not None or (config.source.kind == "folder" and self._rounds == 0):
            return
        shown = self._worker.snapshot()
        if (told := self._worker.take_told()) is not None:  # of the set-up, before the eyes look for its game
            child.pipe.send(Teach(told))
        is_read = shown.draft is not None and shown.draft.is_read
        if shown.draft is not None and self._was_read and not is_read:  # people want it looked at again
            self._looking = None
        self._was_read = is_read
        game = shown.match, shown.draft is not None
        if game != self._looking and shown.layout is not None:
            self._looking, self._approached = game, set()
            self._worker.drop_close_ups()
            child.pipe.send(LookFor(shown.layout, len(shown.players), self._worker.last_look(), game[1]))
        for part in shown.draft.open[:AHEAD] if shown.draft else ():
            if part.things and part.picture not in self._approached:
                self._approached.add(part.picture)
                child.pipe.send(CloseUpRequest(part.picture, part.things))

    def _tell(self, state: str, why: Phrase) -> None:
        self._worker.post(Sighted(-1, state, why))
