"""Starting a game from a phone: a form made from what the game itself says, and the header that comes of it.

The set-up is one that the game deals; what a person chooses in it is known by its form: a list with a colour for each
seat, a seat that begins. Anything else stays as dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from companion.engine import AnyGame
from companion.engine.laws_of_pages import is_asked_option, is_asked_seat
from companion.errors import CompanionError, PackageError
from companion.session.bounds import MAX_NAME
from companion.session.bot_seats import BOTS
from companion.session.pace import CLOCKS
from companion.session.projection import HINTS
from companion.session.rights import HOST_CORRECTS
from companion.table import COLOURS
from web.numbers import whole_of

Fields = Mapping[str, str]

BOT_LEVELS: Final = {"greedy": "web.start.bot.easy", "quick": "web.start.bot.middling", "deep": "web.start.bot.strong"}
"""How strong a bot at the table may be: levels, and what they are called."""


@dataclass(frozen=True, slots=True)
class ColourField:
    """A colour for each seat: `chosen[seat]`."""

    key: str
    chosen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatField:
    """One of the seats, such as the one that begins."""

    key: str
    chosen: int


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option of the game: a yes or no, or a whole number that may be left open."""

    key: str
    value: bool | int | None


@dataclass(frozen=True, slots=True)
class StartForm:
    """Everything on the form of a new game."""

    game: str
    players: tuple[str, ...]
    counts: tuple[int, ...]
    colours: tuple[ColourField, ...]
    seats: tuple[SeatField, ...]
    options: tuple[OptionField, ...]
    setup: Mapping[str, Any]
    piece_colours: tuple[str, ...] = COLOURS
    hints: bool = False
    bots: tuple[str, ...] = ()
    """The level of each seat, empty for a person; no seats where no bot can play."""
    clocks: bool = False
    host_corrects: bool = False


def start_form(
    game: AnyGame, given: Fields, offer: Mapping[str, Any], piece_colours: Sequence[str], name: Callable[[int], str],
    rng: Random,
) -> StartForm:
    """The form for `game` with what was `given` so far; `offer` is the header that the config proposes, `name` says a
    player's plain name, `piece_colours` are those of the piece set in use; `rng` deals."""
    game = game.with_colours(tuple(piece_colours))
    offered = offer if offer.get("game") == game.id else {}
    names = [str(player["name"]) for player in offered.get("players", ())]
    wanted = whole_of(given.get("players", ""))
    count = wanted if wanted in game.seats else len(names)
    count = count if count in game.seats else next((n for n in game.seats if n >= 2), game.seats[0])
    said = (given.get(f"name{n}", names[n] if n < len(names) else "") for n in range(count))
    players = tuple(each.strip()[:MAX_NAME] or name(n) for n, each in enumerate(said))
    options = _options(game, offered.get("options") or {}, count)
    setup = dict(game.deal(count, options, rng))
    proposed = offered.get("setup") or {}
    if len(names) == count:
        wanted_setup = {**setup, **{
            key: value for key, value in proposed.items() if key in setup and _is_known(value, piece_colours)}}
        setup = wanted_setup if _is_legal(game, wanted_setup, options, count) else setup
    return StartForm(
        game.id, players, game.seats,
        tuple(ColourField(key, _colours(key, each, given, piece_colours)) for key, each in setup.items()
              if _is_colours(each, count, piece_colours)),
        tuple(SeatField(key, _seat(key, each, given, count)) for key, each in setup.items()
              if is_asked_seat(each, count)),
        tuple(OptionField(key, _option(key, each, given)) for key, each in options.items() if is_asked_option(each)),
        setup, tuple(piece_colours), "hints" in given, _bots(given, count), "clocks" in given,
        "host_corrects" in given,
    )


def header(form: StartForm, seen: bool = False) -> dict[str, Any]:
    """The header of the record that the form asks for; with `seen` the set-up is what the table shows, and only what no
    picture tells (who begins) stands here."""
    chosen: dict[str, Any] = {field.key: list(field.chosen) for field in form.colours}
    chosen |= {field.key: field.chosen for field in form.seats}
    setup = {field.key: field.chosen for field in form.seats} if seen else {**form.setup, **chosen}
    chosen_notes = ((HINTS, form.hints), (CLOCKS, form.clocks), (HOST_CORRECTS, form.host_corrects))
    notes: dict[str, Any] = {key: True for key, is_set in chosen_notes if is_set}
    if bots := {str(seat): chosen_level for seat, chosen_level in enumerate(form.bots) if chosen_level}:
        notes[BOTS] = bots
    colours = {} if form.piece_colours == COLOURS else {"colours": list(form.piece_colours)}
    return {
        "format": "tabletop-record", "version": 1, "game": form.game, **colours, **notes,
        "options": {field.key: field.value for field in form.options},
        "players": [{"name": name} for name in form.players],
        "setup": setup,
        "started": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _bots(given: Fields, count: int) -> tuple[str, ...]:
    chosen = (given.get(f"bot{seat}", "") for seat in range(count))
    return tuple(each if each in BOT_LEVELS else "" for each in chosen)


def _options(game: AnyGame, offered: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The game's own options with those that are offered, where so many can play with them."""
    with suppress(CompanionError):
        return dict(game.read_options(offered, count))
    return dict(game.read_options({}, count))


def _is_legal(game: AnyGame, setup: Mapping[str, Any], options: Mapping[str, Any], count: int) -> bool:
    """Whether so many can begin with this set-up."""
    try:
        game.start(game.read_setup(setup, options, count), options, count)
    except PackageError:
        raise
    except CompanionError:
        return False
    return True


def _is_colours(value: Any, count: int, colours: Sequence[str]) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == count and all(
        isinstance(each, str) and each in colours for each in value)


def _is_known(value: Any, colours: Sequence[str]) -> bool:
    """Whether a proposed value can be played with these pieces: no list of colours that they do not have."""
    return not isinstance(value, (list, tuple)) or not any(
        isinstance(each, str) and each in COLOURS and each not in colours for each in value)


def _colours(key: str, dealt: Sequence[str], given: Fields, colours: Sequence[str]) -> tuple[str, ...]:
    """As they were chosen. A seat for which none was gets the one that was dealt; where each has its own, another one
    if that is taken: what nobody chose must not stand in the way of what somebody did."""
    chosen = {seat: given[f"{key}{seat}"] for seat in range(len(dealt)) if f"{key}{seat}" in given}
    if len(set(dealt)) < len(dealt):
        return tuple(chosen.get(seat, colour) for seat, colour in enumerate(dealt))
    for seat, colour in enumerate(dealt):
        if seat not in chosen:
            free = (each for each in (colour, *dealt, *colours) if each not in chosen.values())
            chosen[seat] = next(free, colour)
    return tuple(chosen[seat] for seat in range(len(dealt)))


def _seat(key: str, dealt: int, given: Fields, count: int) -> int:
    seat = whole_of(given.get(key, ""))
    return seat if seat is not None and seat < count else dealt


def _option(key: str, usual: bool | int | None, given: Fields) -> bool | int | None:
    """An unticked box is not sent at all, so `sent` tells a form from a first visit."""
    if isinstance(usual, bool):
        return f"option.{key}" in given if "sent" in given else usual
    number = whole_of(given.get(f"option.{key}", ""))
    return number if number is not None or "sent" in given else usual
