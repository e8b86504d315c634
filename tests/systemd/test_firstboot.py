"""The file for the first start of a card, as far as it can be checked without one."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

USER_DATA = Path(__file__).parents[2] / "systemd" / "firstboot" / "user-data"
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
    assert all(isinstance(each, str) and each for each in (*given["packages"], *given["runcmd"]))


def test_its_lines_are_sound_and_run_the_installer_of_what_they_fetch(given: dict[str, Any]) -> None:
    for line in given["runcmd"]:
        subprocess.run(["sh", "-n", "-c", line], check=True)
    fetch, install = given["runcmd"]
    folder = fetch.split()[-1]
    assert "REPOSITORY" in fetch, "the person who writes the card puts the address there"
    assert install == f"sh {folder}/systemd/install.sh"
    assert (USER_DATA.parents[1] / "install.sh").is_file()
    assert "git" in given["packages"]
    assert given["package_update"], "a fresh card knows no packages"


def test_the_page_says_the_name_that_the_file_gives(given: dict[str, Any]) -> None:
    page = (USER_DATA.parents[2] / "docs" / "on-a-pi.md").read_text(encoding="utf-8")
    assert f"http://{given['hostname']}.local" in page
    assert "`REPOSITORY`" in page
