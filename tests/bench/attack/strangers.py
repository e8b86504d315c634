"""Who plays for whom: cookies that are made up, foreign or old, `by` in a body, what only the host may."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from tests.bench.attack.phones import Phone
from tests.bench.attack.table import Attempt, Table

HOSTS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "begins a game": ("/start", {"game": "kamikaze-cans", "players": "2", "go": "go"}),
    "lays a game out": ("/start", {"game": "kamikaze-cans", "players": "2", "go": "seen"}),
    "chooses an example": ("/example", {"name": "kamikaze-1"}),
    "presses a table button": ("/panel", {"button": "seat:0", "long": "1"}),
    "sets a PIN": ("/host/pin", {"pin": "1234"}),
    "frees a seat": ("/host/free", {"seat": "0"}),
    "hands the host's role on": ("/host/hand-on", {"seat": "0"}),
    "becomes the host": ("/host", {}),
    "restores a backup": ("/backup/restore", {}),
    "brings a backup": ("/backup/piece?piece=0", {}),
    "chooses where pictures come from": ("/setup/source", {"kind": "none"}),
    "chooses a lens": ("/setup/lens", {"lens": "c920"}),
    "changes the light": ("/setup/light", {"light": "darker"}),
    "names the table": ("/setup/names", {"name": "mine"}),
    "changes the Wi-Fi code": ("/setup/wifi", {"name": "mine", "password": "come in here"}),
    "reads notices away": ("/notices", {}),
}
"""What a phone does that is not the host's: path and form."""

COMMANDS: Final[tuple[dict[str, Any], ...]] = (
    {"type": "end_game"}, {"type": "reopen"}, {"type": "undo"}, {"type": "done"}, {"type": "resync"},
    {"type": "correct", "take_back": 0, "plies": []}, {"type": "pause", "on": True}, {"type": "begin"},
    {"type": "consent", "yes": True}, {"type": "confide", "told": {}}, {"type": "amend", "n": 1, "action": {}},
    {"type": "answer", "question": 1, "choice": 0}, {"type": "tell_setup", "path": [], "value": 1},
)


def host_only(path: str, fields: Mapping[str, str], table: Table) -> str | None:
    """A guest who sits and a stranger do what only the host may."""
    before = table.seq()
    for who, phone in (("guest", table.guest), ("stranger", table.stranger())):
        answer = phone.form(path, fields)
        if answer.status not in (400, 403, 404, 429):
            return f"{who}: answered {answer.status}"
    return None if table.seq() == before and table.goes_on() else "the table changed"


def commands_of_strangers(table: Table) -> str | None:
    """Every command, said to be of anybody, from a phone that has no seat."""
    phone, seq = table.stranger(), table.seq()
    for command in COMMANDS:
        for by in (None, 0, 1, "host", "arbiter", "table", -1, True):
            answer = phone.do(seq, **command, **({} if by is None else {"by": by}))
            if answer.status != 403:
                return f"{command['type']} by {by!r}: {answer.status}"
    return None if table.seq() == seq else "the table changed"


def made_up_cookies(table: Table) -> str | None:
    """Cookies that no server gave."""
    seq = table.seq()
    token = table.guest.cookies["seat"]
    for cookie in ("0", "1", "²", "", "seat:0", "x" * 5000, token[:-1], token + "A", token.swapcase(),
                   f'x{token}', "%00", "None", "host"):
        for name in ("seat", "host"):
            phone = table.stranger()
            phone.cookies[name] = cookie
            answer = phone.do(seq, type="pause", on=True)
            if answer.status not in (400, 403):
                return f"{name}={cookie[:12]!r}: {answer.status}"
    swapped = table.stranger()
    swapped.cookies["host"] = token
    answer = swapped.do(seq, type="end_game")
    return None if answer.status == 403 else f"a seat's token as the host's: {answer.status}"


def by_of_another(table: Table) -> str | None:
    """The guest says that seat 1, the host or the table asks."""
    for by in (1, "host", "arbiter", "table"):
        seq = table.seq()
        answer = table.guest.do(seq, type="end_game", by=by)
        if answer.status == 200:
            return f"ended the game by {by!r}"
    return None if table.goes_on() else "the table changed"


def taken_seat(table: Table) -> str | None:
    """A stranger sits down where somebody sits, and answers its own ask."""
    phone = table.stranger()
    phone.form("/sit", {"seat": "0"})
    if "Seat" not in phone.get("/sit").text and phone.get("/sit").status not in (200, 303):
        return "no page says what it waits for"
    for number in range(1, 60):
        for say in ("instead", "both"):
            answer = phone.form("/asks", {"ask": str(number), "say": say})
            if answer.status == 303:
                return f"let itself in by ask {number}"
    answer = phone.do(table.seq(), type="pause", on=True)
    phone.form("/up", {})
    return None if answer.status == 403 else f"plays while it waits: {answer.status}"


def old_token(table: Table) -> str | None:
    """A token of the game before."""
    old = Phone(table.service.port, "127.0.0.9", dict(table.guest.cookies))
    table.begin()
    answer = old.do(table.seq(), type="pause", on=True)
    if answer.status != 403:
        return f"answered {answer.status}"
    return "it still sees the hand" if re.search(r'class="[^"]*seated', old.get("/").text) else None


def copied_token(table: Table) -> str | None:
    """A token on two phones is one seat; the host's page shows from where both are."""
    copy = Phone(table.service.port, "127.0.0.77", dict(table.guest.cookies))
    copy.get("/")
    page = table.host.get("/host").text
    seen = set(re.findall(r"127\.\d+\.\d+\.\d+", page))
    return None if {"127.0.0.3", "127.0.0.77"} <= seen else "the host does not see it"


def pins(table: Table) -> str | None:
    """1,000 PINs, the right one among the last; then the host's own way in."""
    assert table.host.form("/host/pin", {"pin": "7391"}).status == 303
    phone, said = table.stranger(), set()
    try:
        for number in [*range(1, 1000), 7391]:
            answer = phone.form("/host", {"pin": f"{number:04}"})
            said.add(answer.status)
            if answer.status == 303:
                return f"got in by try {number}"
    finally:
        table.host.form("/host/pin", {"pin": ""})
    return None if said <= {403, 429} else f"answered {said}"


def two_hosts(table: Table) -> str | None:
    """Two phones with the host's token, one of them handed on: there is one host."""
    heir = table.guest
    before = Phone(table.service.port, table.host.address, dict(table.host.cookies))
    assert table.host.form("/host/hand-on", {"seat": "0"}).status == 303
    heir.get("/")
    answer = before.form("/host/pin", {"pin": "4444"})
    back = Phone(table.service.port, heir.address, dict(heir.cookies))
    assert table.host.form("/sit", {"seat": "1"}).status == 303
    assert back.form("/host/hand-on", {"seat": "1"}).status == 303
    table.host.get("/")
    table.host.form("/up", {})
    return None if answer.status == 403 else f"the host of before: {answer.status}"


ATTEMPTS: Final[Mapping[str, Attempt]] = {
    **{f"somebody else than the host {what}": partial(host_only, path, fields)
       for what, (path, fields) in HOSTS.items()},
    "every command from a phone without a seat": commands_of_strangers,
    "cookies made up, cut, turned round": made_up_cookies,
    "`by` of another in a body": by_of_another,
    "a seat that is taken": taken_seat,
    "a token of the game before": old_token,
    "a token copied to a second phone": copied_token,
    "1,000 PINs": pins,
    "two hosts": two_hosts,
}
