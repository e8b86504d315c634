"""Piece sets in files: `save_piece_set` writes one, `load_piece_set` reads it back."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import InvalidError, phrase
from companion.table import Piece
from vision.bodies.crate_look import CrateLook
from vision.bodies.print_model import Print
from vision.drinks.ring_solid import Profile
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.faces.templates import Face
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Image
from vision.imaging.packed_picture import PackedPicture
from vision.photometry.background_model import CrateColours
from vision.photometry.shadow_tint import LampShadow, Shadow
from vision.photometry.white_reference import White
from vision.pieces.array_file import load_arrays, save_arrays
from vision.pieces.piece_set import PieceSet
from vision.scene.bare_table import Bare

FORMAT_VERSION = 10
KEPT_JPEG_QUALITY = 92


def save_piece_set(pieces: PieceSet, path: Path) -> None:
    """Write one file; an earlier one is replaced atomically."""
    save_arrays(path, _about(pieces), {**_drink_arrays(pieces), **_table_arrays(pieces), **_picture_arrays(pieces)})


def load_piece_set(path: Path) -> PieceSet:
    """Read a piece set. Raises `InvalidError` when the file is not one or comes from another version."""
    try:
        about, arrays = load_arrays(path)
        if about["version"] != FORMAT_VERSION:
            kind = "newer" if about["version"] > FORMAT_VERSION else "older"
            raise InvalidError(phrase(f"eyes.piece_set_{kind}", file=path.name))
        return _piece_set(about, arrays)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(phrase("eyes.piece_set_invalid", file=path.name)) from error


# ---------------------------------------------------------------- written


def _about(pieces: PieceSet) -> dict[str, Any]:
    crates = pieces.crate_colours
    return {
        "version": FORMAT_VERSION,
        "pieces": [asdict(piece) for piece in pieces.pieces],
        "profiles": {shape: asdict(profile) for shape, profile in pieces.profiles.items()},
        "cost_per_nat": [pieces.table_cost_per_nat, pieces.crate_cost_per_nat],
        "usual_misfit": [pieces.table_misfit, pieces.crate_misfit],
        "shadows": asdict(pieces.shadows),
        "shape_costs": [dict(pieces.table_shape_costs), dict(pieces.crate_shape_costs)],
        "crate_look": None if pieces.crate_look is None else asdict(pieces.crate_look),
        "prints": {name: [each.px_per_mm, each.height_mm] for name, each in pieces.prints.items()},
        "cards": [asdict(card) for card in pieces.cards],
        "crate_light": None if crates is None else [crates.darkest, crates.inside, crates.rim],
    }


def _drink_arrays(pieces: PieceSet) -> dict[str, Any]:
    return {f"{what} {name}": array for what, some in (
        ("table", pieces.table_textures), ("crate", pieces.crate_textures),
        ("light", pieces.table_shading), ("shade", pieces.crate_shading)) for name, array in some.items()}


def _table_arrays(pieces: PieceSet) -> dict[str, Any]:
    crates = {} if pieces.crate_colours is None else {"crate_chroma": pieces.crate_colours.chroma}
    return crates if pieces.bare is None else crates | _bare_arrays(pieces.bare)


def _bare_arrays(bare: Bare) -> dict[str, Any]:
    lens, picture = bare.view.lens, bare.picture
    jpeg = picture.jpeg if isinstance(picture, PackedPicture) else _jpeg(picture)
    return {"bare": jpeg, "bare_size": np.array([lens.width, lens.height]),
            "bare_camera": lens.camera_matrix, "bare_dist": lens.dist, "bare_rotation": bare.view.rotation,
            "bare_translation": bare.view.translation_mm, "bare_gains": bare.white.gains,
            "bare_steepness": bare.white.steepness, "bare_sharpened": np.array(bare.white.sharpened),
            "bare_shadow": np.array([*bare.shadow.takes, bare.shadow.deepest]),
            "bare_lamps": np.array([[*lamp.takes, lamp.most] for lamp in bare.shadow.lamps or ()])}


def _picture_arrays(pieces: PieceSet) -> dict[str, Any]:
    arrays: dict[str, Any] = {f"print {name}": _jpeg(each.image) for name, each in pieces.prints.items()}
    arrays |= {f"reference {number}": reference for number, reference in enumerate(pieces.references)}
    return arrays | {f"face {name}": face.colours.astype(np.float16) for name, face in pieces.faces.items()}


def _jpeg(image: Image) -> Any:
    return cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, KEPT_JPEG_QUALITY))[1]


# ---------------------------------------------------------------- read


def _piece_set(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> PieceSet:
    pieces = tuple(Piece(each["name"], each["kind"], tuple(each["size_mm"]), each["round"]) for each in about["pieces"])
    look, light = about["crate_look"], about["crate_light"]
    misfits = about.get("usual_misfit", (math.inf, math.inf))  # piece sets of older versions do not say
    shape_costs = about.get("shape_costs", ({}, {}))  # nor this
    return PieceSet(
        pieces=pieces, profiles={shape: Profile(**profile) for shape, profile in about["profiles"].items()},
        table_textures=_named(arrays, "table "), crate_textures=_named(arrays, "crate "),
        table_shading=_named(arrays, "light "), crate_shading=_named(arrays, "shade "),
        table_cost_per_nat=about["cost_per_nat"][0], crate_cost_per_nat=about["cost_per_nat"][1],
        crate_look=None if look is None else CrateLook(tuple(look["rim_lab"]), look["contrast"],
                                                       tuple(look["bias_mm"])),
        crate_colours=None if light is None else CrateColours(arrays["crate_chroma"], *light),
        bare=_bare(arrays) if "bare" in arrays else None,
        cards=tuple(CardSeen(each["card"], tuple(each["at_mm"]), each["turn_deg"]) for each in about["cards"]),
        references=tuple(arrays[name] for name in sorted(arrays) if name.startswith("reference ")),
        prints={name: Print(_picture(arrays[f"print {name}"]), *scale) for name, scale in about["prints"].items()},
        faces={piece.name: Face(piece, arrays[f"face {piece.name}"].astype(np.float32)) for piece in pieces
               if f"face {piece.name}" in arrays},
        table_misfit=misfits[0], crate_misfit=misfits[1],
        shadows=ShadowTrust(**about["shadows"]) if "shadows" in about else NO_TRUST,
        table_shape_costs=shape_costs[0], crate_shape_costs=shape_costs[1])


def _named(arrays: Mapping[str, Any], what: str) -> dict[str, Any]:
    return {name.removeprefix(what): array for name, array in arrays.items() if name.startswith(what)}


def _picture(jpeg: Any) -> Image:
    image = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("a picture is damaged")
    return np.asarray(image, np.uint8)


def _bare(arrays: Mapping[str, Any]) -> Bare:
    width, height = (int(each) for each in arrays["bare_size"])
    lens = Lens(width, height, arrays["bare_camera"], arrays["bare_dist"])
    view = View(lens, arrays["bare_rotation"], arrays["bare_translation"])
    white = White(arrays["bare_gains"], arrays["bare_steepness"], {}, sharpened=float(arrays["bare_sharpened"]))
    blue, green, red, deepest = (float(each) for each in arrays["bare_shadow"])
    lamps = [LampShadow((float(b), float(g), float(r)), float(most)) for b, g, r, most in arrays["bare_lamps"]]
    shadow = Shadow((blue, green, red), deepest, (lamps[0], lamps[1]) if lamps else None)
    return Bare(PackedPicture(arrays["bare"]), view, white, shadow)
