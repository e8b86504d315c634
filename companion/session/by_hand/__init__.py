"""Plies entered by hand: any legal ply is put together by touching the drawn board, and no other ply can be.

`fields.py` takes a written action apart, `handles.py` finds what on the board stands for each of its values,
`entry.py` turns the touches so far into what may be touched next, and `entering.py` makes an entry for a phone. Made
from `legal`, `placement`, the layout and words alone; no pictures, no pages, no clocks.
"""
