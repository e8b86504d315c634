"""Hands and deals: what a phone can learn that its owner did not show."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, Final

from tests.bench.attack.phones import PATIENCE_S, Phone
from tests.bench.attack.table import KAMIKAZE, Attempt, Table

WAR_CHEST: Final[dict[str, Any]] = {
    "game": "war-chest", "options": {"knowledge": "referee"}, "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"units": [["swordsman", "pikeman", "crossbowman", "light_cavalry"],
                        ["archer", "cavalry", "lancer", "scout"]], "initiative": 0}}
STEADY_S: Final = 1.5
HAND: Final = ["swordsman", "swordsman", "pikeman"]
PAGES: Final = ("/", "/hand", "/correct", "/hint", "/host", "/eyes", "/eyes.json", "/panel", "/panel.json", "/start",
                "/invite", "/setup-again")


def others_hands(table: Table) -> str | None:
    """Ann tells her hand; everybody else asks for it in every way."""
    table.begin(WAR_CHEST)
    try:
        others = _others(table)
        drawn = table.host.do(table.seq(), type="correct", take_back=0,
                              plies=[{"player": "chance", "action": {"type": "draw"}}])
        if drawn.status != 200:
            return f"the hand could not be drawn: {drawn.text[:80]}"
        _let_lamps_settle(table.host)
        known = {who: _pages(phone) for who, phone in others.items()}
        told = table.guest.do(table.seq(), type="confide", told={"hand": HAND})
        if told.status != 200:
            return f"the hand could not be told: {told.text[:80]}"
        for who, phone in others.items():
            now = _pages(phone)
            changed = [path for path in PAGES if not now[path] & known[who][path]]
            if changed:
                return f"{who}: {', '.join(changed)} changed when the hand was told"
        return _as_ann(table)
    finally:
        table.begin(KAMIKAZE)


def _others(table: Table) -> dict[str, Phone]:
    stranger = table.stranger()
    made_up = table.stranger()
    made_up.cookies["seat"] = "0"
    return {"the host": table.host, "a stranger": stranger, "seat=0": made_up}


def _as_ann(table: Table) -> str | None:
    """Commands that would tell the hand by what they refuse."""
    stranger, seq = table.stranger(), table.seq()
    hands: tuple[list[str], ...] = HAND, ["pikeman"] * 3, []
    sentences = {stranger.do(seq, type="confide", told={"hand": hand}, by=0).text for hand in hands}
    return None if len(sentences) == 1 else "a refusal depends on the hand"


def _let_lamps_settle(host: Phone) -> None:
    """Lamps and buzzer follow the table after a while: waits until they have shown the same for a second."""
    since_s, shown, began_s = time.monotonic(), "", time.monotonic()
    while time.monotonic() - since_s < STEADY_S and time.monotonic() - began_s < PATIENCE_S:
        now = host.get("/panel.json").text
        if now != shown:
            since_s, shown = time.monotonic(), now
        time.sleep(0.1)


def _pages(phone: Phone) -> dict[str, set[str]]:
    """All pages, each several times: lamps blink."""
    found: dict[str, set[str]] = {path: set() for path in PAGES}
    for _ in range(6):
        for path in PAGES:
            found[path].add(_plain(phone.get(path).text))
        time.sleep(0.15)
    return found


def _plain(page: str) -> str:
    """Without what changes by itself: sequence numbers and the ages of things."""
    return re.sub(r'"?seq"?(&#34;)?: ?-?\d+|data-[a-z-]+="[^"]*"|\?v=[\w.-]+|at_s": ?[\d.]+', "", page)


def deals_differ(table: Table) -> str | None:
    """A blind game is dealt by the system's randomness: two are not alike, and none is the one of a seed."""
    fields = {"game": "yuzu-twist", "players": "2", "go": "go"}
    seen = []
    for _ in range(4):
        answer = table.host.form("/start", fields)
        if answer.status != 303:
            table.begin(KAMIKAZE)
            return None if answer.status == 200 else f"answered {answer.status}"
        seen.append(_plain(table.host.get("/").text))
    table.begin(KAMIKAZE)
    return None if len(set(seen)) > 1 else "four deals are alike"


ATTEMPTS: Final[Mapping[str, Attempt]] = {
    "another seat's hand": others_hands,
    "deals that can be foreseen": deals_differ,
}
