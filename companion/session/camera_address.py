"""Which camera: its number, the Pi's own, or the address of one in the network.

    >>> host_of("http://ann:secret@192.0.2.7:8080/video")
    '192.0.2.7:8080'
    >>> is_address("http://192.0.2.7:8080/video"), is_address("picamera2"), is_address(0)
    (True, False, False)
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from companion.session.config_table import ConfigTable

ADDRESSES: Final = ("http://", "https://", "rtsp://")
MAX_ADDRESS: Final = 300


def is_address(given: Any) -> bool:
    """Whether this may be the address of a camera."""
    if not isinstance(given, str) or len(given) > MAX_ADDRESS or not given.lower().startswith(ADDRESSES):
        return False
    return given.isprintable() and " " not in given and bool(host_of(given))


def host_of(address: str) -> str:
    """The address without a path, a name and a password: fit to be shown."""
    try:
        parts = urlsplit(address)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname or "")
    except ValueError:  # no port, or no host, can be called so
        return ""


def camera_of(given: ConfigTable) -> int | str:
    """The camera that a config's section says, 0 without. Raises `ConfigError`."""
    said = given.get("camera")
    if said == "picamera2" or is_address(said):
        return str(said)
    return given.whole("camera", 0, 0, 63)
