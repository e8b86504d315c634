"""A box that starts before its network says where it is once it is there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import greeting
from companion.cli.greeting import LOOK_EVERY_S, await_network, greet
from companion.words import load
from web.reach import ALONE

SERVICE: Any = SimpleNamespace(address=("0.0.0.0", 8080), fingerprint="")


def test_the_address_is_told_again_when_the_network_comes() -> None:
    looks, waited, told = iter([ALONE, ALONE, "192.168.1.7"]), list[float](), list[str]()
    await_network("0.0.0.0", told.append, lambda _: next(looks), waited.append)
    assert told == ["192.168.1.7"]
    assert waited == [LOOK_EVERY_S, LOOK_EVERY_S]


def test_a_start_without_a_network_says_so_and_waits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = iter([ALONE])
    monkeypatch.setattr(greeting, "reachable", lambda _: next(found))
    monkeypatch.setattr(greeting, "await_network", lambda host, tell: tell("192.168.1.7"))
    greet(SERVICE, load())
    for thread in greeting_threads():
        thread.join()
    lines = capsys.readouterr().out.splitlines()
    assert "http://127.0.0.1:8080/" in lines[0]
    assert "no network yet" in lines[1]
    assert "http://192.168.1.7:8080/" in lines[2]


@pytest.mark.parametrize(("host", "found"), [("0.0.0.0", "192.168.1.7"), (ALONE, ALONE)])
def test_who_has_a_network_or_wants_none_is_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], host: str, found: str
) -> None:
    monkeypatch.setattr(greeting, "reachable", lambda _: found)
    greet(SimpleNamespace(address=(host, 8080), fingerprint=""), load())  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines() == [
        f"The companion is ready: open http://{found}:8080/ on a phone in the same network. Ctrl+C stops it."]


def greeting_threads() -> list[Any]:
    from threading import enumerate as threads

    return [each for each in threads() if each.name == "network"]
