from companion.interpret.matching import overconfidence
from companion.interpret.tracks import Track


def thing(**costs: float) -> Track:
    return Track("supply:0", (0.0, 0.0), costs)


CLEAR = thing(a=0.0, b=9.0)
UNCLEAR = thing(a=0.0, b=0.5)


def test_names_that_cost_what_the_eyes_expect_are_honest() -> None:
    assert overconfidence([(CLEAR, "a")] * 10) == 1.0
    assert overconfidence([(UNCLEAR, "a"), (UNCLEAR, "b")] * 5) == 1.0


def test_one_misread_thing_is_no_reason_to_doubt_all_others() -> None:
    assert overconfidence([(CLEAR, "b"), *[(CLEAR, "a")] * 10]) == 1.0


def test_many_dear_names_show_eyes_that_are_too_sure() -> None:
    assert overconfidence([(CLEAR, "b")] * 3 + [(CLEAR, "a")] * 10) > 5.0


def test_things_without_a_name_say_nothing() -> None:
    assert overconfidence([(CLEAR, None)] * 5) == 1.0
