"""What `read` wrote about a picture set, compared with what was really there. Pure: dicts in, counts out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine import AnyGame, Json, Ply, record

SEEN_ENOUGH = 0.3
"""Pieces of which less can be seen may be believed; they count only when they are believed wrongly."""
NOT_SEEN_IN_SET_UPS = ("first", "initiative")


@dataclass(slots=True)
class Score:
    """Counts of one set, or of several added up. Lists hold one number a frame, or a card."""

    frames: int = 0
    free: int = 0
    free_unread: int = 0
    setup: dict[str, int] = field(default_factory=lambda: {"told": 0, "right": 0, "open": 0})
    cards_mm: list[float] = field(default_factory=list)
    cards_deg: list[float] = field(default_factory=list)
    spots: int = 0
    spots_right: int = 0
    spots_open: int = 0
    spots_one_look: int = 0
    tables: int = 0
    tables_right: int = 0
    plies: int = 0
    right: int = 0
    asked: int = 0
    silently_wrong: int = 0
    missed: int = 0
    busy: int = 0
    busy_read: int = 0
    watch_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    first_read_ms: list[float] = field(default_factory=list)
    interpret_ms: list[float] = field(default_factory=list)
    peak_mb: float = 0.0

    def __iadd__(self, other: Score) -> Score:
        """Pools another set's counts."""
        for name in self.__dataclass_fields__:
            mine, its = getattr(self, name), getattr(other, name)
            if name == "peak_mb":
                self.peak_mb = max(mine, its)
            elif isinstance(mine, dict):
                self.setup = {key: mine[key] + its[key] for key in mine}
            else:
                setattr(self, name, mine + its)
        return self

    def json(self) -> dict[str, Json]:
        """The counts as `evaluate --json` gives them."""
        found: dict[str, Json] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("cards_mm", "cards_deg"):
            found[name] = {"median": _quantile(found[name], 0.5), "worst": _quantile(found[name], 1.0)}
        for name in ("watch_ms", "read_ms", "interpret_ms"):
            found[name] = {"median": _quantile(found[name], 0.5), "p95": _quantile(found[name], 0.95)}
        found["first_read_ms"] = _quantile(self.first_read_ms, 1.0)
        return found


def score(lines: Sequence[Json], truth: Sequence[Json], played: Played, sizes: Mapping[str, float]) -> Score:
    """The score of what was read. `sizes` are the smaller sides of the pieces in mm, by appearance."""
    total = Score()
    _score_setup(total, lines[0]["setup"], played.setup)
    by_frame = {line["frame"]: line for line in lines[1:]}
    judged = _PlyJudge(played)
    for true in truth:
        line = by_frame.get(true["frame"], {"state": "not read"})
        total.frames += 1
        _score_cards(total, line, true)
        total.watch_ms += [line["ms"]["watch"]] if "watch" in line.get("ms", {}) else []
        if not true["free"]:
            total.busy += 1
            total.busy_read += line["state"] == "free"
            judged.hear(line)
            continue
        total.free += 1
        total.free_unread += line["state"] != "free"
        _score_spots(total, line, true["pieces"], sizes)
        judged.hear(line)
        judged.look(true["ply"], total)
        if line["state"] == "free":
            (total.read_ms if total.first_read_ms else total.first_read_ms).append(line["ms"]["read"])
            total.interpret_ms.append(line["ms"]["interpret"])
    judged.close(total)
    return total


# --- set-up and cards -------------------------------------------------------------------------------------------------


def _score_setup(total: Score, told: Json, true: Json) -> None:
    for place, value in _leaves(true):
        mine = _at(told, place)
        if mine is None:
            total.setup["open"] += 1
        else:
            total.setup["told"] += 1
            total.setup["right"] += mine == value


def _leaves(value: Json, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Json]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield place, value
        return
    for key, each in items:
        if key not in NOT_SEEN_IN_SET_UPS:
            yield from _leaves(each, (*place, key))


def _at(value: Json, place: tuple[Any, ...]) -> Json:
    for key in place:
        if value is None:
            return None
        value = value[key] if isinstance(value, list) else value.get(key)
    return value


