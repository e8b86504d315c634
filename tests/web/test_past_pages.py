"""The pages of past games: a list by day with who won what, a game, and what can be taken away."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import Markup

from companion.errors import InvalidError, Phrase, phrase
from companion.session.commands import EndGame, GoOnFrom, TakeUp
from companion.session.events import Event, GameStarted
from companion.session.past import PastGame
from companion.session.state import State
from tests.session.tables import played
from tests.web import web_tables
from tests.web.phones import phone_at
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.bg_stats import play_link
from web.draw.result_card import CardRow, result_card
from web.fakes import FakeDesk
from web.past_view import days, listed_game


def game(number: int, started: str, winners: tuple[int, ...] | None) -> PastGame:
    scores = None if winners is None else (0, 1)
    reason = "stock empty" if scores else ""
    return PastGame(number, "kamikaze-cans", ("Ana", "Ben"), started, 9, winners, scores, reason)


GAMES = (game(4, "2026-11-24T12:30:00Z", None), game(3, "2026-11-24T12:20:00Z", (0, 1)),
         game(2, "2026-11-24T12:10:00Z", (1,)), game(1, "2026-11-01T12:00:00Z", ()))


class FakePast:
    """Past games without a journal."""

    def __init__(self, games: tuple[PastGame, ...] = GAMES) -> None:
        self.games = games
        self.deleted: list[int] = []

    def listed(self, before: int | None, most: int) -> tuple[PastGame, ...]:
        return tuple(each for each in self.games if before is None or each.number < before)[:most]

    def opened(self, number: int) -> State:
        if number != 1:
            raise InvalidError(phrase("session.no_past_game", game=number))
        return played().state

    def left(self, number: int) -> tuple[Event, ...]:
        if number != 1:
            raise InvalidError(phrase("session.not_left"))
        return (GameStarted({}, "a"),)

    def delete(self, number: int) -> tuple[Phrase, ...]:
        if number == 4:
            raise InvalidError(phrase("journal.last_game", game=number))
        self.deleted.append(number)
        return (phrase("journal.deleted", game=number),)


def pages(past: FakePast | None) -> FlaskClient:
    app: Flask = create_app(desk=FakeDesk(), words=web_tables.words(), games={}, past=past)
    return app.test_client()


def text(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == status
    return " ".join(re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True).split("<body")[1]).split())


def test_games_are_listed_by_day_with_who_won_what() -> None:
    page = text(pages(FakePast()), "/games")
    assert "2026-11-24 Ben 2 games won Ana one game won" in page
    assert "Won by Ana and Ben. Ana 0, Ben 1" in page
    assert "Not ended. Moves played: 9. Ana, Ben" in page
    assert "2026-11-01 Kamikaze Cans" in page
    assert "Ended without a winner. Ana 0, Ben 1" in page


def test_a_day_with_one_game_needs_no_count_of_wins() -> None:
    found = days([listed_game(each, web_tables.words()) for each in GAMES])
    assert [(day.name, len(day.games), day.wins) for day in found] == [
        ("2026-11-24", 3, (("Ben", 2), ("Ana", 1))), ("2026-11-01", 1, ())]


def test_a_long_list_goes_on_on_another_page() -> None:
    many = tuple(game(n, "2026-11-24T12:00:00Z", (0,)) for n in range(40, 0, -1))
    client = pages(FakePast(many))
    first = client.get("/games").get_data(as_text=True)
    assert (first.count('href="/games/'), 'href="/games?before=11"' in first) == (30, True)
    second = client.get("/games?before=11").get_data(as_text=True)
    assert (second.count('href="/games/'), "before=" in second) == (10, False)
    assert client.get("/games?before=%F0%9F%98%80").status_code == 200


def test_without_games_it_says_so() -> None:
    for past in (None, FakePast(())):
        assert "No game has been played at this table yet." in text(pages(past), "/games")


def test_a_game_that_does_not_fit_its_result_is_listed_all_the_same() -> None:
    odd = PastGame(1, "gone-game", ("Ana",), "some day", 3, (5,), (1, 2), "won")
    shown = listed_game(odd, web_tables.words())
    assert (shown.name, shown.day, shown.time, shown.players) == ("Gone-game", "some day", "", "Ana")


def test_a_game_is_opened_with_its_board_scores_and_course() -> None:
    page = pages(FakePast()).get("/games/1").get_data(as_text=True)
    assert "<svg" in page
    assert page.count("<li value=") == len(played().plies)
    assert 'href="/games/1/record.jsonl"' in page
    assert 'href="/games/1/scores.csv"' in page
    assert re.findall('<form[^>]*action="([^"]+)"', page) == ["/games/1/go-on", "/games/1/delete"]


@pytest.mark.parametrize(("path", "kind"), [("record.jsonl", "application/jsonl"), ("scores.csv", "text/csv")])
def test_a_game_can_be_taken_away(path: str, kind: str) -> None:
    answer = pages(FakePast()).get(f"/games/1/{path}")
    assert (answer.status_code, answer.mimetype) == (200, kind)
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="game-1.')
    assert len(answer.get_data(as_text=True).splitlines()) > len(played().plies)


@pytest.mark.parametrize("path", ["/games/7", "/games/7/record.jsonl", "/games/7/scores.csv"])
def test_a_game_that_is_not_there_is_told(path: str) -> None:
    assert "Game 7 is not in the journal any more" in text(pages(FakePast()), path, 400)
    assert pages(None).get(path).status_code == 404
    assert pages(FakePast()).get(path.replace("7", "seven")).status_code == 404


def test_past_games_are_found_from_the_table_and_from_the_start(client: FlaskClient) -> None:
    for path in ("/", "/start"):
        assert 'href="/games"' in client.get(path).get_data(as_text=True)


def test_the_host_deletes_a_game_once_it_is_sure() -> None:
    past = FakePast()
    client = pages(past)
    page = client.get("/games/1").get_data(as_text=True)
    assert '<details class="group ends of-host"><summary>Delete this game</summary>' in page
    answer = client.post("/games/1/delete", headers=HOME)
    assert (answer.status_code, answer.headers["Location"], past.deleted) == (303, "/games", [1])
    assert "Game 1 was deleted." in text(client, "/games")
    told = client.post("/games/2/delete", json={}, headers=HOME).get_json()
    assert (told["ok"], told["told"]) == (True, ["Game 2 was deleted."])


def test_a_game_that_must_stay_is_told() -> None:
    client = pages(FakePast())
    assert client.post("/games/4/delete", json={}, headers=HOME).status_code == 400
    assert client.post("/games/four/delete", headers=HOME).status_code == 404
    assert pages(None).post("/games/1/delete", headers=HOME).status_code == 404


def test_nobody_but_the_host_deletes_a_game() -> None:
    past = FakePast()
    app = create_app(desk=FakeDesk(), words=web_tables.words(), games={}, past=past)
    host, other = phone_at(app, "10.0.0.1"), phone_at(app, "10.0.0.2")
    host.get("/games")
    assert other.post("/games/1/delete", headers=HOME).status_code == 403
    assert past.deleted == []


def test_the_host_goes_on_with_a_game_that_was_left() -> None:
    app = create_app(desk=(desk := FakeDesk()), words=web_tables.words(), games={}, past=FakePast())
    host, other = phone_at(app, "10.0.0.1"), phone_at(app, "10.0.0.2")
    host.get("/games")
    assert other.post("/games/1/go-on", headers=HOME).status_code == 403
    assert desk.sent == []
    assert host.post("/games/1/go-on", headers=HOME).headers["Location"] == "/"
    assert desk.sent == [TakeUp(desk.snapshot().seq, "host", (GameStarted({}, "a"),))]
    refused = host.post("/games/3/go-on", json={}, headers=HOME)
    assert (refused.status_code, "Begin a new one." in refused.get_data(as_text=True)) == (400, True)
    assert host.post("/games/three/go-on", headers=HOME).status_code == 404


def test_games_that_were_left_are_offered_where_a_new_one_begins() -> None:
    left = replace(game(5, "2026-11-24T13:00:00Z", ()), reason="abandoned", key="left")
    taken = replace(left, number=4, key="taken")
    again = replace(left, number=6, key="again", header={"x-goes-on-from": "taken"})
    app = create_app(desk=FakeDesk(), words=web_tables.words(), games={web_tables.GAME.id: web_tables.GAME},
                     past=FakePast((again, left, taken, replace(left, number=3, plies=0, key="untouched"))))
    page = app.test_client().get("/start").get_data(as_text=True)
    assert re.findall('href="/games/([0-9]+)"', page) == ["6", "5"]


def test_the_game_on_the_table_is_not_offered_to_be_deleted() -> None:
    app = create_app(desk=FakeDesk(web_tables.table()), words=web_tables.words(), games={}, past=FakePast())
    assert "/delete" not in app.test_client().get("/games/1").get_data(as_text=True)


def test_a_picture_stands_alone_and_shows_every_score() -> None:
    answer = pages(FakePast()).get("/games/1/picture.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    drawn = ElementTree.fromstring(answer.get_data(as_text=True))
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Kamikaze Cans", "Ann", "Ben", "−11", "−9"} <= set(texts)
    assert 'class="board"' in answer.get_data(as_text=True)


def test_a_name_in_a_picture_is_text_and_has_room() -> None:
    rows = [CardRow(0, "#000000", "<script>&" + "x" * 500, "3")]
    drawn = result_card("<b>", "told", rows, Markup())
    ElementTree.fromstring(drawn)
    assert "<script>" not in drawn
    assert "x" * 30 not in drawn


def test_a_past_game_says_what_its_scores_are_made_of() -> None:
    page = text(pages(FakePast()), "/games/1")
    assert "Tall can in the grid KC 7.1 −2" in page
    assert "Stub can left in the stock KC 7.2 −4" in page


def test_a_game_that_has_ended_can_be_sent_to_bg_stats() -> None:
    table = played()
    assert "bgstats" not in text(pages(FakePast()), "/games/1")
    assert "app.bgstatsapp.com" not in pages(FakePast()).get("/games/1").get_data(as_text=True)
    table.ask(EndGame, "host")
    match = table.state.match
    assert match is not None
    address = play_link(match, "Kamikaze Cans", ["Ann & Co", "<b>"])
    assert address.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    play = json.loads(unquote(address.partition("data=")[2]))
    assert play["game"] == {"name": "Kamikaze Cans", "sourceGameId": "kamikaze-cans", "noPoints": False,
                            "highestWins": True}
    assert [each["name"] for each in play["players"]] == ["Ann & Co", "<b>"]
    assert [each["score"] for each in play["players"]] == list(match.game.scores(match.state))
    assert sorted(each["rank"] for each in play["players"]) == [1, 2]
    assert [each["startPlayer"] for each in play["players"]].count(True) == 1
    datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S")


def test_a_game_that_went_on_from_a_position_is_kept_as_its_result() -> None:
    class Past(FakePast):
        def opened(self, number: int) -> State:
            table = played()
            table.ask(GoOnFrom, "host", {"stock:0": ["red/stub_can"], "stock:1": ["green/stub_can"]}, 0)
            return table.state

    client = pages(Past())
    page = text(client, "/games/1")
    assert "it is kept as its result" in page
    assert "record.jsonl" not in page
    assert "it is kept as its result" in text(client, "/games/1/record.jsonl", 400)
    assert "the position was put right at 4 places" in client.get("/games/1/scores.csv").get_data(as_text=True)
