"""A phone as a camera, by its address: its pictures, and what is told when it gives none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from socket import create_server, socket
from threading import Thread

import pytest

from companion.errors import HardwareError, Phrase
from companion.session.camera_address import host_of, is_address
from companion.session.config import SourceConfig, read_config
from companion.cli.run import source_named
from hardware.camera import camera_for, frames
from hardware.sources.network import NetworkCamera
from hardware.sources.no_stream import why_no_stream
from tests.hardware.network_cameras import BASIC, DIGEST, numbered, phone
from tests.hardware.rtsp_camera import rtsp_camera
from vision.imaging.frame import Frame

PATIENCE_S = 1.0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with phone() as found:
        yield found


def test_its_pictures_come_the_newest_first(address: str) -> None:
    camera = NetworkCamera(f"{address}/video-stays?12", timeout_s=PATIENCE_S)
    camera.open()
    seen: list[Frame] = []
    with suppress(HardwareError):  # after the last picture
        while len(seen) < 20:
            seen += filter(None, [camera.read()])
    with pytest.raises(HardwareError, match="net_lost"):
        camera.read()
    camera.close()
    camera.close()

    assert all(each.image.shape == (180, 320, 3) and each.small.shape == (180, 320, 3) for each in seen)
    assert [each.number for each in seen] == list(range(len(seen)))
    assert seen[-1].image.mean() == pytest.approx(20 + 10 * 11, abs=12)
    assert [each.at_s for each in seen] == sorted(each.at_s for each in seen)
    assert not camera.expose(2.0)


def test_a_camera_with_rtsp_gives_its_pictures_and_is_lost_when_it_stays_silent() -> None:
    with rtsp_camera([numbered(n) for n in range(40)]) as url:
        camera = NetworkCamera(url, timeout_s=2 * PATIENCE_S)
        camera.open()
        seen: list[Frame] = []
        with suppress(HardwareError):  # after the last picture
            while len(seen) < 40:
                seen += filter(None, [camera.read()])
        with pytest.raises(HardwareError, match="net_lost"):
            camera.read()
        camera.close()

    assert len(seen) >= 3
    assert all(each.image.shape == (176, 320, 3) for each in seen)
    light = [float(each.image.mean()) for each in seen]
    assert light[-1] != pytest.approx(light[0], abs=5.0), "they are different pictures"


@pytest.mark.parametrize(("path", "id"), [
    ("/page", "hw.net_page"), ("/private", "hw.net_denied"), ("/gone", "hw.net_refused"), ("/late", "hw.net_late"),
    ("/nothing", "hw.net_slow"),
])  # fmt: skip
def test_what_it_answers_instead_of_pictures_is_told(address: str, path: str, id: str) -> None:
    with pytest.raises(HardwareError, match=id.replace(".", r"\.")):
        NetworkCamera(address + path, timeout_s=PATIENCE_S).open()


def test_who_watches_over_it_is_told_how_long_an_address_that_answers_late_may_take(address: str) -> None:
    allowed: list[float] = []
    camera, start_s = NetworkCamera(address + "/late", timeout_s=PATIENCE_S, allow=allowed.append), time.monotonic()
    with pytest.raises(HardwareError):
        camera.open()
    assert allowed == [2 * PATIENCE_S]
    assert time.monotonic() - start_s < allowed[0] + PATIENCE_S


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/video", "rtsp://127.0.0.1:9/video"])
def test_one_that_is_not_there_is_told(url: str) -> None:
    with pytest.raises(HardwareError, match="net_silent"):
        NetworkCamera(url, timeout_s=PATIENCE_S).open()


@pytest.mark.parametrize("path", ["/locked", "/locked-digest"])
@pytest.mark.parametrize(("who", "id"), [
    ("ann:p%40ss%20word@", "hw.net_page"), ("ann:wrong@", "hw.net_denied"), ("", "hw.net_denied"),
])  # fmt: skip
def test_name_and_password_of_the_address_are_sent_to_a_camera_that_wants_them(
    address: str, path: str, who: str, id: str
) -> None:
    assert why_no_stream(f"http://{who}{address.removeprefix('http://')}{path}", PATIENCE_S).id == id


@pytest.mark.parametrize("wanted", [BASIC, DIGEST, 'Digest realm="camera", nonce="n0nce"'])
def test_a_camera_with_rtsp_says_whether_name_and_password_are_wrong(wanted: str) -> None:
    with rtsp_camera([], wanted) as url:
        for who, id in (("ann:p%40ss%20word@", "hw.net_slow"), ("ann:wrong@", "hw.net_denied"), ("", "hw.net_denied")):
            assert why_no_stream(url.replace("//", f"//{who}"), PATIENCE_S).id == id


def test_a_wrong_password_is_told_when_the_camera_is_opened() -> None:
    with rtsp_camera([numbered(0)], DIGEST) as url, pytest.raises(HardwareError, match="net_denied") as told:
        NetworkCamera(url.replace("//", "//ann:wrong@"), timeout_s=PATIENCE_S).open()
    assert "wrong" not in str(told.value)


@pytest.mark.parametrize(("answers", "id"), [
    (b"RTSP/1.0 404 Not found\r\n\r\n", "hw.net_refused"), (b"HTTP/1.0 200 OK\r\n\r\n", "hw.net_page"),
    (b"hello\r\n\r\n", "hw.net_silent"), (b"", "hw.net_silent"),
])  # fmt: skip
def test_what_answers_at_an_rtsp_address_instead_of_a_camera_is_told(answers: bytes, id: str) -> None:
    with create_server(("127.0.0.1", 0)) as server:
        asked = Thread(target=lambda: _answer_once(server, answers))
        asked.start()
        assert why_no_stream(f"rtsp://127.0.0.1:{server.getsockname()[1]}/video", PATIENCE_S).id == id
        asked.join()


def _answer_once(server: socket, answers: bytes) -> None:
    link, _ = server.accept()
    with link:
        link.recv(4096)
        link.sendall(answers)


def test_an_rtsp_address_that_answers_nothing_is_late() -> None:
    with create_server(("127.0.0.1", 0)) as server:
        url = f"rtsp://127.0.0.1:{server.getsockname()[1]}/video"
        assert why_no_stream(url, 0.2).id == "hw.net_late"


def test_no_password_is_ever_shown() -> None:
    said = why_no_stream("rtsp://ann:secret@127.0.0.1:9/video?key=1", PATIENCE_S)
    assert dict(said.args) == {"where": "127.0.0.1:9", "number": 1}
    assert host_of("http://ann:secret@phone.local/video") == "phone.local"


def test_a_camera_that_ends_is_tried_again_after_pauses_that_grow(address: str) -> None:
    told: list[Phrase | None] = []
    slept: list[float] = []
    seen = 0
    for _ in frames(NetworkCamera(f"{address}/video?8", timeout_s=PATIENCE_S), told.append, slept.append):
        seen += 1
        if len(slept) >= 2:
            break

    assert seen >= 3, "after each pause pictures came again"
    assert [each.id for each in told if each is not None] == ["hw.net_lost"] * 2
    assert slept == [1.0, 1.0], "as pictures came in between"


@pytest.mark.parametrize("given", [
    "http://", "http:///video", "ftp://phone/video", "http://phone:x/video", "http://a b", 7, "http://" + "x" * 300])
def test_what_is_no_address_is_none(given: object) -> None:
    assert not is_address(given)


def test_an_address_is_a_source_like_any_other() -> None:
    url = "http://phone.local:8080/video"
    assert isinstance(camera_for(SourceConfig("camera", camera=url)), NetworkCamera)
    assert read_config({"source": {"kind": "camera", "camera": url}}).source.camera == url
    named = source_named(url, SourceConfig())
    assert (named.kind, named.camera) == ("camera", url)
