"""Under which address other phones reach the pages."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Final

ALONE: Final = "127.0.0.1"
"""The address of a machine without a network: no phone finds it there."""


def reachable(host: str) -> str:
    """The address under which a phone on the same network finds this host."""
    if host not in ("0.0.0.0", "::", ""):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way out the packets would take
            return str(probe.getsockname()[0])
        except OSError:
            return ALONE


def address_for_others(scheme: str, host: str, port: str) -> str:
    """The address to give to other phones, from the one under which this phone has the page."""
    if host == "localhost" or (_is_number(host) and ip_address(host).is_loopback):
        host = reachable("")
    written = f"[{host}]" if ":" in host else host
    return f"{scheme}://{written}{f':{port}' if port else ''}/"


def _is_number(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False
