"""Builds every object of the service by keyword and hands them to each other: the one place that knows all rooms.

    service           `serve`: session, journal, pages, lamps, buttons; watches over its threads
    eyes_supervisor   the thread that starts the eyes' process and restarts it; `eyes_dialogue` is one life of it,
                      `eyes_child` the process as the service sees it, `wakeup` what the thread waits with
    eyes_process      that process: camera, reader; the only one that loads cv2 (`eyes_session`: the eyes of one table)
    progress          whether that process gets on, told twice a second (`shared_pipe`: more than one thread sends)
    messages          what goes through the pipe between the two
    bot_supervisor    a bot's thinking in a third process (`bot_process`), for hints
    sources           which table is played: the config's own, or an example
    care              the machine as pages ask for it
    check             loads all that a start needs, for a version that is to be put in use
    expendable        which process the kernel may take when memory runs out
    notify            what systemd wants to hear
"""
