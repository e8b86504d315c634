"""A ply that is entered by hand, as plain values for the templates: what is touched, what may be touched next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from companion.engine import Json
from companion.session.by_hand.earlier import Replacement
from companion.session.by_hand.entering import EntryShown
from companion.session.by_hand.entry import Entry, TouchOffer
from companion.session.by_hand.handles import Handle
from companion.session.by_hand.touches import Touch, read_touch, write_touch
from web.draw import LIT, OFF, QUIET, TOUCHED, TouchMark
from web.view_model import PageView, SeatShown


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """Something asked in words: with `command` it plays a ply, else `href` leads on."""

    text: str
    href: str
    command: Mapping[str, Json] | None


class EntryView:
    """What the page of an entry shows. `touches` and `why` are as its address spells them."""

    def __init__(self, page: PageView, shown: EntryShown, entry: Entry, touches: Sequence[str], why: str) -> None:
        self._page, self._shown, self._entry = page, shown, entry
        read = [touch for each in touches if (touch := read_touch(each)) is not None]
        self._step = entry.after(read)
        self._asked = read_touch(why)

    @property
    def board(self) -> Markup:
        """The board, with all that can be touched on it."""
        return self._page.touchable(self.marks, self._entry.now if self._shown.earlier else None)

    @property
    def marks(self) -> tuple[TouchMark, ...]:
        """All that can be touched on the board."""
        return tuple(self._marks())

    @property
    def choices(self) -> list[EntryChoice]:
        """What is asked in words."""
        return [self._choice(offer) for offer in self._step.in_words]

    def _choice(self, offer: TouchOffer) -> EntryChoice:
        said = self._page.sentence(offer.said)
        if offer.ply is None:
            return EntryChoice(said, self._next(offer.touch), None)
        correction = self._shown.correction(offer.ply)
        if correction.dropped:
            said = self._page.say("web.play.dropped", what=said, n=correction.dropped)
        return EntryChoice(said, "", self._command(correction))

    @property
    def was(self) -> str:
        """What the ply was taken for that is put right; empty for a new one."""
        earlier = self._shown.earlier
        return self._page.sentence(earlier.said) if earlier else ""

    @property
    def whose(self) -> SeatShown | None:
        """Whose ply is put right; None for a new one, and for what chance brought."""
        earlier = self._shown.earlier
        return next((line.seat for line in self._page.history if earlier and line.n == earlier.n), None)

    @property
    def anew(self) -> str:
        """The address without any touches."""
        return self._href([])

    @property
    def is_begun(self) -> bool:
        """Whether something was touched."""
        return bool(self._step.touches)

    @property
    def touched(self) -> list[str]:
        """What was touched, in words."""
        page, entry = self._page, self._entry
        return [page.sentence(entry.naming(each)) if isinstance(each, Handle) else page.name(each.text)
                for each in self._step.touches if isinstance(each, Handle) or each.text]

    @property
    def asks(self) -> str:
        """What is to be touched next."""
        if not self._step.touches:
            return "web.play.first" if self._step.on_board else "web.play.which"
        if not self._step.on_board:
            return "web.play.which" if len(self._step.in_words) > 1 else "web.play.so"
        return "web.play.next_or" if self._step.in_words else "web.play.next"

    @property
    def why(self) -> str:
        """Why what was touched last is not possible; empty, if nothing such was."""
        if not isinstance(self._asked, Handle):
            return ""
        return self._page.sentence(self._entry.why_not(self._step.touches, self._asked))

    def _marks(self) -> Iterator[TouchMark]:
        lit = {offer.handle: offer for offer in self._step.on_board if offer.handle is not None}
        touched = {each for each in self._step.touches if isinstance(each, Handle)}
        covered = {handle for handle, carrier in self._entry.carriers.items() if carrier in lit}
        for handle in self._all():
            if handle not in lit and handle not in touched and handle not in covered:
                yield TouchMark(handle.spot, handle.piece, OFF, "", self._why_href(handle))
        for handle, offer in lit.items():
            plays = offer.ply is not None and self._shown.earlier is None  # what is put right is confirmed in words
            command = self._command(self._shown.correction(offer.ply)) if offer.ply and plays else None
            yield TouchMark(
                handle.spot, handle.piece, QUIET if offer.is_quiet else LIT, self._page.sentence(offer.said),
                self._next(handle), None if command is None else json.dumps(command), self._entry.is_held(handle))
        for handle in touched:
            rest = [each for each in self._step.touches if each != handle]
            yield TouchMark(handle.spot, handle.piece, TOUCHED,
                            self._page.say("web.play.take_off", what=self._entry.naming(handle)), self._href(rest),
                            is_held=self._entry.is_held(handle))

    def _all(self) -> list[Handle]:
        """Everything on the board that is drawn."""
        layout = self._page.shown.layout
        if layout is None:
            return []
        now = self._entry.now
        places = [Handle(place.spot) for place in self._page.standing_places(now) if place.under is None]
        return places + [Handle(zone.spot, piece) for zone in layout.zones
                         for piece in dict.fromkeys(now.get(zone.spot, ()))]

    def _command(self, correction: Replacement) -> dict[str, Json]:
        return {"type": "correct", "seq": self._shown.seq, "take_back": correction.take_back,
                "plies": list(correction.plies)}

    def _next(self, touch: Touch) -> str:
        return self._href([*self._step.touches, touch])

    def _why_href(self, handle: Handle) -> str:
        return self._href(self._step.touches, ("why", write_touch(handle)))

    def _href(self, touches: Sequence[Touch], *more: tuple[str, str]) -> str:
        again = [("again", str(self._shown.earlier.n))] if self._shown.earlier else []
        asked = [("seq", str(self._shown.seq)), *again, *(("t", write_touch(each)) for each in touches), *more]
        return f"/play?{urlencode(asked)}"
