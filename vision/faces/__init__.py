"""Flat pieces with a printed face: which one lies there, how it is turned, or that nothing does.

Imports `scene` and what is below; not `bodies`, not `drinks`.
"""
