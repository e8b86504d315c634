"""A set-up that is read from the table: what agrees begins, what is open or differs is said by people."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.engine import OpenPart
from companion.errors import IllegalError, InvalidError
from companion.games import registry
from companion.interpret import Interpreter
from companion.session import commands, events
from companion.session.clock import FakeClock
from companion.session.commands import Begin, Done, EndGame, LayOut, Resync, StartGame, TellSetup
from companion.session.evolve import evolve, resume
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.projection import snapshot_of
from companion.session.seen_things import SeenThing
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.session.transaction import RefusedError
from companion.table import Observation
from tests.interpret.truth_eyes import TruthEyes, free_frames

DATA = Path(__file__).parents[1] / "data"
SETS = ("kamikaze-1", "crate-wars-1", "yuzu-1", "pick-1", "war-chest-1")
LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)
SESSION = Session(library=LIBRARY, clock=FakeClock())


def header_of(name: str) -> dict[str, Any]:
    with (DATA / name / "record.jsonl").open(encoding="utf-8") as file:
        return dict(json.loads(file.readline()))


def first_look(name: str) -> Sighted:
    header = header_of(name)
    layout = registry.game(header["game"]).layout(header["setup"])
    pieces = json.loads((DATA / name / "set.json").read_text(encoding="utf-8"))["pieces"]
    return Sighted(0, "free", observation=TruthEyes(layout, pieces).look(free_frames(DATA / name)[0]))


class House:
    """A session, and all that happened in it."""

    def __init__(self) -> None:
        self.state, self.events = State(), list[Any]()

    def do(self, command: Any) -> None:
        change = SESSION.handle(self.state, command)
        self.state, self.events = change.state, [*self.events, *change.events]

    def ask(self, kind: Any, *args: Any) -> None:
        self.do(kind(self.state.seq, "host", *args))


def laid(name: str, setup: Any = None, **more: Any) -> House:
    """The table of a set, seen once; `setup` is what was entered before."""
    house, header = House(), header_of(name)
    house.ask(LayOut, {**{key: value for key, value in header.items() if key != "setup"}, "setup": setup, **more})
    house.do(first_look(name))
    return house


@pytest.mark.parametrize("name", SETS)
def test_a_table_that_is_as_was_entered_needs_no_further_word(name: str) -> None:
    house = laid(name, header_of(name)["setup"])
    for part in house.state.draft.open if house.state.draft else ():  # what perfect eyes do not tell either
        house.ask(TellSetup, part.path, part.choices[0])
    assert house.state.draft is None
    assert house.state.match.opened.setup == registry.game(header_of(name)["game"]).read_setup(
        header_of(name)["setup"], house.state.match.opened.options, len(header_of(name)["players"]))


@pytest.mark.parametrize("name", SETS)
def test_without_anything_entered_only_what_no_picture_tells_is_asked_and_then_confirmed(name: str) -> None:
    house = laid(name)
    asked = []
    while house.state.draft.open:
        part = house.state.draft.open[0]
        asked.append(part.spot)
        house.ask(TellSetup, part.path, part.choices[0])
    assert len(asked) <= 6
    assert snapshot_of(house.state, "room", 1).draft.ready
    house.ask(Begin)
    game: Any = registry.game(header_of(name)["game"])
    assert game.setup_parts(house.state.match.opened.setup) == game.setup_parts(header_of(name)["setup"])


def test_what_may_be_most_is_asked_first_and_what_a_picture_shows_before_what_none_does() -> None:
    house, look = House(), first_look("crate-wars-1")
    assert look.observation is not None
    doubtful = tuple(replace(sight, loglik=dict.fromkeys(sight.loglik, 0.0)) for sight in look.observation.sights)
    house.ask(LayOut, {key: value for key, value in header_of("crate-wars-1").items() if key != "setup"})
    house.do(replace(look, observation=replace(look.observation, sights=doubtful)))
    told = next(part for part in house.state.draft.open if part.spot == "card:0:1")
    house.ask(TellSetup, told.path, told.choices[0])  # somebody began in the middle
    asked = [(part.spot is not None, len(part.choices)) for part in house.state.draft.open]
    assert set(asked) == {(True, 6), (True, 5), (False, 2)}
    assert asked == sorted(asked, reverse=True)


def test_what_a_table_hides_is_kept_as_a_referee_knows_it() -> None:
    assert laid("war-chest-1", header_of("war-chest-1")["setup"]).state.match.opened.options["knowledge"] == "referee"


def test_a_table_that_differs_from_what_was_entered_is_shown_and_waits() -> None:
    house = laid("kamikaze-1", {"colours": ["blue", "red"], "first": 1})
    shown = snapshot_of(house.state, "room", 1).draft
    assert (shown.differs, shown.ready, house.state.match) == (True, True, None)
    house.ask(Begin)
    assert house.state.match.opened.setup == {"colours": ["green", "red"], "first": 1}


def test_a_button_on_the_table_says_yes_to_the_set_up() -> None:
    house = laid("kamikaze-1", {"first": 0})
    house.do(Done(house.state.seq, 1, "button"))
    assert house.state.match.opened.setup == {"colours": ["green", "red"], "first": 0}


def test_only_what_may_be_the_answer_is_marked_where_several_things_are_unclear() -> None:
    draft = laid("kamikaze-1").state.draft
    assert draft is not None
    things = (SeenThing((10.0, 0.0), {"red/stub_can": 0.0}),
              SeenThing((20.0, 0.0), {"red/short_can": 0.0, "red/stub_can": -1.0}),
              SeenThing((30.0, 0.0), {"pink/short_can": 0.0, "red/short_can": -3.0}),
              SeenThing((40.0, 0.0), {"blue/short_can": -1.0, "blue/tall_can": 0.0}))
    seen = replace(draft, things={"stock:0": things})

    def clear(*choices: str) -> list[bool]:
        part = OpenPart(("supplies", 0), "stock:0", choices)
        return [is_clear for _, is_clear in seen.things_for(part)]

    assert clear("red/short_can", "red/stub_can") == [True, False, True, True]
    assert clear("red/stub_can", "blue/tall_can") == [True, False, True, False]
    assert clear("red", "blue") == [True, False, False, False], "no names of things: all that is unclear is marked"
    assert seen.things_for(OpenPart(("first",), None, (0, 1))) == ()


def test_what_was_misread_is_put_right() -> None:
    house = laid("pick-1", {"first": 0})
    house.ask(TellSetup, ("trays", 0, 0), None)
    house.ask(TellSetup, ("trays", 0, 1), None)
    open_now = house.state.draft.open
    assert [part.path for part in open_now] == [("trays", 0, 0), ("trays", 0, 1)]
    assert open_now[0].choices == (4, 5)
    house.do(first_look("pick-1"))
    assert len(house.state.draft.open) == 2, "what people said is not read over"
    house.ask(TellSetup, ("trays", 0, 0), 5)
    assert house.state.draft.setup["trays"][0][:2] == [5, 4]
    house.ask(Resync)
    house.do(first_look("pick-1"))
    assert house.state.draft.setup["trays"][0][:2] == [4, 5]


@pytest.mark.parametrize(
    ("path", "value"), [(("trays", 9, 9), None), (("trays", 0, 0), 6), (("first",), 7), ((), None)]
)
def test_nonsense_about_a_set_up_is_refused(path: tuple[Any, ...], value: Any) -> None:
    house = laid("pick-1")
    with pytest.raises(RefusedError):
        house.ask(TellSetup, path, value)


def test_a_game_does_not_begin_while_something_is_open() -> None:
    house = laid("kamikaze-1")
    with pytest.raises(RefusedError):
        house.ask(Begin)
    with pytest.raises(RefusedError):
        House().ask(Begin)


def test_a_header_that_opens_no_game_is_refused_and_the_open_game_goes_on() -> None:
    house = House()
    house.ask(StartGame, header_of("kamikaze-1"))
    for bad in ({}, {"game": "chess", "players": []}, {"game": "kamikaze-cans", "players": [{"name": "Ann"}]}):
        with pytest.raises(InvalidError):
            house.ask(LayOut, bad)
    assert house.state.match.result is None


def test_a_set_up_ends_the_open_game_and_may_be_dropped() -> None:
    house = House()
    house.ask(StartGame, header_of("kamikaze-1"))
    house.ask(LayOut, header_of("pick-1"))
    assert [type(each).__name__ for each in house.events] == ["GameStarted", "GameEnded", "SetupBegun"]
    house.ask(EndGame)
    assert (house.state.draft, house.state.match) == (None, None)


def test_a_set_up_outlives_a_restart_and_is_read_back_from_its_journal() -> None:
    house = laid("pick-1", {"first": 0})
    house.ask(TellSetup, ("trays", 0, 0), None)
    house.ask(TellSetup, ("trays", 0, 1), None)
    lines = [events.read_event(json.loads(json.dumps(events.write_event(event)))) for event in house.events]
    again = resume(lines, LIBRARY, 0, 0)
    assert again.draft.open == house.state.draft.open
    house.ask(TellSetup, ("trays", 0, 0), 4)
    house.ask(Begin)
    state = State()
    for event in house.events:
        state = evolve(state, events.read_event(events.write_event(event)), LIBRARY)
    assert state.match.opened.setup == house.state.match.opened.setup


def test_a_look_that_tells_nothing_leaves_all_open_without_a_guess() -> None:
    house = House()
    house.ask(LayOut, {key: value for key, value in header_of("kamikaze-1").items() if key != "setup"})
    house.do(Sighted(0, "free", observation=Observation(0.0, ())))
    assert {part.path for part in house.state.draft.open} >= {("colours", 0), ("colours", 1)}


def test_what_was_told_that_cannot_be_is_said_with_its_rule() -> None:
    house = laid("kamikaze-1", {"first": 0})
    draft = replace(house.state.draft, read={"colours": ["red", "red"], "first": 0})
    assert draft.setup is None
    assert isinstance(draft.why_not, IllegalError)


def test_commands_about_set_ups_are_read_from_json() -> None:
    given = {"type": "tell_setup", "seq": 3, "by": 0, "path": ["trays", 0, 1], "value": 4}
    assert commands.read_command(given) == TellSetup(3, 0, ("trays", 0, 1), 4)
    assert OpenPart(("first",), None, (0, 1)).choices == (0, 1)


@pytest.mark.parametrize("games_before", [0, 1])
def test_a_service_that_is_restarted_goes_on_with_the_set_up(tmp_path: Path, games_before: int) -> None:
    house, resumed = House(), open_journal(tmp_path, LIBRARY, FakeClock())
    for command in [StartGame] * games_before + [LayOut]:
        change = SESSION.handle(house.state, command(house.state.seq, "host", header_of("pick-1")))
        resumed.journal.append(change.events, change.state)
        house.state = change.state
    resumed.journal.close()
    again = open_journal(tmp_path, LIBRARY, FakeClock())
    again.journal.close()
    assert (again.notices, again.state.seq, again.state.matches) == ((), house.state.seq, games_before)
    assert again.state.draft == replace(house.state.draft, interpreter=again.state.draft.interpreter)


def test_a_set_up_that_agrees_takes_what_no_picture_shows_from_what_was_entered_unless_people_say_otherwise() -> None:
    entered = {"colours": ["green", "red"], "first": 1}
    house = laid("kamikaze-1", entered)
    assert house.state.match.opened.setup == entered
    house = laid("kamikaze-1", {**entered, "colours": ["blue", "red"]})
    draft = replace(house.state.draft, header={**house.state.draft.header, "setup": entered})
    assert (draft.setup, draft.agrees) == (entered, True)
    said = replace(draft, read={"colours": ["green", "red"], "first": None}, said=((("first",), 0),))
    assert said.setup == {"colours": ["green", "red"], "first": 0}
