"""What `/metrics` says, and what is not counted."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from companion.session.commands import Amend, Confide, Done
from companion.session.counts import Counted, Counts, Spent
from companion.session.events import PlyMade
from companion.session.sighted import Sighted
from web.fakes import FakeDesk

LINE = re.compile(r'^[a-z_]+(\{[a-z]+="[a-z]+"\})? [0-9.]+$')


def test_all_lines_are_prometheus_text(client: FlaskClient, desk: FakeDesk) -> None:
    desk.counts = Counted({"camera": 3, "phone": 1}, {"free": 9}, Spent(2, 0.5, 0.4), Spent(9, 1.0, 0.25))
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.get_data(as_text=True).splitlines()
    values = [line for line in lines if not line.startswith("#")]
    assert all(LINE.match(line) for line in values)
    assert len({line.rpartition(" ")[0] for line in values}) == len(values)
    for wanted in ('companion_plies_total{source="camera"} 3', 'companion_looks_total{state="free"} 9',
                   'companion_writer_seconds_sum{what="command"} 0.500000', "companion_game_plies 5",
                   'companion_writer_seconds_most{what="look"} 0.250000', "companion_streams 0"):
        assert wanted in values
    memory = next(int(line.split()[1]) for line in values if line.startswith("process_resident_memory_bytes"))
    assert memory > 1_000_000


def test_what_a_seat_alone_told_is_not_counted() -> None:
    counts = Counts()
    counts.carried_out(Confide(1, 0, {}), 9.0)
    counts.carried_out(Amend(1, 0, 1, {}), 9.0)
    assert counts.read() == Counted()
    counts.carried_out(Done(1, 0), 0.25)
    counts.carried_out(Done(1, 0), 0.5)
    counts.carried_out(Sighted(1, "free"), 0.125)
    counts.written([PlyMade({}, "camera", "")])
    assert counts.read() == Counted({"camera": 1}, {"free": 1}, Spent(2, 0.75, 0.5), Spent(1, 0.125, 0.125))
