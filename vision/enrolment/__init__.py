"""From pictures of pieces laid out at known places to a piece set; picture sets, and what to lay out where.

Runs before a game, never during one. Imports everything below; not `learning`.
"""
