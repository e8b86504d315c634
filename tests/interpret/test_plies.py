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


def offered_two(price: dict[str, float]) -> list[frozenset[str]]:
    """The same where two must be picked."""
    choose = Choose("vended", ("a", "b", "c", "d"), 2, (("at", 1),), "returned")
    seen: list[Any] = []

    class Keys(Machine):
        def read_action(self, given: Any) -> frozenset[str]:
            seen.append(given)
            return super().read_action(given)

    machine: Any = Keys()
    plies = picked(machine, Ply(1, choose), lambda ply: sum(price[name] for name in ply.action))
    assert all(each == {"type": "vended", "at": 1, "returned": sorted(each["returned"])} for each in seen)
    assert {ply.player for ply in plies} == {1}
    return [ply.action for ply in plies]


def test_of_a_fixed_number_one_is_put_in_for_another() -> None:
    subsets = offered_two({"a": 3.0, "b": 1.0, "c": -1.0, "d": 0.0})

    assert subsets[0] == {"c", "d"}
    assert sorted(map(sorted, subsets[1:])) == [["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"]]
