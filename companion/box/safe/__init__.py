"""The safe mode: one page that says in words why the companion does not start, and what can be done from a phone.

    looking     what is wrong, from what the last start said and from the machine itself
    deeds       what can be done: try again, the last good config, a backup, another version
    pages       the page, for whoever has the table's PIN
    __main__    the process that systemd watches

Flask, waitress and the standard library; no eyes, no pins, no journal until a backup is restored.
"""
