"""The person at the keyboard in `companion play`: shows what that seat may know, and reads plies and commands."""

from __future__ import annotations

import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from random import Random
from typing import Any, Final

from companion.bots import Level
from companion.bots.hints import hint
from companion.engine import AnyGame, Choose, Over, Ply, Seat, Seen, notation
from companion.errors import CompanionError, IllegalError, Phrase, phrase
from companion.table import Appearance, seat_phrase
from companion.words import Words

LISTED_PLIES: Final = 12
"""How many plies are listed unasked."""
LINE: Final = 110
"""Characters a line when the table is told."""


class KeyboardCommand(Enum):
    """What a player may do instead of a ply."""

    BACK = "u"
    LEFT = "q"


class Keyboard:
    """One seat's eyes and hands."""

    def __init__(
        self, game: AnyGame, seat: Seat, words: Words, adviser: Level, playouts: int | None, rng: Random
    ) -> None:
        self._game, self._seat, self._words = game, seat, words
        self._adviser, self._playouts, self._rng = adviser, playouts, rng

    def ask(self, state: Any) -> Ply[Any] | KeyboardCommand:
        """What the player does next; the end of the input is leaving."""
        seen = self._game.view(state, self._seat)
        self._show_turn(state, seen)
        plies = [ply for ply in self._game.legal(state) if ply.player == self._seat]
        self._list(state, plies, "", LISTED_PLIES)
        while (line := _line("> ")) is not None:
            match line.split(maxsplit=1):
                case []:
                    continue
                case ["q" | "quit"]:
                    return KeyboardCommand.LEFT
                case ["u" | "undo"]:
                    return KeyboardCommand.BACK
                case ["?"]:
                    self._hint(seen)
                case ["b"]:
                    self._table(seen)
                case ["l", *text]:
                    self._list(state, plies, "".join(text), len(plies))
                case _:
                    ply = self._read(line, plies)
                    if ply is not None:
                        return ply
        return KeyboardCommand.LEFT

    def tell_ply(self, state: Any, ply: Ply[Any]) -> None:
        """A ply of anybody, as this seat may know it."""
        said = self._game.say(state, ply, self._seat)
        who = phrase("cli.play.you") if ply.player == self._seat else phrase("cli.play.chance")
        if isinstance(ply.player, int) and ply.player != self._seat:
            who = seat_phrase(ply.player)
        self._say(phrase("cli.play.ply", who=who, ply=said))

    def tell_refusal(self, error: IllegalError) -> None:
        """Why a ply cannot be made."""
        self._say(phrase("cli.play.refused", told=error.phrase, rule=error.rule))

    def tell_taken_back(self, done: bool) -> None:
        """That the last ply was taken back, or that there is none."""
        self._say(phrase("cli.play.taken_back") if done else phrase("cli.play.nothing_to_take_back"))

    def tell_end(self, state: Any, over: Over) -> None:
        """How the game ended."""
        winners = tuple(
            phrase("cli.play.you") if seat == self._seat else seat_phrase(seat)
            for seat in over.winners
        ) or phrase("cli.record.nobody")
        scores = " : ".join(map(str, self._game.scores(state)))
        self._say(phrase("cli.play.end", reason=over.reason, scores=scores, winners=winners))

    def _show_turn(self, state: Any, seen: Seen) -> None:
        scores = " : ".join(map(str, self._game.scores(state)))
        ask = phrase("cli.play.you") if isinstance(seen.turn, Over) else seen.turn.ask
        print()
        self._say(phrase("cli.play.turn", ask=ask, scores=scores))
        for fact in seen.facts:
            print(f"  {self._words.sentence(fact)}")

    def _list(self, state: Any, plies: list[Ply[Any]], text: str, most: int) -> None:
        """The plies with that text in them, with their numbers."""
        left = 0
        for number, ply in enumerate(plies, 1):
            shown = self._shown(state, ply)
            if text.lower() not in shown.lower():
                continue
            if most:
                most -= 1
                print(f"{number:4} {shown}")
            else:
                left += 1
        if left:
            self._say(phrase("cli.play.more", number=left))

    def _shown(self, state: Any, ply: Ply[Any]) -> str:
        if isinstance(ply.action, Choose):
            return self._words.sentence(self._choice(ply.action))
        said = self._words.sentence(self._game.say(state, ply, self._seat))
        return f"{said}  {{{notation.short(self._game.write_action(ply.action))}}}"

    def _choice(self, choose: Choose) -> Phrase:
        if choose.number is None:
            return phrase("cli.play.choose_any", type=choose.type, among=choose.among)
        return phrase("cli.play.choose", type=choose.type, number=choose.number, among=choose.among)

    def _read(self, line: str, plies: list[Ply[Any]]) -> Ply[Any] | None:
        """The ply with a number, or in short notation; says what is wrong with anything else."""
        try:
            if not line.isdecimal():
                return Ply(self._seat, self._game.read_action(notation.read(line)))
            if not 1 <= int(line) <= len(plies):
                self._say(phrase("cli.play.no_number", given=line, plies=len(plies)))
                return None
            ply = plies[int(line) - 1]
            return self._chosen(ply.action) if isinstance(ply.action, Choose) else ply
        except CompanionError as error:
            self._say(error.phrase)
            return None

    def _chosen(self, choose: Choose) -> Ply[Any] | None:
        """Asks which of them; raises `InvalidError`."""
        for number, each in enumerate(choose.among, 1):
            print(f"{number:4} {self._words.say(phrase('cli.play.one', what=each))}")
        line = _line(self._words.sentence(phrase("cli.play.which")) + " ")
        numbers = [int(each) for each in (line or "").split() if each.isdecimal()]
        chosen = [choose.among[each - 1] for each in numbers if 1 <= each <= len(choose.among)]
        action = {"type": choose.type, **dict(choose.rest), choose.key: chosen}
        return Ply(self._seat, self._game.read_action(action))

    def _hint(self, seen: Seen) -> None:
        budget = self._adviser.budget(time.monotonic, self._playouts)
        decision = self._adviser.bot.choose(self._game, seen, Random(self._rng.random()), budget)
        for said in hint(self._game, seen, decision):
            print(f"  {self._words.sentence(said)}")

    def _table(self, seen: Seen) -> None:
        """What stands where, a line or more for each kind of spot."""
        kinds: dict[str, list[str]] = {}
        for spot, pieces in seen.placement.items():
            kind, _, where = spot.partition(":")
            kinds.setdefault(kind, []).append(f"{where} {self._pieces(pieces)}".strip())
        for kind, standing in kinds.items():
            text = f"{kind}: {'; '.join(standing)}"
            print(textwrap.fill(text, LINE, initial_indent="  ", subsequent_indent="    "))

    def _pieces(self, pieces: Iterable[Appearance]) -> str:
        """The pieces, equal ones counted."""
        names: list[str] = []
        for each, number in Counter(pieces).items():
            said = self._words.say(phrase("cli.play.one", what=each)).replace(":", " ")
            names.append(said if number == 1 else f"{number} × {said}")
        return ", ".join(names)

    def _say(self, said: Phrase) -> None:
        print(self._words.sentence(said))


def _line(prompt: str) -> str | None:
    """A line of the input, without the spaces around; None at its end."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None
