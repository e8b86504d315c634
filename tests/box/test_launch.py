"""The launcher: which version it goes on as, and when it stops trying."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from companion.box import launch
from tests.box.installed import put_version


class WentOnError(Exception):
    """Instead of another program."""


@pytest.fixture
def opt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    opt = tmp_path / "opt"
    for name in ("0001-a", "0002-b", "0003-c"):
        put_version(opt, name)
    (opt / "current").symlink_to("versions/0003-c")
    (opt / "before").symlink_to("versions/0002-b")

    def go_on_as(folder: Path, module: Sequence[str], environ: Mapping[str, str]) -> None:
        if (folder / "gone").exists():
            raise OSError("no such program")
        raise WentOnError(folder.name, module[0], environ.get(launch.DAMAGED_ENV, ""))

    monkeypatch.setattr(launch, "go_on_as", go_on_as)
    return opt


def start(opt: Path) -> tuple[str, str, str]:
    with pytest.raises(WentOnError) as went:
        launch.main(["--config", "x"], {"RUNTIME_DIRECTORY": str(opt)}, opt)
    return went.value.args


def test_the_version_in_use_is_started_and_the_start_is_counted(opt: Path) -> None:
    assert start(opt) == ("0003-c", "companion.cli.main", "")
    assert launch.read_lives(opt) == (1, 1)


def test_after_three_failed_starts_comes_the_safe_mode_and_stays(opt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "is_sound", lambda folder: True)
    assert [start(opt)[1] for _ in range(5)] == ["companion.cli.main"] * 3 + ["companion.box.safe"] * 2


def test_a_version_that_cannot_even_tell_why_is_left_for_the_one_before(
    opt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "is_sound", lambda folder: folder.name != "0003-c")
    launch.write_lives(opt, 3, 3)
    assert start(opt) == ("0002-b", "companion.cli.main", "0003-c")


def test_a_version_whose_python_is_gone_is_passed_over_at_once(opt: Path) -> None:
    (opt / "versions/0003-c/gone").touch()
    assert start(opt)[0] == "0002-b"


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_version_that_is_not_whole_is_never_started(opt: Path, content: str) -> None:
    (opt / "versions/0003-c" / launch.COMPLETE_NAME).write_text(content)
    (opt / "versions/0002-b" / launch.COMPLETE_NAME).unlink()
    assert start(opt)[0] == "0001-a"


def test_links_that_lead_nowhere_hide_no_version(opt: Path) -> None:
    (opt / "current").unlink()
    (opt / "before").unlink()
    (opt / "current").symlink_to("versions/nothing")
    assert start(opt)[0] == "0003-c"


@pytest.mark.parametrize(("failed", "result", "status", "left"), [
    (2, "success", "0", (0, 0)),
    (0, "signal", "KILL", (0, 3)),   # killed after its pages were up: no fault of its own
    (1, "signal", "KILL", (1, 4)),   # killed while it started
    (0, "watchdog", "ABRT", (0, 4)),
    (0, "oom-kill", "KILL", (0, 4)),
    (1, "exit-code", "2", (1, 4)),
])  # fmt: skip
def test_what_counts_of_a_life(tmp_path: Path, failed: int, result: str, status: str, left: tuple[int, int]) -> None:
    launch.write_lives(tmp_path, failed, 4)
    said = {"RUNTIME_DIRECTORY": str(tmp_path), "SERVICE_RESULT": result, "EXIT_STATUS": status}
    assert launch.main(["--ended"], said, tmp_path) == 0
    assert launch.read_lives(tmp_path) == left


@pytest.mark.parametrize("content", ["", "[1]", '{"failed": "x", "short": 1}', "\0"])
def test_counts_that_cannot_be_read_count_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / launch.LIVES_NAME).write_text(content)
    assert launch.read_lives(tmp_path) == (0, 0)


def test_where_nothing_can_be_counted_it_starts_all_the_same(opt: Path) -> None:
    with pytest.raises(WentOnError):
        launch.main([], {"RUNTIME_DIRECTORY": "/proc/nothing"}, opt)


@pytest.mark.parametrize(("request_", "where"), [
    (b"GET / HTTP/1.1\r\nHost: tabletop.local\r\n\r\n", "http://tabletop.local:8080/"),
    (b"GET /eyes?x=1 HTTP/1.1\r\nHost: 192.168.1.9:80\r\n\r\n", "http://192.168.1.9:8080/eyes?x=1"),
    (b"GET / HTTP/1.1\r\nhost: [fe80::1]\r\n\r\n", "http://[fe80::1]:8080/"),
])
def test_the_door_leads_to_the_pages(request_: bytes, where: str) -> None:
    assert f"Location: {where}\r\n".encode() in launch.answer_of(request_, 8080, False)


@pytest.mark.parametrize("request_", [
    b"", b"\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET x HTTP/1.1\r\nHost: a\r\n\r\n", b"\xff\xfe\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\nb\r\n\r\n", b"GET /\nSet-Cookie:x HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil/../x\r\n\r\n",
])  # fmt: skip
def test_the_door_refuses_what_is_no_request(request_: bytes) -> None:
    assert launch.answer_of(request_, 8080, False).startswith(b"HTTP/1.1 400")


def test_the_port_is_that_of_the_config(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    assert launch.port_of(config) == (8080, False)
    config.write_text("[server]\nport = 99\ntls = true\n")
    assert launch.port_of(config) == (99, True)
    for wrong in ("server = 3", "[server]\nport = []", "[", json.dumps({})):
        config.write_text(wrong)
        assert launch.port_of(config) == (8080, False)
