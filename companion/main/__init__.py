"""Builds every object of the service by keyword and hands them to each other: the one place that knows all rooms.

    service      `serve`: session, journal, pages, lamps, buttons; watches over its threads
    eyes         the service's side of the eyes: starts their process, restarts it, passes on what it says
    eyes_child   that process: camera, reader, enrolment; the only one that loads cv2 and numpy
    messages     what goes through the pipe between the two
    notify       what systemd wants to hear
"""
