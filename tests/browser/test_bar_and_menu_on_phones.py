"""The bar on top of the table's page, its menu, and the form of a new game: nothing lies on anything else, and nothing
that is needed lies below the fold."""

from __future__ import annotations

import pytest

from tests.browser.test_pages_on_phones import shows
from tests.web.chromium import Phone
from web.fakes import NO_GAME, FakeDesk
from web.server import Server

pytestmark = pytest.mark.browser

OVERLAPS = """
const box = (each) => each.getBoundingClientRect();
const link = document.querySelector('#link'), bar = document.querySelector('.bar');
const before = (end, start) => end <= start + 0.5;
const apart = (a, b) => before(a.right, b.left) || before(b.right, a.left) || before(a.bottom, b.top)
  || before(b.bottom, a.top);
const under = [...document.querySelectorAll('main > *')].filter((each) => each.getClientRects().length);
const found = [];
for (const state of ['live', 'connecting', 'lost', 'full', 'stopped']) {
  link.dataset.state = state;
  link.querySelector('span').textContent = link.dataset[state];
  link.querySelector('button').hidden = state == 'live' || state == 'connecting';
  const said = [...bar.querySelectorAll('#top h1, #top .count, #link span, #link button, .more summary')]
    .filter((each) => each.getClientRects().length && each.textContent.trim()
      && getComputedStyle(each).position !== 'absolute');
  for (const one of said) for (const other of [...said, ...under])
    if (one !== other && !apart(box(one), box(other))) found.push([state, one.outerHTML, other.outerHTML.slice(0, 80)]);
}
return found;
"""


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["six", "question", "over", "draft"])
def test_what_is_said_of_the_link_covers_nothing(
        phone: Phone, served: Server, desk: FakeDesk, width: int, name: str) -> None:
    desk.show(shows()[name][0])
    phone.resize(width, 844)
    phone.open(f"http://127.0.0.1:{served.port}/")
    assert phone.ask(OVERLAPS) == []


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
@pytest.mark.parametrize("name", ["table", "six", "question", "over", "draft"])
def test_the_menu_is_reached_without_scrolling_and_so_is_all_in_it(
        phone: Phone, served: Server, desk: FakeDesk, size: tuple[int, int], name: str) -> None:
    desk.show(shows()[name][0])
    phone.resize(*size)
    phone.open(f"http://127.0.0.1:{served.port}/")
    seen = "const box = each.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight"
    assert phone.ask(f"const each = document.querySelector('.more summary'); {seen}")
    phone.tap(".more summary")
    hidden = f"""
      return [...document.querySelectorAll('.more :is(a, button)')].filter((each) => each.getClientRects().length)
        .filter((each) => {{ each.scrollIntoView({{block: 'nearest'}}); return !(() => {{ {seen} }})() }})
        .map((each) => each.outerHTML)"""
    assert phone.ask(hidden) == []
    assert phone.ask("return scrollY") == 0, "the menu itself is scrolled, not the page below it"


def test_a_new_game_begins_without_scrolling_however_long_its_form_is(
        phone: Phone, served: Server, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    for players in (2, 6):
        phone.open(f"http://127.0.0.1:{served.port}/start?players={players}")
        game, go = (phone.ask(f"return document.querySelector({each!r}).getBoundingClientRect().bottom")
                    for each in ("input[name=players]", "button[name=go]"))
        assert game < go <= 844
