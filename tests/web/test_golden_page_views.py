"""Pages say what they said. `python -m tests.web.make_page_views` makes it anew, if something was to change."""

from __future__ import annotations

import json

import pytest

from tests.web.make_page_views import PAGE_VIEWS, said, tables

KEPT = json.loads(PAGE_VIEWS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", tables())
def test_a_page_says_what_it_said(name: str) -> None:
    assert json.loads(json.dumps(said(tables()[name]))) == KEPT[name], "python -m tests.web.make_page_views"


def test_every_page_that_is_kept_is_made() -> None:
    assert list(KEPT) == list(tables())
