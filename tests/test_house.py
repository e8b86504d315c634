"""The size of rooms that one would live in: files and functions that are seen at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "vision", "web", "hardware")
MAX_FILE_LINES, MEDIAN_FILE_LINES, MAX_FUNCTION_LINES = 320, 110, 60


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def lines_of(module: Path) -> int:
    return len(module.read_text(encoding="utf-8").splitlines())


def test_no_file_is_long() -> None:
    found = {str(each.relative_to(ROOT)): lines_of(each) for each in modules(*ROOMS, "tests", "examples")}
    assert {name: lines for name, lines in found.items() if lines > MAX_FILE_LINES} == {}


def test_most_files_are_short() -> None:
    assert median(map(lines_of, modules(*ROOMS))) <= MEDIAN_FILE_LINES


def test_no_function_is_long() -> None:
    found = {
        f"{each.relative_to(ROOT)}:{node.name}": node.end_lineno - node.lineno + 1
        for each in modules(*ROOMS, "tests", "examples")
        for node in ast.walk(ast.parse(each.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    }
    assert {name: lines for name, lines in found.items() if lines > MAX_FUNCTION_LINES} == {}
