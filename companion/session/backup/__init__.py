"""Backups: all that matters of the state folder in one zip, and back again.

    contents    which files belong in a backup, and which tables there are
    manifest    what a backup says of itself: its first part, `manifest.json`
    making      journals are copied while they are written to; the zip appears whole or not at all
    reading     a zip that somebody brings: nothing of it is believed, all sizes are bounded
    restoring   its parts take their places; what stood there is put aside

Who sits where, the table's PIN and the key of the certificate are no part of it: a zip travels by mail and on sticks.
"""
