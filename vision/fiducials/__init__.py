"""The four tag cards: their markers measured in the picture, and the camera pose and table frame derived from them.

Knows nothing of colours or pieces. Imports `imaging`.
"""
