"""Cameras by what the system says of them."""

from __future__ import annotations

from pathlib import Path

from hardware.found_cameras import FoundCamera, found_cameras


def device(folder: Path, name: str, said: bytes | None, index: str | None = "0") -> None:
    (folder / name).mkdir(parents=True)
    if said is not None:
        (folder / name / "name").write_bytes(said)
    if index is not None:
        (folder / name / "index").write_text(f"{index}\n")


def none(_: str) -> None:
    """No library is there."""


def test_cameras_are_found_by_number_and_name_each_once(tmp_path: Path) -> None:
    device(tmp_path, "video10", b"HD Pro Webcam C920\n")
    device(tmp_path, "video2", b"USB Camera: USB Camera\n")
    device(tmp_path, "video3", b"USB Camera: USB Camera\n", "1")
    assert found_cameras(tmp_path, none) == (
        FoundCamera(2, "USB Camera: USB Camera"), FoundCamera(10, "HD Pro Webcam C920"))


def test_what_a_pi_computes_with_is_no_camera_and_its_own_comes_first(tmp_path: Path) -> None:
    for number, name in enumerate((b"unicam-image", b"bcm2835-codec-decode", b"pispbe-input", b"rp1-cfe-csi2_ch0")):
        device(tmp_path, f"video{number}", name)
    device(tmp_path, "video9", b"Cam")
    assert found_cameras(tmp_path, lambda _: "there") == (FoundCamera("picamera2", ""), FoundCamera(9, "Cam"))


def test_strange_devices_do_no_harm(tmp_path: Path) -> None:
    for name in ("video64", "video-1", "videoX", "v4l-subdev0"):
        device(tmp_path, name, b"x")
    device(tmp_path, "video1", b"\xff\x00\x1b[2J" + b"n" * 500)
    device(tmp_path, "video5", None, None)
    named, bare = found_cameras(tmp_path, none)
    assert (named.source, len(named.label) <= 60, named.label.isprintable()) == (1, True, True)
    assert bare == FoundCamera(5, "video5")


def test_a_machine_without_any_has_none(tmp_path: Path) -> None:
    assert found_cameras(tmp_path / "nowhere", none) == ()
