"""The code and the language files know the same phrases."""

from __future__ import annotations

import re
from pathlib import Path

import companion
from companion.games import registry
from companion.words import load

ROOT = Path(companion.__file__).parents[1]
PHRASE = re.compile(r"""\b[Pp]hrase\(\s*f?["']([^"']+)["']""")


def test_every_phrase_that_the_code_says_stands_in_a_file() -> None:
    words = load("en", [registry.game(id).words for id in registry.ids()])
    missing = {
        f"{file.relative_to(ROOT)}: {id}"
        for folder in ("companion", "vision", "hardware", "web")
        for file in (ROOT / folder).glob("**/*.py")
        for id in PHRASE.findall(file.read_text(encoding="utf-8"))
        if id not in words and "{" not in id and file.name != "errors.py"
    }
    assert missing == set()
