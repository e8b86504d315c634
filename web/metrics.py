"""`/metrics`: what the service counts, as Prometheus reads it. Nothing in it tells what only a seat knows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from flask import Blueprint, Response

from companion.session.counts import Spent
from web.house import house

TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """All figures, a line each."""
    return Response("".join(f"{line}\n" for line in _lines()), content_type=TEXT)


def _lines() -> Iterator[str]:
    here = house()
    counted, shown = here.desk.counted(), here.desk.snapshot()
    yield from _counter("companion_plies_total", "Plies written since the start, by source.", "source", counted.plies)
    yield from _counter("companion_looks_total", "Looks since the start, by the eyes' state.", "state", counted.looks)
    yield from _gauge("companion_game_plies", "Plies of the game that is played.", shown.plies)
    yield from _gauge("companion_streams", "Open streams: phones and programs that watch.", len(here.streams))
    yield from _gauge("companion_streams_most", "Streams that may be open.", here.streams.most)
    yield from _spent("companion_writer_seconds", {"command": counted.commands, "look": counted.seen})
    yield from _gauge("process_resident_memory_bytes", "Memory of the process of the pages.", _resident_bytes())


def _counter(name: str, help: str, label: str, values: Mapping[str, int]) -> Iterator[str]:
    yield from _head(name, help, "counter")
    yield from (f'{name}{{{label}="{value}"}} {number}' for value, number in sorted(values.items()))


def _gauge(name: str, help: str, value: int) -> Iterator[str]:
    yield from _head(name, help, "gauge")
    yield f"{name} {value}"


def _spent(name: str, spent: Mapping[str, Spent]) -> Iterator[str]:
    yield from _head(name, "How long the writer worked on one thing.", "summary")
    for what, each in spent.items():
        yield f'{name}_sum{{what="{what}"}} {each.sum_s:.6f}'
        yield f'{name}_count{{what="{what}"}} {each.number}'
    yield from _head(f"{name}_most", "The longest that the writer worked on one thing.", "gauge")
    yield from (f'{name}_most{{what="{what}"}} {each.most_s:.6f}' for what, each in spent.items())


def _head(name: str, help: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {help}", f"# TYPE {name} {kind}"


def _resident_bytes() -> int:
    """What this process takes of the machine's memory; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
