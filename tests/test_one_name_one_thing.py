"""Outside the games no public name of a module means two things."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "vision", "web", "hardware")

SHARED = {
    "add", "run", "main",  # every command has them
    "blueprint",  # every module of pages has one
    "log",  # logging.getLogger
    "A", "S", "T",  # type variables
}
"""Names that mean the same wherever they stand."""


def public_names(module: Path) -> Iterator[str]:
    """What a module defines at its top level, without what is its own affair."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name))


def test_a_public_name_means_one_thing() -> None:
    """A reader who meets a name in two rooms may take it for the same: so it is, or it has another name."""
    where = defaultdict(list)
    for room in ROOMS:
        for module in sorted((ROOT / room).rglob("*.py")):
            if "games" not in module.relative_to(ROOT).parts:
                for name in set(public_names(module)):
                    where[name].append(str(module.relative_to(ROOT)))
    twice = {name: places for name, places in where.items() if len(places) > 1 and not name.startswith("_")}
    assert {name: places for name, places in twice.items() if name not in SHARED} == {}
