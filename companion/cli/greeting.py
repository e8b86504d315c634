"""What `companion run` says of itself once its pages answer: their address, now and when the network is up later."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Final

from companion.errors import Phrase, phrase
from companion.words import Words
from web.reach import ALONE, reachable

if TYPE_CHECKING:
    from companion.main.service import Service

LOOK_EVERY_S: Final = 5.0
"""How often it is looked whether there is a network by now."""


def greet(service: Service, words: Words) -> None:
    """Prints the address and its QR code. A machine without a network says so, and the address once it has one."""
    host, port = service.address
    scheme = "https" if service.fingerprint else "http"

    def tell(found: str) -> None:
        _say(phrase("run.ready", where=_shown(f"{scheme}://{found}:{port}/")), words)

    found = reachable(host)
    tell(found)
    if found == ALONE != host:
        _say(phrase("run.no_network"), words)
        Thread(target=await_network, args=(host, tell), name="network", daemon=True).start()
    if service.fingerprint:
        _say(phrase("run.fingerprint", given=service.fingerprint), words)


def await_network(
    host: str, tell: Callable[[str], object], look: Callable[[str], str] = reachable,
    sleep: Callable[[float], object] = time.sleep,
) -> None:
    """Tells under which address phones find this host, as soon as they can."""
    while (found := look(host)) == ALONE:
        sleep(LOOK_EVERY_S)
    tell(found)


def _shown(address: str) -> str:
    if sys.stdout.isatty():
        import segno

        segno.make(address, micro=False).terminal(compact=True)
    return address


def _say(what: Phrase, words: Words) -> None:
    print(words.say(what), flush=True)
