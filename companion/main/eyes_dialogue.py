"""What is said to one process of the eyes, and what it says: from its start to its end."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from companion.engine import Json
from companion.errors import Phrase, phrase
from companion.main.eyes_log import StateLog
from companion.main.playing_before import play_before
from companion.main.messages import (
    CloseUp,
    CloseUpRequest,
    EyesConfig,
    EyesTrouble,
    FromEyes,
    Loading,
    LookFor,
    Pieces,
    Preview,
    Pulse,
    Round,
    FromAboveRequest,
    MeasureLens,
    SurveyRequest,
    Teach,
    ToEyes,
    Understood,
)
from companion.session.clock import Clock
from companion.session.commands import LayOut, StartGame
from companion.session.enrolment import EnrolmentShown
from companion.session.evidence import EvidenceKeeper
from companion.session.keeping import Keeping
from companion.session.eyes_side import EyesSide, EyesTask
from companion.session.port import Desk, Refused
from companion.session.sighted import Sighted
from companion.session.survey import LensMeasured, Survey, TableFromAbove
from companion.table import Layout

_logger = logging.getLogger(__name__)

LATE_S: Final = 4.0
"""Eyes that did not get on for this long are told to be late; they may come back."""
HUNG_S: Final = 11.0
"""After this they count as hung."""
START_S: Final = 30.0
"""The same until their first pulse: a cold start from a slow card takes a while."""
ROUND_REST_S: Final = 30.0
"""How long the end of a picture set is shown before it is played again."""
BEGIN_ATTEMPTS: Final = 3
"""How often the game of a picture set is begun when people say something at the same moment."""
SAME_GAME_KEYS: Final = ("game", "players", "setup")
"""Keys in which two headers of the same game agree."""
AHEAD: Final = 2
"""Number of open parts of a set-up whose close-ups are requested in advance."""
GONE: Final = phrase("house.eyes_gone")
LATE: Final = phrase("house.eyes_late")


def is_same_game(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Whether two headers are of one game that the same people play; its set-up may have been put right."""
    return bool(one["game"] == other["game"]) and [each["name"] for each in one["players"]] == [
        each["name"] for each in other["players"]]


@dataclass(frozen=True, slots=True)
class _NextRound:
    """A picture set has been played to its end: the game of its next round, and since when it waits."""

    header: Mapping[str, Json]
    since_s: float


