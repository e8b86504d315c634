"""The games that hide, and for each of them courses of play whose two worlds differ in what one seat alone knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode

from companion.engine import AnyGame, Choose, Confiding, Over
from companion.engine.play import random_game
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.by_hand.entering import entry_for
from companion.session.by_hand.touches import Touch, write_touch
from companion.session.library import GameLibrary
from companion.table import COLOURS
from tests.web.two_worlds import World

OPTIONS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "yuzu-twist": ({"blind": True},), "war-chest": ({}, {"preview_second_hand": True}),
}
"""Options with which a game hides something; a game that is not named is tried with its own."""


def hides(game: AnyGame) -> bool:
    """Whether some observer of a game at a table may take another state for the true one."""
    for players in game.seats:
        for given in OPTIONS.get(game.id, ({},)):
            options = game.at_table(game.read_options({**game.simulation, **given}, players))
            rng = Random(1)
            start = game.start(game.read_setup(game.deal(players, options, rng), options, players), options, players)
            for state, _ in random_game(game, start, rng, 4):
                for observer in (*range(players), "room"):
                    if any(game.possible(game.view(state, observer), Random(n)) != state for n in range(3)):
                        return True
    return False


def hiding_games() -> tuple[str, ...]:
    """All games that hide something."""
    return tuple(id for id in registry.ids() if hides(registry.game(id)))


@dataclass(frozen=True)
class Course:
    """A game as everybody sees it: its header in both worlds, and public plies. `owner` has the secret."""

    game: AnyGame
    headers: tuple[dict[str, Any], dict[str, Any]]
    owner: int
    plies: tuple[dict[str, Any], ...]

    @property
    def players(self) -> int:
        """How many sit there."""
        return len(self.headers[0]["players"])


def blind_colours(rng: Random, most_plies: int) -> Course:
    """The owner's colour in one world is nobody's in the other."""
    game, players = registry.game("yuzu-twist"), rng.choice((4, 5))
    options = game.read_options({"blind": True}, players)
    setup = game.deal(players, options, rng)
    owner = rng.randrange(players)
    taken = {colour for own in setup["colours"] for colour in own}
    free = sorted({drink.partition("/")[0] for drink in setup["crates"]["A"]["slots"]} - taken)
    other = [[rng.choice(free)] if seat == owner else own for seat, own in enumerate(setup["colours"])]
    worlds = (setup, {**setup, "colours": other})
    return Course(game, _headers(game, options, worlds, players), owner, _public(game, options, setup, rng, most_plies))


def covered_coins(rng: Random, most_plies: int) -> Course:
    """What the owner says of its hand and of coins spent face down differs."""
    game, players = registry.game("war-chest"), rng.choice((2, 2, 4))
    given = rng.choice(OPTIONS["war-chest"])
    options = game.at_table(game.read_options(given, players))
    setup = game.deal(players, options, rng)
    plies = _public(game, options, setup, rng, most_plies)
    return Course(game, _headers(game, options, (setup, setup), players), rng.randrange(players), plies)


COURSES = {"yuzu-twist": blind_colours, "war-chest": covered_coins}


def _headers(game: AnyGame, options: Any, setups: tuple[Any, Any], players: int) -> tuple[Any, Any]:
    names = [{"name": f"Player {seat + 1}"} for seat in range(players)]
    one, other = ({"game": game.id, "options": dict(options), "players": names, "setup": setup} for setup in setups)
    return one, other


def _public(game: AnyGame, options: Any, setup: Any, rng: Random, most: int) -> tuple[dict[str, Any], ...]:
    start = game.start(setup, options, len(setup.get("colours") or setup["units"]))
    return tuple({"player": ply.player, "action": game.write_action(ply.action)}
                 for _, ply in random_game(game, start, rng, most))


def eyes_that_read(course: Course) -> GameLibrary:
    """Eyes that see all of the set-up that lies open, and nothing else."""
    setup, options = course.headers[0]["setup"], course.headers[0]["options"]
    seen = course.game.open_setup(setup, options, "room")
    read = {**seen, "colours": [[None] * len(own) for own in setup["colours"]]}

    class Eyes(Interpreter):
        def setup_seen(self, *_: Any) -> Any:
            return read

    return GameLibrary(lookup=registry.game, interpreter=Eyes)


def tell_something(world: World, owner: int, rng: Random) -> None:
    """The owner says something of what it alone knows, or nothing: by what its own page offers."""
    match, held = world.state.match, world.writer.hand(owner)
    if match is None or held is None or not isinstance(match.game, Confiding):
        return
    if held.may_tell and rng.random() < 0.5:
        told = rng.choice(held.may_tell)
        world.ask(str(owner), ("POST", "/do", {"type": "confide", "told": told}))
    for covered in held.covered[:1]:
        if rng.random() < 0.7:
            action, _ = rng.choice(covered.choices)
            world.ask(str(owner), ("POST", "/do", {"type": "amend", "n": covered.n, "action": action}))


# --- what others ask --------------------------------------------------------------------------------------------------

PAGES = (
    "/", "/start", "/correct", "/setup-again", "/position", "/position.json", "/eyes", "/eyes.json",
    "/panel", "/panel.json", "/health", "/hand",
    "/hint", "/host",
    "/table.json", "/corrections.json", "/play.json", "/hand.json", "/hint.json", "/start.json", "/host.json",
    "/play", "/score", "/sit", "/invite", "/start?game=yuzu-twist&players=4", "/hand?hand=royal", "/nowhere",
)


def probes(world: World, course: Course, rng: Random, number: int) -> Iterator[tuple[str, tuple[str, str, Any]]]:
    """So many questions of phones that are not the owner's. What is asked is made from what everybody may know."""
    others = [phone for phone in world.phones if phone != str(course.owner)]
    for _ in range(number):
        phone = rng.choice(others)
        if rng.random() < 0.5:
            by_hand = [_touched(world, rng) for _ in range(3)]
            path = rng.choice((*PAGES, f"/close-up/colours.{course.owner}.0.jpg", *by_hand))
            yield phone, ("GET", path, None)
        else:
            yield phone, ("POST", "/do", _command(world, course, rng))


