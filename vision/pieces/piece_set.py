"""A piece set: the models of all pieces under this camera and light, learned at enrolment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.table import Appearance, Drink, Piece
from vision.bodies.crate_look import CrateLook
from vision.bodies.print_model import Print
from vision.drinks.models import Models, Shading, Texture
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.faces.templates import Faces
from vision.imaging.frame import CardSeen, Image
from vision.photometry.background_model import CrateColours
from vision.scene.bare_table import Bare


@dataclass(frozen=True, eq=False)
class PieceSet:
    """All that was learned of a set of pieces.

    `table_textures` and `crate_textures` are the drinks' colours by band on the open table and in crates, `*_shading`
    the directional shading of each shape there, `*_cost_per_nat` the cost of one nat, `*_misfit` the usual misfit,
    `*_shape_costs` as `Models.shape_costs`, `shadows` how far the cast shadows of drinks are believed;
    `bare` is the table without pieces, `cards` are the poses of the cards then, and `references` small pictures without
    hands; `prints` are the tops of boards and of other bodies that are found by them, `faces` those of all other pieces
    but drinks.
    """

    pieces: tuple[Piece, ...]
    profiles: Mapping[str, Profile]
    table_textures: Mapping[Drink, Texture]
    crate_textures: Mapping[Drink, Texture]
    table_shading: Mapping[str, Shading]
    crate_shading: Mapping[str, Shading]
    table_cost_per_nat: float
    crate_cost_per_nat: float
    crate_look: CrateLook | None
    crate_colours: CrateColours | None
    bare: Bare | None
    cards: tuple[CardSeen, ...] = ()
    references: tuple[Image, ...] = ()
    prints: Mapping[Appearance, Print] = field(default_factory=dict)
    faces: Faces = field(default_factory=dict)
    table_misfit: float = math.inf
    crate_misfit: float = math.inf
    shadows: ShadowTrust = NO_TRUST
    table_shape_costs: Mapping[str, float] = field(default_factory=dict)
    crate_shape_costs: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def on_table(self) -> Models:
        """The models of drinks on the open table."""
        return Models({shape: make_solid(profile) for shape, profile in self.profiles.items()},
                      self.table_textures, self.table_shading, self.table_cost_per_nat, self.table_misfit,
                      shadows=self.shadows, shape_costs=self.table_shape_costs)

    @cached_property
    def in_crate(self) -> Models:
        """The models of drinks in a crate."""
        return Models(self.on_table.solids, self.crate_textures, self.crate_shading, self.crate_cost_per_nat,
                      self.crate_misfit, self.table_misfit, shape_costs=self.crate_shape_costs)
