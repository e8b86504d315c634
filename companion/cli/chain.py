"""The whole chain on a picture set: eyes, interpretation, and what comes out of them, a line a frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from companion.cli.one_look import one_look
from companion.cli.played import Played, shown
from companion.engine import AnyGame, Json, Ply, record
from companion.engine.record import OpenedGame
from companion.errors import SightError
from companion.interpret.sight_verdict import sight_verdict
from companion.interpret import Ambiguous, Belief, BelievedPiece, Interpreter, Moved, Odd, Update
from companion.words import Words

if TYPE_CHECKING:
    from vision.enrolment.picture_set import PictureSet
    from vision.imaging.frame import Frame, Look
    from vision.pieces.piece_set import PieceSet


MAX_TOLD_PLIES = 12
"""So many plies may be told in answer to an open question."""
BORNE_OUT_SHARE = 0.05
"""Plies that explain no more than this share of what stays unexplained are not told: they may fit what is misread."""


class FrameReader(Protocol):
    """What looks at frames, one after the other (`vision.pipeline.reader.Reader`)."""

    def look(self, frame: Frame) -> Look:
        """What the frame shows. Raises `SightError` for one that cannot be read."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """A player who knows what was really played and answers questions by it."""

    game: AnyGame
    shown: Sequence[Hashable]
    """What each state of the game shows to everybody."""
    plies: Sequence[Ply[Any]]

    @classmethod
    def of(cls, played: Played) -> Answerer:
        """A player of this game."""
        return cls(played.game, played.shown, played.plies)

    def choose(self, belief: Belief) -> int | None:
        """Of the choices that lead to where the game really went, the one that fits the look best; None: none of these.
        Who played them knows whether the last of these plies was made already."""
        assert belief.question is not None
        base = shown(self.game, (belief.before or belief.now).state)
        here = self.shown.index(base) if base in self.shown else len(self.shown)
        ahead = self.shown[here + 1 : here + 8]
        true = [(each.cost, choice) for choice, each in enumerate(belief.question.explanations)
                if shown(self.game, each.state) in ahead]
        return min(true)[1] if true else None

    def tell(self, interpreter: Interpreter, belief: Belief, given: int) -> tuple[Ply[Any], ...] | None:
        """The answer to an open question, once so many plies were given out: as few of the next ones as fit the look
        about as well as any number of them; None if the game did not go where it is believed to be."""
        now = shown(self.game, belief.now.state)
        here = min((n for n, each in enumerate(self.shown) if each == now), key=lambda n: abs(n - given), default=None)
        if here is None:
            return None
        ways = [tuple(self.plies[here : here + n]) for n in range(min(MAX_TOLD_PLIES, len(self.plies) - here) + 1)]
        nats = [interpreter.told_nats(belief, plies) for plies in ways]
        enough = (1.0 + BORNE_OUT_SHARE) * min(nats)
        return next(plies for plies, each in zip(ways, nats, strict=True) if each <= enough)


@dataclass(slots=True)
class _Said:
    """What one look led to: the plies of earlier looks that are withdrawn, and the plies, questions and oddities."""

    taken_back: int = 0
    plies: list[Json] = field(default_factory=list)
    asked: list[Json] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)

    def json(self) -> dict[str, Json]:
        return {"taken_back": self.taken_back, "plies": self.plies, "asked": self.asked, "odd": self.odd}


class Chain:
    """Plays the frames of one set in order. `answerer` answers questions, without one they stay open. `setup_eyes`
    read the set-up, where the places of the layout follow from it and must not be known yet. With `confidence` each
    piece of `seen` says how sure it is."""

    def __init__(
        self, eyes: FrameReader, opened: OpenedGame, words: Words, answerer: Answerer | None = None,
        setup_eyes: FrameReader | None = None, confidence: bool = False,
    ) -> None:
        self._eyes, self._setup_eyes = eyes, setup_eyes or eyes
        self._opened, self._words = opened, words.of(opened.game.id)
        self._answerer, self._confidence = answerer, confidence
        self._game = opened.game
        self._layout = opened.game.layout(opened.setup)
        self._interpreter = Interpreter(opened.game, self._layout)
        self._belief = self._interpreter.begin(opened.state)
        self._plies: list[Ply[Any]] = []
        self._asked_before: Json = None

    def lines(self, pictures: PictureSet) -> Iterator[Json]:
        """First the set-up as the first free look shows it, and how well the table is seen, then a line a picture of a
        set."""
        return self._lines(partial(self._look, pictures, index) for index in range(len(pictures.pictures)))

    def lines_of(self, frames: Iterable[Frame]) -> Iterator[Json]:
        """The same of frames as they come."""
        return self._lines(partial(_look_at, frame) for frame in frames)

    def _lines(self, looked: Iterable[Callable[[FrameReader], Look]]) -> Iterator[Json]:
        waiting: list[Json] = []
        setup_told = False
        for look_with in looked:
            look = look_with(self._eyes)
            if look.observation is not None and not setup_told:
                sight = sight_verdict(self._game, self._opened.setup, self._opened.state, look.observation)
                yield {"setup": self._setup(look_with, look), "sight": sight}
                yield from waiting
                setup_told = True
            line = self._line(look)
            if setup_told:
                yield line
            else:
                waiting.append(line)
        if not setup_told:
            yield {"setup": None, "sight": "poor"}
            yield from waiting

    def _look(self, pictures: PictureSet, index: int, eyes: FrameReader) -> Look:
        """What the eyes say of a picture; one that cannot be read is a state like any other."""
        from vision.imaging.frame import Look

        try:
            return eyes.look(pictures.frame(index))
        except SightError as error:
            name = pictures.pictures[index].stem
            return Look(int(name) if name.isdigit() else index, 0.0, "picture", error.phrase)

    def _setup(self, look_with: Callable[[FrameReader], Look], look: Look) -> Json:
        if self._setup_eyes is not self._eyes:
            look = look_with(self._setup_eyes)
        if look.observation is None:
            return None
        return self._interpreter.setup_seen(look.observation, self._opened.options, self._opened.players)

    def _line(self, look: Look) -> Json:
        started = time.perf_counter()
        said = _Said()
        if look.observation is not None:
            self._say(self._interpreter.look(self._belief, look.observation), said)
            while self._answerer is not None and self._belief.question is not None:
                step = self._answered(self._answerer)
                if step is None:
                    break
                self._say(step, said)
        interpret_ms = 1000 * (time.perf_counter() - started)
        line: dict[str, Json] = {
            "frame": look.number, "state": look.state,
            "cards": [{"card": c.card, "at": _mm(c.at_mm), "turn": round(c.turn_deg, 3)} for c in look.cards],
        }
        if look.observation is not None:
            line["believed"] = [_believed(each) for each in self._interpreter.believed_pieces(self._belief)]
            line["seen"] = [
                {"appearance": each.appearance, "at": _mm(each.at_mm), "spot": each.spot}
                | ({"confidence": round(each.confidence, 5)} if self._confidence and not each.is_body else {})
                for each in one_look(look.observation, self._layout)
            ]
        if look.why is not None:
            said.odd.append(self._words.say(look.why))
        times = {stage: round(ms, 2) for stage, ms in look.ms.items()}
        return line | said.json() | {"ms": times | {"interpret": round(interpret_ms, 2)}}

    def _answered(self, answerer: Answerer) -> Update | None:
        """What the answer to the open question leads to; None where there is none."""
        question = self._belief.question
        if question is None or question.explanations:
            return self._interpreter.answer(self._belief, answerer.choose(self._belief))
        plies = answerer.tell(self._interpreter, self._belief, len(self._plies))
        return None if plies is None else self._interpreter.told(self._belief, plies)

    def _say(self, step: Update, said: _Said) -> None:
        """Take over the step's belief and write down what it says."""
        outcome = step.outcome
        self._belief = step.belief
        if isinstance(outcome, Moved):
            self._take_back(outcome.taken_back, said)
            for ply in outcome.plies:
                self._plies.append(ply)
                confidence = round(outcome.confidence, 4)
                n = len(self._plies)
                said.plies.append(record.write_ply(self._game, n, ply, source="camera", confidence=confidence))
        elif isinstance(outcome, Ambiguous):
            choices = [[self._game.write_action(p.action) for p in choice.plies] for choice in outcome.choices]
            if choices != self._asked_before:
                said.asked.append({"choices": choices})
            said.odd += [self._words.say(each) for each in outcome.reasons]
            self._asked_before = choices
            return
        elif isinstance(outcome, Odd):
            said.odd += [self._words.say(each) for each in outcome.reasons]
        self._asked_before = None

    def _take_back(self, number: int, said: _Said) -> None:
        """Withdraw the last plies; those of this very look were never given out."""
        del self._plies[len(self._plies) - number :]
        said.taken_back += max(0, number - len(said.plies))
        del said.plies[max(0, len(said.plies) - number) :]


