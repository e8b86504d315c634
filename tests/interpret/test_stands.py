"""Every piece on the table as believed: where it believed_pieces, and what stays open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.interpret.believed_pieces import believed_pieces
from companion.interpret.evidence import TableTracks
from companion.interpret.outcome import BelievedPiece
from companion.interpret.tracks import track_of
from companion.table import EMPTY, Layout, Sight, Zone

SQUARE = ((0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0))
LAYOUT = Layout((), (), (Zone("stock", SQUARE, ("drink",)),), (200.0, 200.0))
CAN, BOTTLE = "red/stub_can", "red/tallest_bottle"


def believed(leads_nats: float, *lie: str) -> tuple[BelievedPiece, ...]:
    """Of a thing that looks like a can by so much, and would stand 7 mm nearer if it were a bottle, when these lie
    there; another thing is surely a can where two things lie."""
    half_hidden = Sight("stock", (20.0, 20.0), {CAN: 0.0, BOTTLE: -leads_nats, EMPTY: -30.0},
                        feet_mm={CAN: (20.0, 20.0), BOTTLE: (20.0, 13.0)})
    clear = Sight("stock", (60.0, 20.0), {CAN: 0.0, BOTTLE: -30.0, EMPTY: -30.0})
    seen = TableTracks({"stock": tuple(track_of(each) for each in (half_hidden, clear)[:len(lie)])})
    return believed_pieces(LAYOUT, {"stock": lie}, seen, {})


@pytest.mark.parametrize(("back_leads_nats", "sides"), [
    (2.0, ("yen:100:back",)), (0.3, ("yen:100", "yen:100:back")), (-0.3, ("yen:100", "yen:100:back")),
    (-2.0, ("yen:100",))])
def test_the_side_of_a_coin_stays_open_while_neither_is_by_much_the_likelier(
    back_leads_nats: float, sides: tuple[str, ...]
) -> None:
    coin = Sight("stock", (20.0, 20.0), {"yen:100": 0.0, "yen:100:back": back_leads_nats, EMPTY: -30.0})
    beside = replace(coin, spot="line:1")
    seen = TableTracks({"stock": (track_of(coin),)}, {"line:1": track_of(beside)})
    for each in believed_pieces(LAYOUT, {"stock": ("yen:100",), "line:1": ("yen:100",)}, seen, {"line:1": (9.0, 9.0)}):
        assert ((each.appearance,) if each.among == () else each.among) == sides
        assert (each.appearance is None) == (len(sides) > 1)


def test_what_rules_name_otherwise_than_it_looks_stands_where_such_a_thing_would() -> None:
    assert BelievedPiece(BOTTLE, (20.0, 13.0), "stock") in believed(1.0, CAN, BOTTLE)


def test_what_is_named_as_it_looks_stands_where_it_was_seen() -> None:
    assert believed(1.0, CAN) == (BelievedPiece(CAN, (20.0, 20.0), "stock"),)
    assert BelievedPiece(CAN, (20.0, 20.0), "stock") in believed(1.0, CAN, CAN)
