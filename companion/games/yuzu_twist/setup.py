"""Options and set-ups of Yuzu Twist: reading, checking, dealing, and hiding what is blind (YT 1, YT 7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Final

from companion.engine import Json, Observer, Seat, form
from companion.errors import IllegalError, Phrase, phrase
from companion.games.yuzu_twist.state import LETTERS, SLOTS, START_CELLS, Cell, State, Terms
from companion.table import SHAPES, Drink, seat_phrase, shape_of

COLOURS_EACH: Final = {1: 0, 2: 3, 3: 2, 4: 1, 5: 1, 6: 1}
"""How many colours a seat owns, by the number of players (YT 1.4)."""
TEAMS: Final[Mapping[int, list[list[Seat]]]] = {4: [[0, 2], [1, 3]], 5: [[0, 2, 4], [1, 3]], 6: [[0, 2, 4], [1, 3, 5]]}
"""The teams when nothing is said (YT 1.5)."""


def read_options(given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
    """`teams` (YT 1.5), `blind` (YT 1.6) and `quiet_limit` (YT 5.6)."""
    found = form.fields(given, "options", (), ("teams", "blind", "quiet_limit"))
    limit = found.get("quiet_limit")
    return {
        "teams": _read_teams(found["teams"], players) if "teams" in found else TEAMS.get(players),
        "blind": form.truth(found.get("blind", False), "options.blind"),
        "quiet_limit": None if limit is None else form.whole(limit, "options.quiet_limit", least=1),
    }


def _read_teams(given: Json, players: int) -> list[list[Seat]] | None:
    where = "options.teams"
    if players not in TEAMS:
        if given is not None:
            raise IllegalError("YT 1.5", phrase("yt.no.teams_of_few", players=players))
        return None
    teams = [_read_seats(team, f"{where}[{i}]", players) for i, team in enumerate(form.items(given, where, 2))]
    sizes = sorted(len(team) for team in teams)
    if sorted(seat for team in teams for seat in team) != list(range(players)) or sizes[0] != players // 2:
        raise IllegalError("YT 1.5", phrase("yt.no.teams", players=players, small=players // 2, large=-(-players // 2)))
    return teams


def _read_seats(given: Json, where: str, players: int) -> list[Seat]:
    return [form.whole(seat, f"{where}[{i}]", 0, players - 1) for i, seat in enumerate(form.items(given, where))]


def read_setup(given: Json, players: int, colours: Sequence[str]) -> Json:
    """The set-up, checked whole; lists keep their order."""
    found = form.fields(given, "setup", ("crates", "colours", "first"))
    crates = form.fields(found["crates"], "setup.crates", LETTERS)
    read = {letter: _read_crate(crates[letter], f"setup.crates.{letter}", colours) for letter in LETTERS}
    _check_all_once([tuple(crate["cell"]) for crate in read.values()], [crate["slots"] for crate in read.values()])
    return {
        "crates": read,
        "colours": _read_colours(found["colours"], players, colours),
        "first": form.whole(found["first"], "setup.first", 0, players - 1),
    }


def _read_crate(given: Json, where: str, colours: Sequence[str]) -> dict[str, Json]:
    found = form.fields(given, where, ("cell", "turned", "slots"))
    cell = form.items(found["cell"], f"{where}.cell", 2)
    i, j = (form.whole(each, f"{where}.cell[{k}]") for k, each in enumerate(cell))
    if (i, j) not in START_CELLS:
        raise IllegalError("YT 1.2", phrase("yt.no.off_lattice", where=f"{where}.cell", i=i, j=j))
    drinks = [
        form.drink(each, f"{where}.slots[{k}]", colours)
        for k, each in enumerate(form.items(found["slots"], f"{where}.slots", SLOTS))
    ]
    for drink in drinks:
        if shape_of(drink) != shape_of(drinks[0]):
            reason = phrase("yt.no.mixed_crate", where=f"{where}.slots", drink=drink, other=drinks[0])
            raise IllegalError("YT 1.3", reason)
        if drinks.count(drink) > 1:
            raise IllegalError("YT 1.3", phrase("yt.no.drink_twice", where=f"{where}.slots", drink=drink))
    return {"cell": [i, j], "turned": form.truth(found["turned"], f"{where}.turned"), "slots": drinks}


def _check_all_once(cells: Sequence[Cell], slots: Sequence[Sequence[Drink]]) -> None:
    for letter, cell in zip(LETTERS, cells):
        other = LETTERS[cells.index(cell)]
        if other != letter:
            raise IllegalError("YT 1.2", phrase("yt.no.cell_twice", crate=letter, other=other, i=cell[0], j=cell[1]))
    shapes = [shape_of(drinks[0]) for drinks in slots]
    for letter, shape in zip(LETTERS, shapes):
        other = LETTERS[shapes.index(shape)]
        if other != letter:
            raise IllegalError("YT 1.3", phrase("yt.no.shape_twice", crate=letter, other=other, shape=shape))


def _read_colours(given: Json, players: int, colours: Collection[str]) -> list[list[str]]:
    where, seen = "setup.colours", set[str]()
    read: list[list[str]] = []
    for seat, own in enumerate(form.items(given, where, players)):
        read.append([])
        for i, each in enumerate(form.items(own, f"{where}[{seat}]")):
            colour = form.one_of(each, f"{where}[{seat}][{i}]", colours)
            if colour in seen:
                raise IllegalError("YT 1.4", phrase("yt.no.colour_twice", where=where, colour=colour))
            seen.add(colour)
            read[seat].append(colour)
        want = COLOURS_EACH[players]
        if len(read[seat]) != want:
            reason = phrase("yt.no.colours_each", where=f"{where}[{seat}]", want=want, number=len(read[seat]))
            raise IllegalError("YT 1.4", reason)
    return read


def deal(players: int, colours: Sequence[str], rng: Random) -> Json:
    """A random set-up: shapes to crates, drinks in them, colours to seats; crate A stands at the front left."""
    shapes = rng.sample(SHAPES, 6)
    each = COLOURS_EACH[players]
    shuffled = rng.sample(list(colours), 6)
    return {
        "crates": {
            letter: {
                "cell": list(cell), "turned": False,
                "slots": [f"{colour}/{shape}" for colour in rng.sample(list(colours), 6)],
            }
            for letter, cell, shape in zip(LETTERS, START_CELLS, shapes)
        },
        "colours": [sorted(shuffled[seat * each : (seat + 1) * each]) for seat in range(players)],
        "first": rng.randrange(players),
    }


def start(setup: Json, options: Mapping[str, Json]) -> State:
    """The state before the first ply."""
    teams = options["teams"]
    terms = Terms(
        colours=tuple(tuple(own) for own in setup["colours"]),
        teams=None if teams is None else tuple(tuple(team) for team in teams),
        blind=options["blind"],
        quiet_limit=options["quiet_limit"],
    )
    crates = [setup["crates"][letter] for letter in LETTERS]
    return State(
        terms, setup["first"],
        cells=tuple((crate["cell"][0], crate["cell"][1]) for crate in crates),
        turned=tuple(crate["turned"] for crate in crates),
        drinks=tuple(tuple(crate["slots"]) for crate in crates),
    )


def open_setup(setup: Json, options: Mapping[str, Json], observer: Observer) -> Json:
    """The set-up as it may be shown while the game is on: the colours of a blind game as null (YT 7.3)."""
    if not options["blind"]:
        return setup
    shown = [own if seat == observer else None for seat, own in enumerate(setup["colours"])]
    return {**setup, "colours": shown}


def instructions(setup: Json) -> tuple[Phrase, ...]:
    """How to lay the table: crate by crate from the front left, its rows from the front."""
    steps: list[Phrase] = []
    for cell in START_CELLS:
        crate = next(each for each in setup["crates"].values() if tuple(each["cell"]) == cell)
        drinks = crate["slots"][::-1] if crate["turned"] else crate["slots"]
        steps.append(phrase("yt.lay_crate", column=cell[0] + 1, row=cell[1] + 1, drinks=tuple(drinks)))
    steps += [
        phrase("yt.lay_colours", seat=seat_phrase(seat), colours=tuple(own))
        for seat, own in enumerate(setup["colours"]) if own
    ]
    return tuple(steps)
