"""`companion evaluate --html FOLDER`: the scores as a page, with the worst pictures to look at."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
from jinja2 import Environment, PackageLoader

from companion.cli.judge_plies import PlyTrouble
from companion.cli.judge_spots import Matched, match_spots
from companion.cli.score_table import of, rows_of
from companion.cli.scoring import Score, reliability
from companion.cli.set_pictures import drawn, views
from companion.engine import Json
from companion.table import colour_of, shape_of
from vision.enrolment.picture_set import read_set

if TYPE_CHECKING:
    from companion.cli.evaluate import Evaluated

MOST_PICTURES: Final = 12
MOST_OF_A_SET: Final = 3
MOST_CONFUSIONS: Final = 20
MOST_NAMED: Final = 9
THUMB_QUALITY: Final = 82


def write_report(folder: Path, sets: Sequence[Evaluated], pooled: Score) -> Path:
    """Writes `index.html` and its pictures into a folder, which is made if need be; gives the page's path."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    page = folder / "index.html"
    names, rows = rows_of([("all", pooled), *((each.name, each.score) for each in sets)])
    environment = Environment(loader=PackageLoader("companion.cli", "templates"), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True)
    page.write_text(environment.get_template("report.html").render(
        sets=[each.name for each in sets], headlines=list(_headlines(pooled)), names=names, rows=rows,
        confusions=list(_confusions(pooled.look.confused)),
        reliability=[("Pieces, by one look", _classes(pooled.look.sure)),
                     ("Plies, given out unasked", _classes(pooled.sure_plies))],
        troubles=[_told(each.name, trouble) for each in sets for trouble in each.score.troubles],
        pictures=list(_worst(folder, sets)),
    ), encoding="utf-8")
    return page


def _headlines(score: Score) -> Iterator[dict[str, Any]]:
    """What is promised, and what came out."""
    spots_wrong = score.spots - score.spots_right - score.spots_open
    unasked = score.plies - score.asked
    yield _headline("spots wrong", spots_wrong, score.spots, 0.002, at_most=True)
    yield _headline("spots open", score.spots_open, score.spots, 0.05, at_most=True)
    yield _headline("tables without error", score.tables_right, score.tables, 0.99)
    yield _headline("plies right without help", score.right, score.plies, 0.95)
    yield _headline("plies asked", score.asked, score.plies, 0.05, at_most=True)
    yield _headline("plies silently wrong", score.silently_wrong, max(1, unasked), 0.0, at_most=True)
    yield _headline("busy looks read", score.busy_read, score.busy, 0.0, at_most=True)
    occupied, faces = score.look.occupied, score.look.faces
    yield _headline("empty or occupied, one look", occupied["right"], occupied["of"], 0.999)
    yield _headline("faces, one look", faces["right"], faces["of"], 0.995)


def _headline(title: str, count: int, whole: int, promised: float, at_most: bool = False) -> dict[str, Any]:
    share = count / whole if whole else None
    is_met = share is None or (share <= promised if at_most else share >= promised)
    limit = f"{'at most' if at_most else 'at least'} {100 * promised:g} %" if promised else "none"
    return {
        "title": title, "share": "–" if share is None else f"{100 * share:.2f} %", "count": f"{count} of {whole}",
        "promised": limit, "is_met": is_met, "is_known": share is not None,
    }


def _confusions(confused: Counter[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """What was taken for what, the most frequent first; drinks by what was wrong of them, colour or shape."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for (true, seen), count in confused.items():
        if "/" in true and "/" in seen and colour_of(true) == colour_of(seen):
            counts["shape", shape_of(true), shape_of(seen)] += count
        elif "/" in true and "/" in seen and shape_of(true) == shape_of(seen):
            counts["colour", colour_of(true), colour_of(seen)] += count
        else:
            here, there = ("drink" if "/" in name and "" in (true, seen) else name for name in (true, seen))
            counts["", here or "nothing", there or "nothing"] += count
    for (what, true, seen), count in counts.most_common(MOST_CONFUSIONS):
        yield {"what": what, "true": true, "seen": seen, "count": count}


def _classes(sure: Sequence[tuple[float, bool]]) -> list[dict[str, Any]]:
    """A reliability table from the surest class down, without the classes that are empty."""
    classes = reliability(sure)
    limits = [*(each["from"] for each in classes[1:]), 1.0]
    return [
        {"said": f"{100 * each['from']:g}–{100 * limit:g} %", "right": of(each["right"], each["said"]),
         "share": 100 * each["right"] / each["said"], "promised": 100 * each["from"]}
        for each, limit in reversed(list(zip(classes, limits))) if each["said"]
    ]


def _told(name: str, trouble: PlyTrouble) -> dict[str, Any]:
    return {
        "set": name, "frame": trouble.frame, "what": trouble.what,
        "played": [_action(each) for each in trouble.played], "given": [_action(each) for each in trouble.given],
    }


def _action(action: Json) -> str:
    if action is None:
        return "no action of this game"
    rest = " ".join(f"{key} {value if isinstance(value, str) else json.dumps(value)}" for key, value in action.items()
                    if key != "type")
    return f"{action['type']} {rest}".strip()


# --- pictures ---------------------------------------------------------------------------------------------------------


def _worst(folder: Path, sets: Sequence[Evaluated]) -> Iterator[dict[str, Any]]:
    """The looks with the most that is wrong, at most some of a set, drawn and written to the folder."""
    found = []
    for each in sets:
        of_set = sorted(_wrong_looks(each), key=lambda look: (-look[0], look[1]))[:MOST_OF_A_SET]
        found += [(wrong, each, frame, kind, matched) for wrong, frame, kind, matched in of_set]
    found.sort(key=lambda look: (-look[0], look[1].name, look[2]))
    for _, each, frame, kind, matched in found[:MOST_PICTURES]:
        for _, image, view in views(read_set(each.folder), [frame]):
            name = f"pictures/{each.name}-{frame:04d}-{kind}.jpg"
            small = drawn(image, view, matched)
            cv2.imwrite(str(folder / name), small, [cv2.IMWRITE_JPEG_QUALITY, THUMB_QUALITY])
            wrong = [spot for spot in matched if spot.answer == "wrong" and spot.counts]
            yield {
                "file": name, "set": each.name, "frame": frame, "kind": kind, "wrong": len(wrong),
                "width": small.shape[1], "height": small.shape[0], "more": max(0, len(wrong) - MOST_NAMED),
                "named": [_mistake(spot) for spot in wrong[:MOST_NAMED]],
            }


def _wrong_looks(each: Evaluated) -> Iterator[tuple[int, int, str, list[Matched]]]:
    """Each free look at which something was believed, or seen, wrongly: how much, the frame, which of both."""
    lines = {line["frame"]: line for line in each.lines[1:]}
    for true in each.truth:
        line = lines.get(true["frame"], {})
        if not true["free"] or line.get("state") != "free":
            continue
        for kind in ("believed", "seen"):
            matched = match_spots(line[kind], true["pieces"], each.sizes)
            wrong = sum(spot.answer == "wrong" and spot.counts for spot in matched)
            if wrong:
                yield wrong, true["frame"], kind, matched
                break


def _mistake(spot: Matched) -> str:
    true = "nothing" if spot.piece is None else f"{spot.piece['appearance']} ({spot.piece['spot']})"
    seen = "not seen" if spot.stand is None else f"taken for {spot.stand['appearance'] or 'something open'}"
    return f"{true}: {seen}"
