"""The models of drinks, learned from enrolment pictures: profiles, colours, shading, and the calibration of costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import InvalidError, phrase
from companion.table import Drink, Piece, shape_of
from vision.drinks.band_texture import learn_textures
from vision.drinks.crate_texture import learn_crate_textures
from vision.drinks.models import Models, Shading, Texture
from vision.drinks.profile_fit import first_profiles, fit_profiles
from vision.drinks.ring_raster import outline_of
from vision.drinks.ring_solid import Profile, Solid, make_solid
from vision.drinks.shadow_trust import ShadowTrust
from vision.enrolment.cost_calibration import (
    game_cost_per_nat,
    held_out_in_crates,
    held_out_on_table,
    likeliest_scale,
    shape_costs,
    usual_misfit,
)
from vision.enrolment.drink_exemplars import (
    USUAL_COST_PER_NAT,
    PicturedDrink,
    among_others,
    exemplars_of,
    extract_exemplars,
    settle_feet,
)
from vision.enrolment.opened_picture import OpenedPicture, scenes_of
from vision.enrolment.shadow_calibration import learn_trust
from vision.imaging.arrays import Floats
from vision.photometry.background_model import CrateColours
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.scene.shadow_depth import learn_deepest, light_beside

LearningProgress = Callable[[float], None]
"""Called with the share that is done, from 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDrinks:
    """The textures and shading of drinks on the open table and in crates, the cost of one nat, the `bare` table with
    the depth of their shadows, and the usual misfit on the open table and in crates, how far shadows are believed, and
    what the shapes of drinks cost besides."""

    profiles: Mapping[str, Profile]
    table_textures: Mapping[Drink, Texture]
    table_shading: Mapping[str, Shading]
    crate_textures: Mapping[Drink, Texture]
    crate_shading: Mapping[str, Shading]
    cost_per_nat: float
    bare: Bare
    table_misfit: float
    crate_misfit: float
    shadows: ShadowTrust
    table_shape_costs: Mapping[str, float]
    crate_shape_costs: Mapping[str, float]


def learn_drinks(opened: Sequence[OpenedPicture], sizes: Mapping[str, Piece], bare: Bare, colours: CrateColours | None,
                 progress: LearningProgress) -> LearnedDrinks:
    """Learn the models of the drinks in some pictures. Raises `InvalidError` when there are drinks and none stands on
    the open table."""
    drinks = [piece for piece in sizes.values() if piece.kind == "drink"]
    scenes = scenes_of(opened, bare, colours)
    on_table, in_crates = extract_exemplars(opened, scenes, sizes)
    if drinks and not on_table:
        raise InvalidError(phrase("eyes.enrol_no_drinks"))
    profiles, on_table = _learn_forms(scenes, on_table, {shape_of(piece.name): piece for piece in drinks}, progress)
    solids = _solids(profiles)
    bare = _with_deepest(bare, scenes, on_table, solids)
    scenes = scenes_of(opened, bare, colours)
    textures, shading = learn_textures(exemplars_of(on_table), solids)
    models = Models(solids, textures, shading, USUAL_COST_PER_NAT)
    in_crates = among_others(scenes, settle_feet(scenes, in_crates, solids), models)
    crate_textures, crate_shading = learn_crate_textures(exemplars_of(in_crates), solids, (textures, shading))
    progress(0.8)
    here = held_out_on_table(scenes, on_table, solids)
    progress(0.9)
    there = held_out_in_crates(scenes, in_crates, solids, (textures, shading))
    here_cost, there_cost = likeliest_scale(here), likeliest_scale(there)
    cost = game_cost_per_nat([USUAL_COST_PER_NAT, here_cost, *([there_cost] if in_crates else [])])
    on_open_table = Models(solids, textures, shading, cost, usual_misfit(here))
    return LearnedDrinks(profiles, textures, shading, crate_textures, crate_shading, cost, bare,
                         usual_misfit(here), usual_misfit(there), learn_trust(scenes, here, on_open_table),
                         shape_costs(here, here_cost), shape_costs(there, there_cost))


def _learn_forms(scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], shapes: Mapping[str, Piece],
                 progress: LearningProgress) -> tuple[dict[str, Profile], list[PicturedDrink]]:
    """The profiles of all shapes, and the drinks with refined feet: in alternation, for each depends on the other."""
    drinks = settle_feet(scenes, drinks, _solids(first_profiles(shapes)))
    profiles = fit_profiles(exemplars_of(drinks), shapes, None, lambda done: progress(0.1 + 0.3 * done))
    drinks = settle_feet(scenes, drinks, _solids(profiles))
    profiles = fit_profiles(exemplars_of(drinks), shapes, profiles, lambda done: progress(0.4 + 0.3 * done))
    return profiles, settle_feet(scenes, drinks, _solids(profiles))


def _solids(profiles: Mapping[str, Profile]) -> dict[str, Solid]:
    return {shape: make_solid(profile) for shape, profile in profiles.items()}


def _with_deepest(bare: Bare, scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], solids: Mapping[str, Solid]
                  ) -> Bare:
    """The bare table, with the depth of the shadows of drinks on it."""
    outlines: dict[int, list[Floats]] = {}
    for each in drinks:
        own = each.exemplar
        outline = outline_of(own.view, solids[shape_of(own.drink)], own.pose.foot_mm, own.pose.turn_deg)
        outlines.setdefault(each.picture, []).append(outline)
    light = [light_beside(scenes[picture], some) for picture, some in outlines.items()]
    return replace(bare, shadow=replace(bare.shadow, deepest=learn_deepest(np.concatenate(light)))) if light else bare
