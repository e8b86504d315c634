"""Which legal plies explain what is seen; what to ask when several do; what is odd when none does.

Pure: a Game is passed in, no game is imported; no clocks, threads or pixels. One `Interpreter` serves one game at one
table; its `Belief` is a frozen value that the session (or the command `read`) carries from look to look:

    interpreter = Interpreter(game, layout)
    belief = interpreter.begin(state)                    # nothing seen yet
    step = interpreter.look(belief, observation)         # step.belief, step.outcome
    step = interpreter.answer(step.belief, choice)       # 0, 1, … or None: "none of these"
    belief = interpreter.stood(belief)                   # a button: the last ply is not provisional any more
    belief = interpreter.told(state)                     # a person corrected or took back
    stands = interpreter.stands(belief)                  # every piece as believed
"""

from companion.interpret.belief import Belief, Step
from companion.interpret.interpreter import Interpreter
from companion.interpret.outcome import Ambiguous, Choice, Moved, Odd, Outcome, Plies, Stand, Unchanged

__all__ = [
    "Ambiguous", "Belief", "Choice", "Interpreter", "Moved", "Odd", "Outcome", "Plies", "Stand", "Step", "Unchanged",
]
