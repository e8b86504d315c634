"""Lines of JSON, strictly: text to value and back. Nothing of records in particular.

Keys beginning with `x-` belong to other people: `without_notes` takes them off before anybody reads a value, and
`with_notes` puts them back into what is written, in any object, however deep.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NoReturn

from companion.engine.form import brief
from companion.engine.values import Json
from companion.errors import InvalidError, phrase

MAX_DEPTH: Final = 64
"""How deep lists and objects may be nested."""


def parse(line: str) -> Json:
    """The value of one line; raises `InvalidError` for anything that is not JSON or could not be written again."""
    try:
        value = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError:
        raise InvalidError(phrase("json.too_deep", most=MAX_DEPTH)) from None
    except json.JSONDecodeError as error:
        raise InvalidError(phrase("json.not_json", column=error.colno)) from None
    except InvalidError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise InvalidError(phrase("json.too_long")) from None
    if depth(value) > MAX_DEPTH:
        raise InvalidError(phrase("json.too_deep", most=MAX_DEPTH))
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise InvalidError(phrase("json.not_utf8")) from None
    except ValueError:  # 1e999
        raise InvalidError(phrase("json.too_long")) from None
    return value


def line(value: Json) -> str:
    """One line, with its line feed."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def split(text: str | Iterable[str]) -> Iterator[str]:
    """The lines of a text, parted at line feeds only; blank ones at the end are left out."""
    waiting = 0
    for each in text.split("\n") if isinstance(text, str) else text:
        if not each.strip(" \t\r\n"):
            waiting += 1
            continue
        yield from [""] * waiting
        waiting = 0
        yield each


def without_notes(value: Json) -> Json:
    """The value without any `x-` keys."""
    if isinstance(value, Mapping):
        return {key: without_notes(each) for key, each in value.items() if not key.startswith("x-")}
    return [without_notes(each) for each in value] if isinstance(value, list) else value


def with_notes(written: Json, given: Json) -> Json:
    """`written` with the `x-` keys that `given` has at the same places."""
    if isinstance(written, Mapping) and isinstance(given, Mapping):
        kept = {key: with_notes(each, given.get(key)) for key, each in written.items()}
        return kept | {key: each for key, each in given.items() if key.startswith("x-")}
    if isinstance(written, list) and isinstance(given, list) and len(written) == len(given):
        return [with_notes(each, was) for each, was in zip(written, given)]
    return written


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InvalidError(phrase("json.key_twice", key=brief(next(key for key in keys if keys.count(key) > 1))))
    return found


def _no_number(name: str) -> NoReturn:
    raise InvalidError(phrase("json.no_number", given=name))


def depth(value: Json) -> int:
    """How deep the value is nested, counted without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list) and each]:
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return depth
