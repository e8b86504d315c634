"""The page on which the whole position is put right, over HTTP with a real session."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.session.commands import Correct, EndGame
from companion.session.writer import Writer
from companion.table import EMPTY, Layout, Observation, Placement, Sight
from companion.session.sighted import Sighted
from tests.web.test_two_phones import phones, say, writer

__all__ = ["phones", "writer"]
Phones = tuple[FlaskClient, FlaskClient]


def page(phone: FlaskClient, writer: Writer, *moves: str, **more: str) -> str:
    asked = [("seq", str(writer.snapshot().seq)), *(("m", move) for move in moves), *more.items()]
    answer = phone.get(f"/position?{urlencode(asked)}")
    assert answer.status_code == 200
    return html.unescape(answer.get_data(as_text=True))


def offered(text: str) -> dict[str, object]:
    """The command that the page would send."""
    found = re.search(r"""name="command" value='(.*?)'""", text)
    assert found is not None, text
    return dict(json.loads(html.unescape(found[1])))


def stands(writer: Writer) -> Placement:
    seen = writer.snapshot().seen
    assert seen is not None
    return seen.placement


def test_a_piece_is_touched_then_where_it_stands_and_the_game_goes_on(writer: Writer, phones: Phones) -> None:
    ann, _ = phones
    assert urlencode({"held": "red/tall_can@grid:c4"}) in page(ann, writer)
    assert urlencode({"m": "red/tall_can@grid:c4>grid:a1"}) in page(ann, writer, held="red/tall_can@grid:c4")
    text = page(ann, writer, "red/tall_can@grid:c4>grid:a1", seat="1")
    assert "kept as its result, not as a record" in text
    command = offered(text)
    assert command.pop("type") == "go_on_from"
    assert say(ann, int(str(command.pop("seq"))), "go_on_from", **command)[0] == 200
    assert stands(writer)["grid:a1"] == ("red/tall_can",)
    assert "grid:c4" not in stands(writer)
    assert "The position was put right at 2 places, and Ben is to play" in ann.get("/").get_data(as_text=True)
    assert 'href="/position" aria-label' in ann.get("/").get_data(as_text=True)


def test_two_pieces_change_places_where_there_is_room_for_one(writer: Writer, phones: Phones) -> None:
    command = offered(page(phones[0], writer, "red/tall_can@grid:c4>grid:d4"))
    put = command["stands"]
    assert isinstance(put, dict)
    assert (put["grid:c4"], put["grid:d4"]) == (["green/short_can"], ["red/tall_can"])


def test_what_the_rules_forbid_is_said_and_nothing_is_offered(writer: Writer, phones: Phones) -> None:
    text = page(phones[0], writer, "red/tall_can@grid:c4>stock:1")
    assert "it is another player's" in text
    assert "go_on_from" not in text


def test_the_table_as_the_eyes_see_it_is_where_one_begins(writer: Writer, phones: Phones) -> None:
    """What the eyes see otherwise than the game has it leads to moves, which are touched up as any others are."""
    assert "I see the table otherwise" not in page(phones[0], writer)
    shown = writer.snapshot()
    assert shown.layout is not None
    before = stands(writer)
    there = {**before, "grid:a1": ("red/tall_can",), "grid:f6": ("green/short_can",)}
    del there["grid:c4"], there["grid:d4"]
    for number, lies in enumerate((before, there, there, there)):
        writer.post(Sighted(number, "free", observation=look_at(shown.layout, lies, number)))
        assert say(phones[0], -1, "undo")[0] == 409  # the look came before this
    assert "I see the table otherwise" in page(phones[0], writer)
    led = phones[0].get("/position?seen=1")
    assert led.status_code == 303
    text = html.unescape(phones[0].get(led.headers["Location"]).get_data(as_text=True))
    assert offered(text)["stands"] == {spot: list(pieces) for spot, pieces in there.items()}
    assert phones[0].get("/position.json").get_json()["seen"]["grid:a1"] == ["red/tall_can"]
    table = phones[0].get("/").get_data(as_text=True)
    assert "This is what I see. Shall the game go on from here?" in table
    assert 'href="/position?seen=1"' in table
    assert phones[0].get("/table.json").get_json()["offered"]["grid:a1"] == ["red/tall_can"]


def look_at(layout: Layout, there: Placement, number: int) -> Observation:
    zones = frozenset(zone.spot for zone in layout.zones)
    sights = [Sight(at.spot, at.at_mm, {there.get(at.spot, (EMPTY,))[-1]: 0.0}) for at in layout.places]
    sights += [Sight(zone, (20.0 * n, 0), {name: 0.0}) for zone in zones for n, name in enumerate(there.get(zone, ()))]
    return Observation(float(number), tuple(sights), zones)


@pytest.mark.parametrize("query", [
    "m=nothing&seq=%d", "m=a@b&seq=%d", "m=@>&seq=%d", "m=red/tall_can@grid:c4>nowhere&seq=%d", "held=@&seat=99",
    "m=x@>grid:a1&seq=%d", "seat=-1", "held=red/tall_can@nowhere", "m=" + "x" * 4000 + "&seq=%d", "seen=1",
])
def test_an_address_that_makes_no_sense_changes_nothing(writer: Writer, phones: Phones, query: str) -> None:
    before = writer.snapshot().seq
    assert phones[0].get(f"/position?{query.replace('%d', str(before))}").status_code == 200
    assert writer.snapshot().seq == before


def test_moves_of_another_state_of_the_table_do_not_count(writer: Writer, phones: Phones) -> None:
    old = writer.snapshot().seq
    writer.send(Correct(old, "host", 1, ()))
    text = phones[0].get(f"/position?seq={old}&m=red/tall_can@grid:c4>grid:a1").get_data(as_text=True)
    assert "The table has changed meanwhile" in text
    assert 'class="moved"' not in text


def test_who_looks_on_puts_nothing_right(writer: Writer, phones: Phones) -> None:
    stranger = phones[0].application.test_client()
    assert stranger.get("/position").status_code == 403
    assert stranger.get("/position.json").status_code == 403
    assert say(stranger, writer.snapshot().seq, "go_on_from", stands={}, seat=0)[0] == 403


def test_of_a_game_that_has_ended_it_says_so(phones: Phones, writer: Writer) -> None:
    writer.send(EndGame(writer.snapshot().seq, "host"))
    assert "This game has ended" in page(phones[0], writer)
