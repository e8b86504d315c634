"""The tag card: an ArUco marker and four patches of known shade, whose sizes printer and eyes share.

All in millimetres; points are given from the card's lower left corner, x to the right and y up.
"""

from __future__ import annotations

from typing import Final

TAG_CARDS: Final = (0, 1, 2, 3)
"""The numbers of the cards, which are those of their markers in the dictionary `DICT_4X4_50`."""

TAG_CARD_MM: Final = (100.0, 60.0)

MARKER_MM: Final = 40.0
MARKER_AT_MM: Final = (30.0, 30.0)
"""Width of the marker, and its centre."""

MARKER_CELLS: Final = 6
"""Four by four bits and a black border of one."""

SHADE_PATCH_MM: Final = 14.0
SHADE_FRAME_MM: Final = 0.5
"""Width of a patch, and of the black frame around it."""

WHITE_AT_MM: Final = ((66.0, 44.0), (84.0, 16.0))
GREY_AT_MM: Final = (84.0, 44.0)
BLACK_AT_MM: Final = (66.0, 16.0)
"""Centres of the patches: two white ones, a grey one of L* 50, a black one."""
