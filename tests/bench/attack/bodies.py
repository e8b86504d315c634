"""Bodies that ended a writer or a thread, or might: JSON that cannot be written again, too deep, too large, no JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Final

from tests.bench.attack.table import KAMIKAZE, Attempt, Table

HEADER: Final = json.dumps(KAMIKAZE).encode()[:-1]
VALUES: Final[Mapping[str, bytes]] = {
    "NaN": b"NaN", "Infinity": b"-Infinity", "1e400": b"1e400", "a lone surrogate": b'"\\ud800"',
    "a surrogate as a key": b'{"\\udfff": 1}', "an integer of 5,000 digits": b"9" * 5000, "a NUL": b'"\\u0000"',
    "a key twice": b'{"a": 1, "a": 2}', "nested 500 deep": b"[" * 500 + b"]" * 500,
    "nested 100,000 deep": b"[" * 30_000, "raw bytes": b'"\xff\xfe"', "60 kB": b'"' + b"n" * 60_000 + b'"',
}
"""Values of a header field that is kept."""

BODIES: Final[Mapping[str, bytes]] = {
    "nothing": b"", "a number": b"1", "a list": b"[]", "null": b"null", "half an object": b'{"type": "done"',
    "no type": b"{}", "a type that is none": b'{"type": []}', "a type of the eyes": b'{"type": "sighted", "seq": 1}',
    "a seq that is text": b'{"type": "done", "seq": "1"}',
    "a seq of 10**30": b'{"type": "done", "seq": 1' + b"0" * 30 + b"}",
    "UTF-16": '{"type": "done"}'.encode("utf-16"), "a byte order mark": b"\xef\xbb\xbf{}",
}


def value_kept(body: bytes, kind: str, sender: str, table: Table) -> str | None:
    """A kept header field has this value."""
    seq = table.seq()
    command = b'{"type": "%s", "seq": %d, "by": "host", "header": %s, "x-note": %s}}' % (
        kind.encode(), seq, HEADER, body)
    phone = table.host if sender == "host" else table.guest if sender == "guest" else table.stranger()
    answer = phone.post("/do", command)
    if answer.status in (0, 500, 502, 503):
        return f"answered {answer.status}"
    if answer.status == 200 and sender == "host":
        table.begin()  # what was taken began a game: the guest sits down again
    return _still(table, answer.status == 200 and sender != "host")


def body_sent(body: bytes, table: Table) -> str | None:
    """A body that is no command."""
    for phone in (table.host, table.guest, table.stranger()):
        answer = phone.post("/do", body)
        if not 400 <= answer.status < 500:
            return f"answered {answer.status}"
    return _still(table)


FIELDS: Final = (
    ("/start", "players"), ("/start", "game"), ("/start", "name0"), ("/sit", "seat"), ("/example", "name"),
    ("/asks", "ask"),
    ("/host/free", "seat"), ("/host/hand-on", "seat"), ("/host", "pin"), ("/panel", "button"), ("/notices", "id"),
    ("/do", "command"), ("/setup/source", "camera"), ("/setup/lens", "degrees"), ("/setup/light", "light"),
    ("/setup/names", "name"), ("/setup/wifi", "name"), ("/setup/wifi", "password"),
)


def bytes_in_forms(table: Table) -> str | None:
    """Forms with surrogates, digits that are none, and much."""
    values = ("\ud800", "²", "-1", "1e9", "x" * 50_000, "\x00", "💥", "[", "9" * 400)
    for path, field in FIELDS:
        for value in values:
            answer = table.host.form(path, {field: value, "go": "", "say": "both"})
            if answer.status in (0, 500):
                return f"{path} {field}={value[:8]!r}: {answer.status}"
    table.begin()  # a form of theirs may have begun a game
    return _still(table)


def _still(table: Table, got_through: bool = False) -> str | None:
    if got_through:
        return "was taken"
    try:
        return None if table.goes_on() else "the writer is at an end"
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        return f"the service is at an end: {error}"


def _all() -> Mapping[str, Attempt]:
    found: dict[str, Attempt] = {}
    for name, value in VALUES.items():
        for kind in ("start_game", "lay_out"):
            found[f"{kind}: a kept field is {name}"] = partial(_whoever, value, kind)
    found |= {f"a body that is {name}": partial(body_sent, body) for name, body in BODIES.items()}
    return found | {"forms with bytes that are none": bytes_in_forms}


def _whoever(value: bytes, kind: str, table: Table) -> str | None:
    """Sent by a stranger, by a guest and by the host."""
    for sender in ("stranger", "guest", "host"):
        if said := value_kept(value, kind, sender, table):
            return f"{sender}: {said}"
    return None


ATTEMPTS: Final = _all()
