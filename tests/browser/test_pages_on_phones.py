from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask

from companion.engine import Over
from companion.errors import phrase
from companion.session.commands import Correct, Done, StartGame
from companion.session.snapshot import EyesShown, Snapshot
from tests.web import web_games, web_tables
from tests.web.chromium import Phone
from web.app import create_app
from web.fakes import NO_GAME, FakeDesk, FakePanel
from web.house import house_of
from web.server import Server

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
CHOICES = [
    {"type": "place", "drink": "red/short_can", "to": "a4"},
    {"type": "place", "drink": "red/short_can", "to": "a5"},
    {"type": "move", "from": "e5", "to": "e6"},
]
SMALL = """
  return [...document.querySelectorAll("body *")].filter((each) => [...each.childNodes].some((node) =>
      node.nodeType === 3 && node.textContent.trim()) && !each.closest("svg, .unseen, script, option")
      && each.getClientRects().length && parseFloat(getComputedStyle(each).fontSize) < 14).map((each) => each.outerHTML)
"""
OVER = """
  return [...document.querySelectorAll("main *, header *, footer *")]
    .filter((each) => !each.closest("svg, .unseen, .link") && each.getBoundingClientRect().right > innerWidth + 0.5)
    .map((each) => each.outerHTML.slice(0, 120))
"""
THIN = """
  const boxes = "input:not([type=hidden], [type=radio], [type=checkbox])";
  return [...document.querySelectorAll(`button, a, summary, select, ${boxes}`)]
    .filter((each) => each.getClientRects().length)
    .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 36 || box.width < 36).map(([html]) => html)
"""
BARRIERS = """
  const done = arguments[0];
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
  const rules = Object.fromEntries(axe.getRules(tags).map((each) => [each.ruleId, {enabled: true}]));
  axe.run(document, {runOnly: tags, rules}).then((told) => done(  // axe leaves some rules of 2.2 off by itself
    told.violations.map((each) => [each.id, each.nodes.map((node) => node.html + node.failureSummary)])));
"""


def shows() -> dict[str, tuple[Snapshot, str]]:
    table, four, six = (web_tables.table(web_tables.placing(n) if n > 2 else web_tables.PLAYED, n) for n in (2, 4, 6))
    cards = EyesShown("cards", phrase("eyes.card_covered", card=2))
    counted = web_games.shown("kamikaze-cans")
    assert counted.seen is not None
    over = replace(counted, seen=replace(counted.seen, turn=Over((0,), "stock empty")))
    return {
        "table": (table, "/"), "empty": (web_tables.table([]), "/"), "four": (four, "/"), "six": (six, "/"),
        "history": (table, "/#history"), "question": (web_tables.asked(table, CHOICES, 1), "/"),
        "odd": (web_tables.odd(table), "/"), "cards": (replace(table, eyes=cards), "/"), "correct": (table, "/correct"),
        "draft": (web_tables.draft(), "/"), "laid wrong": (web_tables.draft(wrong=True), "/"),
        "start": (NO_GAME, "/start?players=6"), "eyes": (table, "/eyes"), "panel": (table, "/panel"),
        "over": (over, "/"), "scores": (over, "/score"), "stopped": (replace(counted, can_reopen=True), "/"),
        "invite": (table, "/invite"), "invite to a seat": (six, "/invite?seat=B"), "join": (four, "/join/B"),
        "takes": (web_tables.table([]), "/take"),
    }


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", sorted(shows()))
def test_a_page_fits_a_phone_is_large_enough_and_makes_no_error(
    phone: Phone, served: Server, desk: FakeDesk, tmp_path: Path, name: str, dark: bool
) -> None:
    shown, path = shows()[name]
    desk.show(shown)
    phone.resize(dark=dark)
    phone.open(f"http://127.0.0.1:{served.port}{path}")
    phone.keep(tmp_path, name)
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    assert phone.ask(OVER) == []
    assert phone.ask(SMALL) == []
    assert phone.ask(THIN) == []
    assert [each for each in phone.complaints() if "eyes.jpg" not in each and "close-up" not in each] == []
    lightness = phone.ask("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(lightness) < 200) is dark


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", sorted(shows()))
def test_axe_finds_no_barrier(phone: Phone, served: Server, desk: FakeDesk, name: str, dark: bool) -> None:
    shown, path = shows()[name]
    desk.show(shown)
    phone.resize(dark=dark)
    phone.open(f"http://127.0.0.1:{served.port}{path}")
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (768, 1024), (1280, 800)])
def test_other_screens_show_everything_too(phone: Phone, served: Server, desk: FakeDesk, size: tuple[int, int]) -> None:
    for name in ("six", "question", "draft"):
        desk.show(shows()[name][0])
        phone.resize(*size)
        phone.open(f"http://127.0.0.1:{served.port}/")
        assert phone.ask("return document.documentElement.scrollWidth") <= size[0]
        assert phone.ask(OVER) == []