def build(
    pictures: PictureSet, opened: OpenedGame, words: Words, answerer: Answerer | None, confidence: bool = False,
    pieces: PieceSet | None = None,
) -> Chain:
    """The chain for a set: learns the pieces from its enrolment pictures first, unless others are given."""
    from vision.enrolment.enrol import enrol_set
    from vision.pipeline.reader import Reader

    game, players = opened.game, opened.players
    layout = game.layout(opened.setup)
    pieces = pieces or enrol_set(pictures, layout.kinds)
    any_setup = game.read_setup(game.deal(players, opened.options, Random(0)), opened.options, players)
    unknowing = game.layout(any_setup)
    eyes = Reader(pictures.lens, pieces, layout, pictures.zones, pictures.seats)
    setup_eyes = eyes if layout == unknowing else Reader(
        pictures.lens, pieces, unknowing, pictures.zones, pictures.seats
    )
    return Chain(eyes, opened, words, answerer, setup_eyes, confidence)


def _look_at(frame: Frame, eyes: FrameReader) -> Look:
    """What the eyes say of a frame; one that cannot be read is a state like any other."""
    from vision.imaging.frame import Look

    try:
        return eyes.look(frame)
    except SightError as error:
        return Look(frame.number, frame.at_s, "picture", error.phrase)


def _mm(at_mm: tuple[float, float]) -> list[float]:
    return [round(at_mm[0], 2), round(at_mm[1], 2)]


def _believed(piece: BelievedPiece) -> Json:
    found: dict[str, Json] = {"appearance": piece.appearance, "at": _mm(piece.at_mm), "spot": piece.spot}
    if piece.appearance is None:
        found["among"] = list(piece.among)
    return found
