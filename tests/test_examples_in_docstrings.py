"""The examples in docstrings run."""

from __future__ import annotations

import doctest
from importlib import import_module
from random import Random

import pytest

from companion.engine import AnyGame, Preparing, game, random_ply
from companion.games import registry

MODULES = (
    "companion.engine.game",
    "companion.engine.record",
    "companion.session.journal",
    "companion.session.session",
    "companion.home.told",
    "hardware.board",
    "hardware.buttons",
    "hardware.holders",
    "hardware.last_pins",
    "hardware.sources.stamps",
    "hardware.camera",
    "hardware.driver",
    "hardware.lamps",
    "hardware.panel",
    "hardware.wiring",
    "vision.pipeline.reader",
)
"""Modules whose docstrings have examples; a room adds its own."""


@pytest.mark.usefixtures("learned_once")
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_its_docstrings_run(module: str) -> None:
    found = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


def loop_of_the_contract() -> dict[str, object]:
    """What the contract's docstring defines, up to its first example of use."""
    test = doctest.DocTestFinder().find(game)[0]
    made: dict[str, object] = {}
    for example in test.examples:
        if not example.want:
            exec(compile(example.source, game.__file__, "exec"), made)
    return made


GAMES = [registry.game(id) for id in registry.ids()]
PREPARATIONS = [each.preparation(way) for each in GAMES if isinstance(each, Preparing) for way in each.ways]


@pytest.mark.parametrize("played", [*GAMES, *PREPARATIONS], ids=lambda each: f"{each.id} {each.reasons}")
def test_the_loop_in_the_contract_s_docstring_plays_every_game(played: AnyGame) -> None:
    made = loop_of_the_contract()
    made["rng"] = Random(7)
    assert made["play_out"](played, random_ply)
