"""Records with any mistake in them are refused in words or followed, never a traceback, whatever the game."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.engine import play, record
from companion.errors import Phrase, RecordError
from companion.games import registry
from companion.words import load

STRANGE: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10**30, 1.0, 0.5, "", "1", "a1", "g9", "chance", "red/stub_can", "x" * 500,
    "\ud800", [], [[]], [1, 2], [None], ["red"],
    {}, {"0": []}, {"type": "pass"}, {"x-note": 1}, float("nan"), float("inf"),
]  # fmt: skip


def text_of(game: str, seed: int) -> str:
    found = registry.game(game)
    rng = Random(f"{game} {seed}")
    return "".join(play.random_record(found, rng.choice(found.seats), rng, "2026-11-02T05:00:00Z", None, 30))


def places(value: object, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*way, key)
        yield from places(each, (*way, key))


def with_a_mistake(lines: list[str], rng: Random) -> list[str]:
    """The lines with one value, key, letter or line changed."""
    lines = list(lines)
    at = rng.randrange(len(lines))
    kind = rng.choice(["value", "value", "value", "key", "extra", "cut", "letter", "drop", "twice", "swap"])
    if kind == "drop":
        del lines[at]
    elif kind == "twice":
        lines.insert(at, lines[at])
    elif kind == "swap":
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "cut":
        lines[at:] = [lines[at][: rng.randrange(len(lines[at]))]]
    elif kind == "letter":
        where = rng.randrange(len(lines[at]))
        lines[at] = lines[at][:where] + rng.choice('{}[]",:019aex\\\0 \udcff') + lines[at][where + 1 :]
    else:
        value = copy.deepcopy(json.loads(lines[at]))
        *way, last = rng.choice(list(places(value)))
        target = value
        for key in way:
            target = target[key]
        if kind == "value":
            target[last] = rng.choice(STRANGE)
        elif kind == "key" or not isinstance(target, dict):
            del target[last]
        else:
            target[rng.choice(["type", "why", "x-note", ""])] = rng.choice(STRANGE)
        lines[at] = json.dumps(value)
    return lines


def mistake_of(text: str) -> Phrase | None:
    try:
        checked = record.check(text, registry.game)
    except RecordError as error:
        return error.phrase
    assert record.check(checked.text, registry.game).text == checked.text
    return None


@pytest.mark.parametrize("game", registry.ids())
def test_a_mistake_in_a_record_is_told_in_words(game: str) -> None:
    words = load("en", [registry.game(id).words for id in registry.ids()])
    rng = Random(game)
    refused = 0
    for seed in range(6):
        lines = text_of(game, seed).splitlines()
        for _ in range(60):
            text = "\n".join(with_a_mistake(lines, rng))
            told = mistake_of(text)
            refused += told is not None
            if told is not None:
                assert told.id in words
                words.say(told).encode()
    assert refused > 200
