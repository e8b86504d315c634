"""The page of scores, the way to it, and how a game that has ended looks."""

from __future__ import annotations

import re
from dataclasses import replace

from flask.testing import FlaskClient

from companion.engine import Accounting, Over
from companion.errors import phrase
from companion.games import registry
from companion.session.by_hand.entering import EntryShown
from companion.session.snapshot import Snapshot
from tests.web import web_tables
from tests.web.web_games import GAMES, page_of, shown
from web.fakes import FakeDesk
from web.score_view import seat_scores


def with_parts(table: Snapshot) -> Snapshot:
    game = registry.game(table.game)
    assert table.seen is not None
    assert isinstance(game, Accounting)
    return replace(table, score_parts=game.score_parts(table.seen.known))


def won_by(winners: tuple[int, ...]) -> Snapshot:
    table = with_parts(web_tables.table())
    assert table.seen is not None
    return replace(table, seen=replace(table.seen, turn=Over(winners, "stock empty")))


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True).split("<body")[1]).split())


def test_every_score_leads_to_what_it_is_made_of(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(with_parts(web_tables.table()))
    table = client.get("/").get_data(as_text=True)
    page = client.get("/score").get_data(as_text=True)
    targets = re.findall(r'href="/score#([^"]+)"', table)
    assert targets == ["seat-B", "seat-A"]
    assert all(f'id="{target}"' in page for target in targets)
    assert 'aria-label="Ana has −3: what it is made of"' in table


def test_every_part_is_told_with_its_rule_and_its_points(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(with_parts(web_tables.table()))
    page = text(client, "/score")
    assert "Tall can in the grid KC 7.1 −2" in page
    assert "Stub can in the grid KC 7.1 4" in page
    assert "Square sides left in the stock KC 7.2 −3" in page


def test_the_parts_of_every_game_are_told_and_add_up() -> None:
    for id in GAMES:
        view = page_of(shown(id))
        for each in seat_scores(view):
            assert sum(part.points for part in each.parts) == each.seat.score
            assert not [part for part in each.parts if re.match(r"\w\w\.part", part.text)]


def test_equal_parts_are_one_line() -> None:
    table = with_parts(web_tables.table())
    part = table.score_parts[0][0]
    scores = seat_scores(page_of(replace(table, score_parts=((part, part), ()))))
    line = next(each for each in scores if each.seat.seat == 0).parts[0]
    assert (line.text, line.points) == ("2 × stub can in the grid", 2 * part.points)


def test_a_game_that_tells_no_parts_says_so(client: FlaskClient) -> None:
    assert "This game does not say what its scores are made of." in text(client, "/score")


def test_winners_stand_first_whatever_they_have() -> None:
    assert [each.seat.seat for each in seat_scores(page_of(won_by((0,))))] == [0, 1]
    assert [each.seat.seat for each in seat_scores(page_of(won_by((1,))))] == [1, 0]


def test_without_a_game_there_is_no_page_of_scores(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(web_tables.draft())
    assert client.get("/score").status_code == 303


def test_a_game_that_people_ended_never_looks_alive(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(with_parts(web_tables.table()), can_reopen=True, can_undo=False))
    desk.entered = EntryShown(7, None, phrase("session.game_over"))
    for path in ("/", "/score", "/play"):
        page = text(client, path)
        assert "This game was ended as it stood." in page
        assert "to play" not in page
        assert "place, move or explode" not in page.lower()
    table = client.get("/").get_data(as_text=True)
    assert "Move 6" not in table
    assert '"done"' not in table


def test_the_page_of_plies_leads_on_from_a_game_that_has_ended(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(won_by((0,)))
    desk.entered = EntryShown(7, None, phrase("session.game_over"))
    page = client.get("/play").get_data(as_text=True)
    assert 'href="/score"' in page
    assert 'href="/start"' in page
    desk.show(web_tables.table())
    assert 'href="/start"' not in client.get("/play").get_data(as_text=True)


def test_a_game_that_has_ended_can_be_taken_away(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(won_by((0,)))
    assert 'href="/games/1"' in client.get("/score").get_data(as_text=True)
    desk.show(web_tables.table())
    assert 'href="/games/1"' not in client.get("/score").get_data(as_text=True)
