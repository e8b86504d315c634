"""The one writer: commands come in by one inbox, events go out; journal, config and clock live here.

    commands    what can be asked of the session        events     what happened: the lines of the journal
    state       the frozen state                        evolve     what each event does to it, live and in a replay
    session     command and state in, events and next state out; who carries a command out stands in its table:
                `setting_up` (with `setup_draft`, a set-up that is being read), `answers`, `undo` and `corrections`
                (with `rights`: who may take what back); `looks` does so with what the eyes saw
    courses     the course of a game as everybody saw it, and as seats told it; `hidden_parts`: what of a set-up one
                seat alone sees; `foresight`: what might come, from what its observer knows
    writer      the thread that does so, one command after the other; `inbox` leads in, `bus` out
    port        what pages, buttons and lamps hold of it (`Desk`); `projection` makes the `snapshot` for an observer
    eyes_side   what the eyes look for and learn, and the pictures they give
    journal     every event on the disk before anybody hears of it

Imports `interpret`, `engine`, `table`, `words`; never `vision`, `web` or `hardware`.
"""
