"""The page of enrolment: what to lay where, in words and drawn, what is seen, the verdict; touches, also late ones."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.session.enrolment import (
    AlikeShown,
    EnrolmentShown,
    EnrolOrder,
    Lack,
    LaidCard,
    Laying,
    ThingToLay,
)
from tests.web import web_tables
from tests.web.phones import phone_at
from tests.web.test_openapi import check, post
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk
from web.ports import OfferedPieces

CARDS = tuple(LaidCard(n, at, 3.0) for n, at in enumerate([(0.0, 0.0), (500.0, 0.0), (500.0, 350.0), (0.0, 350.0)]))
DRINKS = Laying("table", tuple(
    ThingToLay(n, name, "drink", (150.0 + 28 * n, y), (12.0, 12.0), 0.0)
    for n, (name, y) in enumerate([("red/tall_can", 180.0), ("blue/stub_can", 182.0), ("green/tall_can", 150.0)], 1)),
    CARDS)
CRATES = Laying("crates", (
    ThingToLay(1, "crate", "crate", (250.0, 180.0), (44.0, 60.0), 90.0),
    ThingToLay(1, "red/tall_can", "drink", (240.0, 175.0), (12.0, 12.0), 90.0, is_inside=True)), CARDS)
LAYING = EnrolmentShown("laying", "kamikaze-1", "kamikaze-cans", 1, 5, (0,), DRINKS, registry.kinds("kamikaze-cans"))
NOT_THERE = replace(LAYING, is_checked=True, lacks=(
    Lack(2, phrase("enrol.nothing", number=2, piece="blue/stub_can")),))
LEARNED = replace(LAYING, stage="learned", alike=(
    AlikeShown(phrase("eyes.drinks_colours_alike", one="red/tall_can", other="blue/stub_can"), "red/tall_can",
               "blue/stub_can", False, ("kamikaze-cans-0", "kamikaze-cans-1")),))
SHOWN = {
    "none": None, "opening": replace(LAYING, stage="opening", laying=Laying("bare"), number=0, count=1, taken=()),
    "bare": replace(LAYING, laying=Laying("bare", (), CARDS), number=0, count=1, taken=(), is_checked=True),
    "hand": replace(LAYING, why=phrase("eyes.hand")), "laying": LAYING, "missing": NOT_THERE,
    "crates": replace(LAYING, laying=CRATES, number=3, is_checked=True), "taking": replace(LAYING, is_taking=True),
    "ready": replace(LAYING, stage="ready", number=5, taken=(0, 1, 2, 3, 4)),
    "failed": replace(LAYING, stage="ready", number=5, trouble=phrase("enrol.not_kept", given="No space left")),
    "learning": replace(LAYING, stage="learning", share=0.4), "learned": LEARNED,
    "stopped": replace(LAYING, stage="stopped", number=3),
}


@dataclass(frozen=True)
class Offer:
    name: str
    game: str
    pieces: int = 37
    is_known: bool = False


@dataclass
class FakeEnrolments:
    """An enrolment without eyes: keeps what it is asked for, refuses what is late."""

    now: EnrolmentShown | None = None
    has_camera: bool = True
    done: list[Any] = field(default_factory=list)

    @property
    def offers(self) -> tuple[OfferedPieces, ...]:
        return (Offer("own", "war-chest"), Offer("kamikaze-1", "kamikaze-cans"), Offer("yuzu-1", "yuzu-twist", 4, True))

    def shown(self) -> EnrolmentShown | None:
        return self.now

    def begin(self, name: str) -> None:
        if name not in {each.name for each in self.offers}:
            raise InvalidError(phrase("enrol.no_set", given=name))
        self.done.append(name)

    def go_on(self) -> None:
        if self.now is None:
            raise InvalidError(phrase("enrol.nothing_begun"))
        self.done.append("go on")

    def order(self, wanted: EnrolOrder) -> None:
        if self.now is None or wanted.number != self.now.number:
            raise InvalidError(phrase("enrol.too_late"))
        self.done.append(wanted)

    def stop(self) -> None:
        self.done.append("stop")

    def drop(self) -> None:
        self.done.append("drop")

    def picture(self, name: str) -> bytes | None:
        return b"jpeg" if name == "kamikaze-cans-0" else None


def pages(enrolments: FakeEnrolments | None) -> FlaskClient:
    games = {id: registry.game(id) for id in registry.ids()}
    app = create_app(desk=FakeDesk(), words=web_tables.words(), games=games, enrolments=enrolments)
    return app.test_client()


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_every_stage_has_a_page_and_a_state_that_the_document_describes(name: str) -> None:
    client = pages(FakeEnrolments(SHOWN[name]))
    assert client.get("/enrol").status_code == 200
    told = check(client.get("/enrol/state.json"), "get", "/enrol/state.json")
    shown = SHOWN[name]
    assert told["stage"] == ("none" if shown is None else shown.stage)


def test_what_to_lay_is_told_row_by_row_from_the_back_left_to_right() -> None:
    text = pages(FakeEnrolments(LAYING)).get("/enrol").get_data(as_text=True)
    assert "Stand these drinks on the open table" in text
    places = [text.index(each) for each in ("Row at 182 mm", "Red tall can", "Blue stub can", "Row at 150 mm",
                                            "Green tall can")]
    assert places == sorted(places)
    assert text.count('class="tag-number"') == 4


def test_what_stands_in_a_crate_is_told_by_the_crates_number() -> None:
    text = pages(FakeEnrolments(SHOWN["crates"])).get("/enrol").get_data(as_text=True)
    assert "turned by 90° anticlockwise" in text
    assert text.index("In crate 1, the front row first") < text.rindex("Red tall can")


def test_what_is_missing_is_told_marked_and_may_be_left_out() -> None:
    client = pages(FakeEnrolments(NOT_THERE))
    text = client.get("/enrol").get_data(as_text=True)
    assert "Nothing seems to lie at 2 (blue stub can)." in text
    assert "Take it without these" in text
    assert 'class="lacking"' in text
    state = client.get("/enrol/state.json").get_json()
    assert (state["seen"], state["state"]) == ("Not yet as drawn: 1 to put right.", "cards")


def test_the_page_is_made_anew_only_when_something_else_is_asked_for() -> None:
    def stamp(shown: EnrolmentShown) -> str:
        return str(pages(FakeEnrolments(shown)).get("/enrol/state.json").get_json()["stamp"])

    assert stamp(LAYING) == stamp(replace(LAYING, why=phrase("eyes.hand"))) == stamp(replace(LAYING, share=0.7))
    assert len({stamp(each) for each in (LAYING, NOT_THERE, replace(LAYING, number=2), LEARNED)}) == 4


def test_the_verdict_shows_the_pair_that_is_most_alike_and_what_would_help() -> None:
    client = pages(FakeEnrolments(LEARNED))
    text = client.get("/enrol").get_data(as_text=True)
    assert "Red tall can is easily taken for blue stub can under this light." in text
    assert '<img src="/enrol/kamikaze-cans-0.jpg" alt="Red tall can"' in text
    assert client.get("/enrol/kamikaze-cans-0.jpg").data == b"jpeg"
    assert client.get("/enrol/other.jpg").status_code == 404


def test_each_touch_does_what_it_says() -> None:
    enrolments = FakeEnrolments(LAYING)
    client = pages(enrolments)
    client.get("/enrol")
    for path, given in (("/enrol", {"name": "kamikaze-1"}), ("/enrol/go-on", {}), ("/enrol/stop", {}),
                        ("/enrol/drop", {}), ("/enrol/picture", {"act": "take", "number": 1})):
        assert post(client, path, given)["ok"]
    assert enrolments.done == ["kamikaze-1", "go on", "stop", "drop", EnrolOrder("take", 1)]
    answer = client.post("/enrol/picture", data={"act": "go_on", "number": "1"}, headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/enrol")


def test_a_touch_that_comes_late_is_told_so_and_does_nothing() -> None:
    enrolments = FakeEnrolments(LAYING)
    client = pages(enrolments)
    client.get("/enrol")
    late = client.post("/enrol/picture", json={"act": "take", "number": 0}, headers=HOME)
    assert "another phone was faster" in check(late, "post", "/enrol/picture")["error"]
    shown = client.post("/enrol/picture", data={"act": "take", "number": "0"}, headers=HOME)
    assert (shown.status_code, "another phone was faster" in shown.get_data(as_text=True)) == (409, True)
    assert enrolments.done == []


@pytest.mark.parametrize("given", [{"act": "explode", "number": 1}, {"act": "take"}, {"act": "take", "number": -1},
                                   {"number": 1}, {"act": "take", "number": "²"}])
def test_a_touch_that_nobody_offered_is_refused(given: dict[str, Any]) -> None:
    enrolments = FakeEnrolments(LAYING)
    client = pages(enrolments)
    client.get("/enrol")
    assert client.post("/enrol/picture", json=given, headers=HOME).status_code == 400
    assert enrolments.done == []


def test_pieces_that_are_not_offered_are_refused_by_name() -> None:
    client = pages(FakeEnrolments())
    client.get("/enrol")
    refused = client.post("/enrol", data={"name": "../../etc"}, headers=HOME)
    assert (refused.status_code, "no pieces called ../../etc" in refused.get_data(as_text=True)) == (400, True)
    assert client.post("/enrol/go-on", json={}, headers=HOME).status_code == 409


def test_without_a_camera_the_page_says_what_to_do() -> None:
    assert "has no camera yet" in pages(FakeEnrolments(has_camera=False)).get("/enrol").get_data(as_text=True)
    assert "has no camera yet" in (client := pages(None)).get("/enrol").get_data(as_text=True)
    assert client.post("/enrol", data={"name": "own"}, headers=HOME).status_code == 404


def test_a_phone_that_is_not_the_hosts_sees_and_does_nothing() -> None:
    enrolments = FakeEnrolments(LAYING)
    host = pages(enrolments)
    host.get("/enrol")
    other = phone_at(host.application, "10.0.0.9")
    assert other.get("/enrol").status_code == 403
    check(other.get("/enrol/state.json"), "get", "/enrol/state.json")
    assert other.post("/enrol/picture", json={"act": "take", "number": 1}, headers=HOME).status_code == 403
    assert enrolments.done == []
