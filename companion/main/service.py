"""`serve`: builds the service, runs it until it is told to stop, watches over its threads meanwhile."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random, SystemRandom
from threading import Event, Thread
from typing import TYPE_CHECKING

from companion.box.layout import Places
from companion.box.news import RootNews
from companion.engine import AnyGame, Json, Over
from companion.errors import CompanionError, JournalError, Phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.main.backups import Backups
from companion.main.care import Care
from companion.main.bot_players import BotPlayers
from companion.main.enrolments import Enrolments
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.hints import Hinter
from companion.main.home_side import open_club, open_home
from companion.main.notify import Notifier
from companion.main.own_table import OwnTable
from companion.main.sources import Sources, chosen_of_late, config_to_play, eyes_config, folder_of
from companion.session.backup.restoring import resume_restore
from companion.session.clock import Clock, SystemClock
from companion.session.commands import StartGame
from companion.session.config import Config, GameConfig
from companion.session.evidence import PlyPictures
from companion.session.forgetting import ForgetGame
from companion.session.journal import must_be_usable, open_journal
from companion.session.journal.delete import forget_names
from companion.session.past import PastGames
from companion.session.port import Refused
from companion.session.snapshot import Snapshot
from companion.session.session import Session
from companion.session.settings import Settings
from companion.session.library import GameLibrary
from companion.session.writer import Writer
from companion.table.spot_words import seat_letter
from companion.words import Words, load
from hardware.presses import Gesture, Press

if TYPE_CHECKING:  # pages and pins are loaded once they are opened
    from web.sitting.seating import Seating

_logger = logging.getLogger(__name__)

WATCH_S = 1.0
"""Seconds between two checks of the threads."""
STUCK_S = 12.0
"""A thread whose loop has not turned for this long is stuck: the watchdog is no longer fed."""

JOIN_S = 1.5
"""Threads are waited for this long when the service stops; they leave nothing open that the next start needs."""

Say = Callable[[Phrase], None]


@dataclass
class Service:
    """Everything that runs, by name. `close` closes in the reverse order of opening."""

    writer: Writer
    address: tuple[str, int]
    eyes: EyesSupervisor
    fingerprint: str = ""
    """That of the certificate, if the pages are encrypted."""
    threads: list[Thread] = field(default_factory=list)
    closers: list[Callable[[], object]] = field(default_factory=list)
    alive: Mapping[str, Callable[[], bool]] = field(default_factory=dict)
    """What else must live, by name: the pages' thread, the pins' thread."""
    turns: tuple[Callable[[], float], ...] = ()
    """When other loops last came round: that of the lamps."""

    def run(self, name: str, target: Callable[[], object]) -> None:
        """Starts one of the threads; one that ends before its time ends the service."""
        thread = Thread(target=target, name=name, daemon=True)
        self.threads.append(thread)
        thread.start()

    def dead(self) -> str | None:
        """The name of a thread that has ended, None while all live."""
        threads = ((thread.name, thread.is_alive) for thread in self.threads)
        return next((name for name, lives in (*threads, *self.alive.items()) if not lives()), None)

    def moving(self, now_s: float) -> bool:
        """Whether the loops of the writer, of the eyes' supervisor and of the lamps still turn."""
        turned_s = min(self.writer.alive_s, self.eyes.alive_s, *(turn() for turn in self.turns))
        return now_s - turned_s < STUCK_S

    def close(self) -> None:
        """Stops everything, the newest first."""
        for closer in reversed(self.closers):
            closer()


def serve(
    config: Config, *, ready: Callable[[Service], object], tell: Say, stop: Event | None = None,
    settings: Settings | None = None, layout: Places | None = None,
) -> int:
    """Runs the service until SIGTERM or SIGINT, or until `stop` is set. Exit code: 0 stopped, 1 something died.

    `ready` is called once the pages answer; `tell` says what people must know. `config` is that of the `settings`, if
    pages may change any; `layout` is where an installed one lies. Raises `CompanionError` when it cannot start: the
    port or the journal is in use, a pin is taken.
    """
    stop = stop or _stop_on_signals()
    clock, notifier = SystemClock(), Notifier()
    service, news = build_service(config, clock, tell, settings), RootNews(config.folder, layout or Places())
    try:
        notifier.tell("READY=1", f"STATUS=on port {service.address[1]}")
        ready(service)
        open_eyes(service)  # only now: loading cv2 must not keep the pages waiting
        while not stop.wait(WATCH_S):
            if (dead := service.dead()) is not None:
                _logger.critical("%s has ended", dead)
                return 1
            for what in news.unheard():
                tell(what)
                service.writer.tell_notice(what)
            if notifier.watchdog_s and service.moving(clock.monotonic_s()):
                notifier.tell("WATCHDOG=1")
        return 0
    finally:
        notifier.tell("STOPPING=1")
        service.close()


