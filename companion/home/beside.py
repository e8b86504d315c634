"""Other companions in this network, found by mDNS (zeroconf), each asked for what everybody at its table sees.

Nothing is looked for until somebody opens the club's page, and no longer than `LOOKED_S` after the last look. Every
companion stays its own: it is only asked for `/table.json`, as any phone may. What it says is another machine's word:
short texts, nothing more.
"""

from __future__ import annotations

import json
import logging
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Event, Lock, Thread
from typing import Any, Final

from companion.session.beside import TableBeside

_logger = logging.getLogger(__name__)

SERVICE: Final = "_tabletop._tcp.local."
LOOKED_S: Final = 60.0
ASK_EVERY_S: Final = 5.0
TIMEOUT_S: Final = 2.0
MAX_TABLES: Final = 30
MAX_ANSWER: Final = 1_000_000
MAX_TEXT: Final = 120
MAX_SEATS_TOLD: Final = 6


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A companion as mDNS tells of it."""

    name: str
    host: str
    port: int

    @property
    def address(self) -> str:
        """Of its first page."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/"


Found = Callable[[], Iterable[FoundTable]]
Get = Callable[[str], bytes]


class Beside:
    """See `web.ports.ClubPort`. Any thread may call."""

    def __init__(self, browse: Callable[[], tuple[Found, Callable[[], object]]] | None = None, get: Get | None = None,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._browse, self._get, self._clock = browse or browse_mdns, get or get_page, clock
        self._lock, self._stopping = Lock(), Event()
        self._looked_s = 0.0
        self._thread: Thread | None = None
        self._tables: tuple[TableBeside, ...] = ()
        self.can_look = browse is not None or find_spec("zeroconf") is not None
        """Whether the library that looks for others is there."""

    def tables(self) -> tuple[TableBeside, ...]:
        """The tables as they were found last; looks for them from now on, for a while."""
        with self._lock:
            self._looked_s = self._clock()
            if self.can_look and self._thread is None and not self._stopping.is_set():
                self._thread = Thread(target=self._run, name="beside", daemon=True)
                self._thread.start()
        return self._tables

    def close(self) -> None:
        """Looks no more."""
        self._stopping.set()

    def ask_all(self, found: Iterable[FoundTable]) -> tuple[TableBeside, ...]:
        """What each of them says now, by their names."""
        known = sorted(set(found), key=lambda each: (each.name, each.address))[:MAX_TABLES]
        return tuple(self._asked(each) for each in known)

    def _run(self) -> None:
        try:
            found, end = self._browse()
            try:
                while not self._stopping.wait(ASK_EVERY_S if self._tables else 1.0) and self._is_wanted:
                    self._tables = self.ask_all(found())
            finally:
                end()
        except Exception:  # a library's fault, or another machine's, must not end anything here
            _logger.exception("other tables cannot be looked for")
        with self._lock:
            self._thread = None

    @property
    def _is_wanted(self) -> bool:
        return self._clock() - self._looked_s < LOOKED_S

    def _asked(self, found: FoundTable) -> TableBeside:
        plain = TableBeside(_text(found.name), found.address)
        if not is_near(found.host):
            return plain
        with suppress(OSError, ValueError):
            said = json.loads(self._get(f"{found.address}table.json"))
            if isinstance(said, dict):
                return replace(plain, game=_text(said.get("game")), announced=_text(said.get("announced")),
                               players=_players(said.get("players")), answers=True)
        return plain


def is_near(host: str) -> bool:
    """Whether it is an address of this home: nothing else is ever asked."""
    with suppress(ValueError):
        return ip_address(host).is_private
    return False


def get_page(address: str) -> bytes:
    """An answer of another companion, as far as it is not too long. Raises `OSError`."""
    request = urllib.request.Request(address, headers={"Accept": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
    with opener.open(request, timeout=TIMEOUT_S) as answer:
        return bytes(answer.read(MAX_ANSWER))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A companion does not send anybody elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None follows: the answer is an error."""


def browse_mdns() -> tuple[Found, Callable[[], object]]:
    """What mDNS knows now, asked again and again, and how to end it."""
    from zeroconf import ServiceBrowser, ServiceStateChange, Zeroconf

    zeroconf, known, lock = Zeroconf(), dict[str, FoundTable](), Lock()

    def changed(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        info = None
        if state_change is not ServiceStateChange.Removed:
            info = zeroconf.get_service_info(service_type, name, timeout=int(1000 * TIMEOUT_S))
        with lock:
            known.pop(name, None)
            if info is not None and info.port and (addresses := info.parsed_addresses()):
                known[name] = FoundTable(name.removesuffix("." + SERVICE), addresses[0], info.port)

    ServiceBrowser(zeroconf, SERVICE, handlers=[changed])

    def found() -> list[FoundTable]:
        with lock:
            return list(known.values())

    return found, zeroconf.close


def _players(given: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, list):
        return ()
    return tuple((_text(each.get("name")), _text(each.get("score"))) for each in given[:MAX_SEATS_TOLD]
                 if isinstance(each, Mapping))


def _text(given: Any) -> str:
    """A short line, fit to be shown."""
    if not isinstance(given, (str, int)):
        return ""
    return "".join(each for each in str(given) if each.isprintable())[:MAX_TEXT]
