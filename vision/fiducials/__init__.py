"""The four tag cards: their markers measured in the picture, and the camera's pose and the table frame that they give.

Nothing of colours or pieces enters here. Imports `imaging`.
"""
