"""All games and settings in one file: taken away, or brought and put in the place of what is here. The host's.

A file is brought in pieces that the door takes as it takes any other request, so that no phone can fill memory or disk,
and a slow Wi-Fi only takes longer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from os import SEEK_END
from typing import IO, Final

from flask import Blueprint, Response, abort, flash, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.errors import InvalidError
from web.given import is_program, led_on, sorry
from web.house import house
from web.numbers import whole_of
from web.ports import BackupsPort
from web.seats import must_be_host, phone
from web.view_model import PageView

PIECE_BYTES: Final = 48 * 1024
"""Well below what the door takes of a request."""

blueprint = Blueprint("backup", __name__)


@blueprint.get("/backup")
def show_backup() -> str:
    """What can be taken away, and what lies ready to be restored."""
    return _page()


@blueprint.get("/backup.zip")
def take_backup() -> Response:
    """The backup of now, read from the disk while it is sent."""
    must_be_host()
    file = _backups().make()
    name = f"companion-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip"
    answer = Response(
        iter(lambda: file.read(1 << 16), b""), mimetype="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store",
                 "Content-Length": str(_length(file))})
    answer.call_on_close(file.close)
    return answer


@blueprint.post("/backup/piece")
def bring_piece() -> ResponseReturnValue:
    """A piece of a backup by its number, all but the last of `PIECE_BYTES`; tells how many bytes there are now."""
    number = whole_of(request.args.get("piece", ""))
    if number is None:
        abort(400)
    at, data = number * PIECE_BYTES, request.get_data()
    there = _backups().bring(at, data)
    fits = there == at + len(data)
    return jsonify({"ok": fits, "bytes": there} if fits else {
        "ok": False, "bytes": there, "error": house().say("backup.piece")}), 200 if fits else 409


@blueprint.post("/backup/look")
def look_at_backup() -> ResponseReturnValue:
    """All was brought: what is it?"""
    return _done(_backups().look)


@blueprint.post("/backup/drop")
def drop_backup() -> ResponseReturnValue:
    """It is not wanted."""
    return _done(_backups().drop)


@blueprint.post("/backup/restore")
def restore_backup() -> ResponseReturnValue:
    """It takes the place of what is here."""
    def restore() -> None:
        flash(house().say(_backups().restore()))

    return _done(restore)


def _done(deed: Callable[[], object]) -> ResponseReturnValue:
    """Does it for the host, and leads on to the page."""
    must_be_host()
    try:
        deed()
    except InvalidError as error:
        said = house().say(error.phrase)
        return sorry(said, 400, "" if is_program() else _page(said))
    return led_on("backup.show_backup")


def _page(error: str = "") -> str:
    here, backups = house(), house().backups
    preview = backups.preview() if backups and phone().is_host else None
    return render_template(
        "backup.html", view=PageView(here.desk.snapshot(), here.words), error=error, preview=preview,
        say=lambda what: here.words.sentence(what), can=backups is not None, piece_bytes=PIECE_BYTES)


def _backups() -> BackupsPort:
    """Those of this host. Answers 404 where there are none."""
    must_be_host()
    return house().backups or abort(404)


def _length(file: IO[bytes]) -> int:
    length = file.seek(0, SEEK_END)
    file.seek(0)
    return length
