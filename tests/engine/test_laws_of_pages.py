"""What conformance asks once: phrases for whatever a page may name, and kinds for whatever a spot is made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine.conformance import ConformanceError, conforms, is_offered_under_its_id
from companion.errors import Phrase
from companion.games import registry
from companion.games.kamikaze_cans.game import KamikazeCans
from companion.table import Layout
from companion.words import Words, load


class Without:
    """The words of a game but for one phrase."""

    def __init__(self, words: Words, lacks: str) -> None:
        self._words, self._lacks = words, lacks

    def __contains__(self, phrase_id: str) -> bool:
        return phrase_id != self._lacks and phrase_id in self._words

    def say(self, phrase: Phrase) -> str:
        return self._words.say(phrase)


@pytest.mark.parametrize(("id", "lacks", "what"), [
    ("kamikaze-cans", "name.kamikaze-cans", "the game"), ("kamikaze-cans", "spot.stock", "a spot of the layout"),
    ("kamikaze-cans", "name.quiet_limit", "an option"), ("crate-wars", "name.first", "asked before a game"),
    ("yuzu-twist", "name.crate completed", "a reason to end"), ("war-chest", "name.draft", "a way to prepare"),
])
def test_a_phrase_that_a_page_may_need_is_missed_by_name(id: str, lacks: str, what: str) -> None:
    game = registry.game(id)

    with pytest.raises(ConformanceError, match=rf"^{id}: .* add to words.en.toml: '{lacks}' \({what}\)$"):
        conforms(game, 2, Without(load("en", [game.words]), lacks), Random(1))


class Unkind(KamikazeCans):
    def layout(self, setup: Mapping[str, Any]) -> Layout:
        return replace(super().layout(setup), kinds=())


def test_a_layout_lists_the_kinds_of_its_spots() -> None:
    with pytest.raises(ConformanceError, match="grid:a1 is for 'drink'"):
        conforms(Unkind(), 2, load("en", [Unkind().words]), Random(1))


def test_a_game_that_no_package_offers_is_told_so() -> None:
    with pytest.raises(ConformanceError, match="'kamikaze-cans' is offered as nothing"):
        is_offered_under_its_id(registry.game("kamikaze-cans"))
