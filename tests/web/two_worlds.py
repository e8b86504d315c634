"""Two houses in which the same is played and asked, and that differ only in one seat's secret: what differs is kept."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.engine import AnyGame, Observer, Over, random_ply
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import LayOut, StartGame
from companion.session.exports import record_lines
from companion.session.library import GameLibrary
from companion.session.port import Refused
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.session.writer import Writer
from companion.table import Observation
from companion.words import load
from tests.session.running_writer import running_writer
from tests.web.phones import host, sit
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakePanel, FakePhone
from web.house import house_of
from web.limits import Limits, Rate

GAMES = {id: registry.game(id) for id in registry.ids()}
WORDS = load("en", [game.words for game in GAMES.values()])
ENDLESS = Rate(1e12, 1e12)
LIMITS = Limits(commands=ENDLESS, commands_each=ENDLESS, command_bytes=ENDLESS, command_bytes_each=ENDLESS)

Probe = tuple[str, str, Any]
"""Method, path, and the JSON or the form of a request."""


@dataclass
class World:
    """A house with its phones: the host's, one for each seat, and one that only watches."""

    writer: Writer
    app: Flask
    phones: dict[str, FlaskClient] = field(default_factory=dict)
    streams: dict[Observer, FakePhone] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The session's."""
        return self.writer._bus.value[1]

    def begin(self, header: Mapping[str, Any]) -> None:
        """The game begins and everybody sits down."""
        self.phones["host"] = host(self.app.test_client())
        answer = self.writer.send(StartGame(self.state.seq, "host", dict(header)))
        assert not isinstance(answer, Refused), answer
        self.sit_down(len(header["players"]))

    def lay_out(self, header: Mapping[str, Any]) -> None:
        """The set-up is read; everybody sits down."""
        self.phones["host"] = host(self.app.test_client())
        answer = self.writer.send(LayOut(self.state.seq, "host", dict(header)))
        assert not isinstance(answer, Refused), answer
        self.writer.post(Sighted(0, "free", observation=Observation(0.0, ())))
        while self.state.draft is None or self.state.draft.read is None:
            time.sleep(0.001)
        self.sit_down(len(header["players"]))

    def sit_down(self, players: int) -> None:
        """A phone at each seat, one that watches, and their streams."""
        self.phones |= {str(seat): sit(self.app.test_client(), seat) for seat in range(players)}
        self.phones["room"] = self.app.test_client()
        who: list[Observer] = [*range(players), "room"]
        for each in who:
            watcher, phone = house_of(self.app).streams.open(f"10.0.0.{len(self.streams)}", each, self.key), FakePhone()
            assert watcher is not None
            self.streams[each] = phone
            house_of(self.app).streams.attach(watcher, phone)

    @property
    def key(self) -> str:
        """That of the game."""
        return self.writer.snapshot().key

    def ask(self, phone: str, probe: Probe) -> tuple[int, bytes, str]:
        """What a phone is answered: status, body, where it is led."""
        method, path, given = probe
        if isinstance(given, dict) and given.get("type"):
            given = {"seq": self.state.seq, **given}
        sent = {"json": given} if method == "POST" and path == "/do" else {"data": given}
        answer = self.phones[phone].open(path, method=method, headers=HOME, **sent)
        return answer.status_code, answer.data, answer.headers.get("Location", "")

    def told(self, who: Observer) -> bytes:
        """What the stream of this observer has told since it was asked last."""
        house_of(self.app).streams.tell()
        heard, self.streams[who].heard = b"".join(self.streams[who].heard), []
        return heard


@contextmanager
def a_world(folder: Path, library: GameLibrary | None = None) -> Iterator[World]:
    """An empty house; two of them are alike to the byte."""
    library = library or GameLibrary(lookup=registry.game, interpreter=Interpreter)
    keys = iter(range(999))
    session = Session(library=library, clock=FakeClock(), new_key=lambda: f"key {next(keys)}")
    with running_writer(folder, library, session=session) as writer:
        yield World(writer, create_app(desk=writer, words=WORDS, games=GAMES, panel=FakePanel(), limits=LIMITS,
                                       rng=Random(0)))


class _Log(logging.Handler):
    """Keeps what is logged for the world that is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@dataclass
class Worlds:
    """Both worlds of a case, what was asked of them, and what differed."""

    both: Sequence[World]
    owner: int
    probes: int = 0
    differences: list[str] = field(default_factory=list)

    def ask(self, phone: str, probe: Probe) -> None:
        """The same of both worlds."""
        answers = [self._logged(world, phone, probe) for world in self.both]
        self._compare(f"{phone} asks {probe}", answers)

    def look(self) -> None:
        """All that comes by itself: streams, and the record."""
        for who in self.both[0].streams:
            if who != self.owner:
                self._compare(f"the stream of {who}", [world.told(who) for world in self.both])
        self._compare("the record", [json.dumps(record_lines(world.state)) for world in self.both])

    def play_on(self, game: AnyGame, rng: Random) -> bool:
        """Something legal is played for all to see, said by the host; False when the game is over."""
        match = self.both[0].state.match
        if match is None or isinstance(game.turn(match.state), Over):
            return False
        ply = random_ply(game, match.state, rng)
        written = {"player": ply.player, "action": game.write_action(ply.action)}
        return self.do("host", {"type": "correct", "take_back": 0, "plies": [written]})

    def do(self, phone: str, given: Mapping[str, Any]) -> bool:
        """A public command: carried out in both worlds, or in none. Whether it was."""
        before = self.both[0].state.seq
        self.ask(phone, ("POST", "/do", dict(given)))
        return self.both[0].state.seq != before

    def _compare(self, what: str, told: Sequence[Any]) -> None:
        self.probes += 1
        if told[0] != told[1]:
            self.differences.append(f"{what}:\n  {_unlike(str(told[0]), str(told[1]))}")

    def _logged(self, world: World, phone: str, probe: Probe) -> Any:
        log = _Log()
        logging.getLogger().addHandler(log)
        try:
            return world.ask(phone, probe), log.lines
        finally:
            logging.getLogger().removeHandler(log)


def _unlike(one: str, other: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 60): at + 120]!r}\n  …{other[max(0, at - 60): at + 120]!r}"
