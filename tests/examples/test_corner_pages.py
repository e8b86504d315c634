"""The corners of a board, told on its page: in the game's own words, kept, and refused when no camera sees them so."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from flask.testing import FlaskClient

from companion.errors import Phrase, phrase
from companion.session.snapshot import EyesShown
from tests.examples.chess_pages import chess_game, looking_at_chess
from tests.examples.footage import CORNERS
from tests.web import web_tables
from tests.web.own_tables import FakeExamples, FakeOwnTable
from tests.web.phones import host, phone_at
from tests.web.test_openapi import check, post
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk, FakePanel

TOUCHED = {"x1": "510", "y1": "377", "x2": "507", "y2": "10", "x3": "141", "y3": "9", "x4": "138", "y4": "376"}
"""From a1, at the front left, around: the board lies on its side in the picture."""
NUMBERS = {"a1": ("510", "377"), "h1": ("507", "10"), "h8": ("141", "9"), "a8": ("138", "376")}


@dataclass
class Corners:
    host: FlaskClient
    other: FlaskClient
    own: FakeOwnTable
    desk: FakeDesk

    def page(self, asked: str = "") -> str:
        answer = self.host.get("/setup/corners" + asked)
        assert answer.status_code == 200
        return answer.get_data(as_text=True)

    def keep(self, **given: str) -> tuple[int, str]:
        answer = self.host.post("/setup/corners", data={"game": "chess", **given}, headers=HOME)
        return answer.status_code, answer.headers.get("Location", "") or answer.get_data(as_text=True)


@pytest.fixture
def corners(chess_offered: None) -> Corners:
    desk, own = looking_at_chess()
    game, words = chess_game()
    app = create_app(desk=desk, words=words, games={web_tables.GAME.id: web_tables.GAME, game.id: game}, own=own,
                     examples=FakeExamples(), panel=FakePanel())
    first = phone_at(app, "10.0.0.9")
    host(first)
    return Corners(first, phone_at(app, "10.0.0.2"), own, desk)


def test_the_corners_are_asked_for_by_the_places_next_to_them(corners: Corners) -> None:
    shown = corners.page()
    assert all(f"<span>{name}</span>" in shown for name in NUMBERS)
    assert 'viewBox="0 0 640 480"' in shown
    assert "Kamikaze" not in shown, "its crates and stocks are no board"
    assert "Corners of a board" in corners.host.get("/setup").get_data(as_text=True)


def test_touched_corners_are_kept_shown_again_and_dropped(corners: Corners) -> None:
    status, where = corners.keep(**TOUCHED)
    assert (status, corners.own.boards) == (303, {"chess": "a1=510,377 h1=507,10 h8=141,9 a8=138,376"})
    shown = corners.host.get(where).get_data(as_text=True)
    assert "Kept." in shown
    assert 'name="x2" value="507"' in shown
    steps = corners.host.get("/setup.json").get_json()["steps"]
    assert next(each["state"] for each in steps if each["name"] == "corners") == "done"
    assert corners.keep(go="none")[0] == 303
    assert corners.own.boards == {}


def test_a_program_may_say_them_too(corners: Corners) -> None:
    assert post(corners.host, "/setup/corners", {"game": "chess", "corners": CORNERS})["ok"]
    assert corners.own.boards == {"chess": CORNERS}


@pytest.mark.parametrize(("given", "says"), [
    ({}, "Not all four"), ({**TOUCHED, "x3": ""}, "Not all four"), ({**TOUCHED, "y1": "nan"}, "Not all four"),
    ({**TOUCHED, "x1": "507", "y1": "10", "x2": "510", "y2": "377"}, "exchanged or mirrored"),
    ({**TOUCHED, "x3": "324", "y3": "190"}, "on one line"), ({**TOUCHED, "x2": "511", "y2": "370"}, "too small"),
    ({**TOUCHED, "x1": "700"}, "outside the picture of 640 × 480"), ({**TOUCHED, "x1": "9" * 400}, "Not all four"),
    ({**TOUCHED, "game": "go"}, "no such game"), ({**TOUCHED, "game": "kamikaze-cans"}, "no such game"),
    ({"corners": "a1=1,1"}, "not given as they should be"),
])  # fmt: skip
def test_corners_that_no_camera_sees_are_refused_in_a_sentence(
    corners: Corners, given: dict[str, str], says: str
) -> None:
    status, shown = corners.keep(**given)
    assert (status, corners.own.boards) == (400, {})
    assert says in shown.split('role="alert"')[1].split("</section>")[0]
    answer = corners.host.post("/setup/corners", json={"game": "chess", **given}, headers=HOME)
    assert says in check(answer, "post", "/setup/corners")["error"]


def test_what_was_touched_is_still_there_when_it_was_refused(corners: Corners) -> None:
    assert 'name="x1" value="700"' in corners.keep(**{**TOUCHED, "x1": "700"})[1]


def test_only_the_host_touches_them_and_the_command_line_wins(corners: Corners) -> None:
    assert corners.other.get("/setup/corners").status_code == 403
    assert corners.other.post("/setup/corners", data={"game": "chess", **TOUCHED}, headers=HOME).status_code == 403
    corners.own.fixed = {"source.corners"}
    assert "The config file or the command line says this" in corners.page()
    assert corners.keep(**TOUCHED)[0] == 400
    assert corners.own.boards == {}


@pytest.mark.parametrize(("why", "leads"), [
    (phrase("board.no_corners", known=tuple(NUMBERS)), True), (phrase("board.not_as_said"), True),
    (phrase("house.no_pieces"), False)])
def test_a_table_that_misses_its_corners_leads_to_them(corners: Corners, why: Phrase, leads: bool) -> None:
    corners.desk.show(replace(web_tables.table(), eyes=EyesShown("blocked", why)))
    assert ('href="/setup/corners"' in corners.host.get("/").get_data(as_text=True)) is leads
