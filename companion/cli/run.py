"""`companion run`: starts the companion and says where its pages are."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.box import good_config
from companion.box.lives import Lives
from companion.cli.greeting import greet
from companion.errors import CompanionError, ConfigError, Phrase, phrase
from companion.main.examples import DEMO, examples
from companion.main.frugal import be_frugal
from companion.session import config
from companion.session.camera_address import is_address
from companion.session.config import Config, SourceConfig
from companion.session.config_file import Tables, tables_in
from companion.session.keeping import is_kept_table, kept_tables
from companion.session.settings import Settings, below
from companion.words import Words

if TYPE_CHECKING:
    from companion.main.service import Service


def add(subparsers: Any) -> None:
    """Adds `run`."""
    parser = subparsers.add_parser(
        "run",
        help="start the companion",
        description="Starts the companion: prints its address with a QR code, then serves its pages until Ctrl+C. "
        "Its first page asks what you like: to watch a small game from pictures, to play, or to set up your table.",
    )
    parser.add_argument(
        "--source", metavar="SOURCE", help="camera, picamera2, the address of a camera in the network, none, "
        "demo, the folder of a picture set or of what was kept, or a video "
        "(without: as in the config or chosen on the pages)"
    )  # fmt: skip
    parser.add_argument("--game", metavar="ID", help="begin this game, if none is open")
    parser.add_argument(
        "--corners", metavar="PIXELS", help="watch a board by its corners, each named by the place next to it: "
        '"a1=X,Y h1=X,Y h8=X,Y a8=X,Y"'
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep what the camera sees there, so that a game that was misread "
        "can be played again: --source FOLDER"
    )  # fmt: skip
    parser.add_argument("--speed", type=float, metavar="N", help="play a video, or what was kept, N times as fast "
                        "(0: as fast as can be)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="your config file (TOML)")
    parser.add_argument("--port", type=int, metavar="N", help="the port of the pages (8080)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where the journal is kept")
    parser.add_argument("--verbose", action="store_true", help="tell more of what goes on")


def run(args: argparse.Namespace, words: Words) -> int:
    """Runs until it is told to stop. Raises `CompanionError` when it cannot start."""
    logging.basicConfig(level=logging.INFO if args.verbose else logging.WARNING, format="%(name)s: %(message)s")
    lives = Lives.of_service()
    lives.listen()
    for handler in logging.getLogger().handlers:
        handler.addFilter(InWords(words))
    try:
        return _run(args, words, lives)
    except CompanionError as error:
        lives.failed(words.sentence(error.phrase))
        raise
    except Exception:
        lives.failed("")
        raise


def _run(args: argparse.Namespace, words: Words, lives: Lives) -> int:
    folder = args.state or config.default_folder()
    counts = good_config.chosen(args.config, folder) if lives.log is not None else args.config
    settings = settings_over(counts, args)
    if counts != args.config:
        settings.notices += (phrase("safe.config_instead"),)
    keep = settings.config.keep
    if keep.folder is not None:
        expect_no_kept_game(keep.folder)
        warn(phrase("keep.told", where=str(keep.folder), number=keep.mb), words)
    if lives.damaged:
        settings.notices += (phrase("safe.damaged", given=lives.damaged),)
    be_frugal()  # before the first thread
    from companion.main.service import serve

    def ready(service: Service) -> None:
        lives.began()
        if counts == args.config and lives.log is not None:
            good_config.keep_good(args.config, folder)
        greet(service, words)

    code = serve(settings.config, ready=ready, tell=partial(warn, words=words), settings=settings)
    if code == 0:
        lives.ended()
    return code


def settings_over(file: Path | None, args: argparse.Namespace) -> Settings:
    """What is set on pages, below the config file, below the command line. Raises `ConfigError`."""
    given, base = (tables_in(file), file.parent) if file is not None else ({}, Path())
    folder = with_arguments(config.read_config(given, base), args.source, args.port, args.state).folder

    def build(kept: Tables) -> Config:
        built = with_arguments(config.read_config(below(kept, given), base), args.source, args.port, args.state)
        return with_playing(with_game(built, args.game or "", args.corners or ""), args.keep, args.speed)

    said = {"source": ("source.kind", "source.camera"), "corners": ("source.corners",)}
    fixed = [key for name, keys in said.items() if getattr(args, name) for key in keys]
    return Settings(folder, build, [*_fixed_in(given), *fixed])


def _fixed_in(given: Tables) -> Iterator[str]:
    """The keys that the config file says; with a folder of pictures it also says of what kind the source is."""
    for section, values in given.items():
        yield from (f"{section}.{key}" for key in values)
        if section == "source" and "folder" in values:
            yield "source.kind"


class InWords(logging.Filter):
    """Says phrases in the log as people are told them."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true; the record's arguments are in words then."""
        if isinstance(record.args, tuple):
            record.args = tuple(self._said(each) for each in record.args)
        return True

    def _said(self, given: object) -> object:
        what = given.phrase if isinstance(given, CompanionError) else given
        return self._words.say(what) if isinstance(what, Phrase) else given


