"""Games of other packages: those that are broken are told in one sentence and left out, all others play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import play
from companion.engine.conformance import conforms, is_offered_under_its_id
from companion.errors import IllegalError, InvalidError, PackageError
from companion.games import registry
from companion.words import load
from tests.games.packages_on_disk import PEGS, WORDS

OWN = ("kamikaze-cans", "crate-wars", "yuzu-twist", "pick-and-pack", "war-chest")
WORDS_OF_ALL = load()


def sentences() -> list[str]:
    return [WORDS_OF_ALL.sentence(why) for why in registry.broken_packages()]


def test_a_whole_package_is_a_game_like_any_other(installed: Any) -> None:
    installed()

    game = registry.game("pegs")

    assert (registry.ids(), sentences()) == ((*OWN, "pegs"), [])
    conforms(game, 2, load("en", [game.words]), Random(1))
    assert [kind.name for kind in registry.kinds("pegs")] == ["peg"]
    from pegs_game import GAME  # type: ignore[import-not-found]
    is_offered_under_its_id(GAME)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "a syntax error": ({"code": PEGS + "\ndef :"}, "it cannot be loaded (SyntaxError"),
    "no such module": ({"code": "import nothing_of_this_name"}, "it cannot be loaded (ModuleNotFoundError"),
    "no words": ({"words": None}, "it has no words: "),
    "words that are no TOML": ({"words": "name = = 3"}, "words.en.toml cannot be read ("),
    "words without its name": ({"words": WORDS.replace("name.pegs", "name.plugs")}, "add a phrase name.pegs."),
    "a phrase that exists already": (
        {"words": WORDS + '"web.done" = "finished"\n'}, "has the companion's own phrase web.done: give it another id."),
    "another package's id": ({"id": "war-chest"}, "there is a game war-chest already: uninstall one of them."),
    "an id that is not its entry point's": (
        {"id": "plugs"}, "it is offered as plugs and calls itself pegs: its entry point must have the game's id."),
    "methods that are missing": ({"code": PEGS.replace("def scores", "def points")}, "it lacks scores:"),
    "no game at all": ({"code": "GAME = 3"}, "it cannot be loaded ("),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_package_is_told_in_one_sentence_and_left_out(installed: Any, what: str) -> None:
    about, why = BROKEN[what]
    installed(**about)

    told, = sentences()

    assert told.startswith("The game of the package pegs-game is left out, because ")
    assert why in told
    assert told.endswith(".")
    assert registry.ids() == OWN
    assert all(registry.game(id) for id in OWN)


def test_two_packages_with_one_id_leave_the_first(installed: Any) -> None:
    installed(name="pegs-game")
    installed(name="more-pegs-game")

    told, = sentences()

    assert "there is a game pegs already" in told
    assert registry.ids() == (*OWN, "pegs")


def test_who_asks_for_a_broken_game_is_told_why(installed: Any) -> None:
    installed(words=None)

    with pytest.raises(PackageError, match="no_words"):
        registry.game("pegs")
    with pytest.raises(InvalidError, match="unknown"):
        registry.game("plugs")


@pytest.mark.parametrize(("method", "body"), [
    ("placement", 'raise KeyError("moon")'), ("turn", "return None.seats"), ("legal", "yield 1 / 0"),
])
def test_what_a_game_raises_by_mistake_is_told_with_its_package(installed: Any, method: str, body: str) -> None:
    installed(code=PEGS.replace("GAME = Pegs()", f"""
class Broken(Pegs):
    def {method}(self, state):
        {body}

GAME = Broken()
"""))
    game = registry.game("pegs")
    state = game.start({}, {}, 2)

    with pytest.raises(PackageError, match=rf"pegs-game.*method={method}"):
        list(getattr(game, method)(state))


def test_legal_plies_that_are_refused_are_told_and_others_are_just_refused(installed: Any) -> None:
    check = "if ply not in self.legal(state):"
    installed(code=PEGS.replace(check, f"{check[:-1]} or ply.action.at == 1:"))
    game = registry.game("pegs")
    state = game.start({}, {}, 2)
    first, second, _ = game.legal(state)

    after = game.apply(state, first)
    with pytest.raises(PackageError, match="contradicts_itself"):
        game.apply(state, second)
    with pytest.raises(IllegalError, match=r"pegs\.no"):
        game.apply(after, first)


def test_a_guarded_game_is_played_like_any_other(installed: Any) -> None:
    installed()
    game = registry.game("pegs")

    played = list(play.random_game(game, game.start({}, {}, 2), Random(1), 9))

    assert len(played) == 3
