"""A writer that is killed: opens the journal of a folder, plays by chance, and says each line that is acknowledged.

    python -m tests.bench.journal.killed_writer FOLDER SEED
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from companion.session.clock import SystemClock
from companion.session.journal import open_journal
from tests.bench.journal.play import play, rules


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    resumed = open_journal(folder, rules(), SystemClock())
    journal = resumed.journal
    os.write(1, f"open {len(resumed.notices)}\n".encode())
    for state in play(journal, resumed.state, random.Random(seed), SystemClock()):
        tip = journal.tip
        os.write(1, f"{tip.game} {tip.n} {state.seq} {tip.hash.hex()}\n".encode())


if __name__ == "__main__":
    main()
