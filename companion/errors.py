"""The errors that a person at the table can act on, and the phrases they are said in.

Ground floor: imports nothing of the project. An error carries a `Phrase`, an id with arguments; the words come
from `companion.words`, so that the same mistake can be told in any language.

    CompanionError
    ├── InvalidError(ValueError)   what was given is not of the right form (unknown key, wrong type)
    ├── IllegalError(ValueError)   of the right form, but a rule of the game forbids it; has `.rule`
    ├── RecordError(ValueError)    a record cannot be followed; has `.line`, `.n`, `.rule`
    ├── ConfigError(ValueError)    the config file asks for something impossible
    ├── JournalError(OSError)      the journal cannot be opened or written
    ├── PackageError               a package of a game made elsewhere is broken
    ├── SightError                 a picture cannot be read: cards covered, another size, too dark
    └── HardwareError(OSError)     a camera, pin or port is not there or is in use
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A thing to say: `id` names a line in the language files, `args` fill its gaps.

    An argument is a number, another phrase, a tuple of arguments (said as a list), or a string; a string that
    the language files name (a drink, a colour, a unit) is said in the players' language.
    """

    id: str
    args: tuple[tuple[str, PhraseArg], ...] = ()

    def __str__(self) -> str:
        return f"{self.id}({', '.join(f'{k}={_plain(v)}' for k, v in self.args)})"


PhraseArg = str | int | float | Phrase | tuple["PhraseArg", ...]


def _plain(arg: PhraseArg) -> str:
    return f"[{', '.join(map(_plain, arg))}]" if isinstance(arg, tuple) else str(arg)


def phrase(id: str, /, **args: PhraseArg) -> Phrase:
    """A `Phrase` with its arguments by keyword: `phrase("kc.place", drink="red/stub_can", to="c4")`."""
    return Phrase(id, tuple(args.items()))


class CompanionError(Exception):
    """Base of all errors that are told to people. `.phrase` says what happened, where, and what to do."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(str(said))
        self.phrase = said


class InvalidError(CompanionError, ValueError):
    """What was given is not of the right form."""


class IllegalError(CompanionError, ValueError):
    """A rule of the game forbids it. `rule` is the number in the game's RULES.md, such as `"KC 4.2"`."""

    def __init__(self, rule: str, said: Phrase) -> None:
        super().__init__(said)
        self.rule = rule


class RecordError(CompanionError, ValueError):
    """A record cannot be followed from `line` (from 1) on; `n` is the ply, `rule` the rule broken, if any."""

    def __init__(self, line: int, said: Phrase, *, n: int | None = None, rule: str | None = None) -> None:
        super().__init__(said)
        self.line, self.n, self.rule = line, n, rule


class ConfigError(CompanionError, ValueError):
    """The config file asks for something impossible."""


class JournalError(CompanionError, OSError):
    """The journal cannot be opened or written."""


class PackageError(CompanionError):
    """A package that offers a game is broken: it is named, with what to do."""


class SightError(CompanionError):
    """A picture cannot be read."""


class HardwareError(CompanionError, OSError):
    """A camera, a pin or a port is not there or is in use."""
