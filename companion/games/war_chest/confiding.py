"""What a player tells the companion of the own coins that nobody else sees (WC 9.5). It concerns that player's view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NoReturn

from companion.engine import Json, Seat, form
from companion.games.war_chest import knowledge
from companion.games.war_chest.coins import Coin, Purse, coins_of
from companion.games.war_chest.hidden import Known
from companion.games.war_chest.refusing import check_own, no
from companion.games.war_chest.state import State

PARTS: Final[Mapping[str, str]] = {"hand": "hand", "drawn": "drawn", "next": "ahead"}
"""The keys of what is confided, and the parts of `Hidden` that they mean: hand, priest's coin, second hand."""

Confided = dict[str, tuple[Coin, ...]]


def may_confide(state: State, seat: Seat) -> Iterator[Json]:
    """Each hand that the seat may hold, by all that it confided so far; then what a priest may have drawn for it, and
    each second hand. Nothing in the open."""
    purse = state.purses[seat]
    if state.over is not None or purse.seen is None:
        return
    for key, part in PARTS.items():
        if purse.size(part):
            for held in knowledge.weights_of(purse.own or purse.known, part):
                yield {key: list(coins_of(purse.kinds, held))}


def confide(state: State, seat: Seat, given: Json) -> State:
    """The state in which the seat confided `{"hand": [coins], "drawn": [coin], "next": [coins]}`: any of these, in
    whole or in part. What it confided before is forgotten if it disagrees. Raises `InvalidError`, and `IllegalError`
    when it cannot be."""
    confided = _read(given)
    if seat not in state.table.seats:
        no("WC 9.5", "no_seat", seat=seat)
    purse = state.purses[seat]
    if state.over is not None:
        no("WC 1.1", "over")
    if purse.seen is None:
        no("WC 9.5", "confide_open")
    for key, coins in confided.items():
        for coin in coins:
            check_own(state, seat, coin)
        if len(coins) > purse.size(PARTS[key]):
            no("WC 9.5", f"confide_count.{key}", want=purse.size(PARTS[key]), given=len(coins))
    own = _agreeing(purse, purse.own or purse.known, confided) or _agreeing(purse, purse.known, confided)
    if not own:
        _impossible(state, purse, confided)
    return state.with_purse(seat, replace(purse, own=own, put_aside=False))


def _read(given: Json) -> Confided:
    found = form.fields(given, "told", (), PARTS)
    return {
        key: tuple(form.text(coin, f"told.{key}[{i}]") for i, coin in enumerate(form.items(coins, f"told.{key}")))
        for key, coins in found.items()
    }


def _agreeing(purse: Purse, known: Known, confided: Confided) -> Known:
    wanted = [(PARTS[key], [coins.count(kind) for kind in purse.kinds]) for key, coins in confided.items()]
    return tuple(
        (one, weight)
        for one, weight in known
        if all(have >= want for part, counts in wanted for have, want in zip(getattr(one, part), counts))
    )


def _impossible(state: State, purse: Purse, confided: Confided) -> NoReturn:
    """Raises: of which kind more coins were confided than there can be, or that they cannot be there together."""
    for key, coins in confided.items():
        most = knowledge.at_most(purse.known, PARTS[key])
        for coin in dict.fromkeys(coins):
            if coins.count(coin) > most[purse.kinds.index(coin)]:
                where = knowledge.where_else(state, purse, coin, PARTS[key])
                no("WC 9.5", "confide_coin", coin=coin, given=coins.count(coin), where=where)
    no("WC 9.5", "confide_together", coins=tuple(coin for coins in confided.values() for coin in coins))
