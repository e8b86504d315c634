"""Plies that were given out, compared with what was really played. Pure: dicts in, counts out.

What counts is where plies lead. Plies between two looks are as good as the true ones if they lead from the same state
to the same table and player, in whatever order. A player's ply counts once, a `vend` with what the machine gives back;
draws do not count. A ply that changes nothing visible is due with the next visible one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.cli.played import Played, as_seen, shown
from companion.engine import CHANCE, Json, Ply, record
from companion.errors import CompanionError

VENDED: Final = "vended"
"""The chance ply that belongs to the ply before it."""
UNPLAYABLE: Final = "unplayable"
"""Where plies lead that cannot be applied."""


@dataclass(slots=True)
class PlyCounts:
    """How a set's plies fared. `sure`: the confidence of each ply that was given out unasked, and whether it was
    right."""

    plies: int = 0
    right: int = 0
    asked: int = 0
    missed: int = 0
    silently_wrong: int = 0
    sure: list[tuple[float, bool]] = field(default_factory=list)
    troubles: list[PlyTrouble] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlyTrouble:
    """A look at which plies were not simply right: what had been played, and what was given out instead."""

    frame: int
    what: str
    played: list[Json]
    given: list[Json]


@dataclass(frozen=True, slots=True)
class _Doubt:
    """`count` true plies in whose place others were given out, the last of them by `player`. 0: nothing was played."""

    count: int
    player: int | None


@dataclass(frozen=True, slots=True)
class _Compared:
    """At a look: how many plies were due, how many of them were reached, whether what was given out agrees with the
    table, and whether it is where the game was earlier."""

    due: int
    reached: int
    agrees: bool
    is_late: bool


@dataclass(slots=True)
class _Since:
    """What was given out since the last free look: plies (None: no action of this game) and how sure they were;
    how many of the last ones a question held, or whether it was answered `beside` its choices; plies of earlier looks
    that were taken back."""

    plies: list[Ply[Any] | None] = field(default_factory=list)
    asked: int = 0
    beside: bool = False
    taken_back: int = 0
    confidences: list[float] = field(default_factory=list)


class PlyJudge:
    """Hears every line of a reading, and at each free look what was really played so far.

    `_done` counts the true plies up to the last look, `_judged` those that were judged: all up to the last visible one.
    """

    def __init__(self, played: Played, counts: PlyCounts) -> None:
        self._played, self._counts = played, counts
        self._ends = tuple(_ends(played))
        self._given: list[Ply[Any] | None] = []
        self._now: Hashable = played.shown[0]
        self._since = _Since()
        self._done = self._judged = 0
        self._doubts: list[_Doubt] = []
        self._frame = -1

    def hear(self, line: Json) -> None:
        """Follow what a line gives out, takes back and asks."""
        self._frame = int(line.get("frame", -1))
        withdrawn = int(line.get("taken_back") or 0)
        written = line.get("plies", ())
        given = [self._read(each) for each in written]
        if withdrawn:
            self._withdraw(withdrawn)
        self._given += given
        self._since.plies += given
        self._since.confidences += [float(each.get("confidence", 1.0)) for each in written]
        if withdrawn or given:
            self._now = self._after(self._played.states[0], self._given)
        if line.get("asked") and given:
            self._hear_question(line["asked"], [each["action"] for each in written], given)

    def _withdraw(self, count: int) -> None:
        """Forget the last plies; those of earlier looks are counted as taken back."""
        since = self._since
        del self._given[max(0, len(self._given) - count) :]
        kept = max(0, len(since.plies) - count)
        since.taken_back += max(0, count - len(since.plies))
        del since.plies[kept:], since.confidences[kept:]

    def _hear_question(self, asked: Sequence[Json], actions: list[Json], given: Sequence[Ply[Any] | None]) -> None:
        """How many of the last plies given were a choice of a question, or that the answer was none of its choices."""
        if any(not question["choices"] for question in asked):  # what was played had to be told
            self._since.asked, self._since.beside = 0, True
            return
        choices = [choice for question in asked for choice in question["choices"] if choice]
        held = [len(choice) for choice in choices if actions[-len(choice) :] == choice]
        self._since.asked = max(self._since.asked, len(_of_players(given[-max(held) :])) if held else 0)
        self._since.beside |= not held

    def look(self, done: int) -> None:
        """A free look at a table on which `done` plies of the record have been played."""
        last = max((end for end in self._ends if end <= done and self._shows(end)), default=0)
        found = self._compare(done, [end for end in self._ends if self._judged < end <= last])
        if self._since.plies and not found.agrees and not found.is_late:
            self._doubts.append(_Doubt(found.due, _last_player(self._since.plies)))
            self._counts.plies += found.due  # how they fared is seen when they are taken back, or not
            self._note("wrong", done)
        else:
            self._count(found, done)
        if not self._since.asked and not self._since.beside:
            self._note_confidences(found.agrees)
        self._done, self._judged, self._since = done, max(self._judged, last), self._held_over(found.due)

    def _held_over(self, due: int) -> _Since:
        """What the next look begins with. A ply may be asked about before it is due, as a vend before what the machine
        gives back is seen, or a pass: the question still counts."""
        is_early = bool(self._since.plies) and not due
        return _Since(asked=self._since.asked, beside=self._since.beside) if is_early else _Since()

    def _compare(self, done: int, due: Sequence[int]) -> _Compared:
        """What was given out, beside the plies that are `due` (each by where it ends)."""
        right_here = range(self._earliest(done), self._latest(done) + 1)
        stands = any(self._now == self._played.shown[i] for i in right_here)
        self._settle(done, stands)
        agrees = stands or self._follows(right_here)
        reached = len(due) if agrees else self._reached(due)
        return _Compared(len(due), reached, agrees, is_late=self._now in self._played.shown[:done])

    def close(self) -> None:
        """The set is over: what is still wrong stays wrong."""
        self._counts.silently_wrong += sum(max(1, each.count) for each in self._doubts)
        self._doubts = []

    def _note(self, what: str, done: int) -> None:
        write = self._played.game.write_action
        played = [write(ply.action) for ply in self._played.plies[self._judged : done]]
        given = [None if ply is None else write(ply.action) for ply in self._since.plies]
        self._counts.troubles.append(PlyTrouble(self._frame, what, played, given))

    def _count(self, found: _Compared, done: int) -> None:
        """Count the plies that are due as right, asked or missed."""
        counts, since = self._counts, self._since
        counts.plies += found.due
        if since.beside:
            counts.missed += found.due
        else:
            asked = min(since.asked, found.reached)
            counts.asked += asked
            counts.right += found.reached - asked
            counts.missed += found.due - found.reached
        if found.due and (since.asked or since.beside or found.reached < found.due):
            self._note("asked" if since.asked and found.reached == found.due else "missed", done)

    def _note_confidences(self, is_right: bool) -> None:
        pairs = zip(self._since.plies, self._since.confidences)
        self._counts.sure += [(sure, is_right) for ply, sure in pairs if ply is None or ply.player != CHANCE]

    def _settle(self, done: int, stands: bool) -> None:
        """Plies that were given out wrongly are made good by taking them back before the next player's ply."""
        since = _of_players(self._played.plies[self._done : done])
        left = []
        for doubt in self._doubts:
            others = any(player != doubt.player for player in since)
            if stands and self._since.taken_back and not others:
                self._counts.asked += doubt.count
            elif stands or others:
                self._counts.silently_wrong += max(1, doubt.count)
            else:
                left.append(doubt)
        self._doubts = left

    def _shows(self, end: int) -> bool:
        """Whether the ply of a player that is done after `end` plies changed anything visible."""
        visible = self._played.is_visible
        return visible[end - 1] or (self._played.plies[end - 1].player == CHANCE and visible[end - 2])

    def _earliest(self, done: int) -> int:
        """The fewest plies that must have been given out at a look: up to the last visible one. A ply of which chance
        still has to show the rest may wait."""
        def last_visible(n: int) -> int:
            return next((i for i in range(n, 0, -1) if self._played.is_visible[i - 1]), 0)

        first = last_visible(done)
        is_half_done = first == done and first not in self._ends and first + 1 in self._ends
        return last_visible(first - 1) if is_half_done else first

    def _latest(self, done: int) -> int:
        """The most plies that may have been given out: those that change nothing visible may come early."""
        visible = self._played.is_visible
        return next((i for i in range(done, len(visible)) if visible[i]), len(visible))

    def _follows(self, right_here: range) -> bool:
        """Whether what was given out since the last look leads from what was true then to what is true now."""
        if self._since.taken_back or not self._since.plies:
            return False
        starts = {self._judged, self._done}
        reached = {self._after(self._played.states[start], self._since.plies) for start in starts}
        return any(self._played.shown[i] in reached for i in right_here)

    def _reached(self, due: Sequence[int]) -> int:
        """How many of the plies that are due are given out, if only the first of them are."""
        return max((n for n, end in enumerate(due, 1) if self._played.shown[end] == self._now), default=0)

    def _read(self, line: Json) -> Ply[Any] | None:
        try:
            ply = record.read_ply({key: line[key] for key in ("player", "action")}, self._played.game)
            return as_seen(self._played.game, ply, self._played.options)
        except (CompanionError, KeyError):
            return None

    def _after(self, state: Any, plies: Sequence[Ply[Any] | None]) -> Hashable:
        """What everybody sees after these plies; `UNPLAYABLE` if they cannot be played."""
        game = self._played.game
        try:
            for ply in plies:
                if ply is None:
                    return UNPLAYABLE
                state = game.apply(state, ply)
        except CompanionError:
            return UNPLAYABLE
        return shown(game, state)


def _ends(played: Played) -> Iterator[int]:
    """For each ply of a player, after how many plies it is done: with what chance gave to it."""
    types = (*played.types(), "")
    for n, ply in enumerate(played.plies, 1):
        if ply.player != CHANCE:
            yield n + 1 if types[n] == VENDED else n


def _of_players(plies: Sequence[Ply[Any] | None]) -> list[int]:
    return [int(ply.player) for ply in plies if ply is not None and ply.player != CHANCE]


def _last_player(plies: Sequence[Ply[Any] | None]) -> int | None:
    found = _of_players(plies)
    return found[-1] if found else None
