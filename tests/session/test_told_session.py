"""The sessions of `tests/data/sessions` come out as they were written. `python -m tests.session.told_session` writes
them anew, and their diff shows what changed in events, refusals and what is shown."""

from __future__ import annotations

import pytest

from tests.session.told_session import FOLDER, SESSIONS, told


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_comes_out_as_it_was_written(name: str) -> None:
    assert told(name).splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
