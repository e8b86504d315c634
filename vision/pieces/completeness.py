"""Whether a piece set knows the pieces that a game's layout has room for."""

from __future__ import annotations

from companion.errors import InvalidError, phrase
from companion.table import Layout, Piece, found_by
from companion.table.kinds import FoundBy
from vision.pieces.piece_set import PieceSet


def expect_pieces(pieces: PieceSet, layout: Layout) -> None:
    """Raises `InvalidError` when a piece set is that of another game, or when some pieces were never enrolled."""
    listed = {piece.kind for piece in pieces.pieces}
    names = {piece.name for piece in pieces.pieces}
    kinds = {kind for place in layout.places for kind in place.kinds}
    kinds |= {kind for zone in layout.zones for kind in zone.kinds}
    missing = sorted(kinds - listed) + sorted({body.appearance for body in layout.bodies} - names)
    if missing:
        raise InvalidError(phrase("eyes.other_pieces", kinds=tuple(missing)))
    bodies = {body.appearance for body in layout.bodies}
    needed = [piece for piece in pieces.pieces if piece.kind in kinds or piece.name in bodies]
    unknown = sorted(piece.name for piece in needed
                     if not _is_known(piece, found_by(layout.kinds, piece.kind), pieces))
    if unknown:
        raise InvalidError(phrase("eyes.lacks_pieces", pieces=tuple(unknown)))


def _is_known(piece: Piece, found: FoundBy, pieces: PieceSet) -> bool:
    """Whether it was enrolled; of a body found by its silhouette the size of its piece is enough."""
    if piece.kind == "drink":
        return piece.name in pieces.table_textures
    if piece.kind == "crate":
        return pieces.crate_look is not None
    if found == "print":
        return piece.name in pieces.prints
    return piece.name in pieces.faces or found == "silhouette"
