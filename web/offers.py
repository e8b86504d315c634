"""Other plies than the last one, in the order in which a person will want them."""

from __future__ import annotations

from companion.session.snapshot import CorrectionShown
from web.draw import piece_moves
from web.view_model import PageView, PictureChoice

MAX_LIKELY = 3
"""How many other plies are shown as pictures; the rest stand below as words, by piece."""

Offer = tuple[CorrectionShown, str]


def sort_offers(view: PageView, offers: tuple[CorrectionShown, ...]
                ) -> tuple[list[tuple[CorrectionShown, PictureChoice]], dict[str, list[Offer]]]:
    """Other plies than the last: the likely ones as pictures, and the rest in words, by the piece that they move.

    Likely is what shares most of its spots with what was read: another piece at the same place, the same piece beside.
    """
    before, now = view.shown.before or {}, view.shown.seen.placement if view.shown.seen else {}
    read = piece_moves(before, now)

    def likeness(offer: CorrectionShown) -> float:
        said = piece_moves(before, offer.placement)
        same = sum(a.after == b.after for a in read for b in said) + sum(a.appearance == b.appearance
                                                                         for a in read for b in said)
        return same / (len(read) + len(said) or 1)

    ranked = sorted(offers, key=likeness, reverse=True)
    likely = [(offer, view.correction(offer)) for offer in ranked[:MAX_LIKELY]]
    others: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer not in ranked[:MAX_LIKELY]:
            others.setdefault(_piece(view, offer), []).append((offer, view.plies(offer.phrases)))
    return likely, others


def _piece(view: PageView, offer: CorrectionShown) -> str:
    """The piece that an offer moves, as a heading."""
    moved = piece_moves(view.shown.before or {}, offer.placement)
    return view.name(moved[0].appearance) if moved else view.say("web.correct.other")
