"""Separability of a piece set's drinks, known before a game: the colours and the shapes that are most alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.errors import Phrase, phrase
from companion.table import EMPTY, Drink, colour_of
from vision.drinks.classifier import read_drink
from vision.drinks.drink_pose import DrinkPose
from vision.enrolment.picture_set import Enrolment, PictureSet, read_picture
from vision.fiducials.tag_pose import find_cards
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.pieces.separability import ALIKE_NATS
from vision.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class DrinksAlike:
    """A drink that is easily confused with another one, and the log-likelihood ratio in nats in its favour; below 0, it
    was read as the other."""

    one: Drink
    other: Drink
    nats: float

    @property
    def verdict(self) -> Phrase:
        """The phrase for people: the verdict, and what to do."""
        if self.nats >= ALIKE_NATS:
            kind = "told_apart"
        elif colour_of(self.one) == colour_of(self.other):
            kind = "shapes_alike"
        else:
            kind = "exchanged" if self.nats < 0 else "colours_alike"
        return phrase(f"eyes.drinks_{kind}", one=_said(self.one), other=_said(self.other))


def confusable_drinks(pieces: PieceSet, known: PictureSet) -> tuple[DrinksAlike, ...]:
    """Of all drinks on the open table in the enrolment pictures the one that is most similar to another colour, and the
    one that is most similar to another shape. Raises `SightError` when a picture cannot be read."""
    found = [each for picture in known.enrolments for each in _picture(pieces, known, picture)]
    both = ([each for each in found if (colour_of(each.one) == colour_of(each.other)) is same]
            for same in (False, True))
    return tuple(min(some, key=lambda each: each.nats) for some in both if some)


def _picture(pieces: PieceSet, known: PictureSet, enrolment: Enrolment) -> Iterator[DrinksAlike]:
    """Each drink with the likeliest one of another colour, and of another shape."""
    drinks = [laid for laid in enrolment.pieces if laid.appearance in pieces.table_textures]
    crates = {piece.name for piece in pieces.pieces if piece.kind == "crate"}
    if not drinks or any(laid.appearance in crates for laid in enrolment.pieces):
        return
    image = read_picture(enrolment.picture, known.lens)
    arrangement = find_cards(image, known.lens)
    scene = Scene(image, arrangement.view, fit_white(image, arrangement), pieces.bare, None)
    for laid in drinks:
        pose = DrinkPose(np.array([*laid.at_mm, 0.0]), laid.turn_deg)
        costs = read_drink(scene, pose, pieces.on_table).costs
        for same in (False, True):
            others = [name for name in costs if name not in (EMPTY, laid.appearance)
                      and (colour_of(name) == colour_of(laid.appearance)) is same]
            if others:
                other = min(others, key=costs.__getitem__)
                yield DrinksAlike(laid.appearance, other,
                                  (costs[other] - costs[laid.appearance]) / pieces.table_cost_per_nat)


def _said(drink: Drink) -> str:
    return drink.replace("/", " ").replace("_", " ")
