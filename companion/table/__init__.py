"""The types that eyes and rules share: spots, pieces, layouts in millimetres, placements, observations.

Pure values only. No rules of any game, no pictures, no cv2, no threads, no clocks; imports only `companion.errors`.
"""

from companion.table.drinks import COLOURS, SHAPE_LETTERS, SHAPES, Drink, all_drinks, colour_of, shape_of
from companion.table.kinds import BOARD_KIND, CRATE_KIND, DRINK_KIND, Emblem, PieceKind, Stroke, found_by
from companion.table.eyes_state import HINDERED, EyesState, ExposureFault, GateState, LookState
from companion.table.layout import Body, Heap, Layout, Place, Zone, standing
from companion.table.observation import EMPTY, Observation, Sight, turn_between_deg
from companion.table.pieces import Appearance, Piece, Placement, Point, Spot
from companion.table.spot_words import seat_phrase, spot_phrase

__all__ = [
    "BOARD_KIND", "COLOURS", "CRATE_KIND", "DRINK_KIND", "EMPTY", "HINDERED", "SHAPES", "SHAPE_LETTERS",
    "Appearance", "Body", "Drink", "Emblem", "ExposureFault", "EyesState", "GateState", "Heap", "Layout",
    "LookState", "Observation", "Piece", "PieceKind", "Place", "Placement", "Point", "Sight", "Spot", "Stroke",
    "Zone",
    "all_drinks", "colour_of", "found_by", "seat_phrase", "shape_of", "spot_phrase", "standing", "turn_between_deg",
]
