"""The service's side of the eyes: starts their process, restarts it with growing pauses, passes on what it says.

A camera that is gone, or eyes that crash or hang, are a state that people see, never the end of a game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event
from typing import Final

from companion.errors import CompanionError, Phrase, phrase
from companion.main.eyes_child import EyesChild
from companion.main.eyes_dialogue import EyesDialogue
from companion.main.eyes_log import StateLog
from companion.main.messages import EyesConfig
from companion.main.wakeup import Wakeup
from companion.session.clock import Clock
from companion.session.eyes_side import EyesSide
from companion.session.port import Desk
from companion.session.sighted import Sighted
from companion.table import EyesState

_logger = logging.getLogger(__name__)

RESTART_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses before each restart in a row; the last one repeats. A look that is understood begins them anew."""
ALIVE_EVERY_S: Final = 5.0
"""Longest wait of the thread, so that the watchdog sees that it lives."""

Move = tuple[EyesConfig | None, Callable[[], object]]
"""Another source of pictures, and what is to be done while nobody looks."""


class EyesSupervisor:
    """Runs in one thread (`run`); `move` and `stop` may be called from any."""

    def __init__(
        self, *, config: EyesConfig | None, desk: Desk, side: EyesSide, clock: Clock,
        start: Callable[[], EyesChild] = EyesChild,
    ) -> None:
        self._config, self._desk, self._side, self._clock, self._start = config, desk, side, clock, start
        self._stopping = Event()
        self._move: Move | None = None
        self._enrolling: EyesConfig | None = None  # instead of what they look at otherwise
        self._enrol_call: tuple[EyesConfig | None] | None = None
        self._wakeup, self._log = Wakeup(), StateLog()
        self.child: EyesChild | None = None
        self.alive_s = clock.monotonic_s()
        side.subscribe(self._wakeup.set)

    def run(self) -> None:
        """Keeps the eyes going until `stop`."""
        failures = 0
        while not self._stopping.is_set():
            if self._move is not None:
                failures = 0
                self._turn(*self._move)
            if self._enrol_call is not None:
                failures, self._enrolling, self._enrol_call = 0, self._enrol_call[0], None
            config = self._enrolling or self._config
            if config is None:
                self._pause(ALIVE_EVERY_S)
                continue
            if failures == 0:
                self._report("starting", phrase("house.eyes_starting"))
            why, understood = self._live(config)
            if self._is_called or config is not (self._enrolling or self._config):
                continue
            failures = 0 if understood else failures
            self._report("gone", why)
            self._pause(RESTART_S[min(failures, len(RESTART_S) - 1)])
            failures += 1

    def move(self, config: EyesConfig | None, meanwhile: Callable[[], object]) -> None:
        """Looks at another table from now on. `meanwhile` is called in this thread when nobody looks any more; if it
        raises a `CompanionError`, the eyes stay where they are."""
        self._move = config, meanwhile
        self._wakeup.set()

    def rest(self, meanwhile: Callable[[], object]) -> None:
        """Looks at the same table anew once `meanwhile` was called in this thread, while nobody looked."""
        self.move(self._config, meanwhile)

    def enrol(self, config: EyesConfig | None) -> None:
        """Enrols pieces from now on; None: looks at the table again. Turning to another table ends it too."""
        self._enrol_call = (config,)
        self._wakeup.set()

    @property
    def enrolling(self) -> EyesConfig | None:
        """With what pieces are being enrolled, or are about to be."""
        call = self._enrol_call
        return self._enrolling if call is None else call[0]

    def stop(self) -> None:
        """Lets `run` end, and the child with it."""
        self._stopping.set()
        self._wakeup.set()

    def close(self) -> None:
        """Closes the wake-up. Call it when `run` has ended."""
        self._side.unsubscribe()
        if self.child is not None:  # the thread was not waited for any longer
            self.child.kill()
        self._wakeup.close()

    def _turn(self, config: EyesConfig | None, meanwhile: Callable[[], object]) -> None:
        self._move = None
        try:
            meanwhile()
        except CompanionError as error:
            _logger.warning("the eyes stay where they are: %s", error.phrase)
            return
        self._config, self._enrolling = config, None
        if config is None:
            self._desk.post(Sighted(-1, "none"))

    @property
    def _is_called(self) -> bool:
        """Whether the eyes are to stop, or to look at something else."""
        return self._stopping.is_set() or self._move is not None or self._enrol_call is not None

    def _pause(self, pause_s: float) -> None:
        until_s = self._clock.monotonic_s() + pause_s
        while not self._is_called and (left_s := until_s - self._clock.monotonic_s()) > 0:
            self.alive_s = self._clock.monotonic_s()
            self._wakeup.wait((), min(left_s, ALIVE_EVERY_S))

    def _live(self, config: EyesConfig) -> tuple[Phrase, bool]:
        """One life of the child: why it ended, and whether it ever saw the table free."""
        try:
            self.child = child = self._start()
        except OSError as error:  # no memory for one more process: there may be some again
            return phrase("house.eyes_no_start", given=error.strerror or str(error)), False
        dialogue = EyesDialogue(
            pipe=child.pipe, config=config, desk=self._desk, side=self._side, clock=self._clock, log=self._log)
        try:
            dialogue.begin()
            while not self._is_called:
                self.alive_s = self._clock.monotonic_s()
                if not dialogue.is_late:
                    dialogue.follow()
                if self._wakeup.wait((child.pipe,), min(dialogue.due_s, ALIVE_EVERY_S)):
                    dialogue.hear(child.pipe.recv())
                dialogue.watch_silence()
                if dialogue.has_learned:
                    self._enrolling = None
                    return dialogue.why, True
                if dialogue.is_hung:
                    return phrase("house.eyes_silent"), dialogue.understood
        except (EOFError, OSError):
            pass  # the process has ended
        finally:
            self.child = None
            child.end()
        return dialogue.why, dialogue.understood

    def _report(self, state: EyesState, why: Phrase) -> None:
        if state == "gone":
            self._side.lose_sight()
            self._log.state(state, why)
        self._desk.post(Sighted(-1, state, why))
