"""The tabletop companion: a camera looks at a board game, this package understands and scores it.

Rooms, each looking only downwards (docs/architecture.md tells the whole house):

    main        builds every object and hands them to each other; the only module that knows all rooms
    cli         the commands of `companion`
    session     the one writer: commands in, events out, journal
    interpret   which legal plies explain what the eyes saw
    games       the rules, one folder a game; `bots` play any of them
    engine      the contract of a game (start with `engine/game.py`), records, conformance checks
    table       the words that eyes and rules share: spots, pieces, layouts, observations
    words       phrases in the players' languages
    errors      what can go wrong, told to people

Beside it at the top level: `vision` (the eyes), `hardware` (camera, buttons, lamps), `web` (the pages).
"""

import os

# The eyes multiply many small matrices. Threads of the linear algebra only wait for each other then: on a busy machine
# reading takes twenty times as long. It is asked for before numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
