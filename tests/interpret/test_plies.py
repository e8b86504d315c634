"""Which subset was picked, where the rules allow any."""

from typing import Any

from companion.engine import CHANCE, Choose, Ply
from companion.interpret.plies import picked


class Machine:
    """A game that reads the one action there is."""

    def read_action(self, given: Any) -> frozenset[str]:
        return frozenset(given["returned"])


def offered(price: dict[str, float], among: tuple[str, ...] = ("short", "stub", "tall")) -> list[frozenset[str]]:
    """The subsets to be tried, when each piece costs so much if it is picked."""
    choose = Choose("vended", among, None, (), "returned")
    plies = picked(Machine(), Ply(CHANCE, choose), lambda ply: sum(price[name] for name in ply.action))  # type: ignore[arg-type]
    return [ply.action for ply in plies]


def test_the_cheapest_subset_comes_first() -> None:
    assert offered({"short": -1.0, "stub": 2.0, "tall": -3.0})[0] == {"short", "tall"}


def test_another_piece_instead_of_the_one_that_was_picked_is_tried_too() -> None:
    """Either of two that look alike may have come back: not none, not both."""
    subsets = offered({"short": -2.0, "stub": 9.0, "tall": 0.5})

    assert subsets[0] == {"short"}
    assert frozenset({"tall"}) in subsets
    assert len(subsets) == len(set(subsets))
