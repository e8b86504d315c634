"""The words that eyes and rules share: spots, pieces, layouts in millimetres, placements, observations.

Pure values only. No rules of any game, no pixels, no cv2, no threads, no clocks; imports only `companion.errors`.
"""

from companion.table.drinks import COLOURS, SHAPES, Drink, all_drinks, colour_of, shape_of
from companion.table.layout import Body, Heap, Layout, Place, Zone, standing
from companion.table.observation import EMPTY, Observation, Sight
from companion.table.pieces import Appearance, Piece, Placement, Point, Spot

__all__ = [
    "COLOURS", "EMPTY", "SHAPES",
    "Appearance", "Body", "Drink", "Heap", "Layout", "Observation", "Piece", "Place", "Placement", "Point", "Sight",
    "Spot", "Zone", "all_drinks", "colour_of", "shape_of", "standing",
]
