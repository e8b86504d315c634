"""Enrolment pictures, opened: each with its camera, its white reference, and the crates that stand in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.table import Body, Piece
from vision.enrolment.picture_set import LaidPiece
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Image
from vision.photometry.background_model import CrateColours
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import White
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene


@dataclass(frozen=True, slots=True, eq=False)
class LaidPicture:
    """A picture (h, w, 3) B G R of pieces laid out for enrolment."""

    image: Image
    pieces: tuple[LaidPiece, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OpenedPicture:
    """A laid picture with its camera, its white reference, and the crates that stand in it."""

    image: Image
    pieces: tuple[LaidPiece, ...]
    view: View
    white: White
    crates: tuple[Body, ...]
    cards: tuple[CardSeen, ...]

    def of_kind(self, kind: str, sizes: Mapping[str, Piece]) -> list[LaidPiece]:
        """The pieces of one kind."""
        return [laid for laid in self.pieces if laid.appearance in sizes and sizes[laid.appearance].kind == kind]


def open_picture(picture: LaidPicture, sizes: Mapping[str, Piece], lens: Lens) -> OpenedPicture:
    """Open a picture; `sizes` are the pieces by name. Raises `SightError` when its cards cannot be found."""
    arrangement = find_cards(picture.image, lens)
    laid = [each for each in picture.pieces if each.appearance in sizes and sizes[each.appearance].kind == "crate"]
    crates = tuple(Body(f"crate:{number}", each.appearance, each.at_mm, sizes[each.appearance].size_mm, each.turn_deg)
                   for number, each in enumerate(laid, 1))
    white = fit_white(picture.image, arrangement)
    return OpenedPicture(picture.image, picture.pieces, arrangement.view, white, crates, arrangement.cards)


def scenes_of(opened: Sequence[OpenedPicture], bare: Bare, colours: CrateColours | None) -> list[Scene]:
    """The scenes of opened pictures, with the bare table and the colours of crates."""
    return [Scene(each.image, each.view, each.white, bare, colours, each.crates) for each in opened]
