"""mutmut, asked by its command line: which mutants there are, what became of them, what they change."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.page import ROOT

COMMAND = Path(sys.executable).parent / "mutmut"
MADE = ROOT / "mutants"
FIRST = "companion.session.clock.*"
"""mutmut makes all mutants before it tries one; trying these few is the shortest way to the list of all."""
MUTANT = re.compile(r"(?P<module>.*)\.(?P<function>[^.]+)__mutmut_\d+")


@dataclass(frozen=True)
class Change:
    """What a mutant changes. Its number is left out: that changes with every edit above it."""

    module: str
    function: str
    lines: tuple[str, ...]
    """Lines taken out and put in, with `-` and `+` before them."""

    @property
    def place(self) -> str:
        """Module and function, as a reader would write them."""
        return f"{self.module}.{self.function.removeprefix('x_').replace('xǁ', '').replace('ǁ', '.')}"


def make() -> Sequence[str]:
    """Makes all mutants anew, with the record of which test calls which function; gives their names."""
    shutil.rmtree(MADE, ignore_errors=True)
    _run("run", FIRST)
    return [name for meta in sorted(MADE.rglob("*.meta"))
            for name in json.loads(meta.read_text("utf-8"))["exit_code_by_key"]]


def attempt(names: Sequence[str]) -> Mapping[str, str]:
    """Runs the tests against these mutants; gives mutmut's word for what became of each."""
    _run("run", *names)
    told = _run("results", "--all", "true")
    became = dict(line.strip().rsplit(": ", 1) for line in told.splitlines() if "__mutmut_" in line)
    return {name: became[name] for name in names}


def change(name: str) -> Change:
    """What a mutant changes."""
    lines = [line for line in _run("show", name).splitlines()
             if line.startswith(("-", "+")) and not line.startswith(("---", "+++"))]
    parts = MUTANT.fullmatch(name)
    assert parts, name
    return Change(parts["module"], parts["function"], tuple(f"{line[0]} {line[1:].strip()}" for line in lines))


def _run(*arguments: str) -> str:
    learned = MADE / "learned"  # pieces are learned once, not for every mutant
    learned.mkdir(parents=True, exist_ok=True)
    env = os.environ | {"COMPANION_TESTS_KEPT_IN": str(learned)}
    done = subprocess.run([str(COMMAND), *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"mutmut {arguments[0]} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout
