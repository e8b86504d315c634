"""What commands and looks do to a set-up that is being read, until its game begins."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.recognise import leaves
from companion.errors import phrase
from companion.session.bounds import check_header
from companion.session.commands import LayOut, StartGame, TellSetup
from companion.session.events import GameStarted, SetupBegun, SetupSeen, SetupTold
from companion.session.seen_things import things_of
from companion.session.setup_draft import begin_draft, recognises
from companion.session.transaction import RefusedError, Transaction
from companion.table import Observation


def start_game(transaction: Transaction, command: StartGame) -> None:
    """A game begins with the set-up of the header; one that is open ends."""
    check_header(command.header)
    header = transaction.opened(command.header)
    transaction.end_open_game()
    transaction.add(GameStarted(header, transaction.new_key()))


def begin_reading(transaction: Transaction, command: LayOut) -> None:
    """A set-up is read from the table; a game whose table does not show it begins at once."""
    check_header(command.header)
    draft = begin_draft(0, command.header, transaction.library.lookup, transaction.library.interpreter)
    if not recognises(draft.game):
        start_game(transaction, StartGame(command.seq, command.by, command.header, command.via))
        return
    transaction.end_open_game()
    transaction.add(SetupBegun(command.header, transaction.new_key()))


def see(transaction: Transaction, observation: Observation) -> None:
    """A look while a set-up is laid out. Once a person said something of it, what was read stays as it is."""
    draft = transaction.draft
    is_read = not draft.said or draft.look is None
    look = observation if is_read else draft.look
    transaction.put(draft=replace(draft, things=things_of(observation), look=look))
    read = draft.interpreter.setup_seen(observation, draft.options, draft.players) if not draft.said else draft.read
    if read != draft.read:
        transaction.add(SetupSeen(read))
    if read is not None:
        _begin_if_expected(transaction)


def tell(transaction: Transaction, command: TellSetup) -> None:
    """A person said what a part is, or that it was misread."""
    draft = transaction.draft
    if draft.hidden.owner(command.path) not in (None, command.by):
        raise RefusedError(phrase("session.hidden_of_another"))
    if command.value is None:
        is_known = command.path in {path for path, value in leaves(draft.made) if value is not None}
    else:
        is_known = any(part.path == command.path and command.value in part.choices for part in draft.open)
    if not is_known:
        raise RefusedError(phrase("session.no_such_part"))
    transaction.add(SetupTold(command.by, command.path, command.value))
    _begin_if_expected(transaction)


def begin(transaction: Transaction) -> None:
    """The set-up is so: its game begins."""
    draft = transaction.draft
    if draft.setup is None:
        raise RefusedError(draft.why_not.phrase if draft.why_not else phrase("session.setup_open"))
    transaction.add(GameStarted(transaction.opened({**draft.header, "setup": draft.setup}), draft.key))


def _begin_if_expected(transaction: Transaction) -> None:
    """A set-up that was entered before and is seen so needs no further word."""
    draft = transaction.draft
    if draft.setup is not None and draft.agrees:
        begin(transaction)
