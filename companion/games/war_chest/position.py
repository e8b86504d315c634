"""War Chest from a table as it stands. What lies in bags and hands stays as it is, and so does what is known of it: but
coins that lie there beyond those were spent from the hand. Coins that are nowhere any more are out of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NoReturn

from companion.engine import Json, Over, Seat
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.war_chest import coins, hidden
from companion.games.war_chest.board import Hex, board
from companion.games.war_chest.coins import ROYAL, Coin, Purse
from companion.games.war_chest.maneuvers import LAST_MARKER
from companion.games.war_chest.state import FrozenDict, Side, Stack, State, Table
from companion.games.war_chest.units import UNITS
from companion.table import Appearance, Placement, seat_phrase

COIN_BACK: Final = "coin:back"


def all_pieces(setup: Json) -> tuple[Appearance, ...]:
    """All coins, and as many face down; the markers."""
    factions, own = setup["factions"], list[Appearance]()
    for seat, units in enumerate(setup["units"]):
        own += [f"coin:{unit}" for unit in units for _ in range(UNITS[unit].coins)]
        own.append(f"coin:{ROYAL}:{factions[seat]}")
    markers = [f"marker:{faction}" for faction in factions[:2] for _ in range(board(len(factions)).markers)]
    return (*own, *[COIN_BACK] * len(own), *markers, *(f"initiative:{faction}" for faction in factions[:2]))


def rearranged(state: State, placement: Placement, seat: Seat) -> State:
    """The state in which this stands and the seat uses a coin of its hand (once all hands are empty, coins are drawn).
    Raises `IllegalError` for what cannot stand so, and while a coin that a priest drew waits to be used."""
    if any(purse.size("drawn") for purse in state.purses):
        _refuse("WC 6.16", "use_drawn")
    table = state.table
    stacks = FrozenDict({at: _stack(pieces, table) for at, pieces in _on("hex:", placement)})
    control = FrozenDict({at: _side(pieces[-1], table) for at, pieces in _on("marker:", placement)})
    purses = tuple(_purse(purse, placement, stacks, owner) for owner, purse in enumerate(state.purses))
    if any(purse.size("hand") for purse in purses) and not purses[seat].size("hand"):
        _refuse("WC 4.5", "empty_hand", seat=seat_phrase(seat))
    now = replace(
        state, stacks=stacks, control=control, purses=purses, initiative=_initiative(placement, state), due=(),
        active=seat if purses[seat].size("hand") else None)
    return _ended(now, placement)


def _on(kind: str, placement: Placement) -> Iterator[tuple[Hex, tuple[Appearance, ...]]]:
    for spot, pieces in placement.items():
        if spot.startswith(kind) and pieces:
            q, _, r = spot.removeprefix(kind).partition(",")
            yield (int(q), int(r)), pieces


def _stack(pieces: tuple[Appearance, ...], table: Table) -> Stack:
    kind = pieces[0].partition(":")[2]
    if set(pieces) != {pieces[0]} or kind not in table.owners:
        _refuse("WC 5.4", "mixed_stack")
    return Stack(kind, len(pieces))


def _side(marker: Appearance, table: Table) -> Side:
    return table.factions.index("raven" if marker == "marker:raven" else "wolf")


def _initiative(placement: Placement, state: State) -> Seat:
    """Who has the initiative; its one marker must lie before a seat."""
    found = [seat for seat in state.table.seats if placement.get(f"initiative:{seat}")]
    if len(found) != 1 or len(placement[f"initiative:{found[0]}"]) != 1:
        _refuse("WC 4.4", "one_initiative")
    return found[0]


def _purse(purse: Purse, placement: Placement, stacks: Mapping[Hex, Stack], owner: Seat) -> Purse:
    """A seat's purse with the supply and the discards that lie there."""
    supply = [each.removeprefix("coin:") for each in placement.get(f"supply:{owner}", ())]
    pile = tuple(_coin(each) for each in placement.get(f"discard:{owner}", ()))
    for coin in (*supply, *filter(None, pile)):
        if coin not in purse.kinds:
            _refuse("WC 3.1", "coin_of_other", seat=seat_phrase(owner), coin=coin)
    for kind in purse.kinds:
        heights = [stack.height for stack in stacks.values() if stack.kind == kind]
        purse = _spent(purse, kind, supply.count(kind) + pile.count(kind) + sum(heights), owner)
        if len(heights) > (limit := 0 if kind == ROYAL else UNITS[kind].limit):
            _refuse("WC 5.3", "deployed_already", coin=kind, limit=limit)
    for _ in range(min(pile.count(None) - purse.size("down"), purse.size("hand"))):
        purse = coins.spend_face_down(purse, None)
    if pile.count(None) != purse.size("down"):
        _refuse("WC 5.5", "face_down", seat=seat_phrase(owner), coins=purse.size("down"))
    if pile.count(ROYAL) + hidden.pool(purse.known)[-1] != 1:
        _refuse("WC 3.2", "royal_gone", seat=seat_phrase(owner))
    return replace(purse, supply=tuple(supply.count(kind) for kind in purse.kinds), pile=pile)


def _spent(purse: Purse, kind: Coin, there: int, owner: Seat) -> Purse:
    """The purse without the coins of this kind that lie `there` although they were taken for hidden."""
    most = 1 if kind == ROYAL else UNITS[kind].coins
    for _ in range(there + hidden.pool(purse.known)[purse.kinds.index(kind)] - most):
        if kind not in coins.spendable(purse):
            _refuse("WC 3.2", "too_many", coin=kind, seat=seat_phrase(owner))
        purse = coins.spend(purse, kind, onto_pile=False)
    return purse


def _coin(face: Appearance) -> Coin | None:
    return None if face == COIN_BACK else face.split(":")[1]


def _ended(state: State, placement: Placement) -> State:
    """The game is over where a side has placed all its markers; those that are not placed lie beside the board."""
    most = state.table.board.markers
    for side in (0, 1):
        if state.markers(side) + len(placement.get(f"markers:{side}", ())) != most:
            _refuse("WC 1.1", "markers", want=most)
        if state.markers(side) == most:
            winners = tuple(seat for seat in state.table.seats if seat % 2 == side)
            return replace(state, active=None, over=Over(winners, LAST_MARKER))
    return replace(state, over=None)


def _refuse(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"wc.no.{reason}", **args))
