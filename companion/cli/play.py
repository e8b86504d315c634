"""`companion play GAME`: one person at the keyboard, bots on all other seats."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from companion.bots import LEVELS
from companion.bots.levels import played_by, seated
from companion.cli.keyboard import Keyboard, KeyboardCommand
from companion.cli.selfplay import from_1, read_options
from companion.engine import CHANCE, AnyGame, Chance, Json, Over, Ply, Seat, lines, record
from companion.engine.play import PlyOf
from companion.errors import IllegalError, InvalidError, phrase
from companion.games import registry
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `play`."""
    parser = subparsers.add_parser(
        "play",
        help="play against bots in the terminal",
        description="Plays a game against bots, or alone where one player is enough. Chance is played by the program.",
        epilog="At the prompt: the number of a play, or the play itself as it is shown in braces; ? for a hint, u to "
        "take back, b for the table, l TEXT to list the plays with this text, q to leave.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(registry.ids())}")
    parser.add_argument("--players", type=from_1, metavar="N", help="how many play (as few as can)")
    parser.add_argument("--seat", type=from_1, default=1, metavar="N", help="your seat, from 1 (%(default)s)")
    parser.add_argument(
        "--bots", type=lambda given: given.split(","), default=["search"], metavar="LEVEL,…", help="who plays the "
        f"other seats, one after the other; the last one for all further seats (search): {', '.join(LEVELS)}"
    )  # fmt: skip
    parser.add_argument("--hints", default="search", metavar="LEVEL", help="who gives hints (%(default)s)")
    parser.add_argument("--playouts", type=from_1, metavar="N", help="bots think for N playouts instead of some time")
    parser.add_argument("--seed", type=int, metavar="S", help="deals, draws and bots by this seed (another every time)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the record of the game here")


def run(args: argparse.Namespace, words: Words) -> int:
    """Plays until the game is over or the player leaves. Raises `CompanionError`."""
    game = registry.game(args.game)
    players = args.players or min(game.seats)
    if players not in game.seats:
        raise InvalidError(phrase("cli.selfplay.players", game=game.id, seats=game.seats, given=players))
    if args.seat > players:
        raise InvalidError(phrase("cli.play.no_seat", given=args.seat, players=players))
    options = game.read_options(read_options(args.option), players)
    rng = SystemRandom() if args.seed is None else Random(args.seed)
    setup = game.read_setup(game.deal(players, options, rng), options, players)
    seat = args.seat - 1
    bots = list(seated(args.bots, max(1, players - 1)))
    levels = (*bots[:seat], seated([args.hints], 1)[0], *bots[seat:])[:players]
    keyboard = Keyboard(game, seat, words.of(game.id), levels[seat], args.playouts, rng)
    sitting = Sitting(game, seat, keyboard, game.start(setup, options, players), rng)
    sitting.play(played_by(levels, time.monotonic, args.playouts))
    if args.out is not None:
        names = ["You" if each == seat else f"{level.name} {each + 1}" for each, level in enumerate(levels)]
        _write(args.out, game, record.write_header(game, names, options, setup, _now()), sitting)
    return 0


class Sitting:
    """A game in the terminal: the state and how it came about."""

    def __init__(self, game: AnyGame, seat: Seat, keyboard: Keyboard, state: Any, rng: Random) -> None:
        self.game, self.state = game, state
        self.plies: list[tuple[Any, Ply[Any]]] = []
        """Each ply with the state before it."""
        self._seat, self._keyboard, self._rng = seat, keyboard, rng

    def play(self, bots: PlyOf) -> None:
        """To the end of the game, or of the input; `bots` choose for the other seats."""
        while not isinstance(turn := self.game.turn(self.state), Over):
            if isinstance(turn, Chance):
                self._do(Ply(CHANCE, self.game.sample(self.state, self._rng)))
            elif self._seat not in turn.seats:
                self._do(bots(self.game, self.state, self._rng))
            elif not self._my_turn():
                return
        self._keyboard.tell_end(self.state, turn)

    def _my_turn(self) -> bool:
        """Asks until there is a ply that can be made; whether the player goes on."""
        while (answer := self._keyboard.ask(self.state)) is not KeyboardCommand.LEFT:
            if answer is KeyboardCommand.BACK:
                self._take_back()
                return True
            assert isinstance(answer, Ply)
            try:
                self._do(answer)
            except IllegalError as error:
                self._keyboard.tell_refusal(error)
            else:
                return True
        return False

    def _do(self, ply: Ply[Any]) -> None:
        after = self.game.apply(self.state, ply)
        self._keyboard.tell_ply(self.state, ply)
        self.plies.append((self.state, ply))
        self.state = after

    def _take_back(self) -> None:
        """Back to the own last ply; at the beginning there is nothing to take back."""
        mine = [index for index, (_, ply) in enumerate(self.plies) if ply.player == self._seat]
        self._keyboard.tell_taken_back(bool(mine))
        if mine:
            self.state = self.plies[mine[-1]][0]
            del self.plies[mine[-1] :]


def _write(out: Path, game: AnyGame, header: Json, sitting: Sitting) -> None:
    """The record of what was played; a game that was left is abandoned."""
    written = [header]
    written += (record.write_ply(game, n, ply) for n, (_, ply) in enumerate(sitting.plies, 1))
    written.append(record.write_result(game, sitting.state))
    try:
        out.write_text("".join(map(lines.line, written)), encoding="utf-8")
    except OSError as error:
        where, given = str(out), error.strerror or str(error)
        raise InvalidError(phrase("cli.selfplay.cannot_write", where=where, given=given)) from None
    print(out, file=sys.stderr)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
