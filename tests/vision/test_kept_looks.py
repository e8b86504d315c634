"""Readings stay what they are, number by number. `python -m tests.vision.kept_looks` renews what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import pytest

from tests.vision import kept_looks

Read = Callable[[], Iterator[Any]]

PAINTED: dict[str, Read] = {"crates": kept_looks.crates, "zones": kept_looks.zones}
FILMED: dict[str, Read] = {name: partial(kept_looks.excerpt, name) for name in kept_looks.EXCERPTS}

NATS: Final = re.compile(r"/sights/\d+/[45]$")
"""Where leads are told. They are sums over many pixels at poses that were searched for: another processor's arithmetic
ends such a search elsewhere, and a lead is another by a few tenths."""

pytestmark = pytest.mark.usefixtures("learned_once")


@pytest.mark.parametrize("name", [*PAINTED, *FILMED])
def test_what_is_read_is_what_was_read(name: str) -> None:
    now = dict(kept_looks.leaves(list((PAINTED | FILMED)[name]())))
    kept = dict(kept_looks.leaves(kept_looks.kept(name)))
    assert now.keys() == kept.keys()
    for path, told in kept.items():
        if isinstance(told, float):
            assert now[path] == pytest.approx(told, rel=2e-3, abs=0.5 if NATS.search(path) else 0.05), path
        else:
            assert now[path] == told, path
