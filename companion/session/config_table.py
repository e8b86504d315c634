"""A table of the config file, read key by key: every error names its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.engine import form
from companion.errors import ConfigError, InvalidError, phrase


class ConfigTable:
    """A table of the file with its name; refuses unknown keys at once. What `form` refuses is told in words about the
    config."""

    def __init__(self, given: Any, name: str, known: tuple[str, ...]) -> None:
        self._name = name
        with self.refusing("", "config.not_a_table"):
            self._given = form.mapping(given, name)
        for key in given:
            if key not in known:
                near = get_close_matches(key, known, n=1, cutoff=0.0)[0]
                raise ConfigError(phrase("config.unknown_key", where=self._place(key), given=near))

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def get(self, key: str, default: Any = None) -> Any:
        """What the key says, unchecked."""
        return self._given.get(key, default)

    def table(self, key: str, known: tuple[str, ...]) -> ConfigTable:
        """The table below this key, which may have these keys."""
        return ConfigTable(self.get(key, {}), key, known)

    def text(self, key: str, default: str = "") -> str:
        """A text that is not empty."""
        with self.refusing(key, "config.text"):
            return form.text(self.get(key, default), key) or self.fail(key, "config.text")

    def line(self, key: str, least: int, most: int) -> str:
        """A text on one line, of so many bytes at least and at most; empty when it is not given."""
        given = self.text(key) if key in self else ""
        is_fit = given.isprintable() and given.strip() == given and least <= len(given.encode(errors="replace")) <= most
        return given if key not in self or is_fit else self.fail(key, "config.line", least=least, most=most)

    def names(self, key: str, most: int) -> tuple[str, ...]:
        """A list of names."""
        with self.refusing(key, "config.players"):
            names = tuple(form.text(each, key) for each in form.items(self.get(key), key))
            return names if 1 <= len(names) <= most else self.fail(key, "config.players")

    def truth(self, key: str, default: bool) -> bool:
        """True or false."""
        with self.refusing(key, "config.truth"):
            return form.truth(self.get(key, default), key)

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number."""
        with self.refusing(key, "config.between", least=least, most=most):
            return form.whole(self.get(key, default), key, least, most)

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number."""
        with self.refusing(key, "config.between", least=least, most=most):
            return form.real(self.get(key, default), key, least, most)

    def path(self, key: str, base: Path) -> Path | None:
        """A path, which counts from `base` if it is relative."""
        return base / Path(self.text(key)).expanduser() if key in self else None

    def mapping(self, key: str, default: Mapping[str, Any]) -> Mapping[str, Any]:
        """A table with keys that others know."""
        with self.refusing(key, "config.not_a_table"):
            return form.mapping(self.get(key, default), key)

    def fail(self, key: str, id: str, **args: float) -> Any:
        """Raises `ConfigError` about this key."""
        raise ConfigError(phrase(id, where=self._place(key), **args))

    @contextmanager
    def refusing(self, key: str, id: str, **args: float) -> Iterator[None]:
        """Says what `form` refuses as this phrase."""
        try:
            yield
        except InvalidError:
            self.fail(key, id, **args)

    def _place(self, key: str) -> str:
        return ".".join(filter(None, (self._name, key)))
