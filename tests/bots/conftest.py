"""Lets the bots' tests play `dare.py`, the toy game of the engine's tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