class EyesDialogue:
    """One life of the process. `hear` takes what it said, `follow` tells it what changed; both in one thread."""

    def __init__(
        self, *, pipe: Connection, config: EyesConfig, desk: Desk, side: EyesSide, clock: Clock,
        log: StateLog | None = None,
    ) -> None:
        self.why: Phrase = GONE
        """Why the process ended, once it has."""
        self.understood = False
        """Whether it ever saw the table free."""
        self._pipe, self._config, self._desk, self._side, self._clock = pipe, config, desk, side, clock
        self._log = log or StateLog()
        self._heard_s = clock.monotonic_s()
        self._has_pulse = False
        self._seen: Sighted | None = None  # what they said last of what they see
        self._is_told = False  # that they are late
        self._looking: tuple[int, bool, Layout] | None = None  # the game that is looked for, whether a draft, its table
        self._was_read = False  # whether the set-up that is being read has been seen
        self._close_ups: set[str] = set()
        self._rounds = 0  # how often the picture set has begun
        self._next: _NextRound | None = None
        self._header: Mapping[str, Json] | None = None  # of the picture set
        self._evidence = EvidenceKeeper(config.keep, config.evidence_mb) if config.evidence_mb else None
        self._gave_way = False  # to a game that people began while a picture set was to be played

    def begin(self) -> None:
        """Says which source of pictures to open."""
        side = self._side
        side.loaded, side.survey, side.from_above, side.lens, side.keeping = 0.0, None, None, None, None
        if self._config.enrol is not None:
            self._side.loaded = None
            self._side.begin_enrolment()
        self._send(self._config)

    # --- what the process says ----------------------------------------------------------------------------------------

    def hear(self, said: FromEyes) -> None:
        """Passes on what the process said."""
        self._heard_s = self._clock.monotonic_s()
        match said:
            case Pulse(stuck_s):
                self._has_pulse = True
                self._heard_s -= stuck_s
            case Sighted() if self._is_of_people:
                self._give_way()
            case Sighted():
                self._seen = said
                self.understood = self.understood or (said.number >= 0 and said.state == "free")
                if said.state == "gone":
                    self._side.lose_sight()
                self._log.state(said.state, said.why)
                self._pass_on(said)
            case Preview(jpeg):
                self._side.loaded = None
                self._side.preview = jpeg
            case CloseUp(name, jpeg):
                self._side.show_close_up(name, jpeg)
            case Survey() | TableFromAbove() | LensMeasured():
                self._side.answer(said)
            case Keeping():
                self._side.keeping = said
                if said.why_not is not None:
                    _logger.warning("%s", said.why_not)
            case Loading(share):
                self._side.loaded = share
            case Pieces(colours):
                self._side.colours = colours
            case Round(header):
                self._end_round(header)
            case EnrolmentShown():
                self._side.enrolment = said
            case EyesTrouble(why):
                self.why = why

    def _pass_on(self, look: Sighted) -> None:
        """A look waits for the game, or for none before it."""
        if look.observation is None or not self._config.every_look_counts:
            self._desk.post(look)
            return
        self._desk.send(look)
        self._send(Understood())

    def _end_round(self, header: Mapping[str, Json]) -> None:
        self._rounds += 1
        self._looking, self._header = None, header
        if self._rounds == 1:
            self._begin_round(header)
        else:
            self._next = _NextRound(header, self._clock.monotonic_s())

    def _begin_round(self, header: Mapping[str, Json]) -> None:
        """A picture set begins: its game begins with it, unless that very game is open after a restart, or a game that
        people began."""
        now = self._side.task().header
        if self._is_of_people or self._gave_way:
            self._give_way()
            return
        if self._rounds == 1 and now is not None and all(now.get(key) == header.get(key) for key in SAME_GAME_KEYS):
            return
        for _ in range(BEGIN_ATTEMPTS):
            begin = StartGame if self._config.source.kind == "kept" else LayOut  # of a kept table the set-up is known
            answer = self._desk.send(begin(self._side.task().seq, "table", dict(header)))
            if not isinstance(answer, Refused):
                self._go_on_from_kept()
                return
            _logger.warning("the set's game was refused: %s", answer.phrase)

    def _go_on_from_kept(self) -> None:
        """What was played before a kept table begins is played; why it cannot be is told."""
        if self._config.source.kind == "kept" and self._config.source.folder is not None:
            why = play_before(self._desk, self._side, self._config.source.folder)
            if why is not None:
                self._desk.post(Sighted(-1, "blocked", why))

    @property
    def _is_of_people(self) -> bool:
        """Whether a game is open that is not the picture set's: people began it."""
        now = self._side.task().header
        return self._header is not None and now is not None and not is_same_game(now, self._header)

    def _give_way(self) -> None:
        """A table that people have begun to use is theirs: the set's pictures are of another game."""
        if not self._gave_way:
            self._gave_way = True
            self._desk.post(Sighted(-1, "none"))

    # --- what is said to it -------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Tells the process what changed: lessons, the game to look for, what to take a close-up of. A picture set says
        first which game it shows."""
        if self._config.enrol is not None:
            while (order := self._side.take_order()) is not None:
                self._send(order)
            return
        if (brighter := self._side.take_survey_wish()) is not None:
            self._send(SurveyRequest(brighter))
        if self._side.take_above_wish():
            self._send(FromAboveRequest())
        if (how := self._side.take_lens_wish()) is not None:
            self._send(MeasureLens(how))
        if self._evidence is not None:
            self._evidence.follow(self._side.plies())
        task = self._side.task()
        if self._next is not None:
            self._begin_next_round(self._next, task)
            task = self._side.task()
        if self._next is not None or (self._is_set and self._rounds == 0) or self._is_of_people:
            return
        while (lesson := self._side.take_lesson()) is not None:  # of the set-up, before its game is looked for
            self._send(Teach(lesson))
        self._look_for(task)
        for part in task.open[:AHEAD]:
            if part.things and part.picture not in self._close_ups:
                self._close_ups.add(part.picture)
                self._send(CloseUpRequest(part.picture, part.things))

    def _send(self, message: ToEyes) -> None:
        self._pipe.send(message)

    def _begin_next_round(self, after: _NextRound, task: EyesTask) -> None:
        """A set that was played to its end begins anew, once nothing is asked and people had a look at its end."""
        if not task.is_asking and self._clock.monotonic_s() - after.since_s >= ROUND_REST_S:
            self._next = None
            self._begin_round(after.header)

    def _look_for(self, task: EyesTask) -> None:
        if task.is_draft and self._was_read and not task.is_read:  # people want it looked at again
            self._looking = None
        self._was_read = task.is_read
        if task.layout is None:
            return
        game = task.match, task.is_draft, task.layout  # a set-up that is put right may lay the table otherwise
        if game == self._looking:
            return
        self._looking, self._close_ups = game, set()
        self._side.drop_close_ups()
        placement, pieces = self._side.standing()
        self._send(LookFor(task.layout, task.seats, task.last_look, task.is_draft,
                           str((task.header or {}).get("game", "")), placement, pieces, dict(task.header or {}),
                           self._side.played()))

    # --- time ---------------------------------------------------------------------------------------------------------

    @property
    def due_s(self) -> float:
        """Seconds until `follow` or `watch_silence` is due although nothing was said."""
        left_s = max(0.0, (self._bearable_s if self._is_told else LATE_S) - self._silence_s)
        if self._next is None or self._is_told or self._side.task().is_asking:
            return left_s
        return min(left_s, max(0.0, self._next.since_s + ROUND_REST_S - self._clock.monotonic_s()))

    @property
    def is_late(self) -> bool:
        """Whether the eyes have not got on for so long that people must know; nothing more is said to them."""
        return self._silence_s >= LATE_S

    @property
    def has_learned(self) -> bool:
        """Whether the pieces that were to be enrolled are known: the process has nothing left to do."""
        shown = self._side.enrolment
        return self._config.enrol is not None and shown is not None and shown.stage == "learned"

    @property
    def is_hung(self) -> bool:
        """Whether the process has to be ended."""
        return self._silence_s >= self._bearable_s

    def watch_silence(self) -> None:
        """Tells people that the eyes are late, or that they are back."""
        if self.is_late == self._is_told:
            return
        self._is_told = self.is_late
        if self.is_late:
            self._side.lose_sight()
            self._log.state("gone", LATE)
            self._desk.post(Sighted(-1, "gone", LATE))
        elif self._seen is not None:
            self._desk.post(Sighted(-1, self._seen.state, self._seen.why))

    @property
    def _bearable_s(self) -> float:
        return HUNG_S if self._has_pulse else START_S

    @property
    def _silence_s(self) -> float:
        return self._clock.monotonic_s() - self._heard_s

    @property
    def _is_set(self) -> bool:
        return self._config.source.kind in ("folder", "kept")
