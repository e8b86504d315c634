"""The whole service in a process of its own, for a browser; `tests.bench.door.running` is for what asks without one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def whole_service(*said: str, log: IO[str] | int | None = None, **environ: str) -> Iterator[str]:
    """The address of `companion run` with these arguments, on any free port, and without pins. What it and its
    processes say beside goes into `log`."""
    command = [sys.executable, "-m", "companion.cli.main", "run", *said, "--port", "0"]
    env = {**os.environ, "GPIOZERO_PIN_FACTORY": "mock", **environ}
    running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert running.stdout is not None
        told = re.search(r"http://\S+:(\d+)/", running.stdout.readline())
        assert told is not None
        yield f"http://127.0.0.1:{told[1]}"
    finally:
        running.terminate()
        running.wait()
        if running.stdout is not None:
            running.stdout.close()
