"""The eyes' side of the session: what they look for, what people taught them, and the pictures they give for the pages.

    side.subscribe(wake)          # from now on `wake()` is called when there may be something new
    task, lesson = side.task(), side.take_lesson()
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine import Json, OpenPart
from companion.engine.positions import is_position
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.evidence import PliesSeen
from companion.session.keeping import Keeping
from companion.session.setup_draft import SetupDraft
from companion.session.snapshot import PartShown
from companion.session.state import Match, State
from companion.session.survey import LensMeasured, LensWish, Survey, TableFromAbove
from companion.table import Appearance, Layout, Placement

MAX_CLOSE_UPS: Final = 8
"""How many close-ups are kept."""
MAX_ORDERS: Final = 4
"""How many touches on the page of an enrolment wait for the eyes; the oldest are dropped first."""
MAX_LESSONS: Final = 4
"""How many lessons wait for the eyes; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class EyesTask:
    """What stands on the table and is to be looked for. Without a game and without a set-up, `layout` is None.

    `match` is the game's number, `header` its record's (None once it has ended), `seats` how many play, `last_look` the
    number of the frame that showed the last ply. `is_draft`: the set-up is still being read; `is_read`: a look has
    shown it; `open`: its parts that people are asked about. `is_asking`: a question about plies is open. `seq` is the
    number that a command carries.
    """

    seq: int
    match: int = 0
    header: Mapping[str, Json] | None = None
    layout: Layout | None = None
    seats: int = 0
    last_look: int | None = None
    is_draft: bool = False
    is_read: bool = False
    open: tuple[PartShown, ...] = ()
    is_asking: bool = False


def eyes_task(state: State) -> EyesTask:
    """What the eyes are to look for in this state."""
    if state.draft is not None:
        return _draft_task(state.seq, state.draft)
    if state.match is not None:
        return _match_task(state, state.match)
    return EyesTask(state.seq)


def _draft_task(seq: int, draft: SetupDraft) -> EyesTask:
    return EyesTask(
        seq, draft.number, draft.header, draft.layout, draft.players, is_draft=True, is_read=draft.read is not None,
        open=parts_shown(draft, draft.open),
    )


def _match_task(state: State, match: Match) -> EyesTask:
    return EyesTask(
        state.seq, match.number, match.opened.header if match.result is None else None, match.layout,
        match.opened.players, last_look=match.made[-1].event.look if match.made else None,
        is_asking=state.question is not None,
    )


def parts_shown(draft: SetupDraft, parts: Iterable[OpenPart]) -> tuple[PartShown, ...]:
    """Open parts of a set-up, with the things that were seen where each lies."""
    return tuple(PartShown(part.path, part.spot, part.choices, draft.things_for(part)) for part in parts)


