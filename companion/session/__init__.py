"""The one writer: commands come in by one inbox, events go out; journal, config and clock live here.

    commands    what can be asked of the session        events     what happened: the lines of the journal
    state       the frozen state, and what each event does to it (live and when the journal is replayed)
    draft      a set-up that is being read, until its game begins (`setting_up`: what commands and looks do to it)
    session     command and state in, events and next state out; `undo` says who may take what back
    worker      the thread that does so, one command after the other; `inbox` leads in, `bus` out
    desk        what pages, buttons and lamps hold of it; `show` makes the `snapshot` that an observer may see
    journal     every event on the disk before anybody hears of it

Imports `interpret`, `engine`, `table`, `words`; never `vision`, `web` or `hardware`.
"""
