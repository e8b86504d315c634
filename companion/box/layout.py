"""Where an installed companion lies. All paths are below `root`, which tests make."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one machine."""

    root: Path = Path("/")

    @property
    def opt(self) -> Path:
        """The program."""
        return self.root / "opt/companion"

    @property
    def versions(self) -> Path:
        """A Python environment a version."""
        return self.opt / "versions"

    @property
    def current(self) -> Path:
        """A link to the version in use."""
        return self.opt / "current"

    @property
    def before(self) -> Path:
        """A link to the version that was in use before it."""
        return self.opt / "before"

    @property
    def trial(self) -> Path:
        """Says, while a new version is on trial, how to go back."""
        return self.opt / "trial.json"

    @property
    def config(self) -> Path:
        """What people configure."""
        return self.root / "etc/companion/companion.toml"

    @property
    def sources(self) -> Path:
        """Root's config: from where updates come."""
        return self.root / "etc/companion/update.toml"

    @property
    def state(self) -> Path:
        """Games, pieces and settings: the service's own."""
        return self.root / "var/lib/companion"

    @property
    def told(self) -> Path:
        """What the updater tells: root's own, for all to read."""
        return self.root / "var/lib/companion-update/told.json"

    @property
    def told_of_config(self) -> Path:
        """What it tells when it wrote the config anew."""
        return self.told.with_name("config.json")

    @property
    def is_real(self) -> bool:
        """Whether this is the machine itself."""
        return self.root == Path("/")
