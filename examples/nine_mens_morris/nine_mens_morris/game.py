"""Nine Men's Morris as the companion knows games: everybody sees all, and nothing is left to chance."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from companion.engine import Choose, Json, Observer, OpenGame, Ply, form
from companion.engine.codec import Codec, ValueKind
from companion.errors import Phrase, phrase
from companion.table import Layout, Placement
from nine_mens_morris import rules
from nine_mens_morris.layout import layout
from nine_mens_morris.rules import POINTS, Action, Move, Place, State

CODEC = Codec[Action]([Place, Move], {"point": ValueKind(lambda given, where: form.one_of(given, where, POINTS))})
MEN = ("man:white", "man:black")


class NineMensMorris(OpenGame[State, Action]):
    """Two players, nine men each."""

    id = "nine-mens-morris"
    seats = (2,)
    words = Path(__file__).parent
    reasons = (rules.TOO_FEW, rules.NO_MOVE, rules.QUIET)

    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    read_action = staticmethod(CODEC.read)

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return CODEC.write(action)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`flying` (NM 4.2) and `quiet_limit` (NM 6.3)."""
        found = form.fields(given, "options", [], ["flying", "quiet_limit"])
        limit = found.get("quiet_limit", 50)
        return {
            "flying": form.truth(found.get("flying", True), "options.flying"),
            "quiet_limit": None if limit is None else form.whole(limit, "options.quiet_limit", least=1),
        }

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{"first": SEAT}`."""
        return {"first": form.whole(form.fields(given, "setup", ["first"])["first"], "setup.first", 0, 1)}

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """A random seat begins."""
        return {"first": rng.randrange(2)}

    def layout(self, setup: Json) -> Layout:
        """The board and four trays."""
        return layout()

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        """The empty board."""
        return State(setup["first"], options["flying"], options["quiet_limit"])

    def scores(self, state: State) -> tuple[int, ...]:
        """The men that each seat has taken."""
        return tuple(rules.MEN - state.in_hand(1 - seat) - len(state.of(1 - seat)) for seat in (0, 1))

    def placement(self, state: State) -> Placement:
        """The men on their points, in hand and taken."""
        placed: dict[str, tuple[str, ...]] = {
            f"point:{point}": (MEN[owner],) for point, owner in zip(POINTS, state.men) if owner is not None}
        for seat, taken in enumerate(self.scores(state)):
            placed[f"hand:{seat}"] = (MEN[seat],) * state.in_hand(seat)
            placed[f"taken:{seat}"] = (MEN[1 - seat],) * taken
        return {spot: men for spot, men in placed.items() if men}

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words: "a1 to a4, takes d7"."""
        match ply.action:
            case Place(to, take):
                said = phrase("nm.place", to=to)
            case Move(origin, to, take):
                said = phrase("nm.move", origin=origin, to=to)
        return said if take is None else phrase("nm.taking", what=said, take=take)


GAME = NineMensMorris()
