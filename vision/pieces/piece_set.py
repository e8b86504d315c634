"""A piece set: how the pieces look under this camera and light, learned at enrolment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.table import Appearance, Drink, Piece
from vision.bodies.crate_look import CrateLook
from vision.bodies.print_model import Print
from vision.drinks.models import Models, Shading, Texture
from vision.drinks.ring_solid import Profile, make_solid
from vision.faces.templates import Faces
from vision.imaging.frame import CardSeen, Image
from vision.photometry.background_model import CrateColours
from vision.scene.bare_table import Bare


@dataclass(frozen=True, eq=False)
class PieceSet:
    """All that is known of a set of pieces.

    `table_textures` and `crate_textures` are the drinks' colours by band on the open table and in crates, `*_shading`
    how light falls on each shape there, `*_cost_per_nat` what costs are in nats; `bare` is the table without pieces,
    with where the `cards` lay and small pictures without hands as `references`; `prints` are the tops of boards and of
    what else is found by them, `faces` those of all other pieces but drinks.
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

    @cached_property
    def on_table(self) -> Models:
        """How drinks look on the open table."""
        return Models({shape: make_solid(profile) for shape, profile in self.profiles.items()},
                      self.table_textures, self.table_shading, self.table_cost_per_nat)

    @cached_property
    def in_crate(self) -> Models:
        """How drinks look in a crate."""
        return Models(self.on_table.solids, self.crate_textures, self.crate_shading, self.crate_cost_per_nat)
