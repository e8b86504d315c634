"""From pictures of pieces laid out at known poses to a piece set; picture sets, and plans of what to lay where.

Runs before a game, never during one. Imports everything below; not `learning`.
"""
