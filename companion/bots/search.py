"""The bot for all games: information-set Monte-Carlo tree search (Cowling, Powley and Whitehouse 2012).

Each playout makes up what is hidden (`game.possible`), goes down one tree that all these worlds share, choosing by
upper confidence bounds among the plies that are legal in its world, draws what is left to chance, and ends at a point
where no playout was before. What the state there is worth, by the game's `evaluate`, is learnt by every ply on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from companion.bots.bot import Budget, Decision, Option, seat_to_act
from companion.bots.hints import why_search
from companion.bots.plies import any_ply, plies_of, settle, worlds
from companion.bots.tree import Edge, Node, learn, pick
from companion.bots.value import value_after_chance, values
from companion.engine import AnyGame, Chance, Ply, Seat, Seen, ToMove
from companion.errors import IllegalError, Phrase, phrase
from companion.table import seat_phrase

MAX_PLAYOUT_PLIES: Final = 200
"""No playout goes further."""
GUESS_DRAWS: Final = 2
"""How often chance is drawn for the first guess of a ply's worth."""


@dataclass(frozen=True, slots=True)
class Search:
    """Tree search. With `only` it thinks about that ply alone: what is it worth?"""

    only: Ply[Any] | None = None

    def choose(self, game: AnyGame, seen: Seen, rng: Random, budget: Budget) -> Decision:
        """The ply that is worth most for sure."""
        seat, goes_on = seat_to_act(seen), budget.begin()
        if not goes_on(0):
            ply = self.only or any_ply(game, game.possible(seen, rng), seat, rng)
            return Decision(ply, phrase("bots.why_at_once"))
        tree = _Tree(game, seen, rng, self.only)
        playouts = 0
        while goes_on(playouts):
            tree.playout()
            playouts += 1
        return tree.decision(seat, playouts)


class _Tree:
    """One search: the tree, and what it is about."""

    def __init__(self, game: AnyGame, seen: Seen, rng: Random, only: Ply[Any] | None) -> None:
        self._game, self._seen, self._rng, self._only = game, seen, rng, only
        made_up = worlds(game, seen, rng)
        self._root = Node(made_up[0] if len(made_up) == 1 else None)

    def playout(self) -> None:
        """Down the tree to a new point or the end of the game, and back."""
        node, path = self._root, list[Edge]()
        state = self._game.possible(self._seen, self._rng) if node.state is None else node.state
        while True:
            node.visits += 1
            turn = self._game.turn(state)
            is_new = node.visits == 1 and node is not self._root
            if is_new or not isinstance(turn, ToMove) or len(path) >= MAX_PLAYOUT_PLIES:
                break
            edges = [pick(self._edges(node, state, seat), node.visits) for seat in turn.seats]
            path += edges
            node, state = self._after(node, state, tuple(edge.ply for edge in edges))
        learn(path, values(self._game, state))

    def _edges(self, node: Node, state: Any, seat: Seat) -> list[Edge]:
        """What the seat can do in this world, the most promising first."""
        if seat in node.ordered:
            return node.ordered[seat]
        plies = self._plies(node, state, seat)
        if node.state is not None:
            self._rng.shuffle(plies)  # of many alike, not always the first ones are tried
        found = [self._edge(node, state, ply) for ply in plies]
        found.sort(key=lambda edge: -edge.worth)
        if node.state is not None:
            node.ordered[seat] = found
        return found

    def _plies(self, node: Node, state: Any, seat: Seat) -> list[Ply[Any]]:
        if node is self._root and self._only is not None and self._only.player == seat:
            return [self._only]
        return plies_of(self._game, state, seat, self._rng)

    def _edge(self, node: Node, state: Any, ply: Ply[Any]) -> Edge:
        edge = node.edges.get(ply)
        if edge is None:
            after = self._game.apply(state, ply)
            guess = value_after_chance(self._game, after, int(ply.player), self._rng, GUESS_DRAWS)
            edge = node.edges[ply] = Edge(ply, guess)
        return edge

    def _after(self, node: Node, state: Any, plies: tuple[Ply[Any], ...]) -> tuple[Node, Any]:
        """The point and the state after the plies of all seats that act at once, and after chance."""
        child = node.children.get(plies)
        if child is not None and child.state is not None:
            return child, child.state
        for ply in plies:
            state = self._game.apply(state, ply)
        is_chance = isinstance(self._game.turn(state), Chance)
        if child is None:
            child = node.children[plies] = Node(None if node.state is None or is_chance else state)
        return child, settle(self._game, state, self._rng) if is_chance else state

    def decision(self, seat: Seat, playouts: int) -> Decision:
        """What came out."""
        tried = [edge for edge in self._root.edges.values() if edge.seat == seat and edge.visits]
        tried.sort(key=Edge.for_sure, reverse=True)
        options = tuple(Option(edge.ply, edge.worth, edge.visits) for edge in tried)
        return Decision(options[0].ply, why_search(options[0], playouts, self._then(options[0].ply)), options, playouts)

    def _then(self, ply: Ply[Any]) -> Phrase | None:
        """What is expected next, if it was thought about: said in a made-up world, as the observer would be told."""
        child = self._root.children.get((ply,))
        if child is None:
            return None
        try:
            state = self._game.apply(self._game.possible(self._seen, self._rng), ply)
        except IllegalError:  # what the seat did not confide of its own is made up too: not all worlds allow it
            return None
        state = settle(self._game, state, self._rng)
        turn = self._game.turn(state)
        if not isinstance(turn, ToMove):
            return None
        legal = plies_of(self._game, state, turn.seats[0], self._rng)
        tried = [edge for each in legal if (edge := child.edges.get(each)) is not None and edge.visits]
        if not tried:
            return None
        reply = max(tried, key=Edge.for_sure)
        said = self._game.say(state, reply.ply, self._seen.observer)
        return phrase("bots.then", player=seat_phrase(reply.seat), ply=said)
