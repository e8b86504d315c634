"""Names of colours as piece sets give them, to paints; and the seats' own colours."""

from __future__ import annotations

import colorsys
import zlib

from companion.table import SHAPES, Appearance, colour_of, shape_of

SEAT_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
"""Seats A to F: colours that stay apart for colour-blind eyes."""

PAINTS = {
    "red": "#D8402C", "orange": "#F08A1C", "yellow": "#F4CB2A", "green": "#2F9E58", "blue": "#2E70D1",
    "purple": "#8B4DB8",
    "black": "#2B2B30", "white": "#F1EEE6", "grey": "#8E9298", "gray": "#8E9298", "silver": "#B9BFC6",
    "gold": "#D3A62B", "brown": "#8A5A33", "pink": "#EC7FA9", "magenta": "#C6318C", "violet": "#7A56C8",
    "cyan": "#2FB5CF", "teal": "#1D8C8C", "turquoise": "#35BFB0", "lime": "#9CCB2E", "olive": "#7E8530",
    "navy": "#2B3F82", "cream": "#EBDDB4", "beige": "#DCC9A0", "maroon": "#87303A", "mint": "#8FD6B0",
}
"""The default set's six first, then names that other sets are likely to use."""


def paint_of(name: str) -> str:
    """The paint for a colour's name; a name nobody has foreseen gets a hue of its own, always the same one."""
    known = PAINTS.get(name.lower())
    if known:
        return known
    hue = zlib.crc32(name.encode()) % 360 / 360
    red, green, blue = colorsys.hls_to_rgb(hue, 0.48, 0.55)
    return f"#{round(red * 255):02X}{round(green * 255):02X}{round(blue * 255):02X}"


def seat_colour(seat: int, colour_name: str | None = None) -> str:
    """A seat's paint: that of its drinks where the game gives players a colour, else the seat's own."""
    return paint_of(colour_name) if colour_name else SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def piece_paint(appearance: Appearance) -> str:
    """The paint of a piece: a drink's colour, or the last word that names one (`archer/gold`)."""
    if shape_of(appearance) in SHAPES:
        return paint_of(colour_of(appearance))
    words = appearance.replace("/", " ").replace("_", " ").split()
    named = [PAINTS[word] for word in words if word in PAINTS]
    return named[-1] if named else paint_of(appearance)


def ink_on(paint: str) -> str:
    """Dark or light ink, whichever reads better on the paint (WCAG relative luminance)."""
    channels = [int(paint[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#15171E" if luminance > 0.18 else "#FFFFFF"
