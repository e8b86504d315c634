"""A zip for whoever helps: findings, log, versions and config. No names, no pictures and no passwords unless asked."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from companion.box.launch import versions_of
from companion.box.layout import Places
from companion.box.lives import LOG_NAME
from companion.words import Words
from hardware.doctor import Finding

KERNEL: Final = ("proc/meminfo", "proc/cpuinfo", "proc/version", "etc/os-release", "proc/mounts")
TEXTS: Final = re.compile(r'"[^"]*"|\'[^\']*\'')
"""Texts of a config, which may say who somebody is, or how one gets in."""
HARMLESS: Final = frozenset({"camera", "folder", "none", "demo", "picamera2", "lgpio", "rpigpio", "mock", "0.0.0.0"})
MAX_PICTURES: Final = 50


def report(
    findings: Iterable[Finding], words: Words, layout: Places, file: Path | None, folder: Path, *,
    names: bool = False, pictures: bool = False,
) -> bytes:
    """The zip. What cannot be read is left out."""
    kept = io.BytesIO()
    with ZipFile(kept, "w", ZIP_DEFLATED) as out:
        out.writestr("findings.json", json.dumps(as_json(findings, words), indent=1, ensure_ascii=False))
        out.writestr("versions.txt", "\n".join(each.name for each in versions_of(layout.opt)))
        for where in KERNEL:
            _put(out, where.replace("/", "-") + ".txt", layout.root / where)
        for log in (LOG_NAME, f"{LOG_NAME}.1"):
            _put(out, log, layout.root / "run/companion" / log)
        _put(out, "update.json", layout.told)
        if file is not None:
            with suppress(OSError):
                text = file.read_text(encoding="utf-8", errors="replace")
                out.writestr("config.toml", text if names else without_secrets(text))
        if pictures:
            for picture in sorted(folder.rglob("*.jpg"), reverse=True)[:MAX_PICTURES]:
                _put(out, f"pictures/{picture.name}", picture)
    return kept.getvalue()


def without_secrets(text: str) -> str:
    """A config without its texts, but for those that say nothing of anybody; also one that is no TOML."""
    return TEXTS.sub(lambda found: found[0] if found[0][1:-1] in HARMLESS else '"…"', text)


def as_json(findings: Iterable[Finding], words: Words) -> list[dict[str, object]]:
    """Each finding: whether it is well, its id and its sentence, and packages that help."""
    return [{"well": each.well, "id": each.sentence.id, "said": words.sentence(each.sentence),
             "packages": list(each.packages)} for each in findings]


def _put(out: ZipFile, name: str, file: Path) -> None:
    with suppress(OSError):
        out.writestr(name, file.read_bytes()[:2_000_000])
