"""The service's side of a home's broker: a thread that tells it about the table, if the config names one."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from threading import Thread
from typing import TYPE_CHECKING

from companion.errors import ConfigError, Phrase
from companion.games import registry
from companion.session.config import Config
from companion.words import load

if TYPE_CHECKING:
    from companion.home.beside import Beside
    from companion.main.service import Service

GOODBYE_WAIT_S = 1.5
"""The last message may take so long when the service stops."""


def open_home(service: Service, config: Config, tell: Callable[[Phrase], object]) -> None:
    """Tells the config's broker about the table until the service stops. Without the library that is said, and all else
    goes on."""
    from companion.home.broker import HomeTeller
    from companion.home.told import node_id

    name = config.table.name or socket.gethostname()
    words = load("en", [registry.game(id).words for id in registry.ids()])
    try:
        teller = HomeTeller(config.mqtt, words, node=node_id(name), table=name, version=version("tabletop-companion"))
    except ConfigError as error:
        tell(error.phrase)
        return
    thread = Thread(target=partial(teller.run, service.writer), name="home", daemon=True)
    thread.start()
    service.closers.insert(0, partial(thread.join, GOODBYE_WAIT_S))  # the session closes first, by which it ends


def open_club(service: Service) -> Beside:
    """What finds other companions, once a page asks for them."""
    from companion.home.beside import Beside

    beside = Beside()
    service.closers.append(beside.close)
    return beside
