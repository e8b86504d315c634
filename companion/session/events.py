"""What happened, in the past tense: the lines of the journal. The state is what replaying them gives.

A ply is the record's own object, `{"player": …, "action": {…}}`. `Corrected` and `PliesTakenBack` are kept apart: undo
takes a move back, a correction puts a misreading right. What the eyes do at the moment (a hand, a covered card) is not
an event: it is shown, but not remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from companion.engine import Json
from companion.engine.codec import Codec, ValueKind
from companion.errors import Phrase
from companion.session.commands import ANYTHING, By

Source = Literal["camera", "phone", "button", "import", "simulation"]
PlyObjects = tuple[Json, ...]
AskedChoice = dict[str, Any]
"""A choice: `{"plies": [record objects], "taken_back": how many plies go first}`."""


@dataclass(frozen=True, slots=True)
class SetupBegun:
    """A set-up is being read for a new game; `header` as it was given, its set-up perhaps missing. `key` as in a
    `GameStarted`: the game that comes of it keeps it."""

    type: ClassVar[str] = "setup_begun"
    header: Annotated[dict[str, Any], "object"]
    key: str = ""


@dataclass(frozen=True, slots=True)
class SetupSeen:
    """The table shows this set-up, null where it does not tell."""

    type: ClassVar[str] = "setup_seen"
    setup: Annotated[Json, "json"]


@dataclass(frozen=True, slots=True)
class SetupTold:
    """A person said that the set-up is `value` at `path`; null: it was misread there."""

    type: ClassVar[str] = "setup_told"
    by: By
    path: Annotated[tuple[Any, ...], "list"]
    value: Annotated[Json, "json"]


@dataclass(frozen=True, slots=True)
class SetupDropped:
    """No game comes of the set-up."""

    type: ClassVar[str] = "setup_dropped"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began. `header` is the record's first line, complete and in its exported spelling. `key` names the game
    among all that ever were, also among those of a journal that was put back: no other game gets it again."""

    type: ClassVar[str] = "game_started"
    header: Annotated[dict[str, Any], "object"]
    key: str = ""


@dataclass(frozen=True, slots=True)
class PlyMade:
    """A ply was played. `confidence` is the eyes' (0 to 1), `look` the number of the frame that showed it."""

    type: ClassVar[str] = "ply_made"
    ply: Annotated[Json, "json"]
    source: Source
    at: str
    confidence: Annotated[float | None, "json"] = None
    look: Annotated[int | None, "json"] = None


@dataclass(frozen=True, slots=True)
class PliesTakenBack:
    """The last `number` plies are no longer part of the game: a look withdrew them, a player did, or a correction."""

    type: ClassVar[str] = "plies_taken_back"
    number: int
    why: Literal["camera", "undo", "correction"]
    by: By


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person put a misreading right; the plies withdrawn and made follow as events of their own."""

    type: ClassVar[str] = "corrected"
    by: By
    take_back: int
    plies: Annotated[PlyObjects, "list"]
    at: str


@dataclass(frozen=True, slots=True)
class Amended:
    """What only its player saw of ply `n` (from 1) was put right: it was `ply`, a record object."""

    type: ClassVar[str] = "amended"
    by: By
    n: int
    ply: Annotated[Json, "json"]
    at: str


@dataclass(frozen=True, slots=True)
class SetupCorrected:
    """A person put the set-up right: it is `setup`, and of all that was played `plies` (record objects, called by their
    right names) remain."""

    type: ClassVar[str] = "setup_corrected"
    by: By
    setup: Annotated[Json, "json"]
    plies: Annotated[PlyObjects, "list"]
    at: str


@dataclass(frozen=True, slots=True)
class Confided:
    """A seat told what only it sees. It is no part of the record."""

    type: ClassVar[str] = "confided"
    seat: int
    told: Annotated[dict[str, Any], "object"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The eyes cannot tell which of these happened: a question with number `id`."""

    type: ClassVar[str] = "asked"
    id: int
    choices: Annotated[tuple[AskedChoice, ...], "list"]


