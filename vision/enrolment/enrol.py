"""Enrolment: from pictures of pieces laid out at known places to a piece set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import InvalidError, phrase
from companion.table import EMPTY, Appearance, Body, Drink, Piece, PieceKind, colour_of, found_by, shape_of
from companion.table.crate import FLOOR_MM, RIM_MM
from vision.bodies.crate_fit import CratePicture, learn_crates
from vision.bodies.print_model import Print, drawn_print
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose
from vision.bodies.print_registration import learn_print
from vision.drinks.band_texture import learn_crate_textures, learn_textures
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose, moved_to
from vision.drinks.drink_reading import DrinkPrior, loglik
from vision.drinks.exemplar import Exemplar
from vision.drinks.foot_search import find_foot
from vision.drinks.models import Models, Texture
from vision.drinks.profile_fit import first_profiles, fit_profiles
from vision.drinks.ring_raster import outline_of
from vision.drinks.ring_solid import Profile, Solid, make_solid
from vision.enrolment.background_learning import OpenedPicture, learn_bare, learn_crates_light
from vision.enrolment.picture_set import LaidPiece, PictureSet, make_small, read_picture
from vision.faces.learn_templates import learn_faces
from vision.faces.outline_registration import LaidFace
from vision.faces.templates import Face
from vision.fiducials.tag_pose import find_cards
from vision.imaging.arrays import Floats
from vision.imaging.box import box_around
from vision.imaging.camera import Lens
from vision.imaging.footprints import is_within, opening_mm, slot_centres_mm
from vision.imaging.frame import Image
from vision.photometry.background_model import CrateColours
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.scene.bare_table import Bare
from vision.scene.occluders import far_mm
from vision.scene.scene import Scene
from vision.scene.shadow_depth import learn_deepest, light_beside

EXEMPLAR_MARGIN_PX = 8

USUAL_COST_PER_NAT = 2000.0
"""What a nat mostly costs."""

MIN_COST_PER_NAT = 300.0

GAME_COST_FACTOR = 1.4
"""Costs count so many times less in a game than in trials, which look at the very places where colours were learned.
With feet and neighbours known, the truth is likeliest at 1 to 2 (`tests/vision/score_learning.py`)."""

HeldOutReading = tuple[Drink, Mapping[Appearance, float]]
"""What really stood somewhere, and the costs of all drinks there."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidPicture:
    """A picture of pieces laid out for enrolment."""

    image: Image
    pieces: tuple[LaidPiece, ...]


def enrol(pictures: Sequence[LaidPicture], pieces: Sequence[Piece], lens: Lens,
          told: Callable[[float], None] = lambda _: None, drawn: Mapping[Appearance, Image] | None = None,
          kinds: Collection[PieceKind] = ()) -> PieceSet:
    """Learn how pieces look. `told` hears how much is done, from 0 to 1; `drawn` are boards' prints, as flat pictures;
    `kinds` (those of the game) say which pieces are found by their prints.

    Raises `SightError` when a picture cannot be read, `InvalidError` when there are none, or when the game has drinks
    and none stands on the open table.
    """
    if not pictures:
        raise InvalidError(phrase("eyes.enrol_no_pictures"))
    sizes = {piece.name: piece for piece in pieces}
    opened = [_open(picture, sizes, lens) for picture in pictures]
    told(0.1)
    colours, bare = learn_crates_light(opened, sizes), learn_bare(opened, sizes)
    scenes = _scenes(opened, bare, colours)
    on_table, in_crates = _exemplars(opened, scenes, sizes)
    drinks = [piece for piece in pieces if piece.kind == "drink"]
    if drinks and not on_table:
        raise InvalidError(phrase("eyes.enrol_no_drinks"))
    shapes = {shape_of(piece.name): piece for piece in drinks}
    on_table = _settled(scenes, on_table, _solids(first_profiles(shapes)))
    profiles = fit_profiles([each for _, each in on_table], shapes, None, lambda done: told(0.1 + 0.3 * done))
    on_table = _settled(scenes, on_table, _solids(profiles))
    profiles = fit_profiles([each for _, each in on_table], shapes, profiles, lambda done: told(0.4 + 0.3 * done))
    solids = _solids(profiles)
    on_table = _settled(scenes, on_table, solids)
    bare = _with_deepest(bare, scenes, on_table, solids)
    scenes = _scenes(opened, bare, colours)
    textures, shading = learn_textures([exemplar for _, exemplar in on_table], solids)
    models = Models(solids, textures, shading, USUAL_COST_PER_NAT)
    in_crates = _among_others(scenes, _settled(scenes, in_crates, solids), models)
    crate_textures, crate_shading = learn_crate_textures([exemplar for _, exemplar in in_crates], solids, textures)
    told(0.8)
    table_cost = _table_trust(scenes, on_table, solids)
    told(0.9)
    crate_costs = [_crate_trust(scenes, in_crates, solids, textures)] if in_crates else []
    cost = _usual([USUAL_COST_PER_NAT, table_cost, *crate_costs])
    look = learn_crates(CratePicture(each.image, each.view, each.white, each.crates) for each in opened)
    told(1.0)
    return PieceSet(tuple(pieces), profiles, textures, crate_textures, shading, crate_shading, cost, cost,
                    look, colours, bare,
                    opened[0].cards, tuple(make_small(picture.image) for picture in pictures),
                    _prints(opened, sizes, drawn or {}, kinds), _faces(opened, sizes, bare))


