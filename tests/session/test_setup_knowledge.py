"""A set-up that is hard to read: what people say of one piece, or entered before, tells of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from companion.engine import Json, Recognising
from companion.engine.recognise import RULED_OUT_NATS, filled, with_told
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.setup_draft import SetupDraft, begin_draft
from companion.table import EMPTY, Observation, Sight, Spot, colour_of, shape_of

Alike = Callable[[Spot, str, str], bool]


def seen(game: Any, setup: Json, alike: Alike) -> Observation:
    """A look at a set-up, at which some pieces may as well be others."""
    layout, options = game.layout(setup), game.read_options({}, 2)
    placement = game.placement(game.start(setup, options, 2))
    names = sorted({name for pieces in placement.values() for name in pieces})
    zones = frozenset(zone.spot for zone in layout.zones)
    spots = [*zones, *(place.spot for place in layout.places)]
    sights = [
        Sight(spot, (20.0 * n, 0.0), {
            other: 0.0 if other == name or alike(spot, name, other) else -30.0 for other in (*names, EMPTY)})
        for spot in spots
        for n, name in enumerate(placement.get(spot, ()) if spot in zones else placement.get(spot, (EMPTY,))[-1:])
    ]
    return Observation(0.0, tuple(sights), zones)


def draft_of(id: str, alike: Alike, header: Mapping[str, Json] | None = None) -> tuple[SetupDraft, Json]:
    """A set-up that was looked at once, and what is true."""
    game = registry.game(id)
    setup = game.read_setup(game.deal(2, game.read_options({}, 2), Random(3)), game.read_options({}, 2), 2)
    given = {"game": id, "players": [{"name": "Ann"}, {"name": "Ben"}], **(header or {})}
    if given.get("setup") == "true":
        given["setup"] = setup
    draft = begin_draft(1, given, registry.game, Interpreter)
    look = seen(game, setup, alike)
    read = draft.interpreter.setup_seen(look, draft.options, draft.players)
    return replace(draft, read=read, look=look), setup


def asked_until_whole(draft: SetupDraft, setup: Json) -> int:
    """How many questions about things a person has to answer who sees what is there."""
    asked, parts_of = 0, cast(Recognising, draft.game).setup_parts
    while parts := [part for part in draft.open if part.spot is not None]:
        own = parts_of(setup).items()
        made = draft.made
        value = next(each for each in parts[0].choices
                     if parts_of(filled(made, parts[0].path, each)).items() <= own)
        draft = replace(draft, said=(*draft.said, (parts[0].path, value)))
        asked += 1
    assert parts_of(draft.made) == parts_of(setup)
    return asked


def cans_alike(_spot: Spot, name: str, other: str) -> bool:
    return "/" in name and "/" in other and colour_of(name) == colour_of(other) and {
        shape_of(name), shape_of(other)} <= {"stub_can", "short_can"}


def test_one_drink_of_a_crate_tells_two_crates_of_cans_from_each_other() -> None:
    draft, setup = draft_of("yuzu-twist", cans_alike)

    assert sum(part.spot is not None for part in draft.open) == 12
    assert asked_until_whole(draft, setup) == 1


def test_cans_of_two_heights_in_the_supplies_are_told_by_what_each_needs() -> None:
    draft, setup = draft_of("crate-wars", cans_alike)
    left = sum(part.spot is not None for part in draft.open)

    assert 0 < asked_until_whole(draft, setup) < left


def test_what_a_person_said_to_be_misread_stays_open() -> None:
    draft, _ = draft_of("yuzu-twist", cans_alike)
    path = draft.open[0].path
    draft = replace(draft, said=((path, draft.open[0].choices[0]), (path, None)))

    assert path in {part.path for part in draft.open}


def test_a_set_up_that_was_entered_is_known_where_most_of_it_is_seen() -> None:
    draft, setup = draft_of("yuzu-twist", cans_alike, {"setup": "true"})

    assert [part for part in draft.open if part.spot is not None] == []
    assert draft.setup == setup


def test_it_is_not_where_something_else_is_seen_or_little_is() -> None:
    draft, _ = draft_of("yuzu-twist", cans_alike, {"setup": "true"})
    for read in (
        filled(draft.read, ("colours",), draft.read["colours"][::-1]),
        filled(draft.read, ("crates",), {
            letter: {**crate, "slots": [None] * 6} for letter, crate in draft.read["crates"].items()}),
    ):
        assert [part for part in replace(draft, read=read).open if part.spot is not None]


@pytest.mark.parametrize(("spot", "value", "told"), [
    ("slot:0,0", "red/a", {"slot:0,0": [{"red/a": 0.0, "red/b": RULED_OUT_NATS}]}),
    ("slot:0,0", "other", {}),
    ("supply:0", "red/a", {"supply:1": [{"red/a": RULED_OUT_NATS, "red/b": 0.0}]}),
    ("cards:0", "red", {"cards:1": [{"card:red": RULED_OUT_NATS, "card:blue": 1.0}]}),
    ("stock:0", "red", {
        "stock:0": [{"red/a": 0.0, "blue/a": RULED_OUT_NATS}] * 2,
        "stock:1": [{"red/a": RULED_OUT_NATS, "blue/a": 1.0}]}),
])
def test_what_is_told_of_a_spot(spot: Spot, value: Json, told: Mapping[Spot, Any]) -> None:
    costs = {
        "slot:0,0": [{"red/a": 3.0, "red/b": 0.0}],
        "supply:0": [{"red/a": 3.0, "red/b": 0.0}] * 2, "supply:1": [{"red/a": 3.0, "red/b": 0.0}],
        "cards:0": [{"card:red": 0.0, "card:blue": 1.0}] * 2, "cards:1": [{"card:red": 0.0, "card:blue": 1.0}],
        "stock:0": [{"red/a": 2.0, "blue/a": 0.0}] * 2, "stock:1": [{"red/a": 0.0, "blue/a": 1.0}],
    }
    assert with_told(costs, [(spot, value)]) == {**costs, **told}