def with_arguments(given: Config, source: str | None, port: int | None, state: Path | None) -> Config:
    """The config with what the command line says instead. Raises `ConfigError`."""
    if port is not None:
        if not 0 <= port <= 65535:
            raise ConfigError(phrase("run.port", given=str(port)))
        given = replace(given, server=replace(given.server, port=port))
    if state is not None:
        given = replace(given, folder=state)
    wanted = source or given.source.kind
    if wanted is None or (source is None and wanted in ("video", "kept")):
        return given  # the config names the file or folder itself
    return replace(given, source=source_named(wanted, given.source))


def with_game(given: Config, game: str, corners: str) -> Config:
    """The config with the game and the corners of its board that the command line says."""
    if game:
        given = replace(given, game=replace(given.game, id=game, start=True))
    return replace(given, source=replace(given.source, corners=corners)) if corners else given


def with_playing(given: Config, keep: Path | None, speed: float | None) -> Config:
    """The config with what the command line says of keeping and playing again. Raises `ConfigError`."""
    if speed is not None:
        if not 0.0 <= speed <= config.MAX_SPEED:
            raise ConfigError(phrase("run.speed", given=str(speed), most=int(config.MAX_SPEED)))
        given = replace(given, source=replace(given.source, speed=speed))
    if keep is None:
        return given
    return replace(given, keep=replace(given.keep, folder=keep.expanduser().resolve()))


def expect_no_kept_game(folder: Path) -> None:
    """Raises `ConfigError` where nothing can be kept in a folder: it is a file, or holds a single game, not several."""
    if is_kept_table(folder):
        raise ConfigError(phrase("keep.one_game", where=str(folder)))
    if folder.exists() and not folder.is_dir():
        raise ConfigError(phrase("keep.no_folder", where=str(folder)))


def source_named(name: str, given: SourceConfig) -> SourceConfig:
    """The source that a word or a folder means: on the command line, or as the config has it. Raises `ConfigError`."""
    if name == "demo":
        demo = examples().get(DEMO)
        return replace(given, kind="none") if demo is None else replace(given, kind="folder", folder=demo)
    if name in ("camera", "none"):
        return replace(given, kind=name)  # type: ignore[arg-type]
    if name == "picamera2" or is_address(name):
        return replace(given, kind="camera", camera=name)
    if Path(name).expanduser().is_file():
        return replace(given, kind="video", video=Path(name).expanduser().resolve())
    folder = given.folder if name == "folder" and given.folder is not None else Path(name).expanduser().resolve()
    if kept_tables(folder):
        return replace(given, kind="kept", folder=folder)
    if not folder.exists():
        raise ConfigError(phrase("run.no_source", where=str(folder)))
    if not (folder / "set.json").is_file():
        raise ConfigError(phrase("run.no_set", where=str(folder)))
    return replace(given, kind="folder", folder=folder)


def warn(what: Phrase, words: Words) -> None:
    """Prints what people must know."""
    print(words.say(what), file=sys.stderr, flush=True)