def _faces(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], bare: Bare) -> dict[Appearance, Face]:
    """The tops of all pieces that are no drinks."""
    return learn_faces(
        (Scene(each.image, each.view, each.white, bare, None),
         [LaidFace(sizes[laid.appearance], laid.at_mm, laid.turn_deg) for laid in each.pieces
          if laid.appearance in sizes and sizes[laid.appearance].kind != "drink"])
        for each in opened)


def enrol_set(known: PictureSet, kinds: Collection[PieceKind], told: Callable[[float], None] = lambda _: None
              ) -> PieceSet:
    """Learn how the pieces of a picture set look from its enrolment pictures; as `enrol`."""
    laid = [LaidPicture(read_picture(each.picture, known.lens), each.pieces) for each in known.enrolments]
    return enrol(laid, known.pieces, known.lens, told, known.drawings(), kinds)


def _open(picture: LaidPicture, sizes: Mapping[str, Piece], lens: Lens) -> OpenedPicture:
    arrangement = find_cards(picture.image, lens)
    laid = [each for each in picture.pieces if each.appearance in sizes and sizes[each.appearance].kind == "crate"]
    crates = tuple(Body(f"crate:{number + 1}", each.appearance, each.at_mm, sizes[each.appearance].size_mm,
                        each.turn_deg) for number, each in enumerate(laid))
    white = fit_white(picture.image, arrangement)
    return OpenedPicture(picture.image, picture.pieces, arrangement.view, white, crates, arrangement.cards)


def _exemplars(opened: Sequence[OpenedPicture], scenes: Sequence[Scene], sizes: Mapping[str, Piece]
               ) -> tuple[list[tuple[int, Exemplar]], list[tuple[int, Exemplar]]]:
    """Drinks on the open table and in crates, each with the number of its picture."""
    table: list[tuple[int, Exemplar]] = []
    crates: list[tuple[int, Exemplar]] = []
    for number, (each, scene) in enumerate(zip(opened, scenes)):
        for laid in each.pieces:
            if laid.appearance not in sizes or sizes[laid.appearance].kind != "drink":
                continue
            pose = _pose(laid, each.crates)
            height = sizes[laid.appearance].size_mm[2]
            corners = np.array([(x, y, z) for x in (-7, 7) for y in (-7, 7) for z in (0, height)], np.float64)
            box = box_around(each.view.project(pose.foot_mm + corners), EXEMPLAR_MARGIN_PX)
            seen = scene.plain(box)
            exemplar = Exemplar(laid.appearance, len(table) + len(crates) + 1, pose, each.view, box, seen,
                                scene.background(box, seen), np.ones((box.height, box.width), np.bool_))
            (table if pose.opening_mm is None else crates).append((number, exemplar))
    return table, crates


def _prints(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], drawn: Mapping[Appearance, Image],
            kinds: Collection[PieceKind]) -> dict[Appearance, Print]:
    """The tops of boards and of other bodies that are found by them; as they are drawn if they were never laid out."""
    drawings = {name: drawn_print(image, sizes[name].size_mm) for name, image in drawn.items() if name in sizes}
    return drawings | {laid.appearance: learn_print(Picture(each.image, each.view), Pose(laid.at_mm, laid.turn_deg),
                                                    sizes[laid.appearance].size_mm, drawings.get(laid.appearance))
            for each in opened for laid in each.pieces
            if laid.appearance in sizes and found_by(kinds, sizes[laid.appearance].kind) == "print"}


def _solids(profiles: Mapping[str, Profile]) -> dict[str, Solid]:
    return {shape: make_solid(profile) for shape, profile in profiles.items()}


def _settled(scenes: Sequence[Scene], numbered: Sequence[tuple[int, Exemplar]], solids: Mapping[str, Solid]
             ) -> list[tuple[int, Exemplar]]:
    """The drinks where the pictures show them best: hands lay them within some mm, and cards are measured to 0.3 mm."""
    models = Models(solids, *learn_textures([exemplar for _, exemplar in numbered], solids), USUAL_COST_PER_NAT)
    feet = [find_foot(scenes[number], each.pose, each.drink, models) for number, each in numbered]
    return [(number, replace(each, pose=moved_to(each.pose, foot))) for (number, each), foot in zip(numbered, feet)]


def _scenes(opened: Sequence[OpenedPicture], bare: Bare, colours: CrateColours | None) -> list[Scene]:
    return [Scene(each.image, each.view, each.white, bare, colours, each.crates) for each in opened]


