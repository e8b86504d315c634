"""Light and colour: white reference, sharpening, the tint of shadows, what bare ground looks like, how colours differ.

Knows no pieces and no layout. Imports `imaging` and `fiducials`.
"""
