"""The file for the first start of a card, as far as it can be checked without one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

FIRSTBOOT = Path(__file__).parents[2] / "systemd" / "firstboot"
USER_DATA = FIRSTBOOT / "user-data"
KINDS = {
    "hostname": str, "manage_etc_hosts": bool, "package_update": bool, "packages": list, "runcmd": list,
    "ssh_pwauth": bool, "timezone": str, "users": list, "write_files": list,
}
"""Modules of cloud-init that are allowed here, and what each is given."""


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    return dict(yaml.safe_load(USER_DATA.read_text(encoding="utf-8")))


def test_cloud_init_takes_it_for_its_own() -> None:
    assert USER_DATA.read_text(encoding="utf-8").splitlines()[0] == "#cloud-config"


def test_every_key_is_one_of_cloud_init_and_of_its_kind(given: dict[str, Any]) -> None:
    assert {key: type(value) for key, value in given.items()} == {key: KINDS[key] for key in given}
    assert all(isinstance(each, str) and each for each in given["runcmd"])


@pytest.mark.parametrize("script", sorted(FIRSTBOOT.glob("*.sh")), ids=lambda script: script.name)
def test_the_scripts_are_sound(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", str(script)], check=True)


def test_both_ways_lead_to_the_same_script_that_runs_the_installer(given: dict[str, Any]) -> None:
    (line,) = given["runcmd"]
    assert line == "sh /boot/firmware/companion-firstboot.sh --now"
    assert 'sh "$boot/companion-firstboot.sh"' in (FIRSTBOOT / "firstrun.sh").read_text(encoding="utf-8")
    script = (FIRSTBOOT / "companion-firstboot.sh").read_text(encoding="utf-8")
    assert "\nrepository=REPOSITORY\n" in script, "the person who writes the card puts the address there"
    assert 'sh "$source/systemd/install.sh"' in script
    assert (FIRSTBOOT.parent / "install.sh").is_file()


def test_the_page_says_the_name_that_the_file_gives(given: dict[str, Any]) -> None:
    page = (USER_DATA.parents[2] / "docs" / "on-a-pi.md").read_text(encoding="utf-8")
    assert f"http://{given['hostname']}.local" in page
    assert "`REPOSITORY`" in page
