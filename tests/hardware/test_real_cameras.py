"""Where they can be had: the real picamera2, which the fake must be like, and a camera of the kernel's."""

from __future__ import annotations

import ast
import fcntl
import inspect
import struct
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from hardware.found_cameras import V4L2
from hardware.sources.opencv import OpenCVCamera
from tests.hardware.fake_picamera2 import FakePicamera2

ASKED_OF_IT = (
    "create_video_configuration", "configure", "start", "autofocus_cycle", "set_controls", "capture_metadata",
    "captured_request", "cancel_all_and_flush", "stop", "close",
)


def real_source() -> ast.ClassDef:
    """The class Picamera2 as its package has it; libcamera, which nobody has off a Pi, is not needed for that."""
    spec = find_spec("picamera2")
    if spec is None or spec.origin is None:
        pytest.skip("picamera2 is not installed: pip install --no-deps picamera2")
    tree = ast.parse((Path(spec.origin).parent / "picamera2.py").read_text(encoding="utf-8"))
    return next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Picamera2")


def test_the_fake_is_called_as_the_real_one_can_be() -> None:
    real = {each.name: {arg.arg for arg in (*each.args.args, *each.args.kwonlyargs)}
            for each in real_source().body if isinstance(each, ast.FunctionDef)}
    for name in ASKED_OF_IT:
        wanted = inspect.signature(getattr(FakePicamera2, name)).parameters.values()
        named = {each.name for each in wanted if each.kind is each.POSITIONAL_OR_KEYWORD}
        assert len(named) <= len(real[name]), name
        assert named & {"wait"} <= real[name], name
    assert {"main", "lores", "raw", "sensor", "buffer_count", "controls"} <= real["create_video_configuration"]


WIDTH, HEIGHT = 640, 360
SET_FORMAT, VIDEO_OUTPUT = 0xC0D05605, 2
YUYV = int.from_bytes(b"YUYV", "little")


@pytest.fixture
def loopback() -> Iterator[int]:
    """The number of a loopback device that gives grey pictures."""
    names = {each.name: (each / "name").read_text() for each in V4L2.glob("video*")}
    number = next((int(each.removeprefix("video")) for each, name in names.items() if "ummy" in name), None)
    if number is None:
        pytest.skip("this kernel has no v4l2loopback (modprobe v4l2loopback exclusive_caps=0)")
    pix = struct.pack("8I", WIDTH, HEIGHT, YUYV, 1, 2 * WIDTH, 2 * WIDTH * HEIGHT, 8, 0)
    with open(f"/dev/video{number}", "r+b", buffering=0) as device:
        fcntl.ioctl(device, SET_FORMAT, struct.pack("I4x", VIDEO_OUTPUT) + pix.ljust(200, b"\0"))
        device.write(np.full(2 * WIDTH * HEIGHT, 128, np.uint8).tobytes())
        yield number


def test_a_camera_of_the_kernel_gives_pictures(loopback: int) -> None:
    camera = OpenCVCamera(loopback)
    camera.open()
    try:
        frame = camera.read()
    finally:
        camera.close()
    assert frame is not None
    assert frame.image.shape == (HEIGHT, WIDTH, 3)
    assert abs(int(frame.image.mean()) - 128) < 12
