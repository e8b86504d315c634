"""The lens of the own table's camera, measured: outlines over the live picture, which people fill with a sheet."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.errors import CompanionError
from companion.session.survey import LensMeasured, LensWish, SheetOutline
from web.corner_pages import USUAL_SIZE
from web.given import fields_given, led_on, sorry
from web.house import house
from web.ports import OwnTablePort
from web.setup_pages import own_of_host
from web.view_model import PageView

LENS_WISHES: Final[Mapping[str, LensWish]] = {"anew": "anew", "later": "later"}
"""What a touch asks of the measuring."""

blueprint = Blueprint("lens", __name__)


@blueprint.get("/setup/lens/measure")
def show_measuring() -> str:
    """The sheet to print, and the outlines to fill."""
    return _page()


@blueprint.get("/setup/lens/measure.json")
def measuring_state() -> Response:
    """How far it is: asked for again and again while the page is open, which makes the eyes look for the sheet."""
    own, jpeg = own_of_host(), house().desk.preview()
    return jsonify({**_told(own.measure_lens("look")), "picture": jpeg is not None,
                    "stamp": f"{zlib.crc32(jpeg or b''):08x}"})


@blueprint.post("/setup/lens/measure")
def pass_on_touch() -> ResponseReturnValue:
    """Begins again, leaves an outline for later, or uses the lens that was found."""
    own, wanted = own_of_host(), fields_given().get("go", "")
    if wanted in LENS_WISHES:
        own.measure_lens(LENS_WISHES[wanted])
        return led_on("lens.show_measuring")
    if wanted != "use":
        abort(400)
    return _or_sorry(lambda: _use_measured(own))


@blueprint.get("/setup/lens/sheet.pdf")
def sheet_to_print() -> ResponseReturnValue:
    """The sheet, to print."""
    paper = request.args.get("paper", "")
    return _file(lambda: own_of_host().lens_pdf(paper), "application/pdf", "attachment; filename=lens-sheet.pdf")


@blueprint.get("/setup/lens/sheet.png")
def sheet_to_show() -> ResponseReturnValue:
    """The sheet, to be shown on a tablet."""
    return _file(own_of_host().lens_png, "image/png", "inline")


def _use_measured(own: OwnTablePort) -> ResponseReturnValue:
    own.use_measured_lens()
    return led_on("setup.show_lens")


def _file(draw: Callable[[], bytes], kind: str, how: str) -> ResponseReturnValue:
    headers = {"Content-Disposition": how, "Cache-Control": "no-store"}
    return _or_sorry(lambda: Response(draw(), mimetype=kind, headers=headers))


def _or_sorry(answer: Callable[[], ResponseReturnValue]) -> ResponseReturnValue:
    try:
        return answer()
    except CompanionError as error:
        said = house().say(error.phrase)
        return sorry(said, 400, _page(said))


def _page(error: str = "") -> str:
    own, here = own_of_host(), house()
    now, seen = own.measure_lens("look"), own.survey()
    return render_template(
        "lens_measure.html", view=PageView(here.desk.snapshot(), here.words), error=error, own=own, **_told(now),
        size=(seen.width, seen.height) if seen else USUAL_SIZE, picture=here.desk.preview() is not None)


def _told(now: LensMeasured | None) -> dict[str, Any]:
    """How far it is, as page and program have it."""
    say = house().say
    if now is None:
        return {"said": say("web.lens.waiting"), "count": "", "wanted": "", "sheet": "", "is_done": False}
    return {"said": say(now.said), "count": say("web.lens.count", number=now.taken, among=now.pictures),
            "wanted": _points(now.wanted), "sheet": _points(now.sheet), "is_done": now.lens is not None}


def _points(ends: SheetOutline) -> str:
    """As SVG has them, in thousandths of the picture's width and height."""
    return " ".join(f"{1000 * x:.1f},{1000 * y:.1f}" for x, y in ends)