def _with_deepest(bare: Bare, scenes: Sequence[Scene], numbered: Sequence[tuple[int, Exemplar]],
                  solids: Mapping[str, Solid]) -> Bare:
    """The bare table, and how deep the shadows of drinks are that stand on it."""
    outlines: dict[int, list[Floats]] = {}
    for number, each in numbered:
        outline = outline_of(each.view, solids[shape_of(each.drink)], each.pose.foot_mm, each.pose.turn_deg)
        outlines.setdefault(number, []).append(outline)
    light = [light_beside(scenes[number], some) for number, some in outlines.items()]
    return replace(bare, shadow=replace(bare.shadow, deepest=learn_deepest(np.concatenate(light)))) if light else bare


def _among_others(scenes: Sequence[Scene], numbered: Sequence[tuple[int, Exemplar]], models: Models
                  ) -> list[tuple[int, Exemplar]]:
    """Draw all of them, and say of each what others show behind it and where others stand before it."""
    for picture, each in numbered:
        scenes[picture].draw(each.number, render_drink(each.view, each.pose, each.drink, models))
    found = []
    for picture, each in numbered:
        hidden = scenes[picture].hidden(each.box, each.number, far_mm(each.view, each.pose.foot_mm))
        behind = scenes[picture].background(each.box, each.seen, each.number)
        found.append((picture, replace(each, behind=behind, shown=~hidden)))
    return found


def _pose(laid: LaidPiece, crates: Sequence[Body]) -> DrinkPose:
    """Where a laid drink stands: in the slot of a crate, or on the table."""
    for crate in crates:
        if is_within(crate, laid.at_mm):
            centres = slot_centres_mm(crate)
            centre = centres[int(np.argmin(np.linalg.norm(centres - laid.at_mm, axis=1)))]
            return DrinkPose(np.array([*laid.at_mm, FLOOR_MM]), laid.turn_deg, opening_mm(crate, centre), RIM_MM)
    return DrinkPose(np.array([*laid.at_mm, 0.0]), laid.turn_deg)


# ---------------------------------------------------------------- how far costs can be trusted


def _table_trust(scenes: Sequence[Scene], exemplars: Sequence[tuple[int, Exemplar]], solids: Mapping[str, Solid]
                 ) -> float:
    """What one nat costs on the open table: each picture read with the colours learned from the others."""
    numbers = sorted({number for number, _ in exemplars})
    if len(numbers) < 2:
        return USUAL_COST_PER_NAT
    trials = []
    for held_out in numbers:
        others = [each for number, each in exemplars if number != held_out]
        models = Models(solids, *learn_textures(others, solids), USUAL_COST_PER_NAT)
        trials += [_trial(scenes[held_out], each, models)
                   for number, each in exemplars if number == held_out and each.drink in models.textures]
    return _trust(trials)


def _crate_trust(scenes: Sequence[Scene], exemplars: Sequence[tuple[int, Exemplar]], solids: Mapping[str, Solid],
                 known: Mapping[Drink, Texture]) -> float:
    """What one nat costs in crates: the drinks of each colour read with what the other colours taught."""
    trials = []
    for colour in sorted({colour_of(each.drink) for _, each in exemplars}):
        others = [each for _, each in exemplars if colour_of(each.drink) != colour]
        models = Models(solids, *learn_crate_textures(others, solids, known), USUAL_COST_PER_NAT)
        trials += [_trial(scenes[number], each, models)
                   for number, each in exemplars if colour_of(each.drink) == colour]
    return _trust(trials)


def _trial(scene: Scene, exemplar: Exemplar, models: Models) -> HeldOutReading:
    pose = exemplar.pose
    if pose.opening_mm is not None:  # a game knows only the slot that a drink stands in
        pose = replace(pose, foot_mm=np.array([*pose.opening_mm.mean(axis=0), pose.foot_mm[2]]))
    reading = read_drink(scene, pose, models, DrinkPrior(exemplar.number))
    return exemplar.drink, {drink: cost for drink, cost in reading.costs.items() if drink != EMPTY}


def _trust(trials: Sequence[HeldOutReading]) -> float:
    """The cost per nat under which the truths are most likely."""
    if not trials:
        return USUAL_COST_PER_NAT
    candidates = [float(cost) for cost in MIN_COST_PER_NAT * 1.15 ** np.arange(45)]
    return max(candidates, key=lambda cost: sum(loglik(costs, cost)[true] for true, costs in trials))


def _usual(costs_per_nat: Sequence[float]) -> float:
    """The geometric mean: a game is played at other places and in other light than those of the trials, on the table
    among neighbours, in crates known from when they were empty; so neither the easy trials on the open table nor the
    hard ones in full crates speak for it alone. Where no crates were enrolled, the easy trials count no more."""
    return GAME_COST_FACTOR * float(np.exp(np.mean(np.log(costs_per_nat))))
