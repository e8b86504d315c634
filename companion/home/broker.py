"""Tells a home's broker about the table, by MQTT: in a thread of its own, which nothing else waits for.

A broker that is away, or that refuses the password, is one line in the log; the game goes on, and paho-mqtt tries
again. Messages are retained: whoever comes later knows at once. The last will says that this companion is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from companion.errors import ConfigError, phrase
from companion.home.told import OFFLINE, ONLINE, discovery, home_state, state_topic, status_topic, written
from companion.session.config import MqttConfig
from companion.session.port import ClosedError, Desk
from companion.session.snapshot import Snapshot
from companion.words import Words

_logger = logging.getLogger(__name__)

LISTEN_S: Final = 1.0
RETRY_S_LEAST, RETRY_S_MOST = 1, 60
KEEP_ALIVE_S: Final = 60
GOODBYE_S: Final = 1.0
"""The last message is waited for as long as this when the service stops."""


def paho_client(node: str) -> Any:
    """A client of the library. Raises `ConfigError` when it is not installed."""
    try:
        from paho.mqtt import client
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as error:
        raise ConfigError(phrase("home.no_paho")) from error
    return client.Client(CallbackAPIVersion.VERSION2, client_id=f"tabletop_{node}")


class HomeTeller:
    """`run` tells every change until the session closes. `node` names this companion among others."""

    def __init__(
        self, config: MqttConfig, words: Words, *, node: str, table: str, version: str,
        client_for: Callable[[str], Any] = paho_client,
    ) -> None:
        """Raises `ConfigError` when the library is missing."""
        self._config, self._words, self._node, self._table = config, words, node, table
        self._discovery = tuple(discovery(node, table, version, config.prefix, words))
        self._told, self._said = "", ""
        self._client = client_for(node)
        self._client.on_connect, self._client.on_disconnect = self._connected, self._lost
        self._client.on_connect_fail, self._client.on_message = self._unreachable, self._heard
        self._client.reconnect_delay_set(RETRY_S_LEAST, RETRY_S_MOST)
        self._client.will_set(status_topic(node), OFFLINE, qos=1, retain=True)
        if config.user:
            self._client.username_pw_set(config.user, config.password or None)
        if config.tls:
            self._client.tls_set()

    def run(self, desk: Desk) -> None:
        """Until the session closes. Nothing that goes wrong here ends anything else."""
        listener = desk.listen("room")
        try:
            self._client.connect_async(self._config.host, self._config.port, KEEP_ALIVE_S)
            self._client.loop_start()
            while True:
                if shown := listener.get(LISTEN_S):
                    self.tell(shown)
        except ClosedError:
            _logger.debug("the broker is told no more: the service stops")
        except Exception:  # a library's fault must not end a game
            _logger.exception("the broker is told no more")
        finally:
            listener.close()
            self._leave()

    def tell(self, shown: Snapshot) -> None:
        """Tells the state, if it is another than was told last."""
        state = written(home_state(shown, self._words))
        if state != self._told:
            self._told = state
            if self._client.is_connected():
                self._client.publish(state_topic(self._node), state, qos=1, retain=True)

    def _leave(self) -> None:
        if self._client.is_connected():
            self._client.publish(status_topic(self._node), OFFLINE, qos=1, retain=True).wait_for_publish(GOODBYE_S)
        self._client.disconnect()
        self._client.loop_stop()

    # --- called by the library's thread -------------------------------------------------------------------------------

    def _connected(self, client: Any, data: object, flags: object, reason: Any, properties: object) -> None:
        del data, flags, properties
        if reason.is_failure:
            self._log(f"the broker refuses: {reason}")
            return
        self._log("the broker is told about the table")
        client.subscribe(f"{self._config.prefix}/status")
        self._introduce()

    def _introduce(self) -> None:
        """Says all that a home has to know from the beginning."""
        for topic, message in self._discovery:
            self._client.publish(topic, message, qos=1, retain=True)
        self._client.publish(status_topic(self._node), ONLINE, qos=1, retain=True)
        if self._told:
            self._client.publish(state_topic(self._node), self._told, qos=1, retain=True)

    def _heard(self, client: object, data: object, message: Any) -> None:
        """Home Assistant was started again, and knows nothing."""
        del client, data
        if message.payload == ONLINE.encode():
            self._introduce()

    def _lost(self, client: object, data: object, flags: object, reason: Any, properties: object) -> None:
        del client, data, flags, properties
        if reason.is_failure:
            self._log("the broker is gone")

    def _unreachable(self, client: object, data: object) -> None:
        del client, data
        self._log(f"the broker {self._config.host} does not answer")

    def _log(self, what: str) -> None:
        if what != self._said:
            self._said = what
            _logger.warning("%s", what)
