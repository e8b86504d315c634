"""The parts of the page that live: rendered once a change, shared by all phones that may know the same."""

from __future__ import annotations

import zlib
from threading import Lock

from flask import Flask

from companion.engine import Observer
from companion.session.snapshot import Snapshot
from companion.words import Words
from web.sitting.seating import Seating
from web.sitting_view import SittingView, sitting_of
from web.view_model import PageView

PARTS = ("top", "notices", "asks", "notes", "seats", "board", "last", "buttons", "sheet", "history", "menu", "sit")
"""Each a template in `templates/parts/` and an element of the page with the same id."""


class Renderer:
    """Snapshots to parts: `{id: {"rev", "html"}}`; a part whose `rev` stays need not be replaced in the page.

    Nothing of a request goes into a part, neither cookies nor addresses.
    """

    def __init__(self, app: Flask, words: Words, seating: Seating) -> None:
        self._app, self._words, self._seating = app, words, seating
        self._lock = Lock()
        self._last: dict[Observer, tuple[int, SittingView, dict[str, object]]] = {}

    def __call__(self, shown: Snapshot, observer: Observer) -> dict[str, object]:
        """The parts for this observer; those of the same version are kept while the same phones sit."""
        sitting = sitting_of(self._seating, shown.key)
        with self._lock:
            kept = self._last.get(observer)
            if kept is not None and kept[:2] == (shown.version, sitting):
                return kept[2]
        parts = self._render(shown, sitting)
        with self._lock:
            self._last[observer] = (shown.version, sitting, parts)
        return parts

    def _render(self, shown: Snapshot, sitting: SittingView) -> dict[str, object]:
        view, template = PageView(shown, self._words), self._app.jinja_env.get_template
        with self._app.app_context():
            texts = {part: template(f"parts/{part}.html").render(view=view, sitting=sitting) for part in PARTS}
        return {part: {"rev": f"{zlib.crc32(text.encode()):08x}", "html": text} for part, text in texts.items()}
