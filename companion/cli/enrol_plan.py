"""What to lay where for an enrolment picture, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.errors import Phrase, phrase
from companion.table import Piece
from companion.words import Words
from vision.enrolment.picture_set import LaidPiece
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate
from vision.enrolment.plan_text import draw_plan, plan_rows
from vision.enrolment.placement_search import PLACEMENT_SEARCH_DEG
from vision.imaging.frame import CardSeen


def plan_lines(
    picture: PlannedPicture, sizes: Mapping[str, Piece], cards: Sequence[CardSeen], words: Words
) -> Iterator[str]:
    """What to lay where, in lines: the table drawn in characters, then each row from the back, then what is in crates.
    """
    groups = group_by_crate(picture, sizes)
    things = [thing for thing, _ in groups]
    yield words.say(phrase("cli.enrol.looking"))
    yield ""
    yield from draw_plan(things, cards)
    yield ""
    for y, row in plan_rows(things):
        yield words.say(phrase("cli.enrol.row", y=round(y), things=tuple(_thing(*each, sizes) for each in row)))
    for number, (_, inside) in enumerate(groups, 1):
        if inside:
            drinks = tuple(each.appearance for each in inside)
            yield words.say(phrase("enrol.inside", number=number, drinks=drinks))
    yield ""


def _thing(number: int, laid: LaidPiece, sizes: Mapping[str, Piece]) -> Phrase:
    args: dict[str, Any] = {"number": number, "piece": laid.appearance, "x": round(laid.at_mm[0])}
    turn = round(laid.turn_deg) % 360
    if sizes[laid.appearance].round or min(turn, 360 - turn) < PLACEMENT_SEARCH_DEG:
        return phrase("cli.enrol.thing", **args)
    return phrase("cli.enrol.turned", turn=turn, **args)
