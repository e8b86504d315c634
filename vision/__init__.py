"""The eyes: frames in, observations out. Imports only `companion.table` and `companion.errors`; knows no rules.

A room may only look down (`lint-imports` checks it); cv2 and numpy live here.

    learning    corrections become examples              overlay     what was read, drawn for people
    pipeline    the whole way: frame in, look out        enrolment   pictures of laid out pieces to a piece set
    pieces      the piece set, and what it can tell apart
    bodies, drinks, faces   crates and boards; upright drinks; flat pieces: none imports another
    boards      boards watched by their four corners alone, without tag cards
    shapes      a small network that tells the shape of a drink, and that there is none
    scene       one picture with its pose, light, background and occluders, before pieces are read
    presence    hands, things, and pictures that cannot be read
    photometry  light, colour, shadows       fiducials   tag cards       imaging   frames, camera, geometry
"""
