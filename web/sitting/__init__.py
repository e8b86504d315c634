"""Who sits where and who is the host: kept by the server, whatever a phone says of itself. Knows no Flask and no rules.

    tokens      what a phone's cookie holds, and its hash       store       who holds what: `seats.sqlite`, or memory
    seats       from a token to a seat; sitting down            asks        phones that ask for a seat that is taken
    host        from a token to the host; the way to become it  pin         the table's PIN
    lock_out    tries that failed, and how long to wait         sightings   from where a token was used of late
    seating     all of it, as the pages hold it

A token is bound to the key of a game (`Snapshot.key`): in any other game, and in none, it is void.
"""
