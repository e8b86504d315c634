"""The file that says where games lie: read as it was written, and nothing else taken for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import ConfigError, InvalidError
from companion.session.backup.contents import belongs
from companion.session.kept_zones import ZONES_NAME, read_laid, read_zones, table_key, write_laid, write_zones
from companion.table.laid import Laid

SQUARE = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
LAID = Laid((120.5, 80.0), 3.5, {"tray:0": SQUARE})


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "zones.json"
    write_zones(file, {table_key("chess", 2): LAID})
    assert read_zones(file) == {"chess 2": LAID}
    with pytest.raises(ConfigError):
        write_zones(tmp_path / "no" / "zones.json", {})


@pytest.mark.parametrize("told", [
    "", "[]", "{}", '{"version": 2, "tables": {}}', '{"version": 1, "tables": []}',
    '{"version": 1, "tables": {"a": 1}}',
    '{"version": 1, "tables": {"a": {"at": [1e999, 0]}}}', "[" * 5000])
def test_a_file_of_another_kind_is_told(tmp_path: Path, told: str) -> None:
    file = tmp_path / "zones.json"
    file.write_text(told, encoding="utf-8")
    with pytest.raises(InvalidError) as error:
        read_zones(file)
    assert error.value.phrase.id == "zones.damaged"


@pytest.mark.parametrize("change", [
    {"at": [1]}, {"at": [1, "2"]}, {"at": [float("nan"), 0]}, {"at": [True, 0]}, {"at": [9000, 0]}, {"turn": "x"},
    {"moved": []}, {"moved": {"tray:0": SQUARE[:3]}}, {"moved": {"tray:0": SQUARE[::-1]}},
    {"moved": {"tray:0": [(0, 0)] * 4}}, {"moved": {"tray:0": [(0, 0), (1, 0), (1, 1), (0, 1)]}},
    {"moved": {f"tray:{n}": SQUARE for n in range(201)}}])
def test_a_place_that_is_none_is_refused(change: dict[str, Any]) -> None:
    told = {**json.loads(json.dumps(write_laid(LAID))), **change}
    with pytest.raises(InvalidError) as error:
        read_laid(told)
    assert error.value.phrase.id == "zones.invalid"


def test_a_full_turn_is_none() -> None:
    assert read_laid({"at": [0, 0], "turn": -90}).turn_deg == 270.0


def test_a_backup_takes_them_along() -> None:
    assert belongs(ZONES_NAME)
