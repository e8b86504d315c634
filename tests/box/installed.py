"""A companion as systemd has it, without systemd: a folder of versions, the launcher, and somebody who starts it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from companion.box import launch

Answer = TypeVar("Answer")
ROOT = Path(__file__).parents[2]
WAIT_S = 60.0


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return int(taken.getsockname()[1])


def put_version(opt: Path, name: str, python: str = sys.executable) -> Path:
    """A version that is whole and runs the code of this working folder."""
    folder = opt / "versions" / name
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin/python"
    program.write_text(f'#!/bin/sh\nexec {python} "$@"\n')
    program.chmod(0o755)
    (folder / launch.COMPLETE_NAME).write_text(json.dumps({"version": name}))
    return folder


class Installed:
    """One machine's companion. `start` is what `Restart=always` does; nothing is waited for that can be asked."""

    def __init__(self, folder: Path, config: str = "", name: str = "0001-0.2.0") -> None:
        self.opt, self.runtime, self.state = folder / "opt", folder / "run", folder / "state"
        self.config, self.port = folder / "companion.toml", free_port()
        for each in (self.opt, self.runtime, self.state):
            each.mkdir()
        version = put_version(self.opt, name)
        (self.opt / "current").symlink_to(version)
        shutil.copy(ROOT / "companion/box/launch.py", self.opt / "start")
        self.write(config)
        self.process: subprocess.Popen[str] | None = None

    def write(self, config: str) -> None:
        self.config.write_text(config.replace("PORT", str(self.port)))

    def environ(self) -> dict[str, str]:
        ours = {"RUNTIME_DIRECTORY": str(self.runtime), "STATE_DIRECTORY": str(self.state), "PYTHONPATH": str(ROOT),
                "GPIOZERO_PIN_FACTORY": "mock"}
        return {**os.environ, **ours}

    def start(self, under: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Starts once."""
        command = [*under, sys.executable, str(self.opt / "start"), "--config", str(self.config)]
        self.process = subprocess.Popen(
            command, env=self.environ(), cwd=self.runtime, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return self.process

    def fail(self, times: int = launch.MAX_FAILED, under: tuple[str, ...] = ()) -> str:
        """Starts that fail; gives what the last one said."""
        said = ""
        for _ in range(times):
            process = self.start(under)
            _, said = process.communicate(timeout=WAIT_S)
            assert process.returncode not in (0, None), said
            self.ended("exit-code", str(process.returncode))
        return said

    def ended(self, result: str, status: str) -> None:
        launch.note_end(self.runtime, {"SERVICE_RESULT": result, "EXIT_STATUS": status})

    def ask(
        self, path: str = "/", data: bytes | None = None, port: int | None = None, **headers: str
    ) -> tuple[int, str]:
        """The page, once something answers."""
        where = f"http://127.0.0.1:{port or self.port}"
        asked = Request(f"{where}{path}", data, {"Origin": where, **headers})

        def once() -> tuple[int, str] | None:
            try:
                with urlopen(asked, timeout=10) as answer:
                    return int(answer.status), answer.read().decode()
            except HTTPError as error:
                with error:
                    return error.code, error.read().decode()
            except (URLError, OSError):
                return None

        return self.wait(once)

    def told(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            return dict(json.loads((self.runtime / "state.json").read_bytes()))
        return {}

    def wait(self, ask: Callable[[], Answer | None]) -> Answer:
        """What this gives once it gives something; fails when the process ends before."""
        until_s = time.monotonic() + WAIT_S
        while time.monotonic() < until_s:
            if (answer := ask()) is not None:
                return answer
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"it has ended: {self.process.stderr and self.process.stderr.read()}")
            time.sleep(0.05)
        raise AssertionError("nothing came")

    def gone(self) -> int:
        """Its exit code, once it has ended by itself."""
        assert self.process is not None
        self.process.communicate(timeout=WAIT_S)
        return self.process.returncode

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.communicate(timeout=WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode
