"""The session with the real interpreter, over looks that are made from placements."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.errors import Phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import Answer, Correct, GoOnFrom, Resync, StartGame, Undo
from companion.session.events import GameStarted
from companion.session.evolve import resume
from companion.session.library import GameLibrary
from companion.session.projection import snapshot_of
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.table import EMPTY, SHAPES, Observation, Placement, Sight, all_drinks, colour_of, shape_of
from companion.words import load
from tests.session.tables import GAME, HEADER, place, ply_json

LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)
WORDS = load("en", [GAME.words])
TALL, SHORT = place(0, "tall_can", "c4"), place(1, "short_can", "d4")


def loglik(truth: str, shape_nats: float) -> dict[str, float]:
    if truth == EMPTY:
        return {EMPTY: 0.0, **dict.fromkeys(all_drinks(), -30.0)}
    steps = {each: abs(SHAPES.index(shape_of(each)) - SHAPES.index(shape_of(truth))) for each in all_drinks()}
    return {EMPTY: -30.0} | {
        each: -shape_nats * far - 25.0 * (colour_of(each) != colour_of(truth)) for each, far in steps.items()
    }


@dataclass
class Table:
    """A game in a session, and a table on which drinks really stand."""

    state: State = field(default_factory=State)
    session: Session = field(default_factory=lambda: Session(library=LIBRARY, clock=FakeClock()))
    shape_nats: float = 8.0
    doubted: dict[str, dict[str, float]] = field(default_factory=dict)
    """What the eyes say of some places instead; nothing: they are covered."""

    def do(self, command: Any) -> None:
        self.state = self.session.handle(self.state, command).state

    def ask(self, kind: type[Any], by: Any, *args: Any) -> None:
        self.do(kind(self.state.seq, by, *args))

    def look(self, placement: Placement) -> None:
        """A free look at this placement."""
        layout, sights = self.state.match.layout, []
        for spot in layout.places:
            said = self.doubted.get(spot.spot)
            if said is None:
                said = loglik(placement.get(spot.spot, (EMPTY,))[-1], self.shape_nats)
            sights += [Sight(spot.spot, spot.at_mm, said)] if said else []
        for zone in layout.zones:
            for piece in placement.get(zone.spot, ()):
                x, y = zone.corners_mm[0]
                at_mm = (x + 13.0 * SHAPES.index(shape_of(piece)), y + 10.0)
                sights.append(Sight(zone.spot, at_mm, loglik(piece, self.shape_nats)))
        observation = Observation(0.0, tuple(sights), frozenset(zone.spot for zone in layout.zones))
        self.do(Sighted(0, "free", observation=observation))

    @property
    def plies(self) -> list[Any]:
        return [made.ply for made in self.state.match.made]


def say(phrases: tuple[Phrase, ...]) -> list[str]:
    return [WORDS.say(each) for each in phrases]


def stands(*plies: Any) -> Placement:
    """What stands where after these plies."""
    table = started()
    state = table.state.match.state
    for ply in plies:
        state = GAME.apply(state, ply)
    return GAME.placement(state)


def started() -> Table:
    table = Table()
    table.ask(StartGame, "host", HEADER)
    return table


@pytest.fixture
def table() -> Table:
    """Ann's tall can was placed and seen."""
    table = started()
    table.look(stands())
    table.look(stands(TALL))
    assert table.plies == [TALL]
    return table


def test_after_an_undo_the_page_says_what_to_put_back_until_it_is_done(table: Table) -> None:
    table.ask(Undo, "host")
    table.look(stands(TALL))
    assert (table.plies, table.state.odd) == ([], ())
    assert any("c4" in sentence for sentence in say(table.state.differences))
    table.look(stands())
    assert table.state.differences == ()
    other = place(0, "tall_can", "f6")
    table.look(stands(other))
    assert table.plies == [other]


def test_after_an_undo_the_can_may_go_elsewhere_at_once(table: Table) -> None:
    table.ask(Undo, 0)
    table.look(stands(TALL))
    other = place(0, "stub_can", "a1")
    table.look(stands(other))
    assert (table.plies, table.state.differences) == ([other], ())