def _score_cards(total: Score, line: Json, true: Json) -> None:
    cards = {each["card"]: each for each in true["cards"]}
    for seen in line.get("cards", ()):
        card = cards[seen["card"]]
        total.cards_mm.append(math.dist(seen["at"], card["at"]))
        total.cards_deg.append(abs((seen["turn"] - card["turn"] + 180.0) % 360.0 - 180.0))


# --- spots ------------------------------------------------------------------------------------------------------------


def _score_spots(total: Score, line: Json, pieces: Sequence[Json], sizes: Mapping[str, float]) -> None:
    count, right, opened = match_spots(line.get("believed", ()), pieces, sizes)
    total.spots += count
    total.spots_right += right
    total.spots_open += opened
    total.spots_one_look += match_spots(line.get("seen", ()), pieces, sizes)[1]
    total.tables += 1
    total.tables_right += line["state"] == "free" and right + opened == count


def match_spots(stands: Sequence[Json], pieces: Sequence[Json], sizes: Mapping[str, float]) -> tuple[int, int, int]:
    """How many spots there are, how many are right, how many open. A stand where nothing is makes one more, wrong."""
    answers: dict[int, str] = {}
    left = list(stands)
    for wanted in ("right", "open", "wrong"):
        for i, piece in enumerate(pieces):
            if i in answers:
                continue
            reach = min(15.0, max(6.0, 0.45 * sizes[piece["appearance"]]))
            near = [s for s in left if math.dist(s["at"], piece["at"]) <= reach and _answer(s, piece) == wanted]
            if near:
                left.remove(min(near, key=lambda s: math.dist(s["at"], piece["at"])))
                answers[i] = wanted
    counted = [
        answers.get(i, "wrong") for i, piece in enumerate(pieces)
        if piece["visible"] >= SEEN_ENOUGH or answers.get(i) == "wrong"
    ]
    return len(counted) + len(left), counted.count("right"), counted.count("open")


def _answer(stand: Json, piece: Json) -> str:
    if stand["appearance"] == piece["appearance"]:
        return "right"
    return "open" if piece["appearance"] in stand.get("among", ()) else "wrong"


# --- plies ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """What was really played: the set-up, the state before each ply and after the last."""

    game: AnyGame
    setup: Json
    states: Sequence[Any]


class _PlyJudge:
    """Compares states, not plies: another order that leads to the same state and seat to move is as good.

    `_done` counts the true plies that the last free look showed. `_doubtful` counts plies that were given out wrongly
    since; a later look may still take them back, as long as it shows no further ply of the record. A ply given out
    although nobody moved is one of them.
    """

    def __init__(self, played: Played) -> None:
        self._played = played
        self._state = played.states[0]
        self._given: list[Ply[Any]] = []
        self._gave = False
        self._asked_right = False
        self._done = 0
        self._doubtful = 0

    def hear(self, line: Json) -> None:
        """Follow what a line gives out."""
        game = self._played.game
        if line.get("taken_back"):
            del self._given[len(self._given) - line["taken_back"] :]
        self._given += [record.read_ply({k: p[k] for k in ("player", "action")}, game) for p in line.get("plies", ())]
        self._state = self._played.states[0]
        for ply in self._given:
            self._state = game.apply(self._state, ply)
        self._gave = bool(line.get("plies"))
        self._asked_right = bool(line.get("asked")) and bool(self._gave or line.get("taken_back"))

    def look(self, done: int, total: Score) -> None:
        """A free look that shows `done` plies of the record."""
        states, since = self._played.states, self._done
        if self._doubtful and (done > since or self._state == states[done]):
            self._settle(total, in_time=done == since)
        total.plies += done - since
        reached = max((j for j in range(since, done + 1) if self._state == states[j]), default=None)
        if reached is not None:
            total.missed += done - reached
            if self._asked_right:
                total.asked += reached - since
            else:
                total.right += reached - since
        elif self._gave:
            self._doubtful += max(1, done - since)
        else:
            total.missed += done - since
        self._done = done

    def close(self, total: Score) -> None:
        """The set is over: what is still wrong stays wrong."""
        self._settle(total, in_time=False)

    def _settle(self, total: Score, in_time: bool) -> None:
        total.asked += self._doubtful if in_time else 0
        total.silently_wrong += 0 if in_time else self._doubtful
        self._doubtful = 0


def _quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which this share of the values lies; None of an empty list."""
    ordered = sorted(values)
    return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 3) if ordered else None
