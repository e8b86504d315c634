"""A language's phrases, read from TOML files of `"id" = "text with {gaps}"`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from companion.errors import Phrase, PhraseArg

HERE = Path(__file__).parent

_QUOTING = frozenset({
    "given", "key", "where", "file", "folder", "picture", "package", "method", "system", "why", "right"})


class Words:
    """Says phrases in one language: the house's, and those of games.

    A string argument that the catalogue has under `name.<string>` is said by that name; otherwise `_`, `/` and `:`
    become spaces, so that `red/tall_can` is a red tall can; in the gaps of `_QUOTING`, which quote what was given or
    name files, it stays as it is. `{Seat}` is filled as `{seat}`, with a capital. A phrase that no file has is said as
    its id, never an error.

    Two games may give one id to phrases of their own (`spot.grid`): `of` says those of one game. Otherwise the first
    game's are said.
    """

    def __init__(self, lines: Mapping[str, str], games: Sequence[Mapping[str, str]] = ()) -> None:
        self._lines = {key: text for own in reversed(games) for key, text in own.items()} | dict(lines)
        self._games = games
        self._of: dict[str, Words] = {}

    def of(self, game: str) -> Words:
        """The same, with the phrases of the game of this id (whose file has `name.<id>`) before those of others."""
        if game not in self._of:
            own = next((own for own in self._games if f"name.{game}" in own), None)
            self._of[game] = self if own is None else Words(self._lines | dict(own))
        return self._of[game]

    def calling(self, names: Mapping[str, str]) -> Words:
        """The same, with these names said as they are for the phrases of these ids: `{"seat.A": "Anna"}`."""
        plain = {id: name.replace("{", "{{").replace("}", "}}") for id, name in names.items()}
        return Words(self._lines | plain)

    def say(self, phrase: Phrase) -> str:
        """The phrase as a sentence."""
        text = self._lines.get(phrase.id)
        if text is None:
            return str(phrase)
        filled = {
            key: value if key in _QUOTING and isinstance(value, str) else self._arg(value) for key, value in phrase.args
        }
        return text.format_map(filled | {key.capitalize(): _capital(said) for key, said in filled.items()})

    def sentence(self, phrase: Phrase) -> str:
        """The phrase with a capital first letter, for a line of its own; the name of a file stays as it is."""
        said = self.say(phrase)
        return said if self._begins_as_given(phrase) else _capital(said)

    def __contains__(self, phrase_id: str) -> bool:
        return phrase_id in self._lines

    def _begins_as_given(self, phrase: Phrase) -> bool:
        begins = self._lines.get(phrase.id, "")
        return any(begins.startswith(f"{{{key}}}") for key, value in phrase.args
                   if key in _QUOTING and isinstance(value, str))

    def _arg(self, arg: PhraseArg) -> str:
        if isinstance(arg, Phrase):
            return self.say(arg)
        if isinstance(arg, tuple):
            return self._join([self._arg(each) for each in arg])
        if isinstance(arg, str):
            return self._lines.get(f"name.{arg}") or arg.replace("_", " ").replace("/", " ").replace(":", " ")
        return str(arg)

    def _join(self, parts: list[str]) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self._lines.get('list.and', 'and')} {parts[-1]}"


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


def load(language: str = "en", folders: Iterable[Path] = ()) -> Words:
    """The language's own files, and `words.<language>.toml` of each folder (the games').

    Raises `ValueError` when an id of the language's own files stands in another file.
    """
    lines = house_phrases(language)
    return Words(lines, [read_phrases(folder / f"words.{language}.toml", lines) for folder in folders])


class PhraseTakenError(ValueError):
    """A file has a phrase, `id`, that another file has already."""

    def __init__(self, id: str, file: Path) -> None:
        super().__init__(f"the phrase {id!r} stands twice, again in {file.name}")
        self.id = id


@cache
def house_phrases(language: str = "en") -> Mapping[str, str]:
    """The language's own phrases by id."""
    lines: dict[str, str] = {}
    for file in sorted((HERE / language).glob("*.toml")):
        lines |= read_phrases(file, lines)
    return lines


def read_phrases(file: Path, known: Mapping[str, str]) -> dict[str, str]:
    """The phrases of one file by id. Raises `ValueError` when it is no such file, or has an id that is `known`."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    for key, text in found.items():
        if key in known:
            raise PhraseTakenError(key, file)
        if not isinstance(text, str):
            raise ValueError(f"{key} in {file.name} is no phrase")
    return found
