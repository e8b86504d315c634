"""Games at a table that are played by hand: random states, and all ways to enter a ply."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from companion.engine import AnyGame, Chance, Choose, Over, Ply, random_ply
from companion.games import registry
from companion.session.by_hand.entering import entry_for
from companion.session.by_hand.entry import Entry, TouchOffer
from companion.session.by_hand.touches import Pick, Touch
from companion.session.commands import Correct, StartGame
from companion.session.state import Match, State
from tests.session.tables import Table

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eli", "Fay")
ORDINARY = 3
"""Touches."""


def a_table(id: str, rng: Random, players: int = 0) -> Table:
    """A game of this many players (0: any number) that has just begun."""
    game = registry.game(id)
    players = players or rng.choice(game.seats)
    options = game.at_table(game.read_options(game.simulation, players))
    table = Table()
    table.do(StartGame(0, "host", {
        "game": id, "players": [{"name": NAMES[seat]} for seat in range(players)],
        "setup": game.deal(players, options, rng), "options": dict(options)}))
    return table


def match_of(table: Table) -> Match:
    """The game of the table."""
    assert table.state.match is not None
    return table.state.match


def random_states(id: str, seed: int, plies: int) -> Iterator[State]:
    """The states of a game played at random, by hand."""
    rng = Random(f"{id} {seed}")
    table = a_table(id, rng)
    for _ in range(plies):
        match = match_of(table)
        if isinstance(match.game.turn(match.state), Over):
            return
        yield table.state
        ply = match.seen(random_ply(match.game, match.state, rng))
        table.ask(Correct, "host", 0, (match.written(ply),))


def host_entry(state: State) -> Entry:
    """What the host may enter."""
    entry = entry_for(state, None, is_host=True).entry
    assert entry is not None
    return entry


def all_plies(game: AnyGame, state: Any) -> tuple[list[Ply[Any]], list[Ply[Choose]]]:
    """All that can be played or come by chance, and the choices of some of many."""
    legal = list(game.legal(state))
    chance = [Ply("chance", action) for action, _ in game.outcomes(state)] if isinstance(
        game.turn(state), Chance) else []
    return [ply for ply in (*legal, *chance) if not isinstance(ply.action, Choose)], [
        ply for ply in legal if isinstance(ply.action, Choose)]


def spelled(written: Mapping[str, Any]) -> str:
    return json.dumps(written, sort_keys=True)


def entered_within(entry: Entry, touches: int) -> dict[str, int]:
    """All plies that so many touches can lead to, each with the fewest."""
    found: dict[str, int] = {}
    seen: set[frozenset[tuple[Touch, int]]] = set()
    level: list[tuple[Touch, ...]] = [()]
    for depth in range(1, touches + 1):
        deeper: list[tuple[Touch, ...]] = []
        for before in level:
            for offer in entry.after(before).offers:
                then = (*before, offer.touch)
                if offer.ply is not None:
                    found.setdefault(spelled(offer.ply), depth)
                elif (kind := frozenset(Counter(then).items())) not in seen:
                    seen.add(kind)
                    deeper.append(then)
        level = deeper
    return found


def enter(entry: Entry, wanted: str, most: int = 40) -> list[TouchOffer]:
    """Enters this ply by what is offered, preferring what leaves it possible: the touches that it took."""
    taken: list[TouchOffer] = []
    while len(taken) < most:
        touches = [each.touch for each in taken]
        offers = entry.after(touches).offers
        last = next((each for each in offers if each.ply is not None and spelled(each.ply) == wanted), None)
        if last is not None:
            return [*taken, last]
        taken.append(next(offer for offer in offers if _leads_on(entry, touches, offer, wanted)))
    raise AssertionError(f"not within {most} touches: {wanted}")


def _leads_on(entry: Entry, touches: Sequence[Touch], offer: TouchOffer, wanted: str) -> bool:
    """Whether the wanted ply is among those that are left after this touch."""
    if offer.ply is not None:
        return False
    left, counting = entry.left_after((*touches, offer.touch))
    action = json.loads(wanted)["action"]
    for ply in left:
        if ply.choose is None and spelled(ply.written) == wanted:
            return True
        if ply.choose is not None and ply.choose.type == action["type"]:
            picked = Counter(each.text for each in counting if isinstance(each, Pick) and each.text)
            return picked <= Counter(action[ply.choose.key])
    return False