CUT = """
const names = document.querySelectorAll('.seat.lit h2, .n2 h2'), scores = document.querySelectorAll('.score');
for (const each of scores) each.textContent = '−13';
return [...names, ...scores].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.outerHTML);
"""


@pytest.mark.parametrize("players", [3, 4])
def test_a_long_score_fits_a_narrow_phone_and_leaves_room_for_names(
        phone: Phone, served: Server, desk: FakeDesk, players: int) -> None:
    desk.show(web_tables.table(web_tables.placing(players), players))
    phone.resize(320, 568)
    phone.open(f"http://127.0.0.1:{served.port}/")
    assert phone.ask(CUT) == []


LINKED = """
const link = document.querySelector('#link'), bar = document.querySelector('.bar'), high = [];
for (const state of ['live', 'connecting', 'lost', 'full', 'stopped']) {
  link.dataset.state = state;
  link.querySelector('span').textContent = link.dataset[state];
  link.querySelector('button').hidden = state == 'live' || state == 'connecting';
  high.push([bar.getBoundingClientRect().height, document.documentElement.scrollWidth]);
}
return high;
"""


@pytest.mark.parametrize("width", [320, 390])
def test_what_is_said_of_the_link_fits_and_while_it_is_sought_nothing_moves(
        phone: Phone, served: Server, desk: FakeDesk, width: int) -> None:
    phone.resize(width, 844)
    for name in ("six", "question", "draft"):
        desk.show(shows()[name][0])
        phone.open(f"http://127.0.0.1:{served.port}/")
        (live, _), (connecting, _), *_ = measured = phone.ask(LINKED)
        assert connecting == live
        assert [wide for _, wide in measured] == [width] * len(measured)


def test_the_score_of_the_active_seat_is_72_pixels_and_the_others_40(phone: Phone, served: Server) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    sizes = phone.ask("return [...document.querySelectorAll('.score')].map((each) => getComputedStyle(each).fontSize)")
    assert sizes == ["72px", "40px"]


def test_the_table_lies_above_the_buttons_without_scrolling(phone: Phone, served: Server) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    low = phone.ask("return document.querySelector('#last').getBoundingClientRect().bottom")
    assert low <= phone.ask("return document.querySelector('#buttons').getBoundingClientRect().top")


def test_a_page_outlives_a_restart_of_the_service(phone: Phone, app: Flask, desk: FakeDesk) -> None:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    phone.open(f"http://127.0.0.1:{server.port}/")
    phone.until(lambda: state(phone) == "live", "the link")
    desk.close()
    server.stop()
    phone.until(lambda: state(phone) in ("stopped", "lost"), "words for the loss")
    assert phone.text("#link") != ""
    later = FakeDesk(web_tables.table(web_tables.PLAYED[:-1]))
    again = Server(create_app(desk=later, words=web_tables.words(), games={}, beat_s=0.05), "127.0.0.1", server.port)
    again.start()
    try:
        phone.until(lambda: state(phone) == "live", "the link after the restart")
        phone.until(lambda: "Ana" in phone.text(".seat.lit"), "the state after the restart")
    finally:
        later.close()
        again.stop()


