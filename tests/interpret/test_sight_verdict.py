"""How well a table is seen, said at its first look."""

from __future__ import annotations

import pytest

from companion.interpret.contradictions import Difference
from companion.interpret.outcome import BelievedPiece
from companion.interpret.sight_verdict import judge_sight

MISSING = Difference("stock:0", "", "red/short_can")
GHOST = Difference("stock:1", "red/short_can", "")


def pieces(named: int, is_open: int) -> list[BelievedPiece]:
    return ([BelievedPiece("red/tall_can", (0.0, 0.0), "stock:0")] * named
            + [BelievedPiece(None, (0.0, 0.0), "stock:0", ("red/stub_can", "red/short_can"))] * is_open)


@pytest.mark.parametrize(("differences", "named", "is_open", "verdict"), [
    ([], 20, 0, "good"),
    ([], 17, 3, "good"),
    ([], 16, 4, "fair"),
    ([], 13, 7, "fair"),
    ([], 12, 8, "poor"),
    ([MISSING], 20, 0, "fair"),
    ([GHOST], 20, 0, "fair"),
    ([MISSING, GHOST], 20, 0, "poor"),
    ([MISSING], 12, 8, "poor"),
    ([], 0, 0, "good"),  # a game whose pieces all lie in piles
])
def test_what_is_missing_too_much_or_open_makes_sight_worse(
    differences: list[Difference], named: int, is_open: int, verdict: str
) -> None:
    assert judge_sight(differences, pieces(named, is_open)) == verdict
