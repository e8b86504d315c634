"""Whether the service's memory stays level in fast play, 20 phones watching: `python -m tests.bench.door.memory 20`."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from companion.engine import CHANCE
from companion.games import registry
from tests.bench.door.health import watching
from tests.bench.door.running import Running, running
from tests.bench.idle import sizes_mb
from tests.bench.page import ROOT, machine, write_parts

MINUTES: Final = 20.0
PHONES: Final = 20
SAMPLE_S: Final = 2.0
WARM_SHARE: Final = 0.1
SEED: Final = 1


def play(service: Running, rng: Random) -> Iterator[None]:
    """Plays games of chance to their end, over and over; yields after each ply."""
    game = registry.game("kamikaze-cans")
    seq = 0
    while True:
        options = game.read_options({}, 2)
        setup = game.deal(2, options, rng)
        header = {"game": game.id, "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup}
        seq = _sent(service, {"type": "start_game", "seq": seq, "header": header}, seq)
        state = game.start(game.read_setup(setup, options, 2), options, 2)
        while plies := list(game.legal(state)):
            ply = rng.choice(plies)
            assert ply.player != CHANCE
            action = {"player": ply.player, "action": game.write_action(ply.action)}
            seq = _sent(service, {"type": "correct", "seq": seq, "take_back": 0, "plies": [action]}, seq)
            state = game.apply(state, ply)
            yield


def _sent(service: Running, command: dict[str, Any], seq: int) -> int:
    """The number after a command; one that came too soon or too late is said again."""
    while True:
        answered = service.do(command)
        if answered["ok"]:
            return int(answered["seq"])
        seq = int(answered.get("seq", seq))
        command = {**command, "seq": seq}
        time.sleep(0.05)


def measure(minutes: float) -> tuple[int, list[float]]:
    """How many plies were played, and the memory of the service every two seconds, in MB."""
    sizes, plies = [], 0
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service, watching(service, PHONES):
        until_s = due_s = time.monotonic()
        until_s += 60 * minutes
        for _ in play(service, Random(SEED)):
            plies += 1
            now_s = time.monotonic()
            if now_s >= due_s:
                due_s = now_s + SAMPLE_S
                sizes.append(sum(sizes_mb([service.process.pid]).values()))
            if now_s >= until_s:
                break
        watched = json.loads(service.ask("/health"))["streams"]
        assert watched == PHONES, f"only {watched} still watch"
    return plies, sizes


def report(minutes: float = MINUTES) -> Iterator[str]:
    """The part `level` of the page."""
    plies, sizes = measure(minutes)
    warm = sizes[int(WARM_SHARE * len(sizes)):]
    third = len(warm) // 3
    first, last = median(warm[:third]), median(warm[-third:])
    yield "## Memory while it is played\n"
    yield f"`python -m tests.bench.door.memory {minutes:g}`: {plies} plies in {minutes:g} minutes (seed {SEED}),"
    yield f"{PHONES} phones watching, the service's memory every two seconds, after the first tenth of the time."
    yield "Promised: level within 10 %.\n"
    yield f"- first third {first:.1f} MB, last third {last:.1f} MB ({100 * (last / first - 1):+.1f} %)"
    yield f"- least {min(warm):.1f} MB, most {max(warm):.1f} MB"


if __name__ == "__main__":
    part = "\n".join([*report(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"level": part}, ROOT / "docs" / "reliability.md")
