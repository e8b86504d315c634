"""What others wrote and the tests bring along is what its makers gave out."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

VENDOR = Path(__file__).parent / "vendor"
LISTED = [(listed.parent / name, digest) for listed in sorted(VENDOR.glob("*/SHA256SUMS"))
          for digest, name in map(str.split, listed.read_text("ascii").splitlines())]


@pytest.mark.parametrize(("file", "digest"), LISTED, ids=[file.name for file, _ in LISTED])
def test_a_vendored_file_is_unchanged(file: Path, digest: str) -> None:
    assert hashlib.sha256(file.read_bytes()).hexdigest() == digest


def test_every_vendored_file_is_listed_with_its_licence_and_origin() -> None:
    listed = {file for file, _ in LISTED}
    for folder in VENDOR.iterdir():
        told = {folder / "SHA256SUMS", folder / "ORIGIN.md"}
        assert told | {folder / "LICENSE"} <= set(folder.iterdir()) <= told | listed


def test_the_origin_names_the_version_that_is_here() -> None:
    version = (VENDOR / "axe-core" / "axe.min.js").read_text("utf-8")[:20].split("v")[1].split()[0]
    assert f"axe-core {version}," in (VENDOR / "axe-core" / "ORIGIN.md").read_text("utf-8")
