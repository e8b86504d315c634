"""A game for BG Stats, in which many players keep what they played: a link that its app opens, with the result in it
(https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/). Nothing is sent before
somebody touches it, and then by the phone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from companion.engine import Json
from companion.session.state import Match

ADDRESS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE: Final = "Tabletop companion"


def play_link(match: Match, name: str, names: Sequence[str]) -> str:
    """The address that enters a game which has ended: `name` is what it is called, `names` who played, by seat."""
    result = match.result or {}
    scores, won = list(result["scores"]), list(result["winners"])
    first = next((made.ply.player for made in match.made), None)
    began, ended = _began(match), _ended(match)
    play: dict[str, Json] = {
        "sourceName": SOURCE,
        "sourcePlayId": match.key or str(match.number),
        "playDate": f"{began or datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {"name": name, "sourceGameId": match.game.id, "noPoints": False,
                 "highestWins": all(scores[seat] == max(scores) for seat in won)},
        "players": [
            {"name": player, "sourcePlayerId": player, "score": score, "rank": 1 + sum(each > score for each in scores),
             "winner": seat in won, "startPlayer": seat == first}
            for seat, (player, score) in enumerate(zip(names, scores))
        ],
    }
    if began and ended:
        play["durationMin"] = max(1, round((ended - began).total_seconds() / 60))
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _began(match: Match) -> datetime | None:
    return _moment(match.opened.header.get("started"))


def _ended(match: Match) -> datetime | None:
    return _moment(match.made[-1].event.at) if match.made else None


def _moment(written: object) -> datetime | None:
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(str(written)).astimezone(UTC)
    return None
