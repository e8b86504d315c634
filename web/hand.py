"""What a seat alone sees, named thing by thing: which things it may still name after those that it has named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from companion.errors import phrase
from companion.words import Words


@dataclass(frozen=True, slots=True)
class Telling:
    """One part of what may be confided (`hand`), as far as it is named: `next` are the things that may come next, each
    with the address of the page that has it too."""

    key: str
    chosen: tuple[str, ...]
    said: str
    next: tuple[tuple[str, str], ...]


def tellings(
    may_tell: Sequence[Mapping[str, Any]], chosen: Mapping[str, Sequence[str]], words: Words, page: str,
) -> list[Telling]:
    """Each part with what was chosen of it so far, on this `page`. What fits no possible hand is left out."""
    found = []
    for key in dict.fromkeys(key for hand in may_tell for key in hand):
        whole = [Counter(hand[key]) for hand in may_tell if key in hand]
        named = Counter(chosen.get(key, ()))
        if not any(named <= each for each in whole):
            named = Counter()
        left = {thing for each in whole if named <= each for thing in each - named}
        things = tuple(sorted(named.elements()))
        said = words.sentence(phrase("web.name", what=things)) if things else words.say(phrase("web.hand.nothing"))
        ways = tuple((thing, _page(page, key, (*things, thing))) for thing in sorted(left))
        found.append(Telling(key, things, said, ways))
    return found


def _page(page: str, key: str, things: Sequence[str]) -> str:
    return f"{page}{'&' if '?' in page else '?'}{urlencode([(key, each) for each in things])}"
