"""The course of a game as everybody saw it, and as it is by what seats told of what they alone see.

All that is decided, for anybody and by the eyes, is decided on the first: what a seat told can let nothing happen and
forbid nothing, so no refusal and no question tells of it. What a later ply rules out was told wrongly and is put aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine import AnyGame, Confiding, Json, Ply
from companion.engine.amend import Confidence, with_confided
from companion.errors import IllegalError

PlySequence = Sequence[Ply[Any]]


def open_to_all(game: AnyGame, options: Mapping[str, Json], ply: Ply[Any]) -> Ply[Any]:
    """The ply without what its player alone saw."""
    return Ply(ply.player, game.open_action(ply.action, options))


def told_course(
    game: AnyGame, start: Any, told: PlySequence, seen: PlySequence, confided: Sequence[Confidence] = ()
) -> tuple[tuple[Ply[Any], ...], tuple[Any, ...]]:
    """The states from `start` on by what was told, and the plies of which that stands: `told`, or as they were `seen`
    where what was told was put aside. Raises `IllegalError` for a ply that is not legal as it was seen."""
    plies = tuple(told)
    while True:
        states, error = _as_far_as_can_be(game, start, plies, confided)
        if error is None:
            return plies, states
        plies = _put_aside(plies, seen, len(states) - 1, error)


def _as_far_as_can_be(
    game: AnyGame, start: Any, plies: PlySequence, confided: Sequence[Confidence]
) -> tuple[tuple[Any, ...], IllegalError | None]:
    """The states up to the first ply that is forbidden, and why it is."""
    states = [with_confided(game, start, 0, confided)]
    for n, ply in enumerate(plies, 1):
        try:
            states.append(with_confided(game, game.apply(states[-1], ply), n, confided))
        except IllegalError as error:
            return tuple(states), error
    return tuple(states), None


def _put_aside(plies: PlySequence, seen: PlySequence, at: int, why: IllegalError) -> tuple[Ply[Any], ...]:
    """Without what the player of ply `at` told before it; if that was nothing, without all that was told so far."""
    earlier = [n for n in range(at) if plies[n] != seen[n]]
    own = [n for n in earlier if plies[n].player == plies[at].player]
    wrong = own or [*earlier, *([at] if plies[at] != seen[at] else [])]
    if not wrong:
        raise why
    return tuple(seen[n] if n in wrong else ply for n, ply in enumerate(plies))


def refuted(game: AnyGame, told: Sequence[Any], confided: Sequence[Confidence]) -> tuple[Confidence, ...]:
    """What was confided and cannot be in this course: `told[n]` is the state after ply `n`."""
    return tuple(each for each in confided if not _can_be_so(game, told[each[0]], each))


def _can_be_so(game: AnyGame, state: Any, confidence: Confidence) -> bool:
    _, seat, what = confidence
    try:
        if isinstance(game, Confiding):
            game.confide(state, seat, what)
    except IllegalError:
        return False
    return True
