"""The pages on phones and television: app factory, live stream, commands as POSTs, drawings.

    app         the factory                       house     what the views work with, in `app.extensions`
    pages       the table, corrections, hints, a seat's hand; `start_pages`, `eyes_pages`, `panel_pages` the others
    commands    POSTs to the session              stream    server-sent events; `streams`: who watches
    seats       which seat a phone belongs to     guard     who may ask, and the headers of every answer
    view_model  a snapshot as plain values for the templates (`setup_view`, `offers`, `hand`, `start`: parts of pages)
    fragments   the parts of a page that live     draw      boards as SVG
    server      the pages on a port               ports     what pages ask of the house beside the session's desk
    door        waitress' connections, bounded    turns     whose request is answered next
    limits      how much may be asked: one table  tls       certificate and encrypted connections

Shows only what `Game.view` gives (`Seen`) and phrases. Looks down at `companion`; never at `hardware` or `vision`.
"""
