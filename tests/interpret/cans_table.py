"""A table of Kamikaze Cans that is looked at: what was played, what was believed."""

from typing import Any

from companion.engine import Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Place
from companion.interpret import Interpreter
from companion.words import load
from tests.interpret.sightings import look

OPTIONS = GAME.read_options({}, 2)
SETUP = {"colours": ["green", "red"], "first": 1}
LAYOUT = GAME.layout(SETUP)
START = GAME.start(SETUP, OPTIONS, 2)
WORDS = load("en", [GAME.words])


def after(*plies: Ply[Any]) -> Any:
    state = START
    for ply in plies:
        state = GAME.apply(state, ply)
    return state


RED_TO_C4 = Ply(1, Place("red/tall_can", "c4"))
GREEN_TO_D4 = Ply(0, Place("green/stub_can", "d4"))


def seen(interpreter: Interpreter, shape_nats: float = 8.0) -> Any:
    """A belief after one look at the start."""
    return interpreter.look(interpreter.begin(START), look(LAYOUT, GAME.placement(START), shape_nats=shape_nats)).belief


def blurred_step(interpreter: Interpreter) -> Any:
    """Red placed the tall can, and no look ever told its shape well."""
    return interpreter.look(
        seen(interpreter, shape_nats=0.2), look(LAYOUT, GAME.placement(after(RED_TO_C4)), shape_nats=0.2)
    )
