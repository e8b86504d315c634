"""How long one picture of a stream takes to watch: `OPENBLAS_NUM_THREADS=1 python -m tests.bench.watch SET…`.

Streams at 10 pictures a second are made from all pictures of picture sets, with a hand in many of them; told are
milliseconds of the processor, on one core, of all pictures, of those in which a hand came or moved, and of those in
which it rests.
"""

from __future__ import annotations

import time
from itertools import chain

import cv2
import numpy as np

from tests.vision.scored_sets import sets_to_score
from tests.vision.test_streams_of_sets import stream
from tests.vision.test_watch import watcher
from vision.enrolment.picture_set import PictureSet

RATE = 10.0
FREE, MOVES, RESTS = "free", "with a hand that moves", "with a hand that rests"


def watched_ms(known: PictureSet) -> dict[str, list[float]]:
    """Milliseconds of the pictures of each kind."""
    watch, spent = watcher(known), {kind: list[float]() for kind in (FREE, MOVES, RESTS)}
    for small, at_s, is_free, since_s in stream(known.folder, RATE):
        start_s = time.thread_time()
        watch.look(small, at_s)
        spent[FREE if is_free else RESTS if since_s else MOVES].append(1000 * (time.thread_time() - start_s))
    return spent


def _told(what: str, spent_ms: list[float]) -> str:
    median, most = np.percentile(spent_ms, (50, 95))
    return f"{what}: {len(spent_ms)}, mean {np.mean(spent_ms):.1f} ms, median {median:.1f} ms, p95 {most:.1f} ms"


def main() -> None:
    """Measures the sets named on the command line."""
    cv2.setNumThreads(1)
    every = {kind: list[float]() for kind in (FREE, MOVES, RESTS)}
    for known in sets_to_score(__doc__):
        of_set = watched_ms(known)
        print(_told(known.folder.name, [*chain(*of_set.values())]), flush=True)
        for kind, spent_ms in of_set.items():
            every[kind] += spent_ms
    print(_told("all", [*chain(*every.values())]))
    for kind, spent_ms in every.items():
        print(_told(kind, spent_ms))


if __name__ == "__main__":
    main()
