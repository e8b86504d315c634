"""One picture with all that is known of it before a piece is read, and what of it changed since it was read last.

Knows where bodies stand, not what lies on them. Imports `photometry`, `fiducials`, `imaging`.
"""
