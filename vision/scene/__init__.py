"""One picture with all that is known of it before a piece is read, and change detection since the last reading.

Knows the poses of bodies, not what lies on them. Imports `photometry`, `fiducials`, `imaging`.
"""
