"""`python -m companion.main.check`: loads all that a start needs. A version that cannot is not put in use."""

from __future__ import annotations

from importlib import import_module
from typing import Final

NEEDED: Final = (
    "cv2", "companion.main.service", "companion.main.eyes_process", "companion.box.safe.__main__", "web.app")

if __name__ == "__main__":
    for name in NEEDED:
        import_module(name)