def build_service(config: Config, clock: Clock, tell: Say, settings: Settings | None = None) -> Service:
    """Everything of the service but its eyes, running. If a part cannot be opened, those before it are closed."""
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    played = config_to_play(config, chosen := chosen_of_late(config))
    must_be_usable(config.folder)
    resume_restore(config.folder)
    _forget_names(config, clock)
    resumed, rng = open_journal(folder_of(played), library, clock), SystemRandom()
    for notice in settings.notices if settings is not None else ():
        resumed.journal.notices.add(notice)
    for notice in (*resumed.notices, *registry.broken_packages()):
        tell(notice)
    writer = Writer(
        session=Session(library=library, clock=clock),
        journal=resumed.journal,
        state=resumed.state,
        clock=clock,
    )
    eyes = EyesSupervisor(config=eyes_config(played), desk=writer, side=writer.eyes, clock=clock)
    reopen = partial(open_journal, library=library, clock=clock)
    sources = Sources(config, writer, eyes, reopen, chosen=chosen)
    past = PastGames(
        lambda: writer.folder, library, lambda folder, number: writer.change_files(ForgetGame(folder, number, reopen)))
    service = Service(writer, (config.server.host, config.server.port), eyes, closers=[writer.close, eyes.close])
    from hardware.pins import chosen_pins

    try:
        own = OwnTable(settings, sources, writer.eyes) if settings is not None else None
        read_again = partial(_read_again, past, settings, sources)
        _open_doors(service, config, sources, past, clock, rng,
                    Backups(config.folder, writer, eyes, reopen, clock, read_again), own)
        tell(chosen_pins(config.pins.factory))
        if config.mqtt.host:
            open_home(service, config, tell)
        service.run("writer", writer.run)
        service.closers.append(partial(_end_writer, service))
        if config.game.start and played.source.kind not in ("folder", "kept"):
            _start_game(writer, config.game, rng)
    except BaseException:
        service.close()
        raise
    return service


def _read_again(past: PastGames, settings: Settings | None, sources: Sources) -> None:
    """A backup was restored: what pages set there counts from now on."""
    past.look_anew()
    if settings is not None:
        before = settings.config.source
        settings.read_again()
        if settings.config.source != before:
            sources.use(settings.config.source)


def _forget_names(config: Config, clock: Clock) -> None:
    """Deletes the names of those who played long ago. A journal that is not whole keeps them until it was put right."""
    if config.names_days:
        before = datetime.fromisoformat(clock.now()) - timedelta(days=config.names_days)
        with suppress(JournalError):
            forget_names(folder_of(config), f"{before:%Y-%m-%dT%H:%M:%SZ}")


