"""What the eyes saw when plies were decided: pictures for those who sit at the game, and for the host."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, render_template

from companion.errors import phrase
from companion.session.snapshot import Snapshot
from web.house import house
from web.numbers import whole_of
from web.seats import NotYoursError, phone, shown_here
from web.view_model import PageView

blueprint = Blueprint("saw", __name__, url_prefix="/saw")


@dataclass(frozen=True, slots=True)
class SeenPly:
    """A ply that has a picture; `text` in words where the page knows them."""

    n: int
    text: str


@blueprint.get("/<number>")
def show_saw(number: str) -> str:
    """All pictures of a game, the newest first."""
    key, shown = _game(number)
    view, evidence = PageView(shown, house().words), house().evidence
    told = {line.n: line.text for line in view.history} if shown.key == key else {}
    plies = [SeenPly(n, told.get(n, "")) for n in reversed(evidence.plies(key) if evidence else ())]
    return render_template("saw.html", view=view, number=number, plies=plies, is_past=shown.key != key)


@blueprint.get("/<number>/<ply>.jpg")
def saw_jpeg(number: str, ply: str) -> Response:
    """The picture of a ply."""
    (key, _), n, evidence = _game(number), whole_of(ply), house().evidence
    jpeg = evidence.picture(key, n) if evidence and n is not None else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


def _game(number: str) -> tuple[str, Snapshot]:
    """The key of a game whose pictures this phone may see, and what it may know of the table. Raises `NotYoursError`
    for a phone that only watches, and for games of before for all but the host."""
    here, shown, n = phone(), shown_here(house().desk), whole_of(number)
    sits = here.seat is not None and n == shown.match and here.key == shown.key
    if not sits and not here.is_host:
        raise NotYoursError(phrase("web.watches" if n == shown.match else "session.host_only"))
    if n == shown.match:
        return shown.key, shown
    past = house().past
    found = past.listed(n + 1, 1) if past and n else ()
    if not found or found[0].number != n:
        abort(404)
    return found[0].key, shown
