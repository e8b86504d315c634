"""What pages set takes effect at once, and is there after the next start."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from companion.errors import ConfigError
from companion.main.own_table import OwnTable
from companion.session.config import read_config
from companion.session.eyes_side import EyesSide
from companion.session.settings import Settings


class Used:
    def __init__(self) -> None:
        self.sources: list[Any] = []

    def use(self, source: Any) -> None:
        self.sources.append((source.kind, source.camera))


def own_in(folder: Path, used: Used, side: Any = None) -> OwnTable:
    return OwnTable(Settings(folder, read_config, ["source.lens"]), cast(Any, used), cast(EyesSide, side))


def test_a_source_is_kept_and_used_and_a_name_is_only_kept(tmp_path: Path) -> None:
    used = Used()
    own = own_in(tmp_path, used)
    own.keep({"table.name": "Attic"})
    assert used.sources == []
    own.keep({"source.kind": "camera", "source.camera": 1})
    assert used.sources == [("camera", 1)]
    with pytest.raises(ConfigError):
        own.keep({"source.camera": 99})
    with pytest.raises(ConfigError):
        own.keep({"source.lens": "x.json"})
    assert used.sources == [("camera", 1)]
    again = own_in(tmp_path, used)
    assert (again.config.table.name, again.config.source.camera, again.is_fixed("source.lens")) == ("Attic", 1, True)
    assert again.demo == "kamikaze-1"
