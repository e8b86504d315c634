"""What people said of survivors, in `judged.toml`: nobody could see the change, or it was let live, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.mutants.mutmut import Change

JUDGED = Path(__file__).with_name("judged.toml")


@dataclass(frozen=True)
class Verdict:
    """Whether nobody could see the change, and a word on it."""

    equivalent: bool
    word: str


def read_judged(file: Path = JUDGED) -> Mapping[Change, Verdict]:
    """All verdicts, by what they are about."""
    told = tomllib.loads(file.read_text("utf-8"))
    return {Change(each["module"], each["function"], tuple(each["lines"])): Verdict(kind == "equivalent", each["word"])
            for kind in ("equivalent", "survivor") for each in told.get(kind, ())}


def as_toml(change: Change, kind: str = "survivor") -> str:
    """A verdict to be filled in."""
    lines = "".join(f"  {_quoted(line)},\n" for line in change.lines)
    return (f"[[{kind}]]\nmodule = {_quoted(change.module)}\nfunction = {_quoted(change.function)}\n"
            f"lines = [\n{lines}]\nword = \"\"\n")


def _quoted(text: str) -> str:
    return "'''" + text + "'''" if "'" in text else f"'{text}'"
