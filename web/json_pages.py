"""For programs: what the pages show, as JSON (`docs/openapi.json`). Nobody becomes the host by asking."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, request

from web.entry_view import EntryView
from web.house import house
from web.json_view import corrections_json, entry_json, form_json, hand_json, table_json
from web.play_pages import entry_of_address
from web.seats import hinted, observer, phone, shown_here, why_no_hint
from web.start_pages import form_of_address
from web.view_model import PageView

blueprint = Blueprint("json", __name__)


@blueprint.get("/table.json")
def tell_table() -> Response:
    """The table as this phone may know it, and who this phone is."""
    you = phone()
    return jsonify({**table_json(_view(), house().seating), "you": {"seat": you.seat, "is_host": you.is_host}})


@blueprint.get("/corrections.json")
def tell_corrections() -> Response:
    """What could have been played instead of the last ply."""
    view = _view()
    return jsonify(corrections_json(view, house().desk.corrections(view.shown.observer)))


@blueprint.get("/play.json")
def tell_entry() -> Response:
    """What may be touched next to enter a ply; the touches stand in the address, as `next` spells it."""
    view, entered, touches = entry_of_address()
    if request.args.getlist("t") and not touches:
        answer = jsonify({"ok": False, "error": house().say("session.stale"), "seq": entered.seq})
        answer.status_code = 409
        return answer
    entry = None
    if entered.entry is not None:
        entry = EntryView(view, entered, entered.entry, touches, request.args.get("why", ""))
    return jsonify(entry_json(entry, entered.seq, view.sentence(entered.why_not) if entered.why_not else ""))


@blueprint.get("/hand.json")
def tell_hand() -> Response:
    """What this seat alone sees; 404 where there is nothing such."""
    seat, view = observer(house().desk), _view()
    held = house().desk.hand(seat) if isinstance(seat, int) else None
    if held is None or view.shown.observer != seat:
        abort(404)
    return jsonify(hand_json(view, held))


@blueprint.get("/hint.json")
def tell_hint() -> Response:
    """What the player on turn may consider and why; both null while that is thought about. 404: none may be had."""
    hints, seat = house().hints, hinted(house().desk)
    if hints is None or seat is None:
        answer = jsonify({"ok": False, "error": house().say(why_no_hint(house().desk))})
        answer.status_code = 404
        return answer
    view, known = _view(), hints.ask(seat)
    text, why = (view.sentence(known[0]), view.sentence(known[1])) if known else (None, None)
    return jsonify({"text": text, "why": why})


@blueprint.get("/start.json")
def tell_start() -> Response:
    """What can be begun: the games, the form of one with what the address gives, the examples."""
    form, examples = form_of_address(), house().examples
    return jsonify({
        "games": list(house().games), "form": None if form is None else form_json(form),
        "examples": [{"name": each.name, "game": each.game} for each in examples.offers] if examples else [],
        "chosen": examples.chosen if examples else ""})


@blueprint.get("/host.json")
def tell_seats() -> Response:
    """Who sits where: how many phones a seat has, what is asked, whether there is a host and a PIN."""
    seating, view = house().seating, _view()
    phones = seating.seats.phones(phone().key)
    return jsonify({
        "seats": [{"seat": each.seat, "name": each.name, "phones": len(phones.get(each.seat, ()))}
                  for each in view.shown.players],
        "asks": [{"ask": ask.id, "seat": ask.seat} for ask in seating.seats.asks.waiting(phone().key)],
        "host": {"pin_is_set": seating.host.pin.is_set, "is_vacant": seating.host.is_vacant,
                 "may_be_followed": seating.host.may_be_followed}})


def _view() -> PageView:
    return PageView(shown_here(house().desk), house().words)
