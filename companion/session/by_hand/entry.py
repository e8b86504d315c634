"""What may be touched next: an entry of a ply, from the touches so far.

A touch is a piece or a place of the board, or something asked in words: a value, a thing of a list, that a choice is
begun. Whatever is touched, the plies that are left are those that it belongs to, so that only legal plies can be
entered, and every one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from companion.engine import Choose, Json, lines, notation
from companion.errors import Phrase, phrase
from companion.session.by_hand.fields import ActionFields, FieldPath
from companion.session.by_hand.handles import Handle
from companion.session.by_hand.touches import Pick, Touch
from companion.table import Placement, Spot

MAX_SENTENCES_ASKED: Final = 9
"""Up to so many plies are told apart by their sentences; of more the values are asked one by one."""


@dataclass(frozen=True, slots=True)
class TouchOffer:
    """Something that may be touched next. `ply` is the record object that is played by it, None: more is asked then."""

    touch: Touch
    said: Phrase
    ply: Mapping[str, Json] | None = None
    is_quiet: bool = False
    """Whether something else is rather touched first: a place, before the piece that goes there."""

    @property
    def handle(self) -> Handle | None:
        """What on the board it is, if it is there."""
        return self.touch if isinstance(self.touch, Handle) else None


@dataclass(frozen=True, slots=True)
class EntryStep:
    """How far an entry is: the `touches` that count, and what may be touched next, on the board and in words."""

    touches: tuple[Touch, ...]
    on_board: tuple[TouchOffer, ...]
    in_words: tuple[TouchOffer, ...]

    @property
    def offers(self) -> tuple[TouchOffer, ...]:
        """All of it."""
        return self.on_board + self.in_words


@dataclass(frozen=True)
class EnterablePly:
    """A legal ply, or a choice of some of many: its values, what on the board stands for it, its record object."""

    n: int
    fields: ActionFields
    handles: frozenset[Handle]
    written: Mapping[str, Json]
    choose: Choose | None = None

    def has(self, touch: Pick, picks: Counter[Pick]) -> bool:
        """Whether what was asked in words may belong to it; `picks` are all that were made, this one included."""
        if touch.n >= 0:
            return touch.n == self.n
        if self.choose is not None:
            return touch.path == (self.choose.key,) and picks[touch] <= self.choose.among.count(touch.text)
        if touch.path in self.fields.lists:
            return picks[touch] <= self.fields.lists[touch.path].count(touch.text)
        return self.texts.get(touch.path, "") == touch.text

    @cached_property
    def texts(self) -> dict[FieldPath, str]:
        """The values that are no lists, as texts, the type of the action first."""
        texts = {path: value if isinstance(value, str) else lines.line(value).strip()
                 for path, value in self.fields.scalars.items()}
        return {("type",): self.fields.type, **texts}


@dataclass(frozen=True)
class Entry:
    """All that can be entered now. `say` says a record object in words, `naming` a handle."""

    plies: Sequence[EnterablePly]
    now: Placement
    say: Callable[[Mapping[str, Json]], Phrase]
    naming: Callable[[Handle], Phrase]
    refusing: Callable[[Sequence[EnterablePly], Collection[Handle], Handle], Phrase]
    """Says why a handle fits none of these plies, after what was touched."""
    zones: Collection[Spot] = ()
    carriers: Mapping[Handle, Handle] = field(default_factory=dict)
    """What carries a handle: whoever touches the one may mean the other."""

    def after(self, touches: Sequence[Touch]) -> EntryStep:
        """What may be touched after these; a touch that fits no ply any more is left out."""
        left, counting = self.left_after(touches)
        chosen = self._chosen(left, counting)
        if chosen is not None:
            return EntryStep(counting, *self._of_choice(chosen, counting))
        return EntryStep(counting, self._on_board(left, counting), self._in_words(left, counting))

    def why_not(self, touches: Sequence[Touch], handle: Handle) -> Phrase:
        """Why this cannot be touched after these touches."""
        left, counting = self.left_after(touches)
        return self.refusing(left, self._meant(counting), handle)

    def left_after(self, touches: Sequence[Touch]) -> tuple[Sequence[EnterablePly], tuple[Touch, ...]]:
        """The plies that are left after these touches, and the touches that count."""
        left: Sequence[EnterablePly] = self.plies
        counting: tuple[Touch, ...] = ()
        for touch in touches:
            then = self._left(left, counting, touch)
            if then:
                left, counting = then, (*counting, touch)
        return left, counting

    def _left(self, left: Sequence[EnterablePly], before: tuple[Touch, ...], touch: Touch) -> list[EnterablePly]:
        if isinstance(touch, Handle) and touch in before:
            return []
        picks = Counter(each for each in (*before, touch) if isinstance(each, Pick))
        if touch in before and not _may_repeat(left, touch):
            return []
        if isinstance(touch, Handle):
            meant = self._meant((touch,))
            return [ply for ply in left if meant & ply.handles]
        return [ply for ply in left if ply.has(touch, picks)]

    def _meant(self, touches: Sequence[Touch]) -> set[Handle]:
        """What was touched on the board, and what carries it."""
        touched = {each for each in touches if isinstance(each, Handle)}
        return touched | {self.carriers[each] for each in touched if each in self.carriers}

    def _on_board(self, left: Sequence[EnterablePly], touches: tuple[Touch, ...]) -> tuple[TouchOffer, ...]:
        """The handles of the plies that are left. With the second one a ply may be complete."""
        handles = sorted({each for ply in left for each in ply.handles} - self._meant(touches))
        return tuple(TouchOffer(each, self.naming(each), self._played(left, touches, each),
                                is_quiet=not touches and self._is_quiet(left, each)) for each in handles)

    def _is_quiet(self, left: Sequence[EnterablePly], handle: Handle) -> bool:
        return not self.is_held(handle) and all(
            any(self.is_held(other) for other in ply.handles) for ply in left if handle in ply.handles)

    def is_held(self, handle: Handle) -> bool:
        """Whether it is a piece, or a place where one stands."""
        is_zone = not handle.piece and handle.spot in self.zones
        return bool(handle.piece or self.now.get(handle.spot)) and not is_zone

    def _played(self, left: Sequence[EnterablePly], touches: tuple[Touch, ...], handle: Handle) -> Any:
        """What is played with this touch, if nothing else can be meant and it is not the first one."""
        touched = self._meant((*touches, handle))
        then = [ply for ply in left if self._meant((handle,)) & ply.handles]
        if len(then) == 1 and touches and then[0].handles <= touched and then[0].choose is None:
            return then[0].written
        return None

    def _in_words(self, left: Sequence[EnterablePly], touches: tuple[Touch, ...]) -> tuple[TouchOffer, ...]:
        touched = self._meant(touches)
        ready = left if len(left) == 1 else [ply for ply in left if ply.handles <= touched]
        if len(ready) <= MAX_SENTENCES_ASKED:
            return tuple(self._sentences(ready))
        for path in dict.fromkeys(path for ply in ready for path in ply.texts):
            values = list(dict.fromkeys(ply.texts.get(path, "") for ply in ready))
            if len(values) > 1:
                return tuple(TouchOffer(Pick(path, value), _value(path, value)) for value in values)
        return self._things(ready, touches)

    def _sentences(self, ready: Sequence[EnterablePly]) -> Iterator[TouchOffer]:
        said = {ply.n: self._said(ply) for ply in ready}
        twice = Counter(said.values())
        for ply in ready:
            text = said[ply.n]
            if twice[text] > 1:
                text = phrase("entry.exactly", what=text, given=notation.short(ply.written["action"]))
            yield TouchOffer(Pick(n=ply.n), text, None if ply.choose else ply.written)

    def _said(self, ply: EnterablePly) -> Phrase:
        return phrase("entry.choose", what=ply.choose.type) if ply.choose else self.say(ply.written)

    def _things(self, ready: Sequence[EnterablePly], touches: tuple[Touch, ...]) -> tuple[TouchOffer, ...]:
        """The things of a list, one by one, and the ply that has no more than were named."""
        picks = Counter(each for each in touches if isinstance(each, Pick))
        exact = [ply for ply in ready if all(
            picks[Pick(path, text)] == number
            for path, things in ply.fields.lists.items() for text, number in Counter(things).items())]
        found: dict[Pick, None] = {}
        for ply in ready:
            for path, things in ply.fields.lists.items():
                for text, number in Counter(things).items():
                    if picks[Pick(path, text)] < number:
                        found[Pick(path, text)] = None
        named = tuple(TouchOffer(each, _thing(each)) for each in sorted(found, key=lambda pick: (pick.path, pick.text)))
        return (*named, *self._sentences(exact))

    def _chosen(self, left: Sequence[EnterablePly], touches: Sequence[Touch]) -> EnterablePly | None:
        """The choice that is being made, if one is."""
        is_one = len(left) == 1 and left[0].choose is not None and left[0].handles <= self._meant(touches)
        return left[0] if is_one else None

    def _of_choice(
        self, ply: EnterablePly, touches: tuple[Touch, ...]
    ) -> tuple[tuple[TouchOffer, ...], tuple[TouchOffer, ...]]:
        """Some of many, one by one; with the last one, or when that is all, the ply is complete."""
        assert ply.choose is not None
        choose = ply.choose
        picked = [each.text for each in touches if isinstance(each, Pick) and each.path == (choose.key,)]
        found: list[TouchOffer] = []
        if choose.number is None or len(picked) < choose.number:
            for text in sorted(Counter(choose.among) - Counter(picked)):
                whole = [*picked, text]
                done = choose.number is not None and len(whole) == choose.number
                pick = Pick((choose.key,), text)
                found.append(TouchOffer(pick, _thing(pick), self._with(ply, whole) if done else None))
        if choose.number in (None, len(picked)):
            written = self._with(ply, picked)
            found.append(TouchOffer(Pick(n=ply.n), self.say(written), written))
        return (), tuple(found)

    def _with(self, ply: EnterablePly, picked: Sequence[str]) -> dict[str, Json]:
        assert ply.choose is not None
        action = {"type": ply.choose.type, **dict(ply.choose.rest), ply.choose.key: sorted(picked)}
        return {**ply.written, "action": action}


def _may_repeat(left: Sequence[EnterablePly], touch: Touch) -> bool:
    """Things of a list may be named again: there may be several of them."""
    return isinstance(touch, Pick) and touch.n < 0 and any(
        touch.path in ply.fields.lists or (ply.choose is not None and touch.path == (ply.choose.key,)) for ply in left)


def _thing(pick: Pick) -> Phrase:
    """A thing of a list by its name; of several lists also by the list's key."""
    return phrase("entry.of", what=pick.text, of=pick.path[-1]) if len(pick.path) > 1 else phrase(
        "entry.value", what=pick.text)


def _value(path: FieldPath, text: str) -> Phrase:
    """A value, or that there is none."""
    return phrase("entry.value", what=text) if text else phrase("entry.without", what=path[-1])