def _open_doors(
    service: Service, config: Config, sources: Sources, past: PastGames, clock: Clock, rng: Random,
    backups: Backups, own: OwnTable | None,
) -> None:
    """Pages, lamps and buttons."""
    from hardware import last_pins, pins
    from hardware.board import Board
    from hardware.buttons import to_desk
    from hardware.driver import Driver, Manners
    from hardware.panel import Panel
    from web.app import create_app
    from web.server import Server
    from web.sitting.seating import Seating
    from web.tls import fingerprint, tls_context

    tls = tls_context(config.folder) if config.server.tls else None
    service.fingerprint = fingerprint(config.folder) if tls else ""
    said = words(games := {id: registry.game(id) for id in registry.ids()})
    seating = Seating(folder_of(config), clock)
    service.closers.append(seating.close)
    seating.host.start(_goes_on(service.writer.snapshot()))
    board = Board(config.pins, partial(_pressed, service.writer, seating, to_desk(service.writer)),
                  pins.factory(config.pins.factory))
    service.closers.append(board.close)
    last_pins.remember(config.folder, config.pins)
    manners, hinter = Manners(config.lamps), Hinter(service.writer.snapshot)
    app = create_app(
        desk=service.writer, words=said, games=games, panel=Panel(board, manners=manners), rng=rng, past=past,
        offer=offer(config.game), examples=sources, hints=hinter, left_out=registry.broken_packages(), own=own,
        fingerprint=service.fingerprint, seating=seating, backups=backups,
        enrolments=Enrolments(sources.own, service.eyes, service.writer.eyes),
        evidence=PlyPictures(lambda: service.writer.folder), club=open_club(service) if config.club_page else None,
        pins_answer=board.alive, machine=Care(config, service.writer, board.alive, said),
    )
    service.run("hints", hinter.run)
    service.closers.append(partial(_end, hinter.stop, service.threads[-1]))
    bots = BotPlayers(service.writer)
    service.run("bots", bots.run)
    service.closers.append(bots.stop)
    server = Server(app, config.server.host, config.server.port, tls=tls)
    server.start()
    service.closers.append(server.stop)
    service.address = (config.server.host, server.port)
    service.alive = {"pins": board.alive, "pages": server.alive}
    driver = Driver(board, manners)
    service.turns = (lambda: driver.alive_s,)
    service.run("lamps", partial(driver.follow, service.writer))


def _goes_on(shown: Snapshot) -> bool:
    """Whether there is a game, or its set-up, that has not ended."""
    over = shown.can_reopen or (shown.seen is not None and isinstance(shown.seen.turn, Over))
    return shown.draft is not None or (shown.seen is not None and not over)


def _pressed(writer: Writer, seating: Seating, post: Callable[[Gesture], object], gesture: Gesture) -> None:
    """A button lets in a phone that asks for its seat; else it is the game's."""
    if isinstance(gesture, Press) and seating.seats.pressed(gesture.seat, writer.snapshot().key, gesture.long):
        return
    post(gesture)


def open_eyes(service: Service) -> None:
    """Starts the thread that keeps the eyes' process going."""
    service.run("eyes", service.eyes.run)
    service.closers.insert(service.closers.index(service.eyes.close) + 1, partial(service.threads[-1].join, JOIN_S))
    service.closers.append(service.eyes.stop)  # first of all: their process ends while the others are stopped


def _end(stop: Callable[[], object], thread: Thread) -> None:
    stop()
    thread.join(JOIN_S)


def _end_writer(service: Service) -> None:
    service.writer.stop()
    for thread in service.threads:
        if thread.name in ("writer", "lamps", "bots"):
            thread.join(JOIN_S)


def _start_game(writer: Writer, game: GameConfig, rng: Random) -> None:
    """Begins the game of the config unless one is open; raises `ConfigError` when it cannot be."""
    if writer.eyes.task().header is not None:
        return
    header = {"game": registry.ids()[0], **offer(game)}
    answer = writer.send(StartGame(writer.snapshot().seq, "table", completed(header, rng)))
    if isinstance(answer, Refused):
        raise CompanionError(answer.phrase)


def offer(game: GameConfig) -> dict[str, Json]:
    """The header that the config proposes; what it leaves open is not there."""
    proposed = {
        "game": game.id,
        "options": dict(game.options),
        "players": [{"name": name} for name in game.players],
        "setup": dict(game.setup),
    }
    return {key: each for key, each in proposed.items() if each}


def completed(header: Mapping[str, Json], rng: Random) -> dict[str, Json]:
    """A header with players and a set-up, two if that can be and as `rng` deals it, where it has none."""
    game = registry.game(header["game"])
    number = next((number for number in game.seats if number >= 2), game.seats[0])
    players = header.get("players") or [{"name": f"Player {seat_letter(seat)}"} for seat in range(number)]
    options = game.read_options(header.get("options", {}), len(players))
    return {"setup": game.deal(len(players), options, rng), **header, "players": players}


def words(games: Mapping[str, AnyGame]) -> Words:
    """All phrases: the house's and the games'."""
    return load("en", [game.words for game in games.values()])


def _stop_on_signals() -> Event:
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop

