"""Shared rooms name no game: none of its pieces, spots, options, reasons or words. The list is made from the games."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

import companion
from companion.engine import play
from companion.games import registry
from companion.table import COLOURS, SHAPES

ROOT = Path(companion.__file__).parents[1]
ROOMS = ("companion/table", "companion/engine", "companion/interpret", "companion/session", "companion/bots",
         "companion/main", "companion/cli", "companion/words", "web", "vision", "hardware")

DRINKS = ("companion/table", "companion/engine", "companion/words/en/json", "companion/words/en/table",
          "companion/words/en/hardware", "companion/cli", "vision", "web")
EXCEPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "drink": ("the family of pieces that three games share (table/drinks.py)", DRINKS),
    "crate": ("the crate of the drinks, which eyes and drawings know by its form (table/crate.py)", DRINKS),
    "crates": ("a kind of enrolment picture, in sets on disk", ("vision",)),
    **dict.fromkeys(SHAPES, ("a shape of the drinks", DRINKS)),
    **dict.fromkeys(COLOURS, ("a colour: of drinks, of paints, of wires", (*DRINKS, "hardware"))),
    "colours": ("a piece set's colours: a key of the record format", ROOMS),
    "board": ("a printed body in sets on disk, and every drawing", ROOMS),
    "card": ("a tag card in what is read of a picture, and an outline of pieces", ROOMS),
    "cards": ("the tag cards", ROOMS),
    "cell": ("a cell of a grid, in actions as JSON", ("companion/engine", "companion/words")),
    "hex": ("an outline of places", ("companion/table", "companion/cli", "web")),
    "tray": ("a zone as drawn", ("web",)),
    "back": ("the other side of any flat piece; the way back to another page, or to the version before",
             ("web", "companion/cli", "companion/main", "companion/words")),
    "blind": ("colours for people who do not see all", ("hardware",)),
    "draft": ("a set-up in the making", ("web",)),
    "first": ("English", ("companion/cli", "web")),
    "machine": ("the machine that the companion runs on", ("web",)),
    "line": ("a line of a record, of a page, of a drawing", ROOMS),
    "points": ("what the scores count", ("web",)),
    "random": ("a bot's level; a number by chance", ("companion/bots", "web")),
    "end": ("of a game, by hand", ("web",)),
    "won": ("who won, on any page", ("companion/words",)),
}
"""Words that a game uses and these rooms may use too, each with the reason."""


def own_words(id: str) -> set[str]:
    """What a game calls its pieces, spots, options, parts of a set-up, reasons and phrases."""
    game, rng, found = registry.game(id), Random(1), {id, id.replace("-", "_"), *registry.game(id).reasons}
    phrases = tomllib.loads((game.words / "words.en.toml").read_text("utf-8"))
    found |= {key.partition(".")[0] for key in phrases} - {"name", "spot", "short"}
    found |= {key.partition(".")[2] for key in phrases if key.startswith(("name.", "short."))}
    for players in game.seats:
        options = game.read_options({}, players)
        setup = game.read_setup(game.deal(players, options, rng), options, players)
        layout, start = game.layout(setup), game.start(setup, options, players)
        found |= {*options, *setup}
        found |= {word for kind in layout.kinds for word in (kind.name, *kind.heads)}
        found |= {body.appearance for body in layout.bodies}
        found |= {each.spot.partition(":")[0] for part in (layout.bodies, layout.places, layout.zones) for each in part}
        for state, _ in play.random_game(game, start, rng, 30):
            found |= {word for pieces in game.placement(state).values() for piece in pieces
                      for word in (piece, *re.split("[:/]", piece))}
    return found


@cache
def all_words() -> dict[str, str]:
    """Each word of a game with the games that use it."""
    found: dict[str, str] = {}
    for id in registry.ids():
        for word in own_words(id):
            found[word] = f"{found[word]}, {id}" if word in found else id
    return found


@cache
def spoken_words() -> dict[str, str]:
    """Words made of several, as people write them."""
    return {word: word.replace("_", " ") for word in all_words() if "_" in word}


def named(text: str) -> set[str]:
    """The words of games that a string names: as a whole, before a colon, or (two words in one) within it."""
    whole = {text, text.partition(":")[0]}
    parts = {each for each in re.findall(r"[a-z0-9_-]+", text) if re.search("[_-]", each)}
    said = {word for word, spaced in spoken_words().items() if spaced in text.lower()}
    return ((whole | parts) & all_words().keys()) | said


def _name_of(node: ast.expr | ast.arg | ast.keyword) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=name):
            return name
    return None


def strings_and_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Strings but docstrings, and names of all sorts in small letters."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value
        elif isinstance(node, ast.expr | ast.arg | ast.keyword) and (name := _name_of(node)):
            yield from ((node.lineno, name.lower()) for _ in range("_" in name))


def may_say(file: Path, word: str) -> bool:
    """Whether this file may use a word although a game does."""
    _, rooms = EXCEPTIONS.get(word, ("", ()))
    return word.isdigit() or str(file.relative_to(ROOT)).startswith(rooms)


def found_in(file: Path) -> Iterator[str]:
    """Where a file names a game."""
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        pairs = strings_and_names(ast.parse(text))
    elif file.suffix == ".toml":
        pairs = ((0, part) for key, line in tomllib.loads(text).items()
                 for part in (key.partition(".")[2], line))
    else:
        lines = enumerate(text.splitlines(), 1)
        pairs = ((n, part) for n, line in lines for part in re.findall(r"""["'.#]([\w-]+)""", line))
    for line, string in pairs:
        for word in named(string):
            if not may_say(file, word):
                yield f"{file.relative_to(ROOT)}:{line}: {word!r} ({all_words()[word]})"


@pytest.mark.parametrize("room", ROOMS)
def test_a_shared_room_names_no_game(room: str) -> None:
    files = [file for suffix in ("py", "toml", "html", "js", "css") for file in (ROOT / room).glob(f"**/*.{suffix}")]
    assert files
    assert [place for file in sorted(files) for place in found_in(file)] == []


@pytest.mark.parametrize(("text", "word"), [
    ("grabber", "grabber"), ("coin:archer", "coin:archer"), ("has no quiet_limit", "quiet_limit"),
    ("Stub cans explode", "stub_can"), ("spot:yen", None), ("a coin", None)])
def test_names_of_games_are_found(text: str, word: str | None) -> None:
    assert named(text) & {word} if word else not named(text)
