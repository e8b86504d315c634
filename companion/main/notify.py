"""What systemd wants to hear of a service with Type=notify: it is ready, alive, stopping."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Notifier:
    """Sends lines to systemd's socket; without systemd it does nothing."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s = _watchdog_s(environ) if address else None
        """Systemd restarts the service when it hears nothing for so long; None: it does not watch."""

    def tell(self, *lines: str) -> None:
        """Sends lines such as `READY=1`. A socket that is gone is no reason to stop a game."""
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            try:
                out.sendto("\n".join(lines).encode(), self._address)
            except OSError:
                return


def _watchdog_s(environ: Mapping[str, str]) -> float | None:
    given = environ.get("WATCHDOG_USEC", "")
    ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(given) / 1e6 if given.isdigit() and ours else None
