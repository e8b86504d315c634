"""Writes anew what pages say: `python -m tests.web.make_page_views`.

`tests/data/page-views.json` has all plain values that templates get of some tables; `test_golden_page_views.py` makes
them again and compares. Make them anew only when the pages were to say something else, and read what changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any


from companion.engine import Chance, Over, ToMove
from companion.errors import phrase
from companion.session.snapshot import EyesShown, PartShown, PlyShown, Snapshot, UndoShown
from tests.web import web_games, web_tables
from web.fakes import NO_GAME
from web.setup_view import DraftView
from web.view_model import PictureChoice

PAGE_VIEWS = Path(__file__).parents[1] / "data" / "page-views.json"
PLACED = [{"type": "place", "drink": "red/short_can", "to": cell} for cell in ("a4", "f6")]

THING = ((10.0, 20.0), False)
OPEN = (PartShown(("cell",), "grid:c4", ("red/stub_can", "red", "red/odd", True), (THING,)),
        PartShown(("cells",), "stock:0", (1, 2, 3, ("red", "blue"), 2.5), (THING, THING)),
        PartShown(("it",), "nowhere", (0,)), PartShown(("who_begins",), None, (1, 5, "red")))
"""What may be open in a set-up, each kind once."""
READ = ((("units", 0, "second_hand"), "red/stub_can"), (("first",), 1), (("blind",), True), (("all",), ("red", "blue")),
        (("share",), 0.5))
"""What may have been read in one."""


def tables() -> Mapping[str, Snapshot]:
    """The tables whose pages are kept."""
    shown, draft = web_tables.table(), web_tables.draft()
    bare = replace(shown, last=())
    assert shown.seen is not None
    assert draft.draft is not None
    told = phrase("kc.explode", drink="red/stub_can", at="e5")
    played = (PlyShown(6, "chance", told, "simulation"), PlyShown(7, 2, told, "camera"), PlyShown(8, 1, told, "phone"))
    return {
        "nothing": NO_GAME,
        "playing": replace(shown, undo=UndoShown(1, 1, (0,)), last=(*shown.last[-1:], *played)),
        "both": replace(bare, seen=replace(shown.seen, turn=ToMove((0, 1, 3), phrase("kc.ask")))),
        "asking": replace(web_tables.asked(shown, PLACED, 1), undo=UndoShown(3, 2, (1,)),
                          eyes=EyesShown("cards", phrase("eyes.card_covered", card=2))),
        "chance": replace(bare, seen=replace(shown.seen, turn=Chance(phrase("kc.ask")))),
        "won": replace(bare, seen=replace(shown.seen, turn=Over((1,), "stock empty"))),
        "shared": replace(bare, seen=replace(shown.seen, turn=Over((0, 1), "stock empty"))),
        "nobody": replace(bare, seen=replace(shown.seen, turn=Over((), "stock empty"))),
        "looking": replace(draft, draft=replace(draft.draft, is_read=False),
                           eyes=EyesShown("starting", phrase("house.learning", number=4))),
        "set-up": draft,
        "who begins": replace(draft, draft=replace(draft.draft, open=draft.draft.open[1:])),
        "a wrong set-up": web_tables.draft(wrong=True),
        "waiting": replace(draft, draft=replace(draft.draft, open=(), waiting=(1,))),
        "ready": replace(draft, draft=replace(draft.draft, open=())),
        **{f"open: {part.spot}": replace(draft, draft=replace(draft.draft, open=(part,), parts=READ)) for part in OPEN},
        **{game: web_games.shown(game) for game in web_games.GAMES if game != "kamikaze-cans"},
    }


def said(shown: Snapshot) -> dict[str, Any]:
    """All that the page of a table says, but for the board and what is empty."""
    view = web_games.page_of(shown)
    values = {
        "announced": view.announced, "ended": view.ended, "undo_asked": view.undo_asked,
        "eyes": [view.eyes, view.eyes_hindered, view.eyes_briefly],
        "seats": [asdict(seat) for seat in view.seats],
        "history": [{**asdict(line), "seat": line.seat and line.seat.letter} for line in view.history[:6]],
        "legend": view.legend, "codes": view.codes, "options": [_pictured(each) for each in view.options],
        "unsure": re.findall(r'class="unsure"><g[^>]*data-piece="([^"]*)"', view.board),
        "marks": dict(re.findall(r'data-piece="([^"]*)">.*?<use href="#p-[a-z_]*"/><use href="#(s-\d)"', view.board)),
        "draft": _drafted(view.draft) if view.draft else None,
    }
    return {key: value for key, value in values.items() if value}


def _pictured(choice: PictureChoice) -> list[str]:
    return [choice.text, *re.findall(r'(?:aria-label|viewBox)="([^"]*)"', choice.picture)]


def _drafted(draft: DraftView) -> dict[str, Any]:
    return {
        "stage": draft.stage, "asked": draft.asked, "kind": draft.kind, "unsure": sorted(draft.unsure),
        "choices": [asdict(choice) for choice in draft.choices], "parts": [asdict(part) for part in draft.parts],
    }


def written() -> str:
    """The file: a line a value, without those that say nothing."""
    pages = []
    for name, shown in tables().items():
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in said(shown).items()]
        pages.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(pages) + "\n}\n"


if __name__ == "__main__":
    PAGE_VIEWS.write_text(written(), encoding="utf-8")
