"""How long one picture of a stream takes to watch: `OPENBLAS_NUM_THREADS=1 python -m tests.bench.watch SET…`.

Streams at 10 pictures a second are made from all pictures of picture sets, with a hand in many of them; told are
milliseconds of the processor, on one core, of all pictures and of those with a hand.
"""

from __future__ import annotations

import time

import cv2
import numpy as np

from tests.vision.scored_sets import sets_to_score
from tests.vision.test_streams_of_sets import stream
from tests.vision.test_watch import watcher
from vision.enrolment.picture_set import PictureSet

RATE = 10.0


def watched_ms(known: PictureSet) -> tuple[list[float], list[float]]:
    """Milliseconds of the pictures without and with a hand."""
    watch, spent = watcher(known), (list[float](), list[float]())
    for small, at_s, is_free, _ in stream(known.folder, RATE):
        start_s = time.thread_time()
        watch.look(small, at_s)
        spent[not is_free].append(1000 * (time.thread_time() - start_s))
    return spent


def _told(what: str, spent_ms: list[float]) -> str:
    median, most = np.percentile(spent_ms, (50, 95))
    return f"{what}: {len(spent_ms)}, median {median:.1f} ms, p95 {most:.1f} ms"


def main() -> None:
    """Measures the sets named on the command line."""
    cv2.setNumThreads(1)
    free, busy = list[float](), list[float]()
    for known in sets_to_score(__doc__):
        without, with_hand = watched_ms(known)
        print(_told(known.folder.name, without + with_hand), flush=True)
        free, busy = free + without, busy + with_hand
    print(_told("all", free + busy))
    print(_told("with a hand", busy))


if __name__ == "__main__":
    main()
