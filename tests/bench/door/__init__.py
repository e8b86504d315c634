"""What hostile phones do to the pages, and how soon the service stops: `python -m tests.bench.door`.

    running     a service in a process of its own, and what is asked of it
    memory      whether the memory stays level in fast play
    attacks     what hostile phones do, each a function that runs until it is told to stop
    health      how soon others are answered meanwhile
    stops       how soon the service ends, and how soon hung eyes are noticed
"""
