"""Light and colour: white reference, sharpening, the tint of shadows, the background model, colour differences.

Knows no pieces and no layout. Imports `imaging` and `fiducials`.
"""