@dataclass(frozen=True, slots=True)
class Settled:
    """The question is closed: `choice` (None: none of these), by a person or, by a later look, the `table` itself."""

    type: ClassVar[str] = "settled"
    id: int
    choice: Annotated[int | None, "choice"]
    by: By


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """`by` wants the last `number` plies back; the seats in `waiting` have still to agree."""

    type: ClassVar[str] = "undo_asked"
    by: int
    number: int
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """The wish to take plies back was turned down."""

    type: ClassVar[str] = "undo_refused"
    by: By


@dataclass(frozen=True, slots=True)
class OddSeen:
    """Something stands where no legal ply can bring it."""

    type: ClassVar[str] = "odd_seen"
    reasons: Annotated[tuple[Phrase, ...], "phrases"]


@dataclass(frozen=True, slots=True)
class OddGone:
    """The table can be explained again."""

    type: ClassVar[str] = "odd_gone"


@dataclass(frozen=True, slots=True)
class TableDiffers:
    """The table does not stand as the game does; `what` says how to put it right. Empty: it agrees again."""

    type: ClassVar[str] = "table_differs"
    what: Annotated[tuple[Phrase, ...], "phrases"]


@dataclass(frozen=True, slots=True)
class Paused:
    """Nothing is taken (`on`), or is taken again. Older journals do not say when."""

    type: ClassVar[str] = "paused"
    on: bool
    at: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; `result` as the record's last line has it."""

    type: ClassVar[str] = "game_ended"
    result: Annotated[dict[str, Any], "object"]


@dataclass(frozen=True, slots=True)
class BotSeated:
    """From now on a bot of this level plays for the seat; an empty level: a person."""

    type: ClassVar[str] = "bot_seated"
    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The game that people had ended goes on as it stood."""

    type: ClassVar[str] = "game_reopened"
    by: By


Event = (
    SetupBegun | SetupSeen | SetupTold | SetupDropped | GameStarted | PlyMade | PliesTakenBack | Corrected | Amended
    | SetupCorrected | Confided | Asked | Settled | UndoAsked | UndoRefused | OddSeen | OddGone | TableDiffers | Paused
    | GameEnded | GameReopened | BotSeated
)  # fmt: skip

SETTING_UP = (SetupBegun, SetupSeen, SetupTold, SetupDropped)
"""Events of a set-up that is being read, before its game begins."""

SILENT = (Corrected, Amended, Confided, OddSeen, OddGone, TableDiffers)
"""Events that do not advance `seq`: what a person is about to ask keeps its meaning across them."""


def write_phrase(value: Any) -> Json:
    """The JSON of a phrase, or of an argument of one."""
    if isinstance(value, Phrase):
        return {"id": value.id, "args": {key: write_phrase(arg) for key, arg in value.args}}
    return [write_phrase(each) for each in value] if isinstance(value, tuple) else value


def read_phrase(given: Json) -> Any:
    """A phrase from its JSON; raises `LookupError` or `TypeError` for what is none."""
    if isinstance(given, dict):
        return Phrase(given["id"], tuple((key, read_phrase(arg)) for key, arg in given["args"].items()))
    return tuple(read_phrase(each) for each in given) if isinstance(given, list) else given


_CODEC = Codec[Event](
    (
        SetupBegun, SetupSeen, SetupTold, SetupDropped, GameStarted, PlyMade, PliesTakenBack, Corrected, Amended,
        SetupCorrected, Confided, Asked, Settled, UndoAsked, UndoRefused,
        OddSeen, OddGone, TableDiffers, Paused, GameEnded, GameReopened, BotSeated,
    ),
    {
        **ANYTHING,
        "phrases": ValueKind(lambda given, _where: read_phrase(given), write_phrase),
    },
)  # fmt: skip


def write_event(event: Event) -> dict[str, Json]:
    """The JSON object of an event."""
    return _CODEC.write(event)


def read_event(given: Json) -> Event:
    """An event from its JSON object, also as an older version wrote it; raises `InvalidError`."""
    event: Event = _CODEC.read(_in_words_of_today(given), "event")
    return event


def _in_words_of_today(given: Json) -> Json:
    """Lines on the disk stay as they were written: the host was called the arbiter."""
    return {**given, "by": "host"} if isinstance(given, dict) and given.get("by") == "arbiter" else given
