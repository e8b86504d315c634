"""The 36 toy drinks that three of the games share: six colours by six shapes, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

Drink = Annotated[str, "drink"]
"""`"COLOUR/SHAPE"`, for example `"red/stub_can"`."""

SHAPES = ("stub_can", "short_can", "tall_can", "square_sides", "not_tallest_bottle", "tallest_bottle")
"""Shortest to tallest."""
SHAPE_LETTERS = dict(zip(SHAPES, "UHTQNB"))
"""One letter a shape, none twice: stUb, sHort, Tall, sQuare, Not tallest, tallest Bottle."""

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
"""The colours of the default piece set; another set names its own six."""


def colour_of(drink: Drink) -> str:
    """The colour's name: `colour_of("red/stub_can") == "red"`."""
    return drink.partition("/")[0]


def shape_of(drink: Drink) -> str:
    """The shape's name: `shape_of("red/stub_can") == "stub_can"`."""
    return drink.partition("/")[2]


def all_drinks(colours: Sequence[str] = COLOURS) -> tuple[Drink, ...]:
    """Every drink of these colours, by colour, shortest shape first."""
    return tuple(f"{colour}/{shape}" for colour in colours for shape in SHAPES)