class EyesSide:
    """Written by the writer's thread and by the eyes' supervisor, read by any thread. Nothing here waits."""

    def __init__(self, state: State) -> None:
        self.colours: tuple[str, ...] | None = None
        """The colours of the piece set that the eyes know; None while they have said nothing."""
        self.preview: bytes | None = None
        """The newest picture of the eyes with the reading drawn over it, as JPEG."""
        self.loaded: float | None = None
        """How much of the eyes' start is done, from 0 to 1; None while they do not start."""
        self.keeping: Keeping | None = None
        """What is being kept of what the camera sees, once something is."""
        self.enrolment: EnrolmentShown | None = None
        """The enrolment that the eyes are at, or were at last."""
        self._orders: deque[EnrolOrder] = deque(maxlen=MAX_ORDERS)
        self.survey: Survey | None = None
        """What the picture was like when somebody wanted to know; None while nobody does, or no picture comes."""
        self._brighter: float | None = None
        self.from_above: TableFromAbove | None = None
        """The table from above when somebody wanted to see it; None while nobody does, or no picture comes."""
        self._wants_above = False
        self.lens: LensMeasured | None = None
        """How far the measuring of the lens is; None while nobody measures it, or no picture comes."""
        self._lens_wish: LensWish | None = None
        self._state = state
        self._wake: Callable[[], object] = _nobody
        self._lessons: deque[Placement] = deque(maxlen=MAX_LESSONS)
        self._close_ups: dict[str, bytes] = {}

    # --- for the eyes' supervisor -------------------------------------------------------------------------------------

    def subscribe(self, wake: Callable[[], object]) -> None:
        """`wake` is called, in the writer's thread, when task or lessons may have changed. It must not wait."""
        self._wake = wake

    def unsubscribe(self) -> None:
        """Nobody is woken any more."""
        self._wake = _nobody

    def task(self) -> EyesTask:
        """What the eyes are to look for now."""
        return eyes_task(self._state)

    def standing(self) -> tuple[Placement, frozenset[Appearance]]:
        """What stands on the table as the game has it, and all pieces that it began with; nothing without a game."""
        match = self._state.match
        if match is None:
            return {}, frozenset()
        begun = match.game.placement(match.states[0])
        return match.game.placement(match.state), frozenset(name for pieces in begun.values() for name in pieces)

    def played(self) -> tuple[Json, ...] | None:
        """The plies of the game, as everybody saw them and records write them; None where no record can tell them."""
        match = self._state.match
        plies = () if match is None else tuple(match.seen(each.ply) for each in match.made)
        return None if match is None or any(map(is_position, plies)) else tuple(map(match.written, plies))

    def plies(self) -> PliesSeen:
        """The plies of the game that is played, for pictures of what was seen of them."""
        match = self._state.match
        return PliesSeen() if match is None else PliesSeen(match.key, tuple(each.event.look for each in match.made))

    def take_lesson(self) -> Placement | None:
        """What people last said stands at some spots, for the eyes to learn from; None when nothing waits."""
        return self._lessons.popleft() if self._lessons else None

    def begin_enrolment(self) -> None:
        """The eyes begin to enrol pieces, or begin again: nothing that was said to them before counts."""
        self._orders.clear()
        self.enrolment = None

    def take_order(self) -> EnrolOrder | None:
        """What people want of the enrolment; None when nothing waits."""
        return self._orders.popleft() if self._orders else None

    def take_survey_wish(self) -> float | None:
        """By which factor of light the picture is to be brighter that people want to know about; None: they do not."""
        wish, self._brighter = self._brighter, None
        return wish

    def take_above_wish(self) -> bool:
        """Whether people want to see the table from above."""
        wanted, self._wants_above = self._wants_above, False
        return wanted

    def take_lens_wish(self) -> LensWish | None:
        """What people want of the measuring of the lens."""
        wish, self._lens_wish = self._lens_wish, None
        return wish

    def answer(self, said: Survey | TableFromAbove | LensMeasured) -> None:
        """What somebody wished to know."""
        match said:
            case Survey():
                self.survey = said
            case TableFromAbove():
                self.from_above = said
            case LensMeasured():
                self.lens = said

    def show_close_up(self, name: str, jpeg: bytes) -> None:
        """Keeps a close-up by its name; the oldest goes."""
        self._close_ups = {**dict(list(self._close_ups.items())[1 - MAX_CLOSE_UPS:]), name: jpeg}

    def lose_sight(self) -> None:
        """No pictures come any more: the last one is not what is there now."""
        self.preview, self.survey, self.from_above, self.lens = None, None, None, None

    def drop_close_ups(self) -> None:
        """Forgets them: in another game the same names are of other things."""
        self._close_ups = {}

    # --- for the pages ------------------------------------------------------------------------------------------------

    def order(self, wanted: EnrolOrder) -> None:
        """People want this of the enrolment."""
        self._orders.append(wanted)
        self._wake()

    def wish_survey(self, brighter: float = 1.0) -> None:
        """Somebody wants to know what the picture is like, `brighter` by this factor of light."""
        self._brighter = brighter * (1.0 if self._brighter is None else self._brighter)
        self._wake()

    def wish_above(self) -> None:
        """Somebody wants to see the table from above."""
        self._wants_above = True
        self._wake()

    def wish_lens(self, how: LensWish) -> None:
        """Somebody measures the lens."""
        if how != "look" or self._lens_wish is None:
            self._lens_wish = how
        self._wake()

    # --- for the writer and its desk ----------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        """The session has this state now."""
        self._state = state
        self._wake()

    def teach(self, labels: Placement) -> None:
        """People said what stands at these spots, lowest first."""
        if labels:
            self._lessons.append(labels)
            self._wake()

    def forget(self) -> None:
        """Another table is played: nothing that was seen or said of the old one counts."""
        self._lessons.clear()
        self.lose_sight()
        self.colours, self.loaded = None, None
        self.drop_close_ups()

    def close_up(self, name: str) -> bytes | None:
        """The close-up of this name (`PartShown.picture`), as JPEG."""
        return self._close_ups.get(name)


def _nobody() -> None:
    """Nobody has subscribed."""
