"""The changelog is kept as https://keepachangelog.com/en/1.1.0/ describes it, and names the version that is here."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
RELEASE = re.compile(r"## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})")


def releases() -> list[tuple[tuple[int, ...], date]]:
    heads = [line for line in LINES if line.startswith("## ")][1:]
    found = [RELEASE.fullmatch(head) for head in heads]
    assert all(found), heads
    return [(tuple(map(int, each.groups()[:3])), date.fromisoformat(each[4])) for each in found if each]


def test_what_comes_next_stands_first_then_releases_the_newest_first() -> None:
    assert LINES[0] == "# Changelog"
    assert next(line for line in LINES if line.startswith("## ")) == "## [Unreleased]"
    assert releases() == sorted(releases(), reverse=True)
    assert len({version for version, _ in releases()}) == len(releases())


def test_the_newest_release_is_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == ".".join(map(str, releases()[0][0]))


def test_changes_stand_under_their_kind_in_order() -> None:
    for part in "\n".join(LINES).split("\n## ")[1:]:
        kinds = [line.removeprefix("### ") for line in part.splitlines() if line.startswith("### ")]
        assert kinds == [kind for kind in KINDS if kind in kinds]
        first_change = part.find("\n- ")
        assert first_change == -1 or -1 < part.find("\n### ") < first_change
