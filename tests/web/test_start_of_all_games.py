"""What the form of a new game proposes can be begun: in every game, with every number of players, whoever is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import record
from companion.games import registry
from companion.table import COLOURS
from web.start import StartForm, header, start_form

COUNTS = [(id, players) for id in registry.ids() for players in registry.game(id).seats]
OFFERS: tuple[dict[str, Any], ...] = (
    {}, {"players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {"colours": ["red", "green"], "first": 1}},
    {"players": [{"name": name} for name in "ABC"], "setup": {"colours": ["red", "red", "red"], "first": 7}},
    {"players": [{"name": name} for name in "ABCD"], "options": {"teams": 9, "nonsense": True}},
)
"""What a config may propose; most of it cannot be played."""


def made(id: str, given: dict[str, str], offer: dict[str, Any], seed: int) -> StartForm:
    return start_form(registry.game(id), given, {"game": id, **offer} if offer else {}, list(COLOURS),
                      lambda seat: f"Player {'ABCDEF'[seat]}", Random(seed))


def sent(form: StartForm) -> dict[str, str]:
    """What a browser sends of it."""
    fields = {"sent": "1", "game": form.game, "players": str(len(form.players))}
    fields |= {f"name{seat}": name for seat, name in enumerate(form.players)}
    fields |= {f"{each.key}{seat}": colour for each in form.colours for seat, colour in enumerate(each.chosen)}
    fields |= {each.key: str(each.chosen) for each in form.seats}
    fields |= {f"option.{each.key}": "on" if each.value is True else str(each.value) for each in form.options
               if each.value not in (None, False)}
    return fields


def begins(form: StartForm) -> None:
    """Raises when the game cannot begin so."""
    record.read_header(header(form), registry.game)


@pytest.mark.parametrize(("id", "players"), COUNTS)
@pytest.mark.parametrize("offer", OFFERS, ids=range(len(OFFERS)))
def test_what_is_proposed_can_be_begun(id: str, players: int, offer: dict[str, Any]) -> None:
    for seed in range(8):
        shown = made(id, {"players": str(players)}, offer, 0)
        assert len(shown.players) == players
        begins(shown)
        begins(made(id, sent(shown), offer, seed))


@pytest.mark.parametrize(("id", "players"), COUNTS)
def test_it_can_be_begun_with_more_or_fewer_players_than_were_shown_first(id: str, players: int) -> None:
    """What was chosen for two is kept, and what nobody chose for a third gives way."""
    for before in registry.game(id).seats:
        for seed in range(12):
            first = made(id, {"players": str(before)}, {}, seed)
            begins(made(id, {**sent(first), "players": str(players)}, {}, seed + 1))


def test_what_a_person_chose_is_kept_when_a_player_joins() -> None:
    given = {"players": "2", "colours0": "yellow", "colours1": "purple"}
    for seed in range(20):
        form = made("kamikaze-cans", {**given, "players": "6"}, {}, seed)
        assert form.colours[0].chosen[:2] == ("yellow", "purple")
        assert sorted(form.colours[0].chosen) == sorted(COLOURS)
