"""The example of chess, installed once for all tests of it, and offered to some."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import packages
from tests.examples.footage import installed


@pytest.fixture(scope="session")
def chess_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip installed it."""
    return installed(tmp_path_factory.mktemp("site"))


@pytest.fixture
def chess_offered(chess_site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is among the installed games."""
    monkeypatch.syspath_prepend(chess_site)
    packages.installed.cache_clear()
    yield
    packages.installed.cache_clear()
