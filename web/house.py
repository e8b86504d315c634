"""What the views work with: kept in `app.extensions` by the app factory, asked for with `house()`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from flask import Flask, current_app

from companion.engine import AnyGame
from companion.errors import Phrase, phrase
from companion.session.port import Desk
from companion.words import Words
from web.fragments import Renderer
from web.ports import (
    BackupsPort, ClubPort, EnrolPort, EvidencePort, ExamplesPort, HintsPort, MachinePort, OwnTablePort, PanelPort,
    PastPort)
from web.limits import CommandLimits, Limits
from web.sitting.seating import Seating
from web.streams import Streams

_KEY: Final = "house"


@dataclass(frozen=True, slots=True)
class House:
    """All that the views need. `offer` is the record header that the start page proposes; `commands` says
    whether another command may be handed in now."""

    desk: Desk
    words: Words
    games: Mapping[str, AnyGame]
    offer: Mapping[str, Any]
    render: Renderer
    streams: Streams
    limits: Limits
    seating: Seating
    commands: CommandLimits
    rng: Random
    """Deals set-ups."""
    panel: PanelPort | None = None
    fingerprint: str = ""
    """That of the certificate, if the pages are encrypted."""
    examples: ExamplesPort | None = None
    hints: HintsPort | None = None
    past: PastPort | None = None
    backups: BackupsPort | None = None
    evidence: EvidencePort | None = None
    own: OwnTablePort | None = None
    enrolments: EnrolPort | None = None
    club: ClubPort | None = None
    machine: MachinePort | None = None
    pins_answer: Callable[[], bool] = lambda: True
    """Whether buttons are still heard."""
    left_out: Sequence[Phrase] = ()

    def say(self, what: Phrase | str, /, **args: str | int) -> str:
        """A phrase, or the phrase with this id, in the players' language."""
        return self.words.say(phrase(what, **args) if isinstance(what, str) else what)

    def add_to(self, app: Flask) -> None:
        """Puts this into the app's extensions, where its views find it."""
        app.extensions[_KEY] = self


def house() -> House:
    """The one of the app that answers the request."""
    return house_of(current_app)


def house_of(app: Flask) -> House:
    """The one of this app."""
    found: House = app.extensions[_KEY]
    return found
