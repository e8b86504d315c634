"""A set-up that is being read: the values in between, and all that pages are shown of it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from companion.engine import OpenPart
from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.session import setting_up
from companion.session.commands import LayOut
from companion.session.events import GameStarted, SetupBegun, SetupSeen, SetupTold
from companion.session.evolve import evolve
from companion.session.projection import snapshot_of
from companion.session.seen_things import ASK_WITHIN_NATS, CLEAR_NATS, SeenThing, marked, things_of
from companion.session.setup_draft import begin_draft
from companion.session.snapshot import DraftShown, EyesShown, PartShown, PlayerShown, Snapshot
from companion.session.state import State
from companion.table import COLOURS, EMPTY, Observation, Sight
from tests.session.tables import GAME, HEADER, Table, library, played, refusal

OTHERS = ("black", "white", "pink", "teal", "gold", "brown")
MINIMAL = {key: HEADER[key] for key in ("game", "players")}


def draft_of(*events: Any, **header: Any) -> State:
    """The state after these events of a set-up that was begun with this header."""
    state = State(seq=6, matches=2, questions=4, eyes=EyesShown("free"))
    for event in (SetupBegun({**MINIMAL, **header}), *events):
        state = evolve(state, event, library())
    return state


def test_all_that_is_shown_of_a_set_up_before_it_was_seen() -> None:
    state = draft_of()
    shown = snapshot_of(state, 1, 9, (phrase("journal.damaged"),))
    expected = Snapshot(
        seq=7, version=9, observer=1, game="kamikaze-cans", match=3,
        players=(PlayerShown(0, "Ann"), PlayerShown(1, "Ben")), seen=None, layout=state.draft.layout, plies=0, last=(),
        question=None, odd=(), differences=(), undo=None, can_undo=False, paused=False, eyes=EyesShown("free"),
        trouble=(phrase("journal.damaged"),), draft=DraftShown(False, {}, (), (), False, False),
    )
    for field in fields(Snapshot):
        assert getattr(shown, field.name) == getattr(expected, field.name), field.name


def test_all_that_is_shown_of_a_set_up_that_was_read_in_part() -> None:
    state = draft_of(SetupSeen({"colours": ["red", None], "first": 1}))
    shown = snapshot_of(state, "room", 1)
    part = PartShown(("colours", 1), "stock:1", tuple(each for each in COLOURS if each != "red"))
    assert shown.draft is not None
    assert (shown.draft.is_read, shown.draft.ready, shown.draft.differs) == (True, False, False)
    assert [replace(each, things=()) for each in shown.draft.open] == [part]
    assert dict(shown.draft.parts) == {("colours", 0): "red", ("first",): 1}
    start = GAME.start({"colours": ["red", part.choices[0]], "first": 1}, state.draft.options, 2)
    assert shown.draft.placement == GAME.view(start, "room").placement
    assert set(shown.owners.values()) == {0, 1}


def test_a_whole_set_up_is_ready_and_one_against_the_rules_says_why() -> None:
    ready = snapshot_of(draft_of(SetupSeen({"colours": ["red", "blue"], "first": 1})), "room", 1).draft
    assert (ready.ready, ready.open, ready.why_not) == (True, (), None)
    wrong = snapshot_of(draft_of(SetupSeen({"colours": ["red", "red"], "first": 1})), "room", 1).draft
    assert (wrong.ready, wrong.why_not is None) == (False, False)
    seen = SetupSeen({"colours": ["red", "blue"], "first": 1})
    other = draft_of(seen, setup={"colours": ["red", "pink"], "first": 1})
    assert not snapshot_of(other, "room", 1).draft.differs, "pink is no colour of these pieces: nothing was entered"
    other = draft_of(seen, setup={"colours": ["red", "green"], "first": 1})
    assert snapshot_of(other, "room", 1).draft.differs


def test_what_agrees_with_what_was_entered_is_offered_first() -> None:
    entered = {"colours": ["green", "red"], "first": 0}
    state = draft_of(SetupSeen({"colours": [None, "red"], "first": 0}), setup=entered)
    (part,) = state.draft.open
    assert part.choices[0] == "green"
    assert sorted(part.choices) == sorted(each for each in COLOURS if each != "red")
    state = draft_of(SetupSeen({"colours": [None, "blue"], "first": 0}), setup=entered)
    assert state.draft.open[0].choices == tuple(each for each in COLOURS if each != "blue")


def test_a_draft_keeps_the_header_but_for_its_time_and_knows_the_colours_of_the_pieces() -> None:
    state = draft_of(started="2026-01-01T00:00:00Z", colours=list(OTHERS), setup={"first": 1})
    draft = state.draft
    assert (draft.header["setup"], "started" in draft.header) == ({"first": 1}, False)
    assert (draft.header["format"], draft.header["version"]) == ("tabletop-record", 1)
    seen = evolve(state, SetupSeen({"colours": ["teal", None], "first": None}), library()).draft
    assert [(part.path, part.choices) for part in seen.open] == [
        (("colours", 1), tuple(each for each in OTHERS if each != "teal"))]
    assert "setup" not in draft_of().draft.header


@pytest.mark.parametrize(
    ("header", "id", "args"),
    [
        ({"game": 7}, "json.wrong", {"where": "game"}), ({"players": 7}, "json.wrong", {"where": "players"}),
        ({"options": 7}, "json.wrong", {"where": "options"}),
        ({"players": []}, "record.players", {"game": "kamikaze-cans", "given": 0, "seats": GAME.seats}),
    ],
)
def test_a_header_that_opens_no_game_is_refused_with_what_is_wrong(header: Any, id: str, args: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refused:
        begin_draft(1, {**MINIMAL, **header}, registry.game, library().interpreter)
    assert refused.value.phrase.id == id
    assert dict(refused.value.phrase.args).items() >= args.items()


def test_a_game_that_no_table_shows_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting_up, "recognises", lambda _game: False)
    (started,) = Table().ask(LayOut, "host", HEADER)
    assert isinstance(started, GameStarted)
    assert started.header["setup"] == HEADER["setup"]


def test_a_seat_alone_ends_no_game_by_laying_out_another() -> None:
    table = played()
    assert refusal(table.ask, LayOut, 0, HEADER) == "session.host_only"
    assert [event.type for event in table.ask(LayOut, "host", HEADER)] == ["game_ended", "setup_begun"]


def test_a_damaged_journal_tells_parts_of_no_set_up() -> None:
    for event in (SetupSeen(None), SetupTold(0, ("first",), 1)):
        with pytest.raises(ValueError, match="before its beginning"):
            evolve(State(), event, library())


# --- things -----------------------------------------------------------------------------------------------------------


def seen_at(spot: str, **nats: float) -> Sight:
    return Sight(spot, (1.0, 2.0), {EMPTY if name == "nothing" else name: value for name, value in nats.items()})


def test_things_are_what_is_likelier_than_nothing_with_the_names_that_are_not_clearly_worse() -> None:
    sights = (
        seen_at("a", x=0.0, y=-CLEAR_NATS + 0.1, z=-CLEAR_NATS), seen_at("a", x=-1.0, nothing=-2.0),
        seen_at("b", x=-2.0, nothing=-1.0), seen_at("b", x=-1.0, nothing=-1.0), seen_at("b"), seen_at("c", x=-3.0),
    )
    assert things_of(Observation(0.0, sights)) == {
        "a": (SeenThing((1.0, 2.0), {"x": 0.0, "y": -CLEAR_NATS + 0.1}),
              SeenThing((1.0, 2.0), {"x": -1.0, EMPTY: -2.0})),
        "c": (SeenThing((1.0, 2.0), {"x": -3.0}),),
    }


def test_no_things_are_marked_where_none_lie() -> None:
    assert marked((), ("x",)) == ()
    near = SeenThing((0.0, 0.0), {"x": -ASK_WITHIN_NATS, "y": 0.0})
    far = SeenThing((1.0, 0.0), {"x": -ASK_WITHIN_NATS - 0.1, "y": 0.0})
    best = SeenThing((2.0, 0.0), {"x": 0.0, "y": 0.0})
    assert marked((near, far, best), ("x",)) == (((0.0, 0.0), False), ((1.0, 0.0), True), ((2.0, 0.0), False))


def test_an_open_part_without_a_spot_shows_nothing() -> None:
    draft = draft_of(SetupSeen({"colours": ["red", "green"], "first": None})).draft
    assert draft.things_for(OpenPart(("first",), None, (0, 1))) == ()


def test_few_questions_are_asked_what_a_picture_shows_first_and_nothing_that_follows() -> None:
    six = [{"name": name} for name in ("Ann", "Ben", "Cem", "Dora", "Eli", "Fay")]
    state = draft_of(SetupSeen({"colours": ["red", None, None, None, None, None], "first": None}), players=six)
    asked = []
    while state.draft is not None and state.draft.open:
        part = state.draft.open[0]
        asked.append((part.spot, len(part.choices)))
        state = evolve(state, SetupTold("host", part.path, part.choices[-1]), library())
    assert asked == [("stock:1", 5), ("stock:2", 4), ("stock:3", 3), ("stock:4", 2), (None, 6)], "the last follows"
