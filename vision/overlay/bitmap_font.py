"""A small bitmap font for pictures. OpenCV's own allocates eight megabytes for good, as soon as a letter is written."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.frame import Image

LETTER_PX = 7
ROWS: Final = {
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "B": "11110 10001 10001 11110 10001 10001 11110",
    "C": "01110 10001 10000 10000 10000 10001 01110",
    "D": "11110 10001 10001 10001 10001 10001 11110",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "F": "11111 10000 10000 11110 10000 10000 10000",
    "G": "01110 10001 10000 10111 10001 10001 01110",
    "H": "10001 10001 10001 11111 10001 10001 10001",
    "I": "01110 00100 00100 00100 00100 00100 01110",
    "J": "00111 00010 00010 00010 00010 10010 01100",
    "K": "10001 10010 10100 11000 10100 10010 10001",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "M": "10001 11011 10101 10101 10001 10001 10001",
    "N": "10001 11001 11001 10101 10011 10011 10001",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "P": "11110 10001 10001 11110 10000 10000 10000",
    "Q": "01110 10001 10001 10001 10101 10010 01101",
    "R": "11110 10001 10001 11110 10100 10010 10001",
    "S": "01111 10000 10000 01110 00001 00001 11110",
    "T": "11111 00100 00100 00100 00100 00100 00100",
    "U": "10001 10001 10001 10001 10001 10001 01110",
    "V": "10001 10001 10001 10001 01010 01010 00100",
    "W": "10001 10001 10001 10101 10101 11011 10001",
    "X": "10001 10001 01010 00100 01010 10001 10001",
    "Y": "10001 10001 01010 00100 00100 00100 00100",
    "Z": "11111 00001 00010 00100 01000 10000 11111",
    "0": "01110 10001 10011 10101 11001 10001 01110",
    "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111",
    "3": "01110 10001 00001 00110 00001 10001 01110",
    "4": "00010 00110 01010 10010 11111 00010 00010",
    "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "00110 01000 10000 11110 10001 10001 01110",
    "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110",
    "9": "01110 10001 10001 01111 00001 00010 01100",
    "?": "01110 10001 00001 00110 00100 00000 00100",
    " ": "00 00 00 00 00 00 00",
}
"""The pixels of each letter, row by row."""

UNKNOWN_LETTER: Final = "00000 00000 01110 01110 01110 00000 00000"

ColourBgr = tuple[int, int, int]


def draw_text(image: Image, text: str, at: tuple[int, int], colour: ColourBgr, edge: ColourBgr) -> None:
    """Writes capitals and digits, edged, with their lower left corner `at` x and y; what lies outside is cut off."""
    shape = cv2.copyMakeBorder(_shape(text), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    left, top = at[0] - 1, at[1] - LETTER_PX
    rows, columns = (slice(max(first, 0), max(first + size, 0)) for first, size in zip((top, left), shape.shape))
    part = image[rows, columns]
    inner = np.s_[rows.start - top:, columns.start - left:]
    for mask, paint in ((cv2.dilate(shape, np.ones((3, 3), np.uint8)), edge), (shape, colour)):
        part[mask[inner][:part.shape[0], :part.shape[1]] > 0] = paint


def _shape(text: str) -> npt.NDArray[np.uint8]:
    """Where (h, w) letters are, a pixel apart."""
    letters = [ROWS.get(letter, UNKNOWN_LETTER).split() for letter in text.upper()]
    lines = ["0".join(letter[row] for letter in letters) for row in range(LETTER_PX)]
    return np.array([[int(pixel) for pixel in line] for line in lines], np.uint8)