def _touched(world: World, rng: Random) -> str:
    """A page of a ply entered by hand: some of what everybody may touch, and something else, to hear why not."""
    entry = entry_for(world.state, None, is_host=True).entry
    touches: list[Touch] = []
    for _ in range(rng.randrange(3)):
        offers = entry.after(touches).offers if entry else ()
        touches += [rng.choice(offers).touch] if offers else []
    layout = world.state.match.layout if world.state.match else None
    why = f"@{rng.choice(layout.places).spot}|" if layout else ""
    made = len(world.state.match.made) if world.state.match else 0
    again = [("again", str(rng.randrange(made + 2)))] if rng.random() < 0.4 else []
    asked = [("seq", str(world.state.seq)), *again, *(("t", write_touch(each)) for each in touches), ("why", why)]
    return f"/play?{urlencode(asked)}"


def _command(world: World, course: Course, rng: Random) -> dict[str, Any]:
    match = world.state.match
    made = len(match.made) if match else 0
    kind = rng.choice(("correct", "correct", "correct", "amend", "confide", "tell_setup", "undo", "consent", "done",
                       "answer", "begin", "reopen", "resync", "end_game", "go_on_from"))
    match kind:
        case "correct":
            plies = [_ply(world, course, rng) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
            return {"type": kind, "take_back": rng.randrange(0, min(3, made + 1)), "plies": plies}
        case "amend":
            return {"type": kind, "n": rng.randrange(0, made + 2), "action": _ply(world, course, rng)["action"]}
        case "confide":
            return {"type": kind, "told": {"hand": [_coin(course, rng)]}}
        case "tell_setup":
            path = ["colours", course.owner, 0]
            return {"type": kind, "path": path, "value": rng.choice((None, "red", "green"))}
        case "go_on_from":
            return {"type": kind, "stands": _stands(world, rng), "seat": rng.randrange(course.players)}
        case "consent":
            return {"type": kind, "given": rng.random() < 0.5}
        case "answer":
            return {"type": kind, "question": 1, "choice": rng.choice((0, 1, None))}
    return {"type": kind}


def _stands(world: World, rng: Random) -> dict[str, list[str]]:
    """What stands where, but that two places have changed what stands there, or one colour is together."""
    stands = {spot: list(pieces) for spot, pieces in world.writer.position().now.items()}
    slots = [spot for spot in stands if spot.startswith("slot:")]
    if slots and rng.random() < 0.5:
        colour = rng.choice(COLOURS)
        wanted = [spot for spot in slots if stands[spot][0].startswith(f"{colour}/")]
        pairs = list(zip(wanted, slots[:6]))
    else:
        pairs = [(rng.choice(list(stands)), rng.choice(list(stands)))] if stands else []
    for one, other in pairs:
        stands[one], stands[other] = stands[other], stands[one]
    return stands


def _ply(world: World, course: Course, rng: Random) -> dict[str, Any]:
    """A ply of somebody: legal as everybody sees it, or not, and perhaps with a coin that only its owner knows."""
    match = world.state.match
    legal = []
    if match is not None and not isinstance(match.game.turn(match.state), Over):
        legal = [ply for ply in match.game.legal(match.state) if not isinstance(ply.action, Choose)][:60]
    if legal and rng.random() < 0.5:
        ply = rng.choice(legal)
        written = {"player": ply.player, "action": course.game.write_action(ply.action)}
    else:
        written = rng.choice(course.plies)
    if course.game.id == "war-chest" and rng.random() < 0.6:
        player = rng.choice((course.owner, rng.randrange(course.players)))
        action = rng.choice(({"type": "pass"}, {"type": "recruit", "unit": _coin(course, rng)}, {"type": "initiative"}))
        draw = {"type": "draw", "coins": {str(player): [_coin(course, rng)]}}
        return rng.choice((
            {"player": player, "action": {**action, "coin": _coin(course, rng)}}, {"player": "chance", "action": draw},
            {"player": player, "action": {"type": "deploy", "coin": _coin(course, rng), "at": [2, -3]}}))
    return dict(written)


def _coin(course: Course, rng: Random) -> str:
    units = course.headers[0]["setup"].get("units")
    return str(rng.choice((*(units[course.owner] if units else ()), "royal")))
