"""`make bench`: measures the companion on this machine and writes docs/benchmarks.md. Takes an hour.

    python docs/bench.py [rules] [eyes] [worse] [service] [referee]  # all parts, or only these; others keep their text
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

from bench_eyes import eyes
from bench_referee import referee
from bench_worse import worse

HERE = Path(__file__).parent
PAGE = HERE / "benchmarks.md"
EXCERPTS = HERE.parent / "tests" / "data"
PROMISED = {"kamikaze-cans": 3000, "crate-wars": 3000, "pick-and-pack": 3000, "yuzu-twist": 1500, "war-chest": 1500}
"""Plies a second that random play should reach."""
PLAY_S = 10.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the companion on this machine, writes docs/benchmarks.md.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)} (all)")
    wanted = parser.parse_args().parts or list(PARTS)
    measured = {}
    for name, measure in PARTS.items():
        if name in wanted:
            print(f"measuring {name} …", file=sys.stderr)
            measured[name] = "\n".join(measure())
    old = _old_parts()  # read last: others may have written meanwhile
    texts = {name: measured.get(name) or old.get(name, "Not measured yet.") for name in PARTS}
    texts |= {name: text for name, text in old.items() if name not in PARTS}  # what others wrote, such as the bots'
    head = ["# Benchmarks", "", "Printed by `make bench`; every figure is from one run on one machine.", "", *machine()]
    parts = [f"\n<!-- {name} -->\n{text}\n<!-- /{name} -->" for name, text in texts.items()]
    PAGE.write_text("\n".join([*head, *parts]) + "\n", encoding="utf-8")
    print(PAGE)


def _old_parts() -> dict[str, str]:
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return dict(re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- /\1 -->", text, re.S))


def machine() -> list[str]:
    """What machine this is, as far as it matters."""
    import cv2
    import numpy as np

    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith(("model name", "Model"))), platform.machine())
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    software = f"Python {platform.python_version()}, OpenCV {cv2.__version__}, NumPy {np.__version__}"
    system = f"{platform.system()} {platform.machine()}"
    return [f"Machine: {cpu}, {os.cpu_count()} cores, {memory_gb:.0f} GB; {system}, {software}."]


# --- rules ------------------------------------------------------------------------------------------------------------


def rules() -> Iterator[str]:
    """Random play of every game, and checking a long record."""
    from companion.games import registry

    yield "## Rules\n"
    yield f"Random play on one core for {PLAY_S:.0f} s a game: a ply drawn uniformly from all legal ones, checked,"
    yield "applied. The list holds all legal plies of a state.\n"
    yield "| game | plies/s | promised | legal plies, median | ms to list them, median |"
    yield "|---|--:|--:|--:|--:|"
    for id in registry.ids():
        plies_per_s, many, list_ms = play(id)
        yield f"| {id} | {plies_per_s:,.0f} | {PROMISED[id]:,} | {many:.0f} | {list_ms:.3f} |"
    yield ""
    plies, seconds = check_long_record()
    yield f"`record check` of a Yuzu Twist game of {plies} plies: {seconds:.3f} s (promised for 300 plies: 0.3 s)."


def play(id: str) -> tuple[float, float, float]:
    """Plies a second, and the median length of the list of legal plies with the time it takes in ms."""
    from companion.engine import Over, play
    from companion.games import registry

    game, rng = registry.game(id), Random(1)
    players = min(game.seats)
    options = game.read_options({}, players)
    if "quiet_limit" in options:
        options = game.read_options({"quiet_limit": play.QUIET_LIMIT}, players)
    plies, lengths, times = 0, [], []
    busy_s = 0.0
    while busy_s < PLAY_S:
        state = game.start(game.read_setup(game.deal(players, options, rng), options, players), options, players)
        for n in range(2000):
            started = time.process_time()
            if isinstance(game.turn(state), Over):
                break
            state = game.apply(state, play.random_ply(game, state, rng))
            busy_s += time.process_time() - started
            plies += 1
            if n % 7 == 0:
                started = time.perf_counter()
                lengths.append(len(list(game.legal(state))))
                times.append(1000 * (time.perf_counter() - started))
    return plies / busy_s, median(lengths), median(times)


def check_long_record() -> tuple[int, float]:
    """Checks a Yuzu Twist record of 300 plies; gives plies and seconds, the median of five."""
    from companion.engine import play, record
    from companion.games import registry

    game = registry.game("yuzu-twist")
    for seed in range(100):
        written = list(play.random_record(game, 2, Random(seed), "2026-01-01T00:00:00Z"))
        if len(written) > 302:
            break
    text = "".join(written[:301])
    times = []
    for _ in range(5):
        started = time.perf_counter()
        record.check(text, registry.game)
        times.append(time.perf_counter() - started)
    return len(text.splitlines()) - 1, median(times)


# --- service ----------------------------------------------------------------------------------------------------------


def service() -> Iterator[str]:
    """How soon the pages answer, and how much memory service and eyes take together while nothing moves."""
    sys.path.insert(0, str(HERE.parent / "tests" / "bench"))
    import idle

    found = idle.measure(str(EXCERPTS / "kamikaze-1"))
    memory = found["memory_mb"]
    worst, usual = (", ".join(f"{name} {mb:.0f} MB" for name, mb in memory[when].items() if name != "all")
                    for when in ("worst", "median"))
    yield "## Service\n"
    yield "`python tests/bench/idle.py`: `companion run` with the picture set that comes with it, its pieces learned"
    yield "already; proportional set size (PSS) of all its processes from the first free table that was read, looked"
    yield f"at {memory['moments']} times. Libraries count whole: as where nobody else has them loaded.\n"
    yield f"- pages answer after {found['ready_s']:.2f} s (promised: 2 s)"
    yield f"- memory at the worst moment: {memory['worst']['all']:.0f} MB (promised: 150 MB): {worst}"
    yield f"- memory at the median moment: {memory['median']['all']:.0f} MB: {usual}"


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "rules": rules, "eyes": eyes, "worse": worse, "service": service, "referee": referee,
}

if __name__ == "__main__":
    main()
