"""The whole chain on a picture set: eyes, interpretation, and what comes out of them, a line a frame."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.engine import Json, record
from companion.engine.record import Opened
from companion.errors import SightError
from companion.games import registry
from companion.interpret import Ambiguous, Belief, Interpreter, Moved, Odd, Stand, Step
from companion.table import Appearance, Observation, Point, Spot
from companion.words import Words

if TYPE_CHECKING:
    from vision.frames import Look
    from vision.pictureset import PictureSet
    from vision.reader import Reader


def opened_by(header: Path) -> Opened:
    """The game as the first line of a record opens it; the rest of the file is not looked at."""
    with header.open(encoding="utf-8") as file:
        first = next(record.follow(file.readline(), registry.game))
    assert isinstance(first, Opened)
    return first


def states_of(path: Path) -> list[Any]:
    """The state before each ply of a record, and the last one."""
    states = []
    for each in record.follow(path.read_text(encoding="utf-8"), registry.game):
        if isinstance(each, record.Step):
            states.append(each.before)
        elif isinstance(each, record.Closed):
            states.append(each.state)
    return states


@dataclass(slots=True)
class Answerer:
    """A player who knows what was really played and answers questions by it."""

    states: Sequence[Any]

    def choose(self, belief: Belief) -> int | None:
        """The first choice that leads to where the game really went, None: none of these."""
        assert belief.question is not None
        base = (belief.before or belief.now).state
        here = self.states.index(base) if base in self.states else len(self.states)
        ahead = self.states[here + 1 : here + 8]
        for choice, each in enumerate(belief.question.explanations):
            if each.state in ahead:
                return choice
        return None


class Chain:
    """Plays the frames of one set in order. `answerer` answers questions, without one they stay open."""

    def __init__(self, reader: Reader, opened: Opened, words: Words, answerer: Answerer | None = None) -> None:
        self._reader = reader
        self._opened = opened
        self._game = opened.game
        self._words = words
        self._answerer = answerer
        layout = opened.game.layout(opened.setup)
        self._bodies = {body.spot: body.appearance for body in layout.bodies}
        self._interpreter = Interpreter(opened.game, layout)
        self._belief = self._interpreter.begin(opened.state)
        self._plies: list[Any] = []
        self._asked_before: Json = None

    def lines(self, pictures: PictureSet) -> Iterator[Json]:
        """First the set-up as the first free look shows it, then a line a frame."""
        waiting: list[Json] = []
        setup_told = False
        for index in range(len(pictures.pictures)):
            look = self._look(pictures, index)
            if look.observation is not None and not setup_told:
                options, players = self._opened.options, self._opened.players
                yield {"setup": self._interpreter.setup_seen(look.observation, options, players)}
                yield from waiting
                setup_told = True
            line = self._line(look)
            if setup_told:
                yield line
            else:
                waiting.append(line)
        if not setup_told:
            yield {"setup": None}
            yield from waiting

    def _look(self, pictures: PictureSet, index: int) -> Look:
        """What the eyes say of a picture; one that cannot be read is a state like any other."""
        from vision.frames import Look

        try:
            return self._reader.look(pictures.frame(index))
        except SightError as error:
            name = pictures.pictures[index].stem
            return Look(int(name) if name.isdigit() else index, 0.0, "picture", error.phrase)

    def _line(self, look: Look) -> Json:
        started = time.perf_counter()
        said: dict[str, Json] = {"taken_back": 0, "plies": [], "asked": [], "odd": []}
        if look.observation is not None:
            step = self._interpreter.look(self._belief, look.observation)
            self._say(step, said)
            while self._answerer is not None and self._belief.question is not None:
                self._say(self._interpreter.answer(self._belief, self._answerer.choose(self._belief)), said)
        interpret_ms = 1000 * (time.perf_counter() - started)
        line: dict[str, Json] = {
            "frame": look.number, "state": look.state,
            "cards": [{"card": c.card, "at": _mm(c.at_mm), "turn": round(c.turn_deg, 3)} for c in look.cards],
        }
        if look.observation is not None:
            line["believed"] = [_stand(each) for each in self._interpreter.stands(self._belief)]
            line["seen"] = [
                {"appearance": name, "at": _mm(at_mm), "spot": spot}
                for name, at_mm, spot in self._one_look(look.observation)
            ]
        if look.why is not None:
            said["odd"].append(self._words.say(look.why))
        times = {stage: round(ms, 2) for stage, ms in look.ms.items()}
        return line | said | {"ms": times | {"interpret": round(interpret_ms, 2)}}

    def _one_look(self, observation: Observation) -> Iterator[tuple[Appearance, Point, Spot]]:
        """What this look alone shows: the bodies where they are, all drinks decided together."""
        from vision.joint import decide

        for sight in observation.sights:
            if sight.spot in self._bodies:
                yield self._bodies[sight.spot], sight.at_mm, sight.spot
        for seen in decide([sight for sight in observation.sights if sight.spot not in self._bodies]):
            yield seen.appearance, seen.at_mm, seen.spot

    def _say(self, step: Step, said: dict[str, Json]) -> None:
        """Take over the step's belief and write down what it says."""
        outcome = step.outcome
        self._belief = step.belief
        if isinstance(outcome, Moved):
            del self._plies[len(self._plies) - outcome.taken_back :]
            said["taken_back"] += outcome.taken_back
            for ply in outcome.plies:
                self._plies.append(ply)
                confidence = round(outcome.confidence, 4)
                n = len(self._plies)
                said["plies"].append(record.write_ply(self._game, n, ply, source="camera", confidence=confidence))
        elif isinstance(outcome, Ambiguous):
            choices = [[self._game.write_action(p.action) for p in choice.plies] for choice in outcome.choices]
            if choices != self._asked_before:
                said["asked"].append({"choices": choices})
            self._asked_before = choices
            return
        elif isinstance(outcome, Odd):
            said["odd"] += [self._words.say(each) for each in outcome.reasons]
        self._asked_before = None


def build(pictures: PictureSet, opened: Opened, words: Words, answerer: Answerer | None) -> Chain:
    """The chain for a set: learns the pieces from its enrolment pictures first."""
    from vision.enrol import enrol_set
    from vision.reader import Reader

    pieces = enrol_set(pictures)
    layout = opened.game.layout(opened.setup)
    return Chain(Reader(pictures.lens, pieces, layout, pictures.zones, pictures.seats), opened, words, answerer)


def _mm(at_mm: tuple[float, float]) -> list[float]:
    return [round(at_mm[0], 2), round(at_mm[1], 2)]


def _stand(stand: Stand) -> Json:
    found: dict[str, Json] = {"appearance": stand.appearance, "at": _mm(stand.at_mm), "spot": stand.spot}
    if stand.appearance is None:
        found["among"] = list(stand.among)
    return found
