"""What is told of the time between two looks: whose arms were seen, and for how long nothing was."""

from companion.table import Observation
from vision.pipeline.between_looks import BetweenLooks


def told(between: BetweenLooks) -> tuple[frozenset[int], float, float]:
    look = between.told(Observation(0.0, ()))
    return look.arms, look.unread_s, look.unwatched_s


def test_nothing_is_known_of_the_time_before_the_first_picture() -> None:
    assert told(BetweenLooks().until(50.0)) == (frozenset(), 0.0, 0.0)
    assert told(BetweenLooks().until(50.0).unread(None).until(52.0)) == (frozenset(), 0.0, 2.0)


def test_while_an_arm_is_seen_it_is_known_why_nothing_is_read() -> None:
    between = BetweenLooks(10.0).until(14.0).unread(1).until(15.0).unread(None).until(18.0).unread(0).until(18.5)
    assert told(between) == ({0, 1}, 1.0, 4.0)


def test_a_clock_that_goes_back_makes_no_time_negative() -> None:
    assert told(BetweenLooks(10.0).until(4.0).unread(None).until(5.0)) == (frozenset(), 0.0, 1.0)
