"""The eyes: frames in, observations out. Cards, camera, hands, bodies (crates, boards), drinks, faces, enrolment.

Imports only `companion.table` and `companion.errors`: the eyes know no rules. cv2 and numpy live here.
"""
