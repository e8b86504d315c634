"""Setting up the companion's own table: a list of steps, and a page for each. All of it is the host's."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import CompanionError, Phrase, phrase
from companion.session.camera_address import host_of, is_address
from companion.session.config import LEAST_WIFI_PASSWORD, MAX_TABLE_NAME, MAX_WIFI_NAME, MAX_WIFI_PASSWORD
from web.given import fields_given, led_on, sorry
from web.house import house
from web.numbers import whole_of
from web.ports import OwnTablePort
from web.seats import must_be_host
from web.view_model import PageView

if TYPE_CHECKING:
    from web.table_steps import TableStep

BRIGHTER: Final[Mapping[str, float]] = {"brighter": 1.3, "darker": 1 / 1.3}
"""By what factor of light a touch changes the picture."""
LINES: Final[Mapping[str, tuple[int, int]]] = {
    "table.name": (1, MAX_TABLE_NAME), "wifi.name": (1, MAX_WIFI_NAME),
    "wifi.password": (LEAST_WIFI_PASSWORD, MAX_WIFI_PASSWORD)}
"""How long each text may be that people type."""

blueprint = Blueprint("setup", __name__)


@blueprint.app_context_processor
def _of_every_page() -> dict[str, object]:
    own = house().own
    return {"table_name": own.config.table.name if own else "", "has_setup": own is not None,
            "has_machine": house().machine is not None}


@blueprint.get("/setup")
def show_setup() -> str:
    """The steps, with what is done and what is wrong."""
    return _page("setup.html")


@blueprint.get("/setup.json")
def setup_state() -> Response:
    """The steps, and what the camera sees: asked for again and again while a page of them is open."""
    own, desk = own_of_host(), house().desk
    seen, jpeg = own.survey(), desk.preview()
    return jsonify({
        "steps": [{"name": each.name, "state": each.state, "words": house().say(each.said)} for each in _steps(own)],
        "size": [seen.width, seen.height] if seen else None, "cards": list(seen.cards) if seen else [],
        "faults": [house().say(each) for each in seen.faults] if seen else [],
        "eyes": PageView(desk.snapshot(), house().words).eyes, "picture": jpeg is not None,
        "stamp": f"{zlib.crc32(jpeg or b''):08x}"})


@blueprint.get("/setup/camera")
def show_camera() -> str:
    """The cameras there are, and what the chosen one sees."""
    return _page("setup_camera.html")


@blueprint.post("/setup/source")
def choose_source() -> ResponseReturnValue:
    """Where pictures come from, from now on: a camera, or nowhere."""
    own, given = own_of_host(), fields_given()
    if given.get("kind") == "none":
        return _kept({"source.kind": "none"}, "start.show_start", "setup_camera.html")
    camera, offered = given.get("camera", "").strip(), {each.source for each in own.cameras}
    source = camera if camera in offered or is_address(camera) else whole_of(camera)
    if given.get("kind") != "camera" or (source not in offered and not is_address(source)):
        return _refused(phrase("setup.no_such_camera"), "setup_camera.html")
    return _kept({"source.kind": "camera", "source.camera": source}, "setup.show_camera", "setup_camera.html")


@blueprint.post("/setup/light")
def change_light() -> ResponseReturnValue:
    """The picture is to be brighter or darker, or the camera finds light and focus anew."""
    own, wanted = own_of_host(), fields_given().get("light", "")
    if own.config.source.kind != "camera":
        return _refused(phrase("setup.no_camera"), "setup_camera.html")
    if wanted == "anew":
        return _done(own.begin_anew, "setup.show_camera", "setup_camera.html")
    if wanted not in BRIGHTER:
        abort(400)
    own.expose(BRIGHTER[wanted])
    return led_on("setup.show_camera")


@blueprint.get("/setup/cards")
def show_cards() -> str:
    """The tag cards: to print, to lay, and which of them are seen."""
    return _page("setup_cards.html")


@blueprint.get("/setup/cards.pdf")
def cards_sheet() -> ResponseReturnValue:
    """The sheet with the tag cards, to print."""
    own = own_of_host()
    try:
        sheet = own.cards_pdf(request.args.get("paper", ""))
    except CompanionError as error:
        return _refused(error.phrase, "setup_cards.html")
    return Response(sheet, mimetype="application/pdf", headers={
        "Content-Disposition": "attachment; filename=tag-cards.pdf", "Cache-Control": "no-store"})


@blueprint.get("/setup/lens")
def show_lens() -> str:
    """The lenses that are known."""
    return _page("setup_lens.html")


@blueprint.post("/setup/lens")
def choose_lens() -> ResponseReturnValue:
    """The camera has this lens."""
    own, given = own_of_host(), fields_given()
    return _done(lambda: own.choose_lens(given.get("lens", ""), given.get("degrees", "")[:20]), "setup.show_setup",
                 "setup_lens.html")


@blueprint.get("/setup/names")
def show_names() -> AnyResponse:
    """The table's name, its PIN, and the code of the Wi-Fi, which is drawn only when it is wanted."""
    own_of_host()
    page = Response(_page("setup_names.html", wifi_code=_wifi_code() if "code" in request.args else ""))
    page.headers["Cache-Control"] = "no-store"
    return page


