"""Flat pieces with a printed face: which one lies at a place and at what turn, or that nothing does.

Imports `scene` and what is below; not `bodies`, not `drinks`.
"""
