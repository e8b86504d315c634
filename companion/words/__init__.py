"""Phrases in the players' languages, errors too: `words.say(phrase)`. Looks only at `companion.errors`.
"""

from companion.words.catalogue import Words, load

__all__ = ["Words", "load"]
