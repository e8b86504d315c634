"""What root did is told once, on every page, until somebody has read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.box.layout import Places
from companion.box.news import RootNews
from companion.box.wish import write_told
from companion.errors import phrase
from web.notices_view import NoticesHead, notices_head

UPDATED = phrase("box.updated", given="0.3.0")
MIGRATED = phrase("config.migrated", where="a", file="b", given="version")


@pytest.fixture
def layout(tmp_path: Path) -> Places:
    made = Places(tmp_path)
    made.state.mkdir(parents=True)
    return made


def test_news_are_told_once_also_after_a_restart(layout: Places) -> None:
    write_told(layout.told, "running", phrase("box.updating"), anew=True)
    news = RootNews(layout.state, layout)
    assert news.unheard() == (), "it has not ended"
    write_told(layout.told, "done", UPDATED, anew=False)
    assert news.unheard() == (UPDATED,)
    assert news.unheard() == ()
    again = RootNews(layout.state, layout)
    assert again.unheard() == ()
    write_told(layout.told_of_config, "done", MIGRATED, anew=True)
    assert again.unheard() == (MIGRATED,)


def test_another_companion_than_the_installed_one_has_none(layout: Places, tmp_path: Path) -> None:
    write_told(layout.told, "done", UPDATED, anew=True)
    assert RootNews(tmp_path, layout).unheard() == ()


@pytest.mark.parametrize("memory", ["", "[]", "{", '{"told.json": "x"}', '{"told.json": null}'])
def test_a_memory_that_is_damaged_tells_once_more(layout: Places, memory: str) -> None:
    (layout.state / "news.heard").write_text(memory)
    write_told(layout.told, "failed", UPDATED, anew=True)
    assert RootNews(layout.state, layout).unheard() == (UPDATED,)


def test_a_full_disk_tells_once_a_life(layout: Places) -> None:
    (layout.state / "news.heard.new").mkdir()
    write_told(layout.told, "done", UPDATED, anew=True)
    news = RootNews(layout.state, layout)
    assert news.unheard() == (UPDATED,)
    assert news.unheard() == ()


def test_good_news_are_no_alarm_and_games_go_first() -> None:
    back, cut = phrase("box.went_back", given="1", why="x"), phrase("journal.no_anchor")
    assert notices_head((UPDATED, MIGRATED)) == NoticesHead("web.notices.machine", False)
    assert notices_head((UPDATED, back)) == NoticesHead("web.notices.machine", True)
    assert notices_head((UPDATED, cut)) == NoticesHead("web.notices", True)
