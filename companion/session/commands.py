"""What can be asked of the session: by people on phones and buttons, by the eyes, by the table itself.

Every command of a person carries `seq`, the number of the snapshot that the person saw (a stale one is refused), `by`,
who asks, and `via`, by what. `write_command` and `read_command` turn them into the JSON objects that pages post.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from companion.engine import Json, Ply, form
from companion.engine.codec import Codec, ValueKind
from companion.session.sighted import Sighted

By = int | Literal["host", "table"]
"""A seat; the host, who may do what no seat alone may; or the companion itself (`table`)."""

Via = Literal["phone", "button"]


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a new game from the header of a record; one that is still open is ended as abandoned."""

    type: ClassVar[str] = "start_game"
    seq: int
    by: By
    header: Annotated[dict[str, Any], "object"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class LayOut:
    """Begin a new game with what lies on the table: its set-up is read, and people say what cannot be read of it.
    `header` is a record's; its set-up may be missing, or hold only what no picture shows."""

    type: ClassVar[str] = "lay_out"
    seq: int
    by: By
    header: Annotated[dict[str, Any], "object"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class TellSetup:
    """The set-up that is being read is `value` at `path` (keys and places from the whole set-up down); null: what was
    read there is wrong."""

    type: ClassVar[str] = "tell_setup"
    seq: int
    by: By
    path: Annotated[tuple[Any, ...], "list"]
    value: Annotated[Any, "json"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Begin:
    """The set-up is as it was read and as people said: the game begins."""

    type: ClassVar[str] = "begin"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Done:
    """The big button of a seat, pressed short: yes to what is asked of this seat, otherwise "my move stands".

    A table's button that is asked to choose points at the first choice, which is taken after `POINT_S`; pressed again
    within that time, at the next one. The last one is taken at once."""

    type: ClassVar[str] = "done"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to question `question`: `choice` counts from 0; None is "none of these"."""

    type: ClassVar[str] = "answer"
    seq: int
    by: By
    question: int
    choice: Annotated[int | None, "choice"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last ply back; another player's ply, or one that revealed something, with consent."""

    type: ClassVar[str] = "undo"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Consent:
    """The answer of a seat to another's wish to take a ply back."""

    type: ClassVar[str] = "consent"
    seq: int
    by: By
    given: bool
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Correct:
    """Put a misreading right: the last `take_back` plies were misread, `plies` (record objects `player`, `action`) were
    really played. Both may be empty, not both at once."""

    type: ClassVar[str] = "correct"
    seq: int
    by: By
    take_back: int
    plies: Annotated[tuple[Any, ...], "list"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Amend:
    """Put right what only its player saw of an earlier ply (a coin spent face down): ply `n`, from 1, was `action`. All
    that was played since stays."""

    type: ClassVar[str] = "amend"
    seq: int
    by: By
    n: int
    action: Annotated[dict[str, Any], "object"]
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class CorrectSetup:
    """The game began with another set-up than it was told: it is `value` at `path` (keys and places from the whole
    set-up down). What was played since stays as far as it can be so; the last `drop` plies cannot, and go."""

    type: ClassVar[str] = "correct_setup"
    seq: int
    by: By
    path: Annotated[tuple[Any, ...], "list"]
    value: Annotated[Any, "json"]
    drop: int = 0
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class GoOnFrom:
    """Go on from this position, whatever was played: `stands` is what stands where (pieces by spot, lowest first), and
    `seat` begins a turn. The game is kept as its result from now on, as no record can tell it."""

    type: ClassVar[str] = "go_on_from"
    seq: int
    by: By
    stands: Annotated[dict[str, Any], "object"]
    seat: int
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Confide:
    """A seat tells what only it sees (`told`, as the game reads it: the own hand). Nobody else is shown that it did.
    The host tells it for the bot at `seat`, for which it draws."""

    type: ClassVar[str] = "confide"
    seq: int
    by: By
    told: Annotated[dict[str, Any], "object"]
    via: Via = "phone"
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Carried:
    """What the bot wants is done on the table."""

    type: ClassVar[str] = "carried"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class SeatBot:
    """From now on a bot of this level plays for a seat whose player has left; without a level a person does again."""

    type: ClassVar[str] = "seat_bot"
    seq: int
    by: By
    seat: int
    level: str
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Resync:
    """The table is right as it stands: look at it with fresh eyes, forgetting what was taken back or refused."""

    type: ClassVar[str] = "resync"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop (`on`), or go on. Meanwhile nothing is given out, and what people ask about the game is refused."""

    type: ClassVar[str] = "pause"
    seq: int
    by: By
    on: bool
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class EndGame:
    """End the game as it stands: its record ends as abandoned."""

    type: ClassVar[str] = "end_game"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class Reopen:
    """Go on with the game that people ended, as long as no other has begun."""

    type: ClassVar[str] = "reopen"
    seq: int
    by: By
    via: Via = "phone"


@dataclass(frozen=True, slots=True)
class TakePointed:
    """The time is over in which a button could have pointed at another choice. Said by the writer to itself."""


@dataclass(frozen=True, slots=True)
class BotDecided:
    """What a bot wants to play in the table's state number `seq`. No person's command: no page can send it."""

    seq: int
    ply: Ply[Any]


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Go on with a game that was left some time ago, whose `events` these are. The page of that game sends it, no
    program does: it has no form as JSON."""

    type: ClassVar[str] = "take_up"
    seq: int
    by: By
    events: tuple[Any, ...]
    via: Via = "phone"


PersonCommand = (
    StartGame | LayOut | TellSetup | Begin | Done | Answer | Undo | Consent | Correct | Amend | CorrectSetup | GoOnFrom
    | Confide | Resync | Pause | EndGame | Reopen | Carried | SeatBot | TakeUp
)  # fmt: skip
Command = PersonCommand | Sighted | TakePointed | BotDecided

ANYTHING = {
    "json": ValueKind(lambda given, _where: given),
    "object": ValueKind(lambda given, where: dict(form.mapping(given, where))),
    "list": ValueKind(lambda given, where: tuple(form.items(given, where)), list),
    "choice": ValueKind(lambda given, where: given if given is None else form.whole(given, where, least=0)),
}
"""Kinds of fields that hold JSON as it is (the game reads it later), and of a choice that may be null."""

_CODEC = Codec[PersonCommand](
    (
        StartGame, LayOut, TellSetup, Begin, Done, Answer, Undo, Consent, Correct, Amend, CorrectSetup, GoOnFrom,
        Confide, Resync, Pause, EndGame, Reopen, Carried, SeatBot,
    ),
    ANYTHING,
)  # fmt: skip


def write_command(command: PersonCommand) -> dict[str, Json]:
    """The JSON object of a command."""
    return _CODEC.write(command)


def read_command(given: Json) -> PersonCommand:
    """A command from its JSON object; raises `InvalidError`."""
    command: PersonCommand = _CODEC.read(given, "command")
    return command
