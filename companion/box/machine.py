"""What installing and updating ask of the machine: systemd's commands, and whether the companion is well."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from companion.box.launch import port_of
from companion.box.layout import Places

UNIT: Final = "companion.service"
BESIDE: Final = ("companion-update.path", "companion-door.socket")
STATE_NAME: Final = "state.json"
"""The file in /run/companion in which whoever runs says what it is."""
HEALTHY_S: Final = 90.0
"""So long a new version may take until it is well; a small Pi with a cold card needs a third of it."""


class Machine:
    """A machine with systemd. Tests have another."""

    def __init__(self, layout: Places) -> None:
        self._layout = layout
        self.runs_systemd = Path("/run/systemd/system").is_dir() and layout.is_real
        """Whether units can be started now; in a root that is only being made they start with the machine."""

    def prepare(self) -> None:
        """Users, folders, rules and units are known, and the units start with the machine."""
        if not self._layout.is_real:
            return
        self._call(["systemd-sysusers", "companion.conf"])
        self._call(["systemd-tmpfiles", "--create", "companion.conf"])
        if self.runs_systemd:
            # no udev runs in a container; elsewhere the rules count from the next start at the latest
            self._call(["udevadm", "control", "--reload"], must=False)
            self._call(["udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=dma_heap"], must=False)
            self._call(["systemctl", "daemon-reload"])
            self._call(["systemctl", "try-reload-or-restart", "systemd-journald.service"])
        self._call(["systemctl", "enable", UNIT, *BESIDE])

    def restart(self) -> None:
        """The version in use runs from now on, or its safe mode."""
        if self.runs_systemd:
            self._call(["systemctl", "start", *BESIDE], must=False)
            self._call(["systemctl", "stop", UNIT], must=False)  # counts of failed starts end with it
            self._call(["systemctl", "start", UNIT], must=False)

    def stop(self) -> None:
        """The companion does not run."""
        if self.runs_systemd:
            self._call(["systemctl", "stop", UNIT], must=False)

    def is_well(self, wait_s: float = HEALTHY_S) -> bool:
        """Whether the pages of the companion itself, not of its safe mode, answer before the time is over."""
        if not self.runs_systemd:
            return True
        until_s = time.monotonic() + wait_s
        while time.monotonic() < until_s:
            match self.state().get("is"):
                case "running" if self._answers():
                    return True
                case "safe":
                    return False
            time.sleep(1.0)
        return False

    def state(self) -> dict[str, str]:
        """What runs: `is` says whether it is `running` or the `safe` mode, `why` in a sentence why."""
        with suppress(OSError, ValueError, AttributeError):
            told = json.loads((self._layout.root / "run/companion" / STATE_NAME).read_bytes())
            return {str(key): str(value) for key, value in told.items()}
        return {}

    def _answers(self) -> bool:
        port, tls = port_of(self._layout.config)
        if tls:
            return True  # its certificate is its own; that it says to be running is enough
        with suppress(OSError, ValueError), urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def _call(self, command: Sequence[str], must: bool = True) -> None:
        subprocess.run(command, check=must)
