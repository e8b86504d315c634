"""Enrolment: from pictures of pieces laid out at known poses to a piece set.

    known = read_set(folder)
    save_piece_set(enrol_set(known, registry.kinds(known.game)), file)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from companion.errors import InvalidError, phrase
from companion.table import Appearance, Piece, PieceKind, found_by
from vision.bodies.crate_fit import CratePicture, learn_crates
from vision.bodies.print_model import Print, drawn_print
from vision.bodies.print_registration import learn_print
from vision.enrolment.background_learning import learn_bare, learn_crates_light
from vision.enrolment.drink_learning import learn_drinks
from vision.enrolment.opened_picture import LaidPicture, OpenedPicture, open_picture
from vision.enrolment.picture_set import PictureSet, make_small, read_picture
from vision.faces.learn_templates import learn_faces
from vision.faces.outline_registration import LaidFace
from vision.faces.templates import Face
from vision.imaging.camera import Lens
from vision.imaging.frame import Image
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose
from vision.pieces.piece_set import PieceSet
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene


def enrol_set(known: PictureSet, kinds: Collection[PieceKind], progress: Callable[[float], None] = lambda _: None
              ) -> PieceSet:
    """Learn the piece set of a picture set from its enrolment pictures; as `enrol`."""
    laid = [LaidPicture(read_picture(each.picture, known.lens), each.pieces) for each in known.enrolments]
    return enrol(laid, known.pieces, known.lens, progress, known.drawings(), kinds)


def enrol(pictures: Sequence[LaidPicture], pieces: Sequence[Piece], lens: Lens,
          progress: Callable[[float], None] = lambda _: None, drawn: Mapping[Appearance, Image] | None = None,
          kinds: Collection[PieceKind] = ()) -> PieceSet:
    """Learn a piece set. `progress` is called with the share that is done, from 0 to 1; `drawn` are boards' prints, as
    flat pictures; `kinds` (those of the game) tell which pieces are found by their prints.

    Raises `SightError` when a picture cannot be read, `InvalidError` when there are none, or when the game has drinks
    and none stands on the open table.
    """
    if not pictures:
        raise InvalidError(phrase("eyes.enrol_no_pictures"))
    sizes = {piece.name: piece for piece in pieces}
    opened = [open_picture(picture, sizes, lens) for picture in pictures]
    progress(0.1)
    colours, bare = learn_crates_light(opened, sizes), learn_bare(opened, sizes)
    drinks = learn_drinks(opened, sizes, bare, colours, progress)
    look = learn_crates(CratePicture(each.image, each.view, each.white, each.crates) for each in opened)
    progress(1.0)
    return PieceSet(
        pieces=tuple(pieces), profiles=drinks.profiles,
        table_textures=drinks.table_textures, crate_textures=drinks.crate_textures,
        table_shading=drinks.table_shading, crate_shading=drinks.crate_shading,
        table_cost_per_nat=drinks.cost_per_nat, crate_cost_per_nat=drinks.cost_per_nat,
        table_misfit=drinks.table_misfit, crate_misfit=drinks.crate_misfit, shadows=drinks.shadows,
        table_shape_costs=drinks.table_shape_costs, crate_shape_costs=drinks.crate_shape_costs,
        crate_look=look, crate_colours=colours, bare=drinks.bare,
        cards=opened[0].cards, references=tuple(make_small(picture.image) for picture in pictures),
        prints=_prints(opened, sizes, drawn or {}, kinds), faces=_faces(opened, sizes, drinks.bare))


def _faces(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], bare: Bare) -> dict[Appearance, Face]:
    """The tops of all pieces that are no drinks."""
    return learn_faces(
        (Scene(each.image, each.view, each.white, bare, None),
         [LaidFace(sizes[laid.appearance], laid.at_mm, laid.turn_deg) for laid in each.pieces
          if laid.appearance in sizes and sizes[laid.appearance].kind != "drink"])
        for each in opened)


def _prints(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], drawn: Mapping[Appearance, Image],
            kinds: Collection[PieceKind]) -> dict[Appearance, Print]:
    """The tops of boards and of other bodies that are found by them; from the artwork if they were never laid out."""
    drawings = {name: drawn_print(image, sizes[name].size_mm) for name, image in drawn.items() if name in sizes}
    return drawings | {laid.appearance: learn_print(Picture(each.image, each.view), Pose(laid.at_mm, laid.turn_deg),
                                                    sizes[laid.appearance].size_mm, drawings.get(laid.appearance))
            for each in opened for laid in each.pieces
            if laid.appearance in sizes and found_by(kinds, sizes[laid.appearance].kind) == "print"}