def test_whoever_undid_by_mistake_has_the_table_read_anew(table: Table) -> None:
    table.ask(Undo, 0)
    table.look(stands(TALL))
    table.ask(Resync, 0)
    table.look(stands(TALL))
    assert table.plies == [TALL]


def test_a_correction_outlasts_the_eyes_misreading(table: Table) -> None:
    right = place(0, "short_can", "c4")
    table.ask(Correct, 0, 1, (ply_json(right),))
    for _ in range(3):
        table.look(stands(TALL))
    assert table.plies == [right]


MOVED = {"grid:a1": ("red/tall_can",), "grid:f6": ("green/short_can",)} | {
    zone: pieces for zone, pieces in stands(TALL, SHORT).items() if zone.startswith("stock")}
"""Both went where no move leads."""


def disagrees(table: Table, there: Placement) -> Placement | None:
    """What is offered once nothing explained this table for three looks."""
    for _ in range(3):
        table.look(there)
    assert table.plies == [TALL, SHORT]
    assert table.state.question is not None
    offered = snapshot_of(table.state, "room", 1).offered
    return None if offered is None else {spot: pieces for spot, pieces in offered.items() if pieces}


def test_a_table_that_surely_disagrees_is_offered_to_go_on_from(table: Table) -> None:
    table.look(stands(TALL, SHORT))
    table.look(MOVED)
    assert snapshot_of(table.state, "room", 1).offered is None, "it may be explained yet"
    offered = disagrees(table, MOVED)
    assert offered == MOVED
    table.ask(GoOnFrom, 1, {spot: list(pieces) for spot, pieces in offered.items()}, 0)
    table.look(MOVED)
    assert GAME.placement(table.state.match.state) == MOVED
    assert (table.state.odd, table.state.differences) == ((), ())
    assert snapshot_of(table.state, "room", 1).offered is None


def test_a_table_that_is_read_with_doubts_is_not_offered(table: Table) -> None:
    table.look(stands(TALL, SHORT))
    table.doubted["grid:b5"] = {EMPTY: -6.0, "red/stub_can": 0.0}
    assert disagrees(table, MOVED) is None


def test_a_table_of_which_a_place_is_covered_is_not_offered(table: Table) -> None:
    table.look(stands(TALL, SHORT))
    table.doubted["grid:b5"] = {}
    assert disagrees(table, MOVED) is None


def test_a_table_that_no_rule_allows_is_not_offered(table: Table) -> None:
    """Two red tall cans: there is but one."""
    table.look(stands(TALL, SHORT))
    assert disagrees(table, {**MOVED, "grid:b5": ("red/tall_can",)}) is None


def test_after_a_restart_the_page_says_where_the_table_differs(table: Table) -> None:
    table.look(stands(TALL, SHORT))
    header = dict(table.state.match.opened.header)
    events = [made.event for made in table.state.match.made]
    table.state = resume([GameStarted(header), *events], LIBRARY, 0, 1)
    table.look(stands())
    assert table.plies == [TALL, SHORT]
    assert any("c4" in sentence for sentence in say(table.state.differences))
    table.look(stands(TALL, SHORT))
    assert (table.state.odd, table.state.differences) == ((), ())


def test_what_was_played_while_the_service_was_down_is_seen(table: Table) -> None:
    header = dict(table.state.match.opened.header)
    table.state = resume([GameStarted(header), table.state.match.made[0].event], LIBRARY, 0, 1)
    table.look(stands(TALL, SHORT))
    assert table.plies == [TALL, SHORT]


def test_cans_that_look_alike_are_asked_about_and_answered() -> None:
    table = started()
    table.shape_nats = 0.2
    table.look(stands())
    table.look(stands(TALL))
    assert table.plies == []
    choices = table.state.question.choices
    chosen = next(number for number, each in enumerate(choices) if each.plies == (TALL,))
    table.ask(Answer, "host", table.state.question.id, chosen)
    assert table.plies == [TALL]
    table.look(stands(TALL))
    assert (table.plies, table.state.question) == ([TALL], None)
