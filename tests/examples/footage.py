"""The example of chess, installed; and what is given out of a video by `companion read`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.cli.main import main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/chess"
FOOTAGE = EXAMPLE / "footage/scholarsmate.avi"
CORNERS = "h8=141,9 h1=507,10 a1=510,377 a8=138,376"
FIRST_MOVE = 30
"""In this frame a hand has come for the first move."""


def installed(folder: Path) -> Path:
    """The folder, into which pip installed the example."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
           "--disable-pip-version-check", "--target", str(folder), str(EXAMPLE)]
    subprocess.run(pip, check=True, capture_output=True)
    return folder


def lines_of(video: Path, out: Path, *more: str, corners: str = CORNERS) -> list[dict[str, Any]]:
    """The lines that `companion read` writes of a video."""
    assert main(["read", str(video), "--game", "chess", "--corners", corners, "--out", str(out), *more]) == 0
    return read_lines(out)


def read_lines(out: Path) -> list[dict[str, Any]]:
    """The lines of a file that `companion read` wrote."""
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def moves_of(lines: list[dict[str, Any]]) -> list[str]:
    """What was given out, as `e2e4`; plies that were taken back are marked."""
    found: list[str] = []
    for line in lines[1:]:
        found += ["back"] * line["taken_back"]
        found += [each["action"]["from"] + each["action"]["to"] for each in line["plies"]]
    return found
