from __future__ import annotations

import json
import re
from pathlib import Path

from companion.engine import notation, record
from companion.games import registry

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_record_on_the_page_about_records_holds() -> None:
    text = PAGE.split("```\n")[1]
    assert record.check(text, registry.game).text == text


def test_the_short_notation_on_the_page_is_right() -> None:
    rows = re.findall(r"^\| `(\{.*\})` \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for written, short in rows:
        assert notation.short(json.loads(written)) == short
        assert notation.read(short) == json.loads(written)
