from companion.cli.one_look_jointly import decide
from companion.table import EMPTY, Sight


def sight(spot: str, **loglik: float) -> Sight:
    return Sight(spot, (0.0, 0.0), {name.replace("_or_", "/").replace("nothing", EMPTY): value
                                    for name, value in loglik.items()})


def test_each_drink_is_given_to_one_sight_only() -> None:
    seen = decide([sight("a", red=-0.1, blue=-2.0, nothing=-9.0), sight("b", red=-0.2, blue=-5.0, nothing=-9.0)])
    assert {each.spot: each.appearance for each in seen} == {"a": "blue", "b": "red"}


def test_an_empty_place_is_left_out() -> None:
    assert decide([sight("a", red=-9.0, nothing=-0.1)]) == ()


def test_the_margin_is_small_where_two_drinks_may_be_swapped() -> None:
    alike = (sight("a", red=-0.7, blue=-0.8, nothing=-9.0), sight("b", red=-0.8, blue=-0.7, nothing=-9.0))
    first, second = decide(alike)
    assert max(first.margin, second.margin) < 0.5


def test_nothing_seen_is_nothing_decided() -> None:
    assert decide([]) == ()
