"""While the eyes live, a ply that they or a person decided gets its picture; without them none is touched."""

from __future__ import annotations

from multiprocessing import Pipe
from pathlib import Path

import pytest

from companion.interpret import Moved
from companion.main.eyes_dialogue import EyesDialogue
from companion.main.messages import EyesConfig
from companion.session.clock import FakeClock
from companion.session.config import SourceConfig
from companion.session.evidence import EVIDENCE_NAME, PlyPictures
from companion.session.eyes_side import EyesSide
from companion.session.state import State
from tests.session.tables import Table, place, seen
from web.fakes import FakeDesk


@pytest.mark.parametrize("mb", [0, 1])
def test_a_ply_that_was_seen_gets_its_picture_unless_they_are_switched_off(tmp_path: Path, mb: int) -> None:
    (tmp_path / EVIDENCE_NAME).mkdir()
    (tmp_path / EVIDENCE_NAME / "look-3.jpg").write_bytes(b"three")
    table, side = Table().start(), EyesSide(State())
    ours, theirs = Pipe()
    with ours, theirs:
        config = EyesConfig(SourceConfig("camera"), tmp_path, evidence_mb=mb)
        eyes = EyesDialogue(pipe=ours, config=config, desk=FakeDesk(), side=side, clock=FakeClock())
        side.show(table.state)
        eyes.follow()
        table.do(seen(Moved((place(0, "tall_can", "c4"),), 0.999), 3))
        side.show(table.state)
        eyes.follow()
    assert table.state.match is not None
    pictures = PlyPictures(lambda: tmp_path)
    assert pictures.picture(table.state.match.key, 1) == (b"three" if mb else None)
