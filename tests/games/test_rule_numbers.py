"""Every rule of a game's RULES.md is named by one of its tests, and errors and tests name no rule that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import registry

NUMBER = re.compile(r"\b[A-Z]{2} \d+\.\d+\b")


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def texts(folder: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("**/*.py")))


@pytest.mark.parametrize("game", registry.ids())
def test_every_rule_is_named_by_a_test(game: str) -> None:
    folder = registry.game(game).words
    ruled = re.findall(r"\*\*([A-Z]{2} \d+\.\d+)\*\*", (folder / "RULES.md").read_text(encoding="utf-8"))
    assert len(ruled) == len(set(ruled)), "a number stands twice"
    tested = numbers(texts(Path(__file__).parent / folder.name))
    assert set(ruled) - tested == set(), "rules that no test names"
    assert tested - set(ruled) == set(), "tests name rules that are not there"
    assert numbers(texts(folder)) - set(ruled) == set(), "the code names rules that are not there"
