"""What a home is told of the table, and how Home Assistant finds it there: pure functions.

    >>> [each.key for each in SENSORS]
    ['state', 'turn', 'scores', 'game', 'moves', 'eyes', 'question', 'camera']

A topic holds the whole state as one JSON object (`tabletop/NODE/state`, retained); a sensor is a key of it. Home
Assistant learns of the sensors by one retained message each (`homeassistant/sensor/NODE/KEY/config`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from companion.engine import Json, Over, ToMove
from companion.errors import phrase
from companion.session.snapshot import Snapshot
from companion.table import HINDERED
from companion.words import Words

ONLINE, OFFLINE = "online", "offline"
ON, OFF = "ON", "OFF"

TableState = Literal["idle", "setting_up", "playing", "paused", "question", "over"]


@dataclass(frozen=True, slots=True)
class HomeSensor:
    """One thing that a home may show: a `key` of the state. `component` is Home Assistant's kind of thing."""

    key: str
    component: Literal["sensor", "binary_sensor"]
    icon: str
    device_class: str = ""
    has_attributes: bool = False


SENSORS: Final = (
    HomeSensor("state", "sensor", "mdi:table-furniture"),
    HomeSensor("turn", "sensor", "mdi:account-arrow-right"),
    HomeSensor("scores", "sensor", "mdi:scoreboard", has_attributes=True),
    HomeSensor("game", "sensor", "mdi:dice-multiple"),
    HomeSensor("moves", "sensor", "mdi:counter"),
    HomeSensor("eyes", "sensor", "mdi:eye"),
    HomeSensor("question", "binary_sensor", "mdi:help-circle"),
    HomeSensor("camera", "binary_sensor", "mdi:camera-off", device_class="problem"),
)


def node_id(name: str) -> str:
    """A name as it may stand in a topic: letters, digits and lines.

    >>> node_id("Küche, großer Tisch"), node_id("+/#")
    ('kuche_gro_er_tisch', 'table')
    """
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_") or "table"


def state_topic(node: str) -> str:
    """Where the state of the table is told."""
    return f"tabletop/{node}/state"


def status_topic(node: str) -> str:
    """Where it is told whether this companion runs at all."""
    return f"tabletop/{node}/status"


def home_state(shown: Snapshot, words: Words) -> dict[str, Json]:
    """What everybody at the table sees, as one JSON object. `shown` is the snapshot of the room."""
    assert shown.observer == "room", "what only a seat knows must not leave the table"
    seen, names = shown.seen, {each.seat: each.name for each in shown.players}
    turn = seen.turn if seen is not None else None
    asked = turn.seats if isinstance(turn, ToMove) else turn.winners if isinstance(turn, Over) else ()
    scores = {names.get(seat, str(seat)): score for seat, score in enumerate(seen.scores)} if seen is not None else {}
    return {
        "state": _table_state(shown),
        "turn": ", ".join(names.get(seat, str(seat)) for seat in asked),
        "scores": ", ".join(f"{name} {score}" for name, score in scores.items()),
        "by_player": dict(scores),
        "game": words.say(phrase("home.name", what=shown.game)) if shown.game else "",
        "moves": shown.plies,
        "eyes": shown.eyes.state,
        "question": ON if shown.question is not None else OFF,
        "camera": ON if shown.eyes.state in HINDERED else OFF,
    }


def _table_state(shown: Snapshot) -> TableState:
    if shown.draft is not None:
        return "setting_up"
    if shown.seen is None:
        return "idle"
    if isinstance(shown.seen.turn, Over) or shown.can_reopen:
        return "over"
    if shown.paused:
        return "paused"
    return "question" if shown.question is not None else "playing"


def discovery(node: str, table: str, version: str, prefix: str, words: Words) -> Iterator[tuple[str, str]]:
    """Topic and message for each sensor, as Home Assistant wants to hear of it. `table` is what people call it."""
    device = {"identifiers": [f"tabletop_{node}"], "name": table, "model": "Tabletop companion", "sw_version": version}
    for each in SENSORS:
        about: dict[str, Json] = {
            "name": words.say(phrase(f"home.{each.key}")), "unique_id": f"tabletop_{node}_{each.key}",
            "object_id": f"{node}_{each.key}", "icon": each.icon, "device": device,
            "state_topic": state_topic(node), "value_template": f"{{{{ value_json.{each.key} }}}}",
            "availability_topic": status_topic(node)}
        if each.device_class:
            about["device_class"] = each.device_class
        if each.has_attributes:
            about |= {"json_attributes_topic": state_topic(node),
                      "json_attributes_template": "{{ value_json.by_player | tojson }}"}
        yield f"{prefix}/{each.component}/{node}/{each.key}/config", written(about)


def written(value: Mapping[str, Json]) -> str:
    """A message: always the same for the same value, so that nothing is told twice."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
