"""How flat pieces look: round ones, squares and cards, each with the few letters that fit on it."""

from __future__ import annotations

from markupsafe import Markup

from companion.table import SHAPES, Appearance, Emblem, PieceKind
from web.draw.colours import PAINTS, ink_on, paint_of
from web.draw.drawn_pieces import CARD_RATIO, DrawnPiece
from web.draw.svg import number, tag

PLATE, INK, BACK, METAL = "#F6EFDA", "#22242B", "#8C8371", "#DCC684"
RISE_MM, MAX_RISEN = 1.0, 4
"""How much higher the next of a pile is drawn, and how often."""


def last_word(appearance: Appearance) -> str:
    """What a piece shows: `coin:archer` an archer, `tile:red:back` its back."""
    return appearance.rpartition(":")[2].partition("/")[0]


def tail(appearance: Appearance) -> str:
    """A flat piece's name without its kind: `royal:wolf` for `coin:royal:wolf`, `rush_order` for `tile:red:rush_order`.
    """
    words = appearance.split(":")[1:] or [appearance]
    return ":".join(words[1:] if len(words) > 1 and words[0] in PAINTS else words)


def says_letters(appearance: Appearance) -> bool:
    """Whether a piece shows letters that need to be explained: no drink, no number, no colour, no back."""
    word = last_word(appearance)
    plain = word.isdigit() or word == "back" or word in SHAPES or word in PAINTS or "/" in appearance
    return bool(short_name(appearance)) and ":" in appearance and not plain


def short_name(appearance: Appearance) -> str:
    """What fits on a piece: initials of several words, the first letters of one, a number as it is.

    `coin:light_cavalry` is LC, `coin:archer` is Ar, `yen:100` is 100; a back says nothing.
    """
    word = last_word(appearance)
    if word == "back":
        return ""
    words = word.split("_")
    if len(words) > 1:
        return "".join(word[:1] for word in words)[:3].upper()
    return words[0] if words[0].isdigit() else words[0][:2].title()


def face_paint(appearance: Appearance, kind: PieceKind, owner: str | None) -> str:
    """The paint of a flat piece: its kind's, the colour that its name has, else its owner's, else one of its own."""
    if kind.paint:
        return PAINTS.get(kind.paint, kind.paint)
    words = appearance.replace(":", " ").replace("/", " ").replace("_", " ").split()
    named = [PAINTS[word] for word in words if word in PAINTS]
    if named:
        return named[-1]
    if owner:
        return owner
    word = last_word(appearance)
    return METAL if word.isdigit() else BACK if word == "back" or word in SHAPES else paint_of(appearance)


def face(piece: DrawnPiece, code: str, paint: str, mark: Markup) -> Markup:
    """A flat piece around (0, 0). `mark` is the owner's shape, 2 mm wide, or nothing; only the top of a pile bears
    letters, and the number of pieces."""
    rise, form, wide = -RISE_MM * min(piece.level, MAX_RISEN), piece.form, piece.wide_mm
    parts = [_outline(form, wide, fill="#000000", fill_opacity=0.22, x=0.03 * wide, y=0.05 * wide),
             _outline(form, wide, fill=paint, stroke=ink_on(paint), stroke_opacity=0.45, stroke_width=0.025 * wide)]
    if piece.level == piece.stacked - 1:
        parts += _front(piece, code, paint, mark)
        if piece.stacked > 1:
            parts.append(_height(form, wide, piece.stacked))
    return tag("g", *parts, transform=f"translate(0 {number(rise)})" if rise else None)


def _outline(form: str, wide: float, x: float = 0.0, y: float = 0.0, **look: str | float) -> Markup:
    if form == "round":
        return tag("circle", cx=x, cy=y, r=wide / 2, **look)
    tall = CARD_RATIO * wide if form == "card" else wide
    return tag("rect", x=x - wide / 2, y=y - tall / 2, width=wide, height=tall, rx=0.1 * wide, **look)


def _front(piece: DrawnPiece, code: str, paint: str, mark: Markup) -> list[Markup]:
    """What a face bears: a back's lozenge, a drink, an emblem, or letters in a rim, over the owner's mark if any."""
    word, ink, form, wide = last_word(piece.appearance), ink_on(paint), piece.form, piece.wide_mm
    if word == "back":
        return [_hatch(form, wide, ink)]
    if word in SHAPES:
        drink = tag("use", href=f"#p-{word}", color=BACK, transform=f"scale({number(wide / 17)})")
        return [_outline(form, 0.86 * wide, fill=PLATE), drink]
    if piece.kind.emblem:
        return [_outline(form, 0.9 * wide, fill=PLATE), _emblem(piece.kind.emblem, wide),
                _text(code, 0.03 * wide, 0.5 * wide, piece.kind.emblem.ink)]
    rim = _outline(form, 0.86 * wide, fill="none", stroke=ink, stroke_opacity=0.4, stroke_width=0.02 * wide)
    if not mark:
        return [rim, _text(code, 0.0, min(0.46, 1.25 / max(len(code), 1)) * wide, ink)]
    shape = tag("g", mark, transform=f"translate(0 {number(0.26 * wide)}) scale({number(0.11 * wide)})", color=ink)
    return [rim, _text(code, -0.13 * wide, min(0.44, 1.1 / max(len(code), 1)) * wide, ink), shape]


def _emblem(emblem: Emblem, wide: float) -> Markup:
    strokes = [tag("path", d=each.path, fill=each.fill, stroke=each.stroke, stroke_width=each.width,
                   stroke_linecap="round") for each in emblem.strokes]
    return tag("g", *strokes, transform=f"scale({wide / 100:.4g})")


def _hatch(form: str, wide: float, ink: str) -> Markup:
    """A back: a lozenge in a frame."""
    r = 0.24 * wide
    lozenge = f"M0 {number(-r)}L{number(r)} 0L0 {number(r)}L{number(-r)} 0Z"
    return tag("g", _outline(form, 0.78 * wide, fill="none", stroke=ink, stroke_opacity=0.45, stroke_width=0.05 * wide),
               tag("path", d=lozenge, fill=ink, fill_opacity=0.3))


def _text(text: str, y: float, size: float, ink: str) -> Markup:
    return tag("text", text, x=0, y=y + 0.36 * size, font_size=size, fill=ink, class_="name")


def _height(form: str, wide: float, stacked: int) -> Markup:
    """The number of a pile, on a plate at its lower right."""
    x, y = 0.36 * wide, (0.55 if form == "card" else 0.36) * wide
    r = 0.23 * wide
    return tag("g", tag("circle", cx=x, cy=y, r=r, fill=PLATE, stroke=INK, stroke_width=0.03 * wide),
               tag("text", str(stacked), x=x, y=y + 0.13 * wide, font_size=0.36 * wide, fill=INK, class_="name"))
