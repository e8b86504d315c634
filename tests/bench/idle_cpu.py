"""What looking at a table costs while nothing happens: `python -m tests.bench.idle_cpu` writes the part `idle cpu` of
docs/reliability.md.

The eyes' own loop over pictures from memory, with the noise of a sensor, at a camera's pace; and the service with four
phones. Counted is processor time, so that other work on the machine changes little. Not in it: what a camera's library
does with a picture before it hands it over, which is copied once here as there.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.games import registry
from companion.main.eyes_session import TableEyes
from companion.main.eyes_watch import watch
from companion.main.messages import FromEyes, LookFor, ToEyes
from tests.bench.door.attacks import NAMES
from tests.bench.door.health import watching
from tests.bench.door.running import running
from tests.bench.idle import family
from tests.bench.page import EXCERPTS, ROOT, machine, table, write_parts
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import make_small, read_set
from vision.imaging.frame import Frame
from vision.pieces.exemplars import with_examples

FRAMES_A_SECOND: Final = 10
SECONDS: Final = 60.0
PHONES: Final = 4
NOISE_SD: Final = 1.5
VARIANTS: Final = 8
PROMISED: Final = 15.0
"""Per cent of a core."""
SETTLE_S: Final = 10.0


class StillCamera:
    """A table at which nothing happens: the same picture with other noise, at a steady pace."""

    def __init__(self, picture: Any, seconds: float) -> None:
        rng = np.random.default_rng(1)
        self._noisy = [np.clip(picture + rng.normal(0, NOISE_SD, picture.shape), 0, 255).astype(np.uint8)
                       for _ in range(VARIANTS)]
        self._small = [make_small(each) for each in self._noisy]
        self._left, self._number = int((SETTLE_S + seconds) * FRAMES_A_SECOND), 0
        self._due_s = time.monotonic()
        self.began: tuple[float, float] = (0.0, 0.0)
        """Time and processor time when what is slow at first was over."""

    def open(self) -> None:
        self._due_s = time.monotonic()

    def read(self) -> Frame | None:
        if self._number == int(SETTLE_S * FRAMES_A_SECOND):
            self.began = time.monotonic(), time.process_time()
        if self._number >= self._left:
            return None
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s += 1 / FRAMES_A_SECOND
        which, self._number = self._number % VARIANTS, self._number + 1
        return Frame(self._noisy[which].copy(), self._small[which].copy(), time.monotonic(), self._number)

    def expose(self, factor: float) -> bool:
        return False

    def close(self) -> None:
        pass


class Deaf:
    """The service's end of the pipe: says which game is played, and counts the states it is told."""

    def __init__(self, wanted: LookFor) -> None:
        self._wanted: LookFor | None = wanted
        self.states: dict[str, int] = {}

    def send(self, said: FromEyes, /) -> None:
        state = getattr(said, "state", None)
        if state is not None:
            self.states[state] = self.states.get(state, 0) + 1

    def recv(self) -> ToEyes:
        wanted, self._wanted = self._wanted, None
        assert wanted is not None
        return wanted

    def poll(self, timeout_s: float = 0.0, /) -> bool:
        return self._wanted is not None


def eyes_percent(seconds: float = SECONDS) -> tuple[float, dict[str, int]]:
    """Per cent of a core, and how often each state of the eyes was told."""
    cv2.setNumThreads(1)
    known = read_set(EXCERPTS / "kamikaze-1")
    game = registry.game(known.game)
    pieces = enrol_set(known, registry.kinds(known.game))
    camera = StillCamera(known.frame(0).image.astype(np.float32), seconds)
    setup = game.read_setup({"colours": ["red", "green"], "first": 0}, game.read_options({}, 2), 2)
    pipe = Deaf(LookFor(game.layout(setup), 2, game=known.game))
    nowhere = Path("none")
    eyes = TableEyes(known.lens, with_examples(pieces, nowhere), nowhere, known.zones, known.seats)
    watch(pipe, eyes, lambda _: camera)
    real_s, busy_s = time.monotonic() - camera.began[0], time.process_time() - camera.began[1]
    return 100 * busy_s / real_s, pipe.states


def service_percent(seconds: float = SECONDS) -> float:
    """Per cent of a core that the service takes with phones that watch a game in which nothing happens."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        service.ask("/")  # the first phone is the host
        assert service.do({"type": "start_game", "seq": 0, "header": NAMES})["ok"]
        with watching(service, PHONES):
            time.sleep(SETTLE_S)
            before_s, since_s = busy_s(service.process.pid), time.monotonic()
            time.sleep(seconds)
            return 100 * (busy_s(service.process.pid) - before_s) / (time.monotonic() - since_s)


def busy_s(pid: int) -> float:
    """Processor time of a process and its children."""
    ticks = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / 100


def report(eyes: float, states: dict[str, int], service: float) -> Iterator[str]:
    seen = ", ".join(f"{name} {count}" for name, count in sorted(states.items()))
    yield "## Idle\n"
    yield f"`python -m tests.bench.idle_cpu`: processor time over {SECONDS:.0f} s at {FRAMES_A_SECOND} pictures a " \
          "second of"
    yield f"2304 × 1296 px, a free table with the noise of a sensor, {PHONES} phones watching; the eyes' states: " \
          f"{seen}."
    yield f"Promised: {PROMISED:.0f} % of a core.\n"
    yield from table(("process", "of a core"), [
        ("eyes", f"{eyes:.1f} %"), ("service", f"{service:.1f} %"), ("**both**", f"{eyes + service:.1f} %")])


def main() -> int:
    eyes, states = eyes_percent()
    service = service_percent()
    part = "\n".join([*report(eyes, states, service), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"idle cpu": part}, ROOT / "docs" / "reliability.md")
    return 0 if eyes + service <= PROMISED else 1


if __name__ == "__main__":
    sys.exit(main())