@blueprint.post("/setup/names")
def choose_name() -> ResponseReturnValue:
    """The table is called so; with an empty name it has none."""
    return _kept({"table.name": fields_given().get("name", "").strip() or None}, "setup.show_names", "setup_names.html")


@blueprint.post("/setup/wifi")
def choose_wifi() -> ResponseReturnValue:
    """Guests are let into this network; with an empty name there is no code."""
    given = fields_given()
    name = given.get("name", "").strip() or None
    changes = {"wifi.name": name, "wifi.password": given.get("password", "") or None if name else None}
    return _kept(changes, "setup.show_names", "setup_names.html")


def _kept(changes: Mapping[str, Any], then: str, page: str) -> ResponseReturnValue:
    own = own_of_host()
    for key, (least, most) in LINES.items():
        typed = changes.get(key) or ""
        if typed and not (least <= len(typed.encode(errors="replace")) <= most and typed.isprintable()):
            return _refused(phrase("setup.line", least=least, most=most), page)
    return _done(lambda: own.keep(changes), then, page)


def _done(what: Callable[[], object], then: str, page: str) -> ResponseReturnValue:
    try:
        what()
    except CompanionError as error:
        return _refused(error.phrase, page)
    return led_on(then)


def _refused(why: Phrase, page: str) -> ResponseReturnValue:
    said = house().say(why)
    return sorry(said, 400, _page(page, error=said))


def _page(template: str, error: str = "", wifi_code: str = "") -> str:
    from web.table_steps import ALL_CARDS, STATE_WORDS, card_place

    own, desk = own_of_host(), house().desk
    return render_template(
        template, view=PageView(desk.snapshot(), house().words), error=error, own=own, source=own.config.source,
        address=_address(own), steps=_steps(own), state_words=STATE_WORDS, seen=own.survey(),
        picture=desk.preview() is not None, cards=ALL_CARDS, card_place=card_place, chosen_lens=own.lens,
        wifi_code=wifi_code, pin_is_set=house().seating.host.pin.is_set)


def _address(own: OwnTablePort) -> str:
    """Where the chosen camera is in the network, without its password; empty for another."""
    camera = own.config.source.camera
    return host_of(camera) if isinstance(camera, str) and is_address(camera) else ""


def _steps(own: OwnTablePort) -> tuple[TableStep, ...]:
    from web.corner_pages import board_games
    from web.table_steps import table_steps  # once a page asks

    here = house()
    return table_steps(own, here.desk.snapshot().eyes, here.enrolments, here.panel, here.seating.host.pin.is_set,
                       tuple(here.games), board_games(here))


def _wifi_code() -> str:
    from segno.helpers import make_wifi  # a tenth of a page's time, and a code is rarely asked for

    wifi = own_of_host().config.wifi
    if not wifi.name:
        return ""
    code = make_wifi(ssid=wifi.name, password=wifi.password or None, security="WPA" if wifi.password else None)
    return Markup(code.svg_inline(scale=6, border=4, light="white", omitsize=True))


def own_of_host() -> OwnTablePort:
    """How the own table is set up, for the host alone."""
    must_be_host()
    own = house().own
    if own is None:
        abort(404)
    return own
