"""Packages that offer a game, whole or broken, as pip would leave them in a folder."""

from __future__ import annotations

import sys
from pathlib import Path

PEGS = '''
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from companion.engine import OpenGame, Over, Ply, ToMove, form
from companion.engine.codec import Codec
from companion.errors import IllegalError, phrase
from companion.table import Layout, PieceKind, Place


@dataclass(frozen=True, slots=True)
class Put:
    type: ClassVar[str] = "put"
    at: int


@dataclass(frozen=True, slots=True)
class State:
    pegs: tuple = (None, None, None)
    on_turn: int = 0


class Pegs(OpenGame):
    """Pegs are put into three holes in turn; who puts the last one wins."""

    id, seats, words, reasons = "pegs", (2,), Path(__file__).parent, ("board full",)
    codec = Codec([Put])

    def read_options(self, given, players):
        return form.fields(given, "options", [])

    def read_setup(self, given, options, players):
        return form.fields(given, "setup", [])

    def deal(self, players, options, rng):
        return {}

    def layout(self, setup):
        places = tuple(Place(f"hole:{n}", (20.0 * n, 10.0), (15.0, 15.0), ("peg",), "round") for n in range(3))
        return Layout((), places, (), (60.0, 20.0), kinds=(PieceKind("peg", "upright", drawn="pawn"),))

    def start(self, setup, options, players):
        return State()

    def turn(self, state):
        if None in state.pegs:
            return ToMove((state.on_turn,), phrase("pegs.ask"))
        return Over((1 - state.on_turn,), "board full")

    def legal(self, state):
        return (Ply(state.on_turn, Put(at)) for at, peg in enumerate(state.pegs) if peg is None)

    def apply(self, state, ply):
        if ply not in self.legal(state):
            raise IllegalError("PG 1.1", phrase("pegs.no"))
        pegs = tuple(ply.player if at == ply.action.at else peg for at, peg in enumerate(state.pegs))
        return State(pegs, 1 - state.on_turn)

    def scores(self, state):
        return tuple(state.pegs.count(seat) for seat in (0, 1))

    def placement(self, state):
        colours = {0: "blue", 1: "red"}
        return {f"hole:{at}": (f"peg:{colours[peg]}",) for at, peg in enumerate(state.pegs) if peg is not None}

    def say(self, state, ply, observer):
        return phrase("pegs.put", at=ply.action.at)

    def read_action(self, given):
        return self.codec.read(given)

    def write_action(self, action):
        return self.codec.write(action)


GAME = Pegs()
'''
WORDS = """
"name.pegs" = "Pegs"
"name.board full" = "all holes are full"
"spot.hole" = "hole {at}"
"pegs.ask" = "put a peg"
"pegs.put" = "a peg into hole {at}"
"pegs.no" = "That hole is not free now."
"""


def package(
    folder: Path, name: str = "pegs-game", code: str = PEGS, words: str | None = WORDS, id: str = "pegs"
) -> Path:
    """A folder for `sys.path` with a package that offers a game under an id."""
    module = name.replace("-", "_")
    home = folder / name
    (home / module).mkdir(parents=True)
    (home / module / "__init__.py").write_text(code)
    if words is not None:
        (home / module / "words.en.toml").write_text(words)
    info = home / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{id} = {module}:GAME\n")
    return home


def forget(*names: str) -> None:
    """Modules of packages that tests made are imported anew."""
    for name in names or [module for module in sys.modules if module.endswith("_game")]:
        sys.modules.pop(name, None)
