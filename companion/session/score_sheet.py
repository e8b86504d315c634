"""The scores of a game after every ply, as a table for other programs."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO

from companion.errors import Phrase
from companion.session.state import Match

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def score_sheet(match: Match, say: Callable[[Phrase], str], heads: tuple[str, str, str]) -> str:
    """CSV with a line for the start and for each ply: its number, whose it was, what it was, everybody's score. What a
    ply says is what everybody saw. `heads` are the heads of the first three columns."""
    names = [each["name"] for each in match.opened.header["players"]]
    text = StringIO()
    sheet = csv.writer(text, lineterminator="\r\n")
    sheet.writerow([*map(_plain, (*heads, *names))])
    sheet.writerow([0, "", "", *match.game.scores(match.states[0])])
    for n, made in enumerate(match.made, 1):
        who = names[made.ply.player] if isinstance(made.ply.player, int) else ""
        said = say(match.game.say(match.states[n - 1], made.ply, "room"))
        sheet.writerow([n, _plain(who), _plain(said), *match.game.scores(match.states[n])])
    return text.getvalue()


def _plain(text: str) -> str:
    """A text that no spreadsheet reckons with."""
    return f"'{text}" if text.startswith(FORMULA) else text
