"""The page on which a set-up that was told wrongly is put right, while its game goes on."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, render_template, request

from companion.engine import SetupPath, lines
from companion.errors import CompanionError, PhraseArg, phrase
from companion.session.snapshot import SetupAgainShown
from web.house import house
from web.seats import phone, shown_here
from web.view_model import PageView

MAX_ASKED = 500
"""Characters of a part, or of its value, that are taken from an address."""

blueprint = Blueprint("setup_again", __name__)


class SetupAgainView:
    """The parts of a set-up as plain values for the template."""

    def __init__(self, page: PageView, shown: SetupAgainShown) -> None:
        self._page, self.shown = page, shown

    def part(self, path: SetupPath, value: Any) -> str:
        """A part of the set-up in words."""
        where = " ".join(str(key + 1) if isinstance(key, int) else str(key) for key in path)
        said = self.value(value) if isinstance(value, int) else self._arg(value)
        return self._page.sentence(phrase("web.setup_view.part", where=where.replace("_", " "), what=said))

    def value(self, value: Any) -> str:
        """A value as players say it; a number is a seat."""
        if isinstance(value, int):
            return self._page.player(value)
        return self._page.sentence(phrase("web.name", what=self._arg(value)))

    @staticmethod
    def href(path: SetupPath, value: Any) -> str:
        """The address that asks what comes of it."""
        return f"/setup-again?{urlencode({'path': json.dumps(path), 'value': json.dumps(value)})}"

    @property
    def command(self) -> dict[str, Any]:
        """The command that puts right what was asked about."""
        change = self.shown.change
        assert change is not None
        return {"type": "correct_setup", "seq": self.shown.seq, "path": list(change.path), "value": change.value,
                "drop": change.drop}

    @staticmethod
    def _arg(value: Any) -> PhraseArg:
        if isinstance(value, list | tuple):
            return tuple(SetupAgainView._arg(each) for each in value)
        return value if isinstance(value, (str, int)) else str(value)


@blueprint.get("/setup-again")
def show_setup_again() -> str:
    """What the set-up was told as, part by part; and what comes of it when one is another."""
    _ = phone().by  # raises for who may not act
    desk = house().desk
    path = _given("path")
    shown = desk.setup_again(tuple(path) if isinstance(path, list) else (), _given("value"))
    view = PageView(shown_here(desk), house().words)
    return render_template("setup_again.html", view=view, again=SetupAgainView(view, shown))


def _given(key: str) -> Any:
    try:
        return lines.parse(request.args.get(key, "null")[:MAX_ASKED])
    except CompanionError:
        return None
