"""What templates ask of a view with values of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markupsafe import Markup

from companion.errors import phrase
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from web.fakes import NO_GAME
from web.offers import sort_offers
from web.view_model import PageView, PictureChoice

WORDS = web_tables.words()


@pytest.fixture
def view() -> PageView:
    return PageView(web_tables.table(), WORDS)


@pytest.mark.parametrize(("score", "text"), [(None, "–"), (0, "0"), (12, "12"), (-3, "−3")])
def test_a_score_has_a_true_minus_sign(score: int | None, text: str) -> None:
    assert PageView.points(score) == text


@pytest.mark.parametrize(("parts", "text"), [
    ((0, 0.5, 1), "#0080ff"), ((-3, 2.5, 0.02), "#00ff05"), ((1 / 255, 16 / 255, 0.999), "#0110ff")])
def test_the_colour_of_a_lamp_is_written_for_browsers(parts: tuple[float, float, float], text: str) -> None:
    assert PageView.rgb(parts) == text


def test_seats_have_colours_and_names_with_and_without_players(view: PageView) -> None:
    assert [view.paint(seat) for seat in range(4)] == ["#2F9E58", "#D8402C", "#009E73", "#D55E00"]
    assert [view.player(seat) for seat in (0, 1, 2, 3, 26)] == ["Ana", "Ben", "C", "D", view.player(26)]
    assert [view.panel_name(seat, letter) for seat, letter in ((1, "B"), (2, "C"))] == ["Ben", "Seat C"]


def test_what_is_said_may_be_a_phrase_or_its_id(view: PageView) -> None:
    assert view.say(phrase("web.setup_view.left", n=3)) == view.say("web.setup_view.left", n=3) == "To say: 3"
    assert [view.name(word) for word in ("red/stub_can", "a3", "rush_order")] == ["Red stub can", "A3", "Rush order"]


def test_plies_are_said_together_and_none_is_said_too(view: PageView) -> None:
    told = [phrase("kc.place", drink="red/stub_can", to="a1"), phrase("kc.explode", drink="red/tall_can", at="b2")]
    assert [view.plies(told[:n]) for n in range(3)] == [
        "Nothing was played", "Red stub can to a1", "Red stub can to a1 and red tall can on b2 explodes, alone"]


def test_without_a_layout_there_is_nothing_to_draw() -> None:
    bare = PageView(replace(web_tables.table(), layout=None), WORDS)
    assert (bare.board, PageView(NO_GAME, WORDS).board) == (Markup(), Markup())
    offer = web_tables.offers()[0]
    assert bare.correction(offer) == PictureChoice(bare.plies(offer.phrases), Markup())
    assert PageView(replace(web_tables.draft(), layout=None), WORDS).board == Markup()


@pytest.mark.parametrize(("eyes", "told"), [
    (EyesShown("free"), ("I see the table.", "", "I see the table.")),
    (EyesShown("free", phrase("web.http")), ("I see the table.", "", "I see the table.")),
])
def test_eyes_that_see_say_so(eyes: EyesShown, told: tuple[str, str, str]) -> None:
    view = PageView(replace(web_tables.table(), eyes=eyes), WORDS)
    assert (view.eyes, view.eyes_hindered, view.eyes_briefly) == told


def test_other_plies_are_sorted_by_their_likeness_to_what_was_read(view: PageView) -> None:
    offers = web_tables.offers()
    likely, others = sort_offers(view, offers)
    assert [choice.text for _, choice in likely] == [
        "Green short can to c6", "Green square sides to c6", "Green not tallest bottle to c6"]
    assert [view.plies(offer.phrases) for offer, _ in likely] == [choice.text for _, choice in likely]
    assert {piece: len(those) for piece, those in others.items()} == {
        "Green short can": 31, "Green tall can": 9, "Green square sides": 31, "Green not tallest bottle": 31,
        "Green tallest bottle": 32, "Green stub can": 11}
    assert all(text == view.plies(offer.phrases) for those in others.values() for offer, text in those)


def test_an_offer_that_moves_nothing_stands_under_a_heading_of_its_own(view: PageView) -> None:
    assert view.shown.seen is not None
    assert view.shown.before is not None
    nothing = replace(web_tables.offers()[0], placement=view.shown.before, phrases=())
    better = [offer for offer, _ in sort_offers(view, web_tables.offers())[0]]
    likely, others = sort_offers(view, (nothing, *reversed(better)))
    assert [offer for offer, _ in likely] == better[::-1]
    assert others == {"Other": [(nothing, "Nothing was played")]}
    alone = PageView(replace(view.shown, before=None, seen=None), WORDS)
    assert [choice.text for _, choice in sort_offers(alone, (replace(nothing, placement={}),))[0]] == [
        "Nothing was played"]


def test_the_same_place_or_the_same_piece_is_likelier_than_neither(view: PageView) -> None:
    here, there = {"grid:a1": ("green/tall_can",)}, {"grid:c6": ("red/tall_can",)}
    before = view.shown.before or {}
    offers = [replace(web_tables.offers()[0], placement={**before, "grid:c3": (), **moved}) for moved in (
        {"grid:a1": ("red/stub_can",)}, there, here, {"grid:c6": ("green/tall_can",)})]
    likely, _ = sort_offers(view, tuple(offers))
    assert [offers.index(offer) for offer, _ in likely] == [3, 1, 2]
