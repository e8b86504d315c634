"""What `read` wrote about a picture set, compared with what was really there. Pure: dicts in, counts out.

`judge_spots.py` compares pieces, `judge_plies.py` plies; here all of a set comes together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from companion.cli.judge_plies import PlyCounts, PlyJudge, PlyTrouble
from companion.cli.judge_spots import Eye, LookContext, Matched, OneLook, judge_look, match_spots, with_faces
from companion.cli.played import Played
from companion.engine import Json, Recognising
from companion.table import Layout, Placement, standing

LISTS: Final = ("cards_mm", "cards_deg", "board_mm", "crates_mm")
TIMES: Final = ("watch_ms", "read_ms", "interpret_ms")
BOARD_MM: Final = 100.0
"""Of the bodies that carry pieces those are boards that are wider; it is kept apart how far off they were found."""
SURE_CLASSES: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
"""Where the classes of a reliability table begin."""


@dataclass(slots=True)
class Score:
    """Counts of one set, or of several added up. Lists hold one number a frame, a card or a body; `sure_plies` and
    `look.sure` how sure each was and whether it was right; `troubles` are looks whose plies were not simply right."""

    frames: int = 0
    free: int = 0
    free_unread: int = 0
    setup: dict[str, int] = field(default_factory=lambda: {"told": 0, "right": 0, "open": 0})
    cards_mm: list[float] = field(default_factory=list)
    cards_deg: list[float] = field(default_factory=list)
    board_mm: list[float] = field(default_factory=list)
    crates_mm: list[float] = field(default_factory=list)
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
    look: OneLook = field(default_factory=OneLook)
    sure_plies: list[tuple[float, bool]] = field(default_factory=list)
    troubles: list[PlyTrouble] = field(default_factory=list)

    def __iadd__(self, other: Score) -> Score:
        """Pools another set's counts."""
        for name in self.__dataclass_fields__:
            mine, its = getattr(self, name), getattr(other, name)
            if name == "peak_mb":
                self.peak_mb = max(mine, its)
            elif name == "setup":
                self.setup = {key: mine[key] + its[key] for key in mine}
            elif name == "look":
                self.look += its
            else:
                setattr(self, name, mine + its)
        return self

    def json(self) -> dict[str, Json]:
        """The counts as `evaluate --json` gives them."""
        found: dict[str, Json] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        del found["sure_plies"], found["troubles"]
        for name in LISTS:
            found[name] = {"median": quantile(found[name], 0.5), "worst": quantile(found[name], 1.0)}
        for name in TIMES:
            found[name] = {"median": quantile(found[name], 0.5), "p95": quantile(found[name], 0.95)}
        found["first_read_ms"] = quantile(self.first_read_ms, 1.0)
        found["look"] = self.look.json()
        found["reliability"] = {"pieces": reliability(self.look.sure), "plies": reliability(self.sure_plies)}
        return found


def score(
    lines: Sequence[Json], truth: Sequence[Json], played: Played, pieces: Mapping[str, Json], eye: Eye | None = None,
    dazzled: Mapping[int, frozenset[int]] | None = None,
) -> Score:
    """The score of what was read. `pieces` are those of the set by name (`kind`, `size`), `eye` is where the camera
    was, `dazzled` has for frames the numbers of the pieces that lie in a reflection."""
    total, counts = Score(), PlyCounts()
    judge = PlyJudge(played, counts)
    _score_setup(total, lines[0]["setup"], played)
    by_frame = {line["frame"]: line for line in lines[1:]}
    for true in truth:
        line = by_frame.get(true["frame"], {"state": "not read"})
        total.frames += 1
        _score_cards(total, line, true)
        total.watch_ms += [line["ms"]["watch"]] if "watch" in line.get("ms", {}) else []
        judge.hear(line)
        if not true["free"]:
            total.busy += 1
            total.busy_read += line["state"] == "free"
            continue
        judge.look(true["ply"])
        _score_spots(total, line, true, played, pieces, eye, (dazzled or {}).get(true["frame"], frozenset()))
        _score_times(total, line)
    judge.close()
    total.plies, total.right, total.asked = counts.plies, counts.right, counts.asked
    total.missed, total.silently_wrong = counts.missed, counts.silently_wrong
    total.sure_plies, total.troubles = counts.sure, counts.troubles
    return total


