"""The form of a new game, made for a game that no table knows: whole forms and whole headers."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalError, phrase
from companion.session.bounds import MAX_NAME
from companion.table import COLOURS
from web.start import ColourField, OptionField, SeatField, StartForm, header, start_form

OTHER = ("black", "white", "pink", "teal", "gold", "brown")


class Game:
    """Deals colours, who begins, a pair and a name; has an option of each kind."""

    id = "made-up"
    seats: tuple[int, ...] = (1, 2, 3)

    def __init__(self) -> None:
        self.colours: tuple[str, ...] = COLOURS

    def with_colours(self, colours: tuple[str, ...]) -> Game:
        self.colours = colours
        return self

    def read_options(self, given: dict[str, Any], players: int) -> dict[str, Any]:
        return {"quick": True, "slow": False, "limit": None, "rounds": 3, "mode": f"for {players}", **given}

    def read_setup(self, given: dict[str, Any], options: dict[str, Any], players: int) -> dict[str, Any]:
        assert options["mode"] in ("mine", f"for {players}")
        return given

    def start(self, setup: dict[str, Any], options: dict[str, Any], players: int) -> None:
        assert options["mode"] in ("mine", f"for {players}")
        if len(set(setup["colours"])) < players:
            raise IllegalError("MU 1", phrase("session.no_game"))

    def deal(self, players: int, options: dict[str, Any], rng: Random) -> dict[str, Any]:
        assert options["mode"] in ("mine", f"for {players}")
        first = rng.randrange(players)
        return {"colours": list(self.colours[:players]), "first": first, "pair": [1, 2], "word": "red", "far": 9,
                "blind": False}


def form(given: dict[str, str], offer: dict[str, Any] | None = None, colours: tuple[str, ...] = COLOURS,
         seats: tuple[int, ...] = (1, 2, 3)) -> StartForm:
    game: Any = Game()
    game.seats = seats
    return start_form(game, given, offer or {}, list(colours), lambda seat: f"Player {seat}", Random(1))


def test_a_form_has_what_the_game_deals_and_asks() -> None:
    assert form({}) == StartForm(
        "made-up", ("Player 0", "Player 1"), (1, 2, 3), (ColourField("colours", ("red", "orange")),),
        (SeatField("first", 0),),
        (OptionField("quick", True), OptionField("slow", False), OptionField("limit", None), OptionField("rounds", 3)),
        {"colours": ["red", "orange"], "first": 0, "pair": [1, 2], "word": "red", "far": 9, "blind": False},
        bots=("", ""))


def test_a_form_keeps_what_was_typed() -> None:
    long = "x" * (MAX_NAME + 5)
    given = {"players": "3", "name0": "Ana", "name2": long, "name3": "Dora", "colours1": "blue", "first": "2",
             "option.slow": "on", "option.limit": "7", "option.rounds": "", "sent": "1", "hints": "on"}
    made = form(given)
    assert made == StartForm(
        "made-up", ("Ana", "Player 1", "x" * MAX_NAME), (1, 2, 3), (ColourField("colours", ("red", "blue", "yellow")),),
        (SeatField("first", 2),),
        (OptionField("quick", False), OptionField("slow", True), OptionField("limit", 7), OptionField("rounds", None)),
        made.setup, COLOURS, True, ("", "", ""))
    assert made.setup["colours"] == ["red", "orange", "yellow"]


@pytest.mark.parametrize(("first", "chosen"), [("0", 0), ("1", 1), ("2", 0), ("-1", 0), ("", 0)])
def test_only_one_of_the_seats_can_begin(first: str, chosen: int) -> None:
    assert form({"first": first}).seats == (SeatField("first", chosen),)


@pytest.mark.parametrize(("given", "seats", "names", "count"), [
    ("", (1, 2, 3), 0, 2), ("3", (1, 2, 3), 0, 3), ("9", (1, 2, 3), 3, 3), ("9", (1, 2, 3), 4, 2), ("1", (1,), 0, 1),
    ("2", (1,), 0, 1), ("", (4, 6), 0, 4), ("6", (4, 6), 4, 6), ("", (4, 6), 6, 6), ("x", (1, 3), 0, 3),
])
def test_the_number_of_players_is_one_that_the_game_has(
    given: str, seats: tuple[int, ...], names: int, count: int
) -> None:
    offer = {"game": "made-up", "players": [{"name": f"N{n}"} for n in range(names)]}
    made = form({"players": given}, offer, seats=seats)
    assert made.players == tuple(f"N{n}" if n < names else f"Player {n}" for n in range(count))
    assert made.counts == seats


OFFER = {
    "game": "made-up", "players": [{"name": "Ana"}, {"name": "Ben"}], "options": {"mode": "mine", "quick": False},
    "setup": {"colours": ["blue", "green"], "first": 1, "unknown": 3, "pair": [3, 4]},
}  # fmt: skip


def test_an_offer_is_proposed_for_its_game_and_its_number_of_players() -> None:
    made = form({}, OFFER)
    assert (made.players, made.colours, made.seats) == (
        ("Ana", "Ben"), (ColourField("colours", ("blue", "green")),), (SeatField("first", 1),))
    assert made.options[:2] == (OptionField("quick", False), OptionField("slow", False))
    assert (made.setup["pair"], "unknown" in made.setup) == ([3, 4], False)
    assert form({}, {**OFFER, "game": "another"}) == form({})
    assert form({}, {**OFFER, "options": None, "setup": None}).options == form({}).options
    three = form({"players": "3"}, OFFER)
    assert (three.players, three.setup["colours"]) == (("Ana", "Ben", "Player 2"), ["red", "orange", "yellow"])


def test_a_set_up_that_cannot_be_is_not_proposed() -> None:
    same = form({}, {**OFFER, "setup": {"colours": ["blue", "blue"], "pair": [3, 4]}})
    assert (same.colours, same.setup["pair"]) == (form({}).colours, [1, 2])


@pytest.mark.parametrize(("given", "chosen"), [
    ({}, ("red", "orange", "yellow")), ({"colours0": "yellow"}, ("yellow", "orange", "red")),
    ({"colours0": "orange", "colours1": "red"}, ("orange", "red", "yellow")),
    ({"colours2": "red"}, ("orange", "yellow", "red")),
    ({"colours0": "blue", "colours1": "blue"}, ("blue", "blue", "yellow")),
])
def test_what_nobody_chose_gives_way_to_what_somebody_did(given: dict[str, str], chosen: tuple[str, ...]) -> None:
    assert form({"players": "3", **given}).colours == (ColourField("colours", chosen),)


@pytest.mark.parametrize(("proposed", "shown"), [
    (["black", "pink"], ("black", "pink")), (["blue", "green"], ("black", "white")),
    (("teal", "red"), ("black", "white")),
])
def test_colours_that_the_pieces_do_not_have_are_not_proposed(proposed: Any, shown: tuple[str, ...]) -> None:
    made = form({}, {**OFFER, "setup": {"colours": proposed, "pair": [7, 8], "word": "blue"}}, OTHER)
    assert (made.colours, made.piece_colours) == ((ColourField("colours", shown),), OTHER)
    assert (made.setup["pair"], made.setup["word"]) == ([7, 8], "blue")


def test_the_header_says_what_was_chosen_and_when() -> None:
    ticked = {**dict.fromkeys(("hints", "clocks", "host_corrects"), "on"), "bot1": "deep", "bot0": "clever"}
    made = form({"players": "2", "first": "1", "colours0": "blue", **ticked}, colours=OTHER)
    written = header(made)
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", written.pop("started"))
    assert written == {
        "format": "tabletop-record", "version": 1, "game": "made-up", "colours": list(OTHER), "x-hints": True,
        "x-bots": {"1": "deep"}, "x-clocks": True, "x-host-corrects": True,
        "options": {"quick": True, "slow": False, "limit": None, "rounds": 3},
        "players": [{"name": "Player 0"}, {"name": "Player 1"}],
        "setup": {"colours": ["blue", "white"], "first": 1, "pair": [1, 2], "word": "red", "far": 9, "blind": False},
    }


def test_the_header_of_a_set_up_that_is_seen_says_only_who_begins() -> None:
    written = header(form({"first": "1"}), seen=True)
    assert written["setup"] == {"first": 1}
    assert not {"colours", "x-hints", "x-bots", "x-clocks", "x-host-corrects"} & set(written)
