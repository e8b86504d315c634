"""Tests of the pages in a real browser, with the desk, the tables and the browser of tests/web."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "web"))

from web_fixtures import app, chromium, desk, panel, phone, served  # noqa: F401
