"""The writer: one thread that takes commands, changes the state, keeps the journal and tells everybody."""

from __future__ import annotations

import logging
import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.engine import Json, Observer, Seat, SetupPath
from companion.errors import CompanionError, JournalError, PackageError, Phrase, phrase
from companion.session.by_hand.entering import EntryShown, entry_again, entry_for
from companion.session.bus import Bus, BusListener
from companion.session.carrying import BotTurn, bot_turn
from companion.session.clock import Clock
from companion.session.commands import BotDecided, Command, PersonCommand, TakePointed
from companion.session.counts import Counted, Counts
from companion.session.eyes_side import EyesSide
from companion.session.forgetting import FilesTask
from companion.session.inbox import FullError, Inbox, Reply
from companion.session.journal import Journal, ResumedJournal
from companion.session.journal.notices import Notices, NoticesTask
from companion.session.labels import labels_of
from companion.session.port import Accepted, Refused
from companion.session.hands import hand
from companion.session.positions import position_shown
from companion.session.projection import correction_offers
from companion.session.published import Phrases, Published, SnapshotListener, check_that_it_can_be_shown, shown_of
from companion.session.session import Session
from companion.session.setup_parts import setup_again
from companion.session.sighted import Sighted
from companion.session.snapshot import (
    CorrectionShown, EyesShown, HandShown, PositionShown, SetupAgainShown, Snapshot, Unheeded)
from companion.session.state import State

_logger = logging.getLogger(__name__)

SEND_TIMEOUT_S = 5.0
"""How long a sender waits for the writer before it is refused as busy."""
FILES_TIMEOUT_S = 25.0
"""The same for who deletes a game or restores a backup: the journal is another file then."""


WriterTask = Command | ResumedJournal | NoticesTask | FilesTask
"""What the writer's thread carries out."""


