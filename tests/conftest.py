"""What tests of all rooms share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion  # noqa: F401  # before numpy: asks for one thread of linear algebra, in every process that runs tests

KEPT_IN = "COMPANION_TESTS_KEPT_IN"
"""Names a folder, made for one run, where several runs of pytest are to share what they learned."""


@pytest.fixture(scope="session")
def of_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run, the same for all processes that run its tests."""
    if KEPT_IN in os.environ:
        return Path(os.environ[KEPT_IN])
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="module")
def learned_once(of_all_workers: Path) -> Iterator[None]:
    """Pieces are not learned again from pictures from which they were learned in this run."""
    from tests.learned import once
    from vision.enrolment import enrol

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enrol, "enrol", once(enrol.enrol, of_all_workers))
        yield
