"""What stands where in Crate Wars, what is said of the crates, and plies in words."""

from __future__ import annotations

from companion.engine import Ply
from companion.errors import Phrase, phrase
from companion.games.crate_wars import scoring
from companion.games.crate_wars.actions import Action, Keep, Pass, Place, Recall, Vend, Vended
from companion.games.crate_wars.layout import YEN_100, YEN_500
from companion.games.crate_wars.state import CRATES, State, other
from companion.table import Appearance, Placement, Spot, seat_phrase


def placement(state: State) -> Placement:
    """What stands where: drinks in the machine are not to be seen, a decided crate is with its winner."""
    placed: dict[Spot, tuple[Appearance, ...]] = {}
    for crate in CRATES:
        placed[f"yen:{crate}:0"] = (YEN_100,) * ((crate + 1) // 2)
        placed[f"yen:{crate}:1"] = (YEN_100,) * (crate // 2)
    for seat in (0, 1):
        placed[f"supply:{seat}"] = state.supplies[seat]
        placed[f"coins:{seat}"] = (YEN_500,) * state.coins[seat]
        for crate in CRATES:
            placed[f"card:{seat}:{crate}"] = (f"card:{state.terms.cards[seat][crate - 1]}",)
            in_machine = crate == state.in_machine and seat == other(state.on_turn)
            if crate > len(state.decided) and not in_machine:
                placed[f"beside:{seat}:{crate}"] = state.beside[seat][crate - 1]
    for crate, decided in enumerate(state.decided, start=1):
        if decided.winner is not None:
            placed[f"won:{decided.winner}:{crate}"] = decided.drinks
    return {spot: pieces for spot, pieces in placed.items() if pieces}


def facts(state: State) -> tuple[Phrase, ...]:
    """How each crate stands."""
    return tuple(_fact(state, crate) for crate in CRATES)


def _fact(state: State, crate: int) -> Phrase:
    """How a crate stands, or who won it."""
    if crate > len(state.decided):
        first, second = scoring.points(state, 0, crate), scoring.points(state, 1, crate)
        return phrase("cw.fact_crate", crate=crate, first=first, second=second)
    winner = state.decided[crate - 1].winner
    if winner is None:
        return phrase("cw.fact_nobody", crate=crate)
    return phrase("cw.fact_won", crate=crate, seat=seat_phrase(winner))


def say(ply: Ply[Action]) -> Phrase:
    """The ply in words."""
    match ply.action:
        case Place(drink, crate):
            return phrase("cw.place", drink=drink, crate=crate)
        case Vend(crate):
            return phrase("cw.vend", crate=crate)
        case Vended(crate, ()):
            return phrase("cw.vended_nothing", crate=crate)
        case Vended(crate, returned):
            return phrase("cw.vended", crate=crate, drinks=returned)
        case Recall(crate):
            return phrase("cw.recall", crate=crate)
        case Pass():
            return phrase("cw.pass")
        case Keep(crate, drinks):
            return phrase("cw.keep", crate=crate, drinks=drinks)
