"""Makes picture sets by the maker's own programs, as long as it takes; what is there already stays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.bench.page import ROOT

PACKAGES: Final = ("bpy==4.5.15", "opencv-python-headless<5", "numpy", "scipy", "OpenEXR", "scikit-image")
"""What the maker asks for: 1.3 GB."""
BUILT: Final = ROOT / "build" / "maker"
MADE: Final = ROOT / "build" / "fresh"


def folder() -> Path:
    """Where the maker is: the folder `MAKER`. Ends the program with a reason where there is none."""
    found = Path(os.environ.get("MAKER") or ROOT.parent / "shared" / "table_maker")
    if not (found / "sweep.py").is_file():
        raise SystemExit(f"There is no maker of picture sets in {found}. Name its folder: make fresh MAKER=…")
    return found


def sweep(first: int, last: int) -> list[Path]:
    """One set a game and seed, in `build/fresh`. Raises `SystemExit` when one cannot be made."""
    maker = folder()
    command = [str(python()), str(maker / "sweep.py"), str(MADE), "--seeds", f"{first}-{last}", "--jobs", "2"]
    subprocess.run(["nice", *command], check=True)
    names = [spec.stem for seed in range(first, last + 1) for spec in MADE.glob(f"*-{seed}.json")]
    return _finished(MADE / name for name in sorted(names))


def from_specs(specs: Path) -> list[Path]:
    """The sets of kept specs, in `build/fresh/specs`."""
    maker, made = folder(), MADE / "specs"
    made.mkdir(parents=True, exist_ok=True)
    for spec in sorted(specs.glob("*.json")):
        target = made / spec.stem
        if not (target / "frames.jsonl").is_file():
            part = target.with_suffix(".part")
            if part.exists():
                shutil.rmtree(part)
            subprocess.run(["nice", str(python()), str(maker / "make_set.py"), str(spec), str(part)], check=True)
            part.rename(target)
    return _finished(made / spec.stem for spec in sorted(specs.glob("*.json")))


def by_script(script: Path, made: Path, *what: str) -> Path:
    """What a script of ours makes beside the maker, by the maker's Python and under its log, unless it is there: the
    script writes `truth_spec.json` last."""
    if not (made / "truth_spec.json").is_file():
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(made, ignore_errors=True)
        with made.with_suffix(".log").open("w", encoding="utf-8") as log:
            command = ["nice", str(python()), str(script), str(folder()), *what, str(made)]
            subprocess.run(command, check=True, stdout=log, stderr=log)
    return made


def _finished(sets: Iterable[Path]) -> list[Path]:
    found = list(sets)
    missing = [each.name for each in found if not (each / "frames.jsonl").is_file()]
    if missing or not found:
        raise SystemExit(f"Not made: {', '.join(missing) or 'any set'}. Their logs are in {MADE}.")
    return found


def python() -> Path:
    """The maker's own Python, set up on first use."""
    python = BUILT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(BUILT)], check=True)
        subprocess.run([str(BUILT / "bin" / "pip"), "install", "--quiet", *PACKAGES], check=True)
    return python
