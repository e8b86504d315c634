"""Units, users, rules and first configs: which file goes where, written whole or not at all.

What people may have changed (`CONFIGURED`) is only written where it is missing; a config of another version is brought
to this one (`config_versions`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from companion.box.config_versions import fit_config
from companion.box.launch import port_of
from companion.box.layout import Places
from companion.box.versions import write_file
from companion.box.wish import write_told

FILES: Final = {
    "companion.service": "etc/systemd/system/companion.service",
    "companion-update.service": "etc/systemd/system/companion-update.service",
    "companion-update.path": "etc/systemd/system/companion-update.path",
    "companion-door.socket": "etc/systemd/system/companion-door.socket",
    "companion-door@.service": "etc/systemd/system/companion-door@.service",
    "companion.sysusers": "usr/lib/sysusers.d/companion.conf",
    "companion.tmpfiles": "usr/lib/tmpfiles.d/companion.conf",
    "companion.rules": "usr/lib/udev/rules.d/70-companion.rules",
    "companion.avahi": "etc/avahi/services/companion.service",
    "companion.journald": "usr/lib/systemd/journald.conf.d/60-companion.conf",
}
CONFIGURED: Final = {
    "companion.toml": "etc/companion/companion.toml",
    "update.toml": "etc/companion/update.toml",
}
LAUNCHER: Final = "start"
COMMAND: Final = "usr/local/bin/companion"


def files_folder() -> Path:
    """Where these files lie: in the package, or in the working folder beside it."""
    packed = Path(__file__).parent / "files"
    return packed if packed.is_dir() else Path(__file__).parents[2] / "systemd"


def place(layout: Places, factory: str) -> list[str]:
    """Puts every file in its place; gives those that were not there, or were others. `factory` is which pins a first
    config names. Raises `OSError`."""
    changed = []
    for name, where in CONFIGURED.items():
        if not (layout.root / where).exists():
            content = (files_folder() / name).read_text(encoding="utf-8").replace("@FACTORY@", factory)
            changed += _put(layout.root / where, content.encode())
    if (said := fit_config(layout.config, factory)) is not None:
        write_told(layout.told_of_config, "done", said, anew=True)
        changed.append(str(layout.config))
    port, _ = port_of(layout.config)
    for name, where in FILES.items():
        content = (files_folder() / name).read_text(encoding="utf-8").replace("@PORT@", str(port))
        changed += _put(layout.root / where, content.encode())
    launcher = Path(__file__).with_name("launch.py").read_text(encoding="utf-8")
    python = f"{sys.base_prefix}/bin/python3"  # of the machine, not of a version
    changed += _put(layout.opt / LAUNCHER, launcher.replace("/usr/bin/python3", python, 1).encode(), 0o755)
    command, leads_to = layout.root / COMMAND, "/opt/companion/current/bin/companion"
    if not command.is_symlink() or str(command.readlink()) != leads_to:
        command.parent.mkdir(parents=True, exist_ok=True)
        new = command.with_name(".companion.new")
        new.unlink(missing_ok=True)
        new.symlink_to(leads_to)
        new.replace(command)
        changed.append(COMMAND)
    return changed


def _put(path: Path, content: bytes, mode: int = 0o644) -> list[str]:
    if path.is_file() and path.read_bytes() == content:
        return []
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, content, mode)
    return [str(path)]
