"""The eyes: frames in, observations out. Cards, camera, hands, crates, drinks, enrolment.

Imports only `companion.table` and `companion.errors`: the eyes know no rules. cv2 and numpy live here.
"""
