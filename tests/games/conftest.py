"""Packages that tests install are forgotten again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games import packages
from tests.games.packages_on_disk import forget, package


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a package that offers a game (see `package`)."""

    def install(**about: Any) -> None:
        monkeypatch.syspath_prepend(package(tmp_path, **about))
        packages.installed.cache_clear()

    yield install
    packages.installed.cache_clear()
    forget()