class Writer:
    """Runs in one thread (`run`); everything else may be called from any thread. It is a `Desk`."""

    def __init__(self, *, session: Session, journal: Journal, state: State, clock: Clock) -> None:
        self._session, self._journal, self._clock = session, journal, clock
        self.eyes = EyesSide(state)
        self._counts = Counts()
        self._inbox: Inbox[WriterTask, Accepted | Refused] = Inbox()
        self._bus: Bus[Published] = Bus((1, state, (), journal.notices.unread))
        self._stopping = False
        self.alive_s = clock.monotonic_s()

    # --- the writer's thread ------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Works until `stop`, then closes the bus. An error ends the thread, and so the service."""
        try:
            while not self._stopping:
                self.work(timeout_s=1.0)
        finally:
            self._stopping = True
            self._bus.close()
            while item := self._inbox.take(0.0):
                if item.reply is not None:
                    item.reply.put(Refused(phrase("session.stopping"), self._bus.value[1].seq))

    def work(self, timeout_s: float) -> bool:
        """Carries out what comes next; False when nothing came in time."""
        self.alive_s = self._clock.monotonic_s()
        self._tend()
        if (left_s := self._point_left_s()) <= 0.0:
            self._try(TakePointed())
            return True
        item = self._inbox.take(min(timeout_s, left_s))
        if item is None:
            return False
        began_s = self._clock.monotonic_s()
        answer = self._try(item.command)
        self._counts.carried_out(item.command, self._clock.monotonic_s() - began_s)
        if item.reply is not None:
            item.reply.put(answer)
        return True

    def _try(self, command: WriterTask) -> Accepted | Refused:
        try:
            return self._answer(command)
        except Exception:  # noqa: BLE001  # a fault of ours must not end the game: it is logged, and told to who asked
            return self._stumble(command)

    def _point_left_s(self) -> float:
        """Seconds until the choice is taken at which a button points; infinite while none does."""
        question = self._bus.value[1].question
        if question is None or question.pointed is None:
            return math.inf
        return question.pointed.taken_s - self._clock.monotonic_s()

    def _tend(self) -> None:
        try:
            if self._journal.tend() is not None:
                self._publish(*self._bus.value[1:3])
        except Exception:  # what the journal does in quiet hours must not end a game; it tries again
            _logger.exception("the journal could not be looked after")

    def _stumble(self, command: WriterTask) -> Refused:
        """Notes a fault with what it came of; the state stays. A look's fault is shown, for nobody waits for it."""
        _logger.exception("a fault while this was carried out: %.2000r", command)
        state = self._bus.value[1]
        if isinstance(command, Sighted):
            self._publish(state, (phrase("session.fault"),))
        return Refused(phrase("session.fault"), state.seq)

    def _answer(self, command: WriterTask) -> Accepted | Refused:
        if isinstance(command, ResumedJournal):
            return self._go_on_with(command)
        if isinstance(command, FilesTask):
            return self._change_files(command)
        return self._keep_notices(command) if isinstance(command, NoticesTask) else self._carry_out(command)

    def _keep_notices(self, asked: NoticesTask) -> Accepted:
        asked.carry_out(self._journal.notices)
        _, state, troubles, _ = self._bus.value
        self._publish(state, troubles)
        return Accepted(state.seq)

    def _change_files(self, asked: FilesTask) -> Accepted | Refused:
        """A game that is still there goes on, with all that was seen of its table."""
        tip, (_, state, troubles, _) = self._journal.tip, self._bus.value
        try:
            resumed, why = asked.carry_out(self._journal)
        except CompanionError as error:
            return Refused(error.phrase, state.seq)
        self._journal = resumed.journal
        if resumed.journal.tip != tip:
            state, troubles = resumed.state, ()
            self._inbox.forget_look()
            self.eyes.forget()
        self._publish(state, troubles)
        return Refused(why, state.seq) if why else Accepted(state.seq)

    def _go_on_with(self, resumed: ResumedJournal) -> Accepted:
        """Goes on with another journal. What was seen of the old table is forgotten."""
        self._inbox.forget_look()
        self._journal.close()
        self._journal = resumed.journal
        self.eyes.forget()
        self._publish(resumed.state, ())
        return Accepted(resumed.state.seq)

    def _carry_out(self, command: Command) -> Accepted | Refused:
        _, state, troubles, _ = self._bus.value
        try:
            then = self._session.handle(state, command)
            if then.events:
                check_that_it_can_be_shown(then.state)
            self._journal.append(then.events, then.state)
            self._counts.written(then.events)
        except JournalError as error:
            # Nothing of it counts. The eyes will see the same table again, people will ask again.
            if isinstance(command, Sighted):
                state = replace(state, eyes=EyesShown(command.state, command.why))
            self._publish(state, (error.phrase,))
            return Refused(error.phrase, state.seq)
        except PackageError as error:
            self._publish(state, (error.phrase,))
            return Refused(error.phrase, state.seq)
        except CompanionError as error:
            if isinstance(command, Sighted | TakePointed | BotDecided):
                raise
            self._tell_of_press(command, error.phrase)
            return Refused(error.phrase, state.seq)
        self._publish(then.state, () if then.events else troubles)  # first: it is in the journal
        self.eyes.teach(labels_of(state, command, then.state))
        return Accepted(then.state.seq)

    def _tell_of_press(self, command: PersonCommand, why: Phrase) -> None:
        """Nobody waits for what becomes of a button's press: pages and lamps tell."""
        _, state, troubles, _ = self._bus.value
        if command.via == "button" and isinstance(command.by, int):
            self._publish(replace(state, unheeded=Unheeded(command.by, why)), troubles)

    def _publish(self, state: State, troubles: Phrases) -> None:
        version, old, *before = self._bus.value
        notices = self._journal.notices.unread
        shows = replace(state, belief=None, held=None) != replace(old, belief=None, held=None)
        changed = shows or [troubles, notices] != before
        if changed:
            self._bus.publish((version + 1, state, troubles, notices))
        else:
            self._bus.keep((version, state, troubles, notices))
        self.eyes.show(state)

    # --- the desk -----------------------------------------------------------------------------------------------------

    def snapshot(self, observer: Observer = "room") -> Snapshot:
        """What this observer may know now."""
        return shown_of(self._bus.value, observer)

    def corrections(self, observer: Observer = "room") -> tuple[CorrectionShown, ...]:
        """What could have been played instead of the last ply."""
        return correction_offers(self._bus.value[1], observer)

    def bot_turn(self) -> BotTurn | None:
        """The bot that is to think now, if one is."""
        return bot_turn(self._bus.value[1])

    def entry(self, seat: Seat | None, is_host: bool, again: int = 0) -> EntryShown:
        """What the phone of this seat, or the host's, may enter by hand now; `again`: what ply `again` really was."""
        state = self._bus.value[1]
        return entry_again(state, again, seat, is_host) if again else entry_for(state, seat, is_host)

    def setup_again(self, path: SetupPath = (), value: Json = None) -> SetupAgainShown:
        """The set-up of the game that goes on, and what comes of it when it is `value` at `path`."""
        return setup_again(self._bus.value[1], self._session.library, path, value)

    def position(self, stands: Json = None, seat: Json = None) -> PositionShown:
        """The position as it is, and what comes of it when `stands` stands there and `seat` is to move."""
        return position_shown(self._bus.value[1], stands, seat)

    def hand(self, seat: Seat) -> HandShown | None:
        """What this seat alone may see and tell."""
        return hand(self._bus.value[1], seat)

    def listen(self, observer: Observer = "room") -> SnapshotListener:
        """All changes from now on, the present state first."""
        return SnapshotListener(self._bus.listen(), observer)

    def changes(self) -> BusListener[Published]:
        """The same for who asks for snapshots itself, and only when it needs one."""
        return self._bus.listen()

    def send(self, command: Command) -> Accepted | Refused:
        """Hands a command in and waits until it is carried out or refused."""
        reply: Reply[Accepted | Refused] = Reply()
        seq = self._bus.value[1].seq
        if self._stopping:
            return Refused(phrase("session.stopping"), seq)
        try:
            self._inbox.put(command, reply)
        except FullError:
            return Refused(phrase("session.busy"), seq)
        return reply.get(SEND_TIMEOUT_S) or Refused(phrase("session.busy"), seq)

    def read_notices(self) -> None:
        """A person has read the notices: they are shown no more."""
        reply: Reply[Accepted | Refused] = Reply()
        with suppress(FullError):
            self._inbox.put(NoticesTask(Notices.read), reply)
            reply.get(SEND_TIMEOUT_S)

    def tell_notice(self, what: Phrase) -> None:
        """All pages show it until somebody has read it."""
        with suppress(FullError):
            self._inbox.put(NoticesTask(lambda kept: kept.add(what)))

    def post(self, command: Command) -> None:
        """Hands a command in without waiting. A look takes the place of one that waits."""
        if isinstance(command, Sighted):
            self._inbox.sight(command)
            return
        with suppress(FullError):
            self._inbox.put(command)

    def move(self, resumed: ResumedJournal) -> None:
        """Goes on with the game of another table, in its own journal. Raises `JournalError`."""
        reply: Reply[Accepted | Refused] = Reply()
        try:
            self._inbox.put(resumed, reply)
        except FullError as error:
            resumed.journal.close()
            raise JournalError(phrase("session.busy")) from error
        reply.get(SEND_TIMEOUT_S)

    def change_files(self, asked: FilesTask) -> Accepted | Refused:
        """Deletes a game that was played before, or restores a backup. Waits for it."""
        reply: Reply[Accepted | Refused] = Reply()
        with suppress(FullError):
            self._inbox.put(asked, reply)
            if (answer := reply.get(FILES_TIMEOUT_S)) is not None:
                return answer
        return Refused(phrase("session.busy"), self._bus.value[1].seq)

    @property
    def folder(self) -> Path:
        """Where the journal lies."""
        return self._journal.path.parent

    def close(self) -> None:
        """Closes the journal; the thread has ended."""
        self._journal.close()

    def counted(self) -> Counted:
        """What was counted since the start."""
        return self._counts.read()

    def preview(self) -> bytes | None:
        """The newest picture of the eyes, as JPEG."""
        return self.eyes.preview

    def close_up(self, name: str) -> bytes | None:
        """The picture of this name (`PartShown.picture`), as JPEG."""
        return self.eyes.close_up(name)

    @property
    def colours(self) -> tuple[str, ...] | None:
        """The colours of the piece set that the eyes know."""
        return self.eyes.colours

    def stop(self) -> None:
        """Lets the writer's thread end."""
        self._stopping = True
        self._inbox.wake()