def test_a_phone_that_slept_asks_anew(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.until(lambda: state(phone) == "live", "the link")
    hide = "Object.defineProperty(document, 'hidden', {{value: {0}, configurable: true}});" \
           "document.dispatchEvent(new Event('visibilitychange'))"
    phone.ask(hide.format("true"))
    desk.show(web_tables.table(web_tables.PLAYED[:-1]))
    assert "Ben" in phone.text(".seat.lit"), "a sleeping page hears nothing"
    phone.ask(hide.format("false"))
    phone.until(lambda: "Ana" in phone.text(".seat.lit"), "the state after sleep")


def test_one_phone_too_many_is_told_so(phone: Phone, served: Server, desk: FakeDesk, app: Flask) -> None:
    held = [house_of(app).streams.open("127.0.0.1", "room", web_tables.KEY) for _ in range(2)]
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.until(lambda: "Too many phones" in phone.text("#link"), "words for it")
    house_of(app).streams.done(cast(Any, held[0]))
    phone.tap("#link button")
    phone.until(lambda: state(phone) == "live", "a place")


def test_what_is_refused_is_said_beside_the_buttons(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.tap("#buttons form:first-child button")
    phone.until(lambda: desk.sent, "the command")
    assert desk.sent == [Done(7, "host")]
    phone.ask("document.querySelector('#buttons input').value = '{\"type\": \"done\", \"seq\": 1}'")
    phone.tap("#buttons form:first-child button")
    phone.until(lambda: "The table has changed meanwhile" in phone.text("#told"), "the reason")


def test_a_reading_is_put_right_from_the_history_in_two_taps(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.tap("#last a")
    phone.tap("#history a[href='/correct']")
    phone.tap(".choices form:first-child .choice")
    phone.until(lambda: desk.sent, "the command")
    command = desk.sent[0]
    assert isinstance(command, Correct)
    assert command.take_back == 1
    assert command.plies[0]["action"]["to"] == "c6"
    phone.until(lambda: "/correct" not in phone.driver.current_url, "the way back to the table")


def test_a_new_game_is_chosen_with_a_few_taps(phone: Phone, served: Server, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.tap("input[name=players][value='3']")
    phone.until(lambda: phone.ask("return document.querySelectorAll('.entry').length") == 3, "three seats")
    phone.tap("input[name=colours2][value=yellow]")
    phone.tap("button[name=go]")
    phone.until(lambda: desk.sent, "the command")
    command = desk.sent[0]
    assert isinstance(command, StartGame)
    assert command.header["setup"]["colours"][2] == "yellow"


def test_pieces_glide_and_scores_count_unless_stillness_is_wished(phone: Phone, served: Server, desk: FakeDesk) -> None:
    moving = "return document.getAnimations().filter((each) => !(each instanceof CSSAnimation)).length"
    for still in (True, False):
        desk.show(web_tables.table(web_tables.PLAYED[:-1]))
        phone.resize(still=still)
        phone.open(f"http://127.0.0.1:{served.port}/")
        phone.until(lambda: state(phone) == "live", "the link")
        phone.ask("window.most = 0; const look = () => { window.most = Math.max(window.most, document.getAnimations()"
                  ".filter((each) => !(each instanceof CSSAnimation)).length); requestAnimationFrame(look) }; look()")
        desk.show(web_tables.table())
        phone.until(lambda: "Ben" in phone.text(".seat.lit"), "the next turn")
        phone.until(lambda: phone.ask(moving) == 0, "rest")
        assert (phone.ask("return window.most") > 0) is not still


def test_the_panel_presses_and_shows(phone: Phone, served: Server, panel: FakePanel) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/panel")
    phone.tap("[data-button='seat:1'] .long")
    phone.until(lambda: panel.pressed, "the press")
    assert panel.pressed == [("seat:1", True)]


def test_the_table_works_without_scripts(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        phone.driver.get(f"http://127.0.0.1:{served.port}/")
        phone.tap("#buttons form:first-child button")
        phone.until(lambda: desk.sent, "the command")
        assert desk.sent == [Done(7, "host")]
    finally:
        phone.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def state(phone: Phone) -> str:
    return str(phone.ask("return document.querySelector('#link').dataset.state"))
