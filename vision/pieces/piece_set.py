"""A piece set: how the pieces look under this camera and light, learned at enrolment and kept in one file."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import InvalidError, phrase
from companion.table import Appearance, Drink, Piece
from vision.bodies.crate_look import CrateLook
from vision.bodies.print_model import Print
from vision.drinks.models import Models, Shading, Texture
from vision.drinks.ring_solid import Profile, make_solid
from vision.faces.templates import Face, Faces
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Image
from vision.photometry.background_model import CrateColours
from vision.photometry.shadow_tint import Shadow
from vision.photometry.white_reference import White
from vision.scene.bare_table import Bare

FORMAT_VERSION = 9
KEPT_JPEG_QUALITY = 92


@dataclass(frozen=True, eq=False)
class PieceSet:
    """All that is known of a set of pieces. `table_textures` and `crate_textures` are the drinks' colours by band on
    the open table and in crates, `*_shading` how light falls on each shape there,
    `*_cost_per_nat` how far costs can be trusted; `bare` is the table without pieces, with where the `cards` lay and
    small pictures without hands as `references`; `prints` are the tops of boards and of
    what else is found by them, `faces` those of all other pieces but drinks."""

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

    def save(self, path: Path) -> None:
        """Write one file; what was there before is replaced whole."""
        about: dict[str, Any] = {
            "version": FORMAT_VERSION,
            "pieces": [asdict(piece) for piece in self.pieces],
            "profiles": {shape: asdict(profile) for shape, profile in self.profiles.items()},
            "cost_per_nat": [self.table_cost_per_nat, self.crate_cost_per_nat],
            "crate_look": None if self.crate_look is None else asdict(self.crate_look),
            "prints": {name: [each.px_per_mm, each.height_mm] for name, each in self.prints.items()},
            "cards": [asdict(card) for card in self.cards],
            "crate_light": _limits(self.crate_colours),
        }
        arrays: dict[str, Any] = {f"table {drink}": texture for drink, texture in self.table_textures.items()}
        arrays |= {f"crate {drink}": texture for drink, texture in self.crate_textures.items()}
        arrays |= {f"light {shape}": shading for shape, shading in self.table_shading.items()}
        arrays |= {f"shade {shape}": shading for shape, shading in self.crate_shading.items()}
        if self.crate_colours is not None:
            arrays["crate_chroma"] = self.crate_colours.chroma
        if self.bare is not None:
            arrays |= _bare_arrays(self.bare)
        for name, each in self.prints.items():
            arrays[f"print {name}"] = cv2.imencode(".jpg", each.image, (cv2.IMWRITE_JPEG_QUALITY, KEPT_JPEG_QUALITY))[1]
        for number, reference in enumerate(self.references):
            arrays[f"reference {number}"] = reference
        for name, face in self.faces.items():
            arrays[f"face {name}"] = face.colours.astype(np.float16)
        save_arrays(path, about, arrays)


def _limits(crates: CrateColours | None) -> list[float] | None:
    """Between which lightness crates are seen."""
    return None if crates is None else [crates.darkest, crates.inside, crates.rim]


def save_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays, and as JSON what is to be known `about` them; what was there before is replaced whole."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays, about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(buffer.getvalue())
    fresh.replace(path)


def load_piece_set(path: Path) -> PieceSet:
    """Read a piece set. Raises `InvalidError` when the file is not one or comes from another version."""
    try:
        with np.load(path, allow_pickle=False) as data:
            arrays = {name: data[name] for name in data.files}
        about = json.loads(arrays["about"].tobytes())
        if about["version"] != FORMAT_VERSION:
            kind = "newer" if about["version"] > FORMAT_VERSION else "older"
            raise InvalidError(phrase(f"eyes.piece_set_{kind}", file=path.name))
        return _from_parts(about, arrays)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(phrase("eyes.piece_set_invalid", file=path.name)) from error


def _from_parts(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> PieceSet:
    pieces = tuple(Piece(each["name"], each["kind"], tuple(each["size_mm"]), each["round"]) for each in about["pieces"])
    table, crate, light_on, shade = ({name.removeprefix(what): array for name, array in arrays.items()
                                      if name.startswith(what)} for what in ("table ", "crate ", "light ", "shade "))
    look, light = about["crate_look"], about["crate_light"]
    return PieceSet(
        pieces, {shape: Profile(**profile) for shape, profile in about["profiles"].items()}, table, crate,
        light_on, shade, about["cost_per_nat"][0], about["cost_per_nat"][1],
        None if look is None else CrateLook(tuple(look["rim_lab"]), look["contrast"], tuple(look["bias_mm"])),
        None if light is None else CrateColours(arrays["crate_chroma"], *light),
        _bare(arrays) if "bare" in arrays else None,
        tuple(CardSeen(each["card"], tuple(each["at_mm"]), each["turn_deg"]) for each in about["cards"]),
        tuple(arrays[name] for name in sorted(arrays) if name.startswith("reference ")),
        {name: Print(_picture(arrays[f"print {name}"]), *scale) for name, scale in about["prints"].items()},
        _faces(pieces, arrays))


def _picture(jpeg: Any) -> Image:
    image = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("a picture is damaged")
    return np.asarray(image, np.uint8)


def _faces(pieces: tuple[Piece, ...], arrays: Mapping[str, Any]) -> dict[str, Face]:
    return {piece.name: Face(piece, arrays[f"face {piece.name}"].astype(np.float32)) for piece in pieces
            if f"face {piece.name}" in arrays}


def _bare_arrays(bare: Bare) -> dict[str, Any]:
    lens = bare.view.lens
    _, jpeg = cv2.imencode(".jpg", bare.image, (cv2.IMWRITE_JPEG_QUALITY, KEPT_JPEG_QUALITY))
    return {"bare": jpeg, "bare_size": np.array([lens.width, lens.height]), "bare_camera": lens.camera_matrix,
            "bare_dist": lens.dist, "bare_rotation": bare.view.rotation, "bare_translation": bare.view.translation_mm,
            "bare_gains": bare.white.gains, "bare_steepness": bare.white.steepness,
            "bare_sharpened": np.array(bare.white.sharpened),
            "bare_shadow": np.array([*bare.shadow.takes, bare.shadow.deepest])}


def _bare(arrays: Mapping[str, Any]) -> Bare:
    width, height = (int(each) for each in arrays["bare_size"])
    lens = Lens(width, height, arrays["bare_camera"], arrays["bare_dist"])
    view = View(lens, arrays["bare_rotation"], arrays["bare_translation"])
    white = White(arrays["bare_gains"], arrays["bare_steepness"], {}, sharpened=float(arrays["bare_sharpened"]))
    blue, green, red, deepest = (float(each) for each in arrays["bare_shadow"])
    return Bare(_picture(arrays["bare"]), view, white, Shadow((blue, green, red), deepest))
