"""Plays so many plies into the journal of a folder, says where the game stands, and waits to be killed."""

import json
import signal
import sys
from pathlib import Path

from companion.session.clock import FakeClock
from companion.session.exports import record_lines
from companion.session.journal import open_journal
from tests.session.tables import Table, a_game, library

journal = open_journal(Path(sys.argv[1]), library(), FakeClock()).journal
table = Table()
for command in list(a_game())[: int(sys.argv[2]) + 1]:
    change = table.session.handle(table.state, command(table.state.seq) if callable(command) else command)
    journal.append(change.events, change.state)
    table.state = change.state
sys.stdout.write(json.dumps([table.state.seq, record_lines(table.state)]) + "\n")
sys.stdout.flush()
signal.pause()
