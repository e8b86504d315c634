"""The first evening: from the first page to a game, to the demo, and through the steps of setting the table up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import phrase
from companion.session.snapshot import EyesShown
from companion.session.survey import LensMeasured, Survey
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from tests.web.whole_service import whole_service
from tests.web.own_tables import FakeExamples, FakeOwnTable
from web.app import create_app
from web.fakes import NO_GAME, FakeDesk, FakePanel
from web.server import Server

pytestmark = pytest.mark.browser

PICTURE = next((Path(__file__).parents[1] / "data" / "kamikaze-1" / "frames").glob("*.jpg"))
PATIENCE_S = 240.0
CHOSEN = {"source.kind": "camera", "source.camera": 0, "table.name": "Dora’s attic", "wifi.name": "Home"}
PAGES = {"first": "/", "loading": "/", "steps": "/setup", "camera": "/setup/camera", "cards": "/setup/cards",
         "lens": "/setup/lens", "names": "/setup/names?code=1",
         "measure": "/setup/lens/measure", "measured": "/setup/lens/measure"}

MEASURING = LensMeasured(3, 12, phrase("calibrate.fill"), ((0.28, 0.27), (0.72, 0.27), (0.79, 0.79), (0.21, 0.79)),
                         ((0.3, 0.3), (0.7, 0.28), (0.74, 0.7), (0.24, 0.74)))
MEASURED = LensMeasured(12, 12, phrase("calibrate.good", error=0.14, number=12), lens={"width": 2304})


@contextmanager
def made_up(page: str, desk: FakeDesk | None = None) -> Iterator[tuple[Server, FakeOwnTable]]:
    """Pages over a table whose camera sees three cards in a blurred picture; for the first page, over one that nobody
    has set up."""
    own, desk, examples = FakeOwnTable(), desk or FakeDesk(NO_GAME), FakeExamples("kamikaze-1")
    if page == "loading":
        examples.chosen, own.loaded = "kamikaze-1", 0.4
        desk.show(replace(NO_GAME, eyes=EyesShown("starting", phrase("house.learning", number=4))))
    elif page != "first":
        own.keep(CHOSEN)
        own.seen = Survey(2304, 1296, (0, 2, 3), (phrase("eyes.blurred"),))
        desk.picture = PICTURE.read_bytes()
        own.measured = MEASURED if page == "measured" else MEASURING
    games = {web_tables.GAME.id: web_tables.GAME}
    app = create_app(desk=desk, words=web_tables.words(), games=games, panel=FakePanel(), own=own, examples=examples)
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield server, own
    desk.close()
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_a_phone_and_is_no_barrier(phone: Phone, tmp_path: Path, page: str, dark: bool) -> None:
    with made_up(page) as (server, _):
        phone.resize(dark=dark)
        phone.open(f"http://127.0.0.1:{server.port}{PAGES[page]}")
        phone.keep(tmp_path, page)
        assert phone.ask("return document.documentElement.scrollWidth") == 390
        for wrong in (OVER, SMALL, THIN):
            assert phone.ask(wrong) == []
        assert phone.complaints() == []
        phone.ask(AXE.read_text("utf-8"))
        assert phone.driver.execute_async_script(BARRIERS) == []


def test_a_table_whose_game_has_gone_leads_to_what_one_can_do(phone: Phone) -> None:
    """As at the end of an example, on a table where nobody has played yet."""
    desk = FakeDesk(web_tables.table())
    with made_up("first", desk) as (server, _):
        phone.open(f"http://127.0.0.1:{server.port}/")
        phone.until(lambda: phone.ask("return document.querySelector('#link')?.dataset.state") == "live", "the table")
        desk.show(NO_GAME)
        phone.until(lambda: "Watch it play" in phone.text("main"), "the first page")


def test_what_the_camera_sees_is_told_while_the_page_is_open(phone: Phone) -> None:
    with made_up("cards") as (server, own):
        phone.open(f"http://127.0.0.1:{server.port}/setup/cards")
        assert "I see 3 of 4. Missing: 1." in phone.text("main")
        own.seen = Survey(2304, 1296, (0, 1, 2, 3))
        phone.until(lambda: "I see all four." in phone.text("main"), "the fourth card")
        assert phone.text("[data-of-card='1']") == "seen"
        assert phone.ask("return document.querySelectorAll('g.seen').length") == 4


def test_the_lens_is_measured_outline_by_outline(phone: Phone) -> None:
    with made_up("measure") as (server, own):
        phone.open(f"http://127.0.0.1:{server.port}/setup/lens")
        phone.tap("a[href='/setup/lens/measure']")
        assert "3 of 12 pictures" in phone.text("main")
        assert phone.ask("return getComputedStyle(document.getElementById('use')).display") == "none"
        corners = phone.ask("const { left, width } = document.getElementById('seen').getBoundingClientRect(),"
                            "  box = document.getElementById('wanted').getBoundingClientRect();"
                            "return [(box.left - left) / width, (box.right - left) / width]")
        assert corners == pytest.approx([0.21, 0.79], abs=0.01)
        phone.tap("#later")
        phone.until(lambda: "later" in own.wishes, "the outline is left for later")
        own.measured = replace(MEASURING, taken=4, said=phrase("calibrate.taken"))
        phone.until(lambda: "Taken." in phone.text("main") and "4 of 12" in phone.text("main"), "the next outline")
        own.measured = MEASURED
        phone.until(lambda: "known to 0.14 pixels" in phone.text("main"), "what the error means")
        phone.tap("#use")
        phone.until(lambda: own.kept.get("source.lens") == "lens-measured.json", "the lens is used")


def wait_for(step: Callable[[], object], what: str) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not step():
        assert time.monotonic() < until_s, what
        time.sleep(0.1)


def test_play_now_leads_to_a_game_in_three_touches_and_is_kept(phone: Phone, tmp_path: Path) -> None:
    with whole_service("--state", str(tmp_path)) as home:
        phone.open(home)
        assert phone.ask("return document.querySelectorAll('main input:not([type=hidden])').length") == 0
        phone.tap("form[action='/setup/source'] button")
        phone.until(lambda: phone.driver.current_url.endswith("/start"), "the page of a new game")
        phone.tap("button[name=go]")
        phone.until(lambda: phone.ask("return document.querySelectorAll('[data-score]').length"), "a game")
        assert "This phone" in phone.text("main") or "Sit down" in phone.text("body")
    with whole_service("--state", str(tmp_path)) as home:
        phone.open(home)
        assert phone.ask("return document.querySelectorAll('[data-score]').length") == 2


def test_a_camera_that_has_gone_is_told_and_left_without_a_restart(phone: Phone, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('version = 1\n[source]\nkind = "camera"\ncamera = 63\n')
    with whole_service("--state", str(tmp_path)) as home:
        phone.open(f"{home}/setup")
        wait_for(lambda: phone.ask("return document.querySelector('[data-step=camera]').dataset.state") == "wrong",
                 "what is wrong with the camera")
        assert "No camera answers as 63" in phone.text("[data-step=camera]")
        phone.tap("[data-step=camera]")
        phone.tap("input[value=none] + button")
        phone.until(lambda: phone.driver.current_url.endswith("/start"), "the page of a new game")
        phone.until(lambda: "cannot see" not in phone.text("#eyes"), "no eyes any more")


@pytest.mark.long
def test_watch_it_play_loads_with_a_bar_and_shows_the_table(phone: Phone, tmp_path: Path) -> None:
    shares: list[float] = []

    def came() -> bool:
        share = phone.ask("return document.getElementById('bar')?.value ?? null")
        shares.extend([share] if share is not None and share not in shares else [])
        return bool(phone.ask("return !!document.getElementById('board')"))

    with whole_service("--state", str(tmp_path)) as home:
        phone.open(home)
        phone.tap("form[action='/example'] button")
        phone.until(lambda: phone.text("#words"), "words for what is happening")
        wait_for(came, "the table of the demo")
    assert shares == sorted(shares)
    assert len(shares) >= 5