def _score_setup(total: Score, read: Json, played: Played) -> None:
    if not isinstance(played.game, Recognising):
        return
    true = played.game.setup_parts(played.setup)
    mine = {} if read is None else played.game.setup_parts(read)
    total.setup["told"] += len(mine)
    total.setup["right"] += sum(part in true and true[part] == value for part, value in mine.items())
    total.setup["open"] += max(0, len(true) - len(mine))


def _score_cards(total: Score, line: Json, true: Json) -> None:
    cards = {each["card"]: each for each in true["cards"]}
    for seen in line.get("cards", ()):
        card = cards.get(seen["card"])
        if card is None:
            continue
        total.cards_mm.append(math.dist(seen["at"], card["at"]))
        total.cards_deg.append(abs((seen["turn"] - card["turn"] + 180.0) % 360.0 - 180.0))


def _score_spots(
    total: Score, line: Json, true: Json, played: Played, pieces: Mapping[str, Json], eye: Eye | None,
    dazzled: frozenset[int],
) -> None:
    sizes = {name: min(piece["size"][:2]) for name, piece in pieces.items()}
    is_read = line["state"] == "free"
    total.free += 1
    total.free_unread += not is_read
    spots = [each for each in match_spots(line.get("believed", ()), true["pieces"], sizes) if each.counts]
    right, opened = _count(spots, "right"), _count(spots, "open")
    total.spots += len(spots)
    total.spots_right += right
    total.spots_open += opened
    total.tables += 1
    total.tables_right += is_read and right + opened == len(spots)
    if is_read:
        seen = match_spots(line["seen"], true["pieces"], sizes)
        total.spots_one_look += _count([each for each in seen if each.counts], "right")
        layout, placement = played.game.layout(played.setup), _placement(played, true)
        now = standing(layout, placement)
        faces = with_faces(pieces, layout.kinds)
        judge_look(total.look, seen, LookContext(eye, _empty_places(now, placement), faces, dazzled))
        carried = {place.on for place in now.places}
        carriers = {body.appearance for body in now.bodies if body.spot in carried}
        for each in seen:
            if each.answer == "right" and each.piece and each.stand and each.piece["appearance"] in carriers:
                off = total.board_mm if sizes[each.piece["appearance"]] > BOARD_MM else total.crates_mm
                off.append(math.dist(each.stand["at"], each.piece["at"]))


def _count(matched: Sequence[Matched], answer: str) -> int:
    return sum(each.answer == answer for each in matched)


def _placement(played: Played, true: Json) -> Placement:
    """What stands where in a frame, by the rules."""
    found: Placement = played.game.placement(played.states[min(true["ply"], len(played.states) - 1)])
    return found


def _empty_places(layout: Layout, placement: Placement) -> int:
    """How many places of the layout have nothing on them."""
    return sum(not placement.get(place.spot) and not placement.get(place.under or "") for place in layout.places)


def _score_times(total: Score, line: Json) -> None:
    if line["state"] == "free":
        (total.read_ms if total.first_read_ms else total.first_read_ms).append(line["ms"]["read"])
        total.interpret_ms.append(line["ms"]["interpret"])


# --- small things -----------------------------------------------------------------------------------------------------


def reliability(sure: Sequence[tuple[float, bool]]) -> list[dict[str, Any]]:
    """How often what was said with a confidence was right, by classes of confidence."""
    limits = [*SURE_CLASSES, 1.1]
    classes = [[right for confidence, right in sure if low <= confidence < high]
               for low, high in pairwise(limits)]
    return [{"from": low, "said": len(each), "right": sum(each)} for low, each in zip(SURE_CLASSES, classes)]


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which this share of the values lies; None of an empty list."""
    ordered = sorted(values)
    return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 3) if ordered else None
