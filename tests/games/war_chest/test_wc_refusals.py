"""Whatever is tried, it is either legal and listed, or refused with a rule and in words."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Chance, Over, Ply, play
from companion.errors import IllegalError, InvalidError
from companion.games.war_chest import GAME
from companion.games.war_chest.actions import Draw, Priest, hidden_coin
from companion.games.war_chest.units import UNITS
from companion.words import load

WORDS = load("en", [GAME.words])
TYPES = ("deploy", "bolster", "initiative", "recruit", "pass", "move", "attack", "control", "tactic", "free", "absorb",
         "skip", "draw", "priest")
KEYS: dict[str, tuple[str, ...]] = {
    "deploy": ("coin", "at"), "bolster": ("coin", "at"), "initiative": ("coin",), "recruit": ("coin", "unit"),
    "pass": ("coin",), "move": ("coin", "from", "to"), "attack": ("coin", "from", "target"), "control": ("coin", "at"),
    "tactic": ("coin", "from", "unit_at", "to", "target"), "free": ("maneuver", "from", "to", "target"),
    "absorb": ("from",), "priest": ("coin",), "skip": (), "draw": ("coins", "next"),
}


def anything(rng: Random, state: Any) -> dict[str, Any]:
    """An action that mostly has the right keys, and values that mostly exist."""
    type_ = rng.choice(TYPES)
    hexes = [list(at) for at in (*state.stacks, *state.control)] + [[rng.randint(-6, 6), rng.randint(-6, 6)]] * 3
    every = [*[kind for own in state.table.units for kind in own], "royal", "archer"]
    values = {
        "coin": lambda: rng.choice(every), "unit": lambda: rng.choice([*UNITS]),
        "maneuver": lambda: rng.choice(["move", "attack", "control"]),
        "coins": lambda: {str(seat): rng.choices(every, k=rng.choice((3, 3, 2))) for seat in range(rng.choice((2, 4)))},
        "next": lambda: {"0": ["royal"]},
    }
    action: dict[str, Any] = {"type": type_}
    for name in KEYS[type_]:
        if type_ == "absorb":
            action[name] = rng.choice(["supply", "stack"])
        elif type_ in ("tactic", "free", "draw") and name not in ("coin", "maneuver", "coins") and rng.random() < 0.4:
            continue
        else:
            action[name] = values.get(name, lambda: rng.choice(hexes))()
    return action


def try_anything(seed: int, tries: int, options: Any) -> int:
    """Tries things along a random game; gives how many were legal."""
    rng = Random(seed)
    players = rng.choice((2, 4))
    filled = GAME.read_options(options, players)
    state = GAME.start(GAME.deal(players, filled, rng), filled, players)
    done = 0
    for _ in range(80):
        if isinstance(GAME.turn(state), Over):
            break
        listed = set(GAME.legal(state))
        for _ in range(tries):
            action = read(anything(rng, state))
            if action is None:
                continue
            seat = getattr(GAME.turn(state), "seats", (CHANCE,))[0]
            player: Any = seat if rng.random() < 0.9 else rng.choice([*range(players), CHANCE])
            done += check(state, Ply(player, action), listed)
        state = GAME.apply(state, play.random_ply(GAME, state, rng))
    return done


def read(given: Any) -> Any:
    """The action, or None when its form is wrong; the reason must be one that can be said."""
    try:
        return GAME.read_action(given)
    except InvalidError as error:
        refusal = error
    assert refusal.phrase.id in WORDS
    return None


def check(state: Any, ply: Ply[Any], listed: set[Ply[Any]]) -> bool:
    before, refusal = repr(state), None
    try:
        GAME.apply(state, ply)
    except IllegalError as error:
        refusal = error
    assert repr(state) == before
    if refusal is not None:
        assert re.fullmatch(r"WC \d+\.\d+", refusal.rule)
        assert refusal.phrase.id in WORDS
        assert "{" not in WORDS.say(refusal.phrase)
        assert ply not in listed
        return False
    if isinstance(ply.action, Draw | Priest):
        assert isinstance(GAME.turn(state), Chance)
    elif state.table.referee and hasattr(ply.action, "coin") and ply not in listed:
        assert Ply(ply.player, hidden_coin(ply.action)) in listed
    else:
        assert ply in listed
    return True


@pytest.mark.parametrize("options", [{}, {"knowledge": "referee"}])
def test_whatever_is_tried_is_listed_or_refused_in_words(options: Any) -> None:
    assert sum(try_anything(seed, 10, options) for seed in range(4)) > 20


def test_every_phrase_of_the_code_is_in_the_words_file_and_the_other_way_round() -> None:
    code = "\n".join(file.read_text() for file in Path(GAME.words).glob("*.py"))
    words = (GAME.words / "words.en.toml").read_text()
    for reason in re.findall(r'^"wc\.no\.([a-z_]+)"', words, re.M):
        assert f'"{reason}"' in code or f'wc.no.{reason}"' in code, reason
    for id in re.findall(r'phrase\("(wc\.[a-z_.]+)"', code):
        assert id in WORDS, id
    for id in re.findall(r'no\(\s*(?:[^()"]*"WC [\d.]+"[^()"]*|unit\.rule|rule|UNITS\[\w+\]\.rule), "([a-z_]+)"', code):
        assert f"wc.no.{id}" in WORDS, id


def test_the_lancers_reason_is_a_sentence() -> None:  # WC 6.8
    from tests.games.war_chest.wc_positions import position

    state = position({(0, 0): "lancer"}, hands={1: ["lancer"]}, active=1)
    action = GAME.read_action({"type": "tactic", "coin": "lancer", "from": [0, 0], "to": [0, 1], "target": [0, 2]})
    with pytest.raises(IllegalError) as error:
        GAME.apply(state, Ply(1, action))
    assert WORDS.say(error.value.phrase) == "The lancer needs an enemy straight ahead after one or two steps."
    assert error.value.rule == "WC 6.8"


@pytest.mark.parametrize(
    "given",
    [
        {"type": "fly"}, {"type": "pass", "coin": 3}, {"type": "pass", "coin": "dragon"},
        {"type": "pass", "coin": None}, {"type": "move", "coin": "archer", "from": [0, 0]},
        {"type": "move", "coin": "archer", "from": [0], "to": [0, 1]},
        {"type": "move", "coin": "archer", "from": [0, True], "to": [0, 1]}, {"type": "skip", "coin": "royal"},
        {"type": "move", "coin": "archer", "from": ["0", "0"], "to": [0, 1]}, {"type": "absorb", "from": "box"},
        {"type": "move", "coin": "archer", "from": [0.0, 0], "to": [0, 1]}, {"type": "recruit", "coin": "royal"},
        {"type": "draw", "coins": {"5": ["royal"]}}, {"type": "draw", "coins": [["royal"]]}, {"type": "recruit"},
        {"type": "draw", "coins": {"0": "royal"}}, {"type": "free", "maneuver": "tactic", "from": [0, 0]},
        {"type": "free", "maneuver": "attack", "from": [0, 0], "to": [0, 1]}, [], "pass", None,
    ],
)
def test_actions_of_a_wrong_form_are_refused(given: Any) -> None:
    with pytest.raises(InvalidError) as error:
        GAME.read_action(given)
    assert error.value.phrase.id in WORDS


def test_two_orders_of_a_draw_are_one_action() -> None:
    one, two = ({"type": "draw", "coins": {"1": ["scout", "archer"], "0": order}} for order in (["a"], ["a"]))
    one["coins"]["0"], two["coins"]["0"] = ["royal", "archer", "pikeman"], ["pikeman", "royal", "archer"]
    assert GAME.read_action(one) == GAME.read_action(two)
    assert GAME.write_action(GAME.read_action(one)) == {
        "type": "draw", "coins": {"0": ["archer", "pikeman", "royal"], "1": ["archer", "scout"]},
    }
