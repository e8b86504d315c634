"""What a page shows, as JSON for programs: the same values and sentences, made from a `PageView` alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from companion.engine import Observer, Over
from companion.errors import Phrase
from companion.session.snapshot import CorrectionShown, HandShown, PositionShown, Snapshot
from companion.table import Placement
from companion.words import Words
from web.entry_view import EntryView
from web.setup_view import DraftView
from web.sitting.seating import Seating
from web.sitting_view import sitting_of
from web.start import StartForm
from web.view_model import PageView

JsonObject = dict[str, Any]


def table_renderer(words: Words, seating: Seating) -> Callable[[Snapshot, Observer], JsonObject]:
    """What the stream for programs tells an observer of a snapshot."""
    return lambda shown, _observer: table_json(PageView(shown, words), seating)


def table_json(view: PageView, seating: Seating) -> JsonObject:
    """The table as the observer of the view may know it. Nothing in it changes unless something it may see did."""
    shown, sitting = view.shown, sitting_of(seating, view.shown.key)
    return {
        "seq": shown.seq, "match": shown.match, "game": shown.game, "announced": view.announced,
        "over": isinstance(view.turn, Over), "reason": view.ended, "plies": shown.plies, "paused": shown.paused,
        "can_undo": shown.can_undo, "can_reopen": shown.can_reopen, "has_hand": shown.has_hand, "hints": shown.hints,
        "host_corrects": shown.host_corrects,
        "players": [
            {"seat": each.seat, "letter": each.letter, "name": each.name, "paint": each.paint, "score": each.score,
             "active": each.active, "asked": each.asked, "winner": each.won, "taken": each.seat in sitting.taken}
            for each in sorted(view.seats, key=lambda each: each.seat)],
        "placement": _placement(view.placement),
        "last": [{"n": line.n, "seat": line.seat.seat if line.seat else None, "text": line.text,
                  "by_hand": line.by_hand} for line in view.history],
        "facts": [view.sentence(fact) for fact in shown.seen.facts] if shown.seen else [],
        "question": _question(view), "undo": _undo(shown), "draft": _draft(view, view.draft),
        "eyes": {"state": shown.eyes.state, "words": view.eyes},
        "odd": _said(view, shown.odd), "differences": _said(view, shown.differences),
        "offered": None if shown.offered is None else _placement(shown.offered),
        "trouble": _said(view, shown.trouble), "notices": _said(view, shown.notices),
        "clocks": [{"seat": clock.seat, "used_s": clock.used_s, "since": clock.since} for clock in shown.clocks],
        "carry": None if shown.carry is None else {
            "seat": shown.carry.seat, "text": view.plies([shown.carry.phrase]),
            "placement": _placement(shown.carry.placement)},
        "unheeded": None if shown.unheeded is None else {
            "seat": shown.unheeded.seat, "why": view.say(shown.unheeded.why)},
        "asks": [{"ask": ask.id, "seat": ask.seat} for ask in sitting.asks],
    }


def corrections_json(view: PageView, offers: Sequence[CorrectionShown]) -> JsonObject:
    """What may have been played instead of the last ply, each with the command that says so."""
    return {"seq": view.shown.seq, "was": view.history[0].text if view.history else "", "offers": [
        {"text": view.plies(offer.phrases), "command": {
            "type": "correct", "seq": view.shown.seq, "take_back": 1, "plies": list(offer.plies)}} for offer in offers]}


def hand_json(view: PageView, held: HandShown) -> JsonObject:
    """What a seat alone may tell, and its own covered plies."""
    seq = view.shown.seq
    return {"seq": seq, "may_tell": list(held.may_tell), "covered": [
        {"n": ply.n, "text": view.plies([ply.phrase]), "choices": [
            {"text": view.plies([text]), "command": {"type": "amend", "seq": seq, "n": ply.n, "action": action}}
            for action, text in ply.choices]} for ply in held.covered]}


def form_json(form: StartForm) -> JsonObject:
    """The form of a new game; `ticks` are its boxes, by the names under which they are sent."""
    shown = asdict(replace(form, setup={}))
    ticks = {key: value for key, value in shown.items() if isinstance(value, bool)}
    return {key: value for key, value in shown.items() if key not in ("setup", *ticks)} | {"ticks": ticks}


def entry_json(entry: EntryView | None, seq: int, why_not: str) -> JsonObject:
    """What may be touched next to enter a ply by hand; `next` is the address after that touch."""
    if entry is None:
        return {"seq": seq, "why_not": why_not, "was": "", "touched": [], "why": "", "board": [], "choices": []}
    return {
        "seq": seq, "why_not": why_not, "was": entry.was, "touched": entry.touched, "why": entry.why,
        "board": [
            {"spot": mark.spot, "piece": mark.piece, "look": mark.look, "text": mark.said, "next": _address(mark.href),
             "command": json.loads(mark.command) if mark.command else None} for mark in entry.marks],
        "choices": [{"text": each.text, "next": _address(each.href), "command": each.command}
                    for each in entry.choices]}


def position_json(view: PageView, shown: PositionShown) -> JsonObject:
    """The position, as the game has it and as the eyes see it where that differs, and all pieces there are."""
    return {
        "seq": shown.seq, "now": _placement(shown.now), "seat": shown.seat, "pieces": sorted(shown.pieces),
        "seen": None if shown.seen is None else _placement(shown.seen),
        "why_not": "" if shown.why_not is None or shown.pieces else view.sentence(shown.why_not)}


def _address(href: str) -> str:
    """The same step, as JSON."""
    return href.replace("/play?", "/play.json?", 1)


def _placement(placement: Placement) -> Mapping[str, Sequence[str]]:
    return {spot: list(pieces) for spot, pieces in sorted(placement.items()) if pieces}


def _said(view: PageView, phrases: Sequence[Phrase]) -> list[str]:
    return [view.say(each) for each in phrases]


def _question(view: PageView) -> JsonObject | None:
    question = view.shown.question
    return None if question is None else {
        "id": question.id, "seats": list(question.seats), "pointed": question.pointed, "choices": [
            {"text": view.plies(choice.plies), "placement": _placement(choice.placement),
             "touched": list(choice.touched)} for choice in question.choices]}


def _undo(shown: Snapshot) -> JsonObject | None:
    asked = shown.undo
    return None if asked is None else {"by": asked.by, "plies": asked.plies, "waiting": list(asked.waiting)}


def _draft(view: PageView, draft: DraftView | None) -> JsonObject | None:
    if draft is None:
        return None
    part = draft.question
    return {
        "ready": draft.shown.ready, "stage": view.say(draft.stage), "differs": draft.shown.differs,
        "why_not": view.say(draft.shown.why_not) if draft.shown.why_not else "", "open": len(draft.shown.open),
        "waiting": list(draft.shown.waiting),
        "read": [{"path": list(each.path), "text": each.text} for each in draft.parts],
        "question": None if part is None else {
            "path": list(part.path), "text": draft.asked,
            "picture": f"/close-up/{part.picture}.jpg" if part.things else "",
            "choices": [{"text": each.text, "value": each.value} for each in draft.choices]}}
