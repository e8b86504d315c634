"""What conformance asks once: phrases for whatever a page may name, and kinds for whatever a spot is made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine.conformance import ConformanceError, conforms, is_offered_under_its_id
from companion.engine.laws_of_pages import is_asked_option, is_asked_seat
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


SAYS = "The words have a phrase for whatever a page may have to name. —"
KINDS = ("The layout lists each kind that its spots are made for, so that eyes and drawings know what it is. — "
         "grid:a1 is for 'drink', grid:a2 is for 'drink', ")
OFFERS = "A package offers its game in the entry points' group `companion.games`, under the game's id. — "


@pytest.mark.parametrize(("id", "lacks", "what"), [
    ("kamikaze-cans", "name.kamikaze-cans", "the game"), ("kamikaze-cans", "spot.stock", "a spot of the layout"),
    ("kamikaze-cans", "name.quiet_limit", "an option"), ("crate-wars", "name.first", "asked before a game"),
    ("yuzu-twist", "name.crate completed", "a reason to end"), ("war-chest", "name.draft", "a way to prepare"),
])
def test_a_phrase_that_a_page_may_need_is_missed_by_name(id: str, lacks: str, what: str) -> None:
    game = registry.game(id)

    with pytest.raises(ConformanceError, match=rf"^{id}: {SAYS} add to words.en.toml: '{lacks}' \({what}\)$"):
        conforms(game, 2, Without(load("en", [game.words]), lacks), Random(1))


class Unkind(KamikazeCans):
    def layout(self, setup: Mapping[str, Any]) -> Layout:
        return replace(super().layout(setup), kinds=())


def test_a_layout_lists_the_kinds_of_its_spots() -> None:
    with pytest.raises(ConformanceError, match=f"^kamikaze-cans: {KINDS}"):
        conforms(Unkind(), 2, load("en", [Unkind().words]), Random(1))


def test_a_game_that_no_package_offers_is_told_so() -> None:
    with pytest.raises(ConformanceError, match=f"^{OFFERS}'kamikaze-cans' is offered as nothing$"):
        is_offered_under_its_id(registry.game("kamikaze-cans"))


class Lacks:
    """Words that have none of these."""

    def __contains__(self, phrase_id: str) -> bool:
        return False

    def say(self, phrase: Phrase) -> str:
        raise AssertionError(phrase)


def test_all_phrases_that_are_missed_are_named_once_each() -> None:
    with pytest.raises(ConformanceError) as caught:
        conforms(KamikazeCans(), 2, Lacks(), Random(1))
    assert str(caught.value) == (
        f"kamikaze-cans: {SAYS} add to words.en.toml: 'name.kamikaze-cans' (the game), 'name.stock empty' (a reason to "
        "end), 'name.quiet limit' (a reason to end), 'name.stub_cans_chain' (an option), "
        "'name.quiet_limit' (an option), 'name.first' (asked before a game), 'spot.grid' (a spot of the layout), "
        "'spot.stock' (a spot of the layout)")


@pytest.mark.parametrize(("value", "asked"), [
    (None, True), (True, True), (3, True), (1.5, False), ("a", False), ([], False),
])
def test_options_that_a_page_asks_for(value: Any, asked: bool) -> None:
    assert is_asked_option(value) is asked


@pytest.mark.parametrize(("value", "asked"), [
    (0, True), (1, True), (2, False), (-1, False), (True, False), (None, False), ("0", False),
])
def test_seats_that_a_page_asks_for(value: Any, asked: bool) -> None:
    assert is_asked_seat(value, 2) is asked
