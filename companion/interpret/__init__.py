"""Which legal plies explain what is seen; what to ask when several do; what is odd when none does.

Pure: a Game is passed in, no game is imported; no clocks, threads or pixels. One `Interpreter` serves one game at one
table; its `Belief` is a frozen value that the session (or the command `read`) carries from look to look:

    interpreter = Interpreter(game, layout)
    belief = interpreter.begin(state)                    # nothing seen yet
    update = interpreter.look(belief, observation)       # update.belief, update.outcome
    update = interpreter.answer(update.belief, choice)   # 0, 1, … or None: "none of these"
    belief = interpreter.confirmed(belief)               # a button: the last ply is not provisional any more
    belief = interpreter.corrected(state)                # a person corrected or took back
    pieces = interpreter.believed_pieces(belief)         # every piece as believed
"""

from companion.interpret.belief import Belief, Update
from companion.interpret.interpreter import Interpreter
from companion.interpret.outcome import Ambiguous, BelievedPiece, Choice, Moved, Odd, Outcome, Plies, Unchanged

__all__ = [
    "Ambiguous", "Belief", "BelievedPiece", "Choice", "Interpreter", "Moved", "Odd", "Outcome", "Plies", "Unchanged",
    "Update",
]
