"""A stand-in for the modules picamera2 and libcamera that insists on the order and arguments of the real ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

BUFFERS_WANTED = range(2, 5)
AUTO, MANUAL = "auto", "manual"


class FakePicamera2:
    """One camera. `script` is what the next requests do: "picture" or "timeout"; it ends in pictures for ever."""

    model = "imx708"
    controls_there = ("AfMode", "ExposureTime")
    focus_fails = False
    ae_locks_after = 3
    padding = 0
    scene: Any = None
    """What lies before the camera: a picture under the controls that are held."""
    stamp_ns = 0

    def __init__(self, index: int) -> None:
        self.index, self.calls = index, ["open"]
        self.script: list[str] = []
        self.camera_properties = {"Model": self.model}
        self.camera_controls = dict.fromkeys(self.controls_there)
        self.held: dict[str, Any] = {}
        self.leaked = self.out = self.taken = 0

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        assert wanted["raw"] is None, "a raw stream of full size would eat the memory"
        assert wanted["sensor"]["output_size"] == wanted["main"]["size"], "another size may crop the view"
        assert wanted["buffer_count"] in BUFFERS_WANTED
        assert wanted["main"]["format"] == "RGB888"
        assert wanted["lores"]["format"] == "YUV420", "a Pi 4 can give nothing else"
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        assert self.calls == ["open"]
        self.calls.append("configure")
        self.configuration = configuration

    def start(self) -> None:
        assert self.calls[-1] == "configure"
        self.calls.append("start")

    def autofocus_cycle(self, wait: float) -> bool:
        assert wait > 0
        assert self.calls[-1] == "start"
        self.calls.append("focus")
        if self.focus_fails:
            raise TimeoutError
        return True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.calls.append("controls")
        self.held |= controls

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        assert wait > 0
        self._next()
        self.taken += 1
        return self._metadata()

    def _metadata(self) -> dict[str, Any]:
        return {
            "AeLocked": self.taken >= self.ae_locks_after,
            "ExposureTime": self.held.get("ExposureTime", 9000 + self.taken),
            "AnalogueGain": self.held.get("AnalogueGain", 2.0),
            "ColourGains": self.held.get("ColourGains", (1.5, 1.8)),
            "LensPosition": 1.4,
            "SensorTimestamp": self.stamp_ns,
        }

    @contextmanager
    def captured_request(self, wait: float) -> Iterator[Any]:
        assert wait > 0, "a request without a limit can block for ever"
        self._next()
        self.out += 1
        try:
            yield SimpleNamespace(make_array=self._array, get_metadata=self._metadata)
        finally:
            self.out -= 1

    def _next(self) -> None:
        assert "start" in self.calls
        assert self.leaked < self.configuration["buffer_count"], "all buffers are lost: the camera starves"
        if self.script and self.script.pop(0) == "timeout":
            self.leaked += 1
            raise TimeoutError

    def _array(self, name: str) -> np.ndarray:
        width, height = self.configuration[name]["size"]
        if name == "main" and self.scene is not None:
            return np.asarray(self.scene(self._metadata()))
        if name == "main":
            return np.full((height, width, 3), (10, 20, 30), np.uint8)
        return np.full((height * 3 // 2, width + self.padding), 128, np.uint8)

    def cancel_all_and_flush(self) -> None:
        self.calls.append("flush")
        self.leaked = 0

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        assert self.calls[-1] == "stop"
        self.calls.append("close")


class Modules:
    """Loads the fakes by name; `cameras` are those that were opened. `trouble` is raised by the next opening."""

    def __init__(self, trouble: Exception | None = None, **traits: Any) -> None:
        self.cameras: list[FakePicamera2] = []
        self._trouble, self._traits = trouble, traits

    def __call__(self, name: str) -> Any:
        if name == "libcamera":
            return SimpleNamespace(controls=SimpleNamespace(AfModeEnum=SimpleNamespace(Auto=AUTO, Manual=MANUAL)))
        assert name == "picamera2"
        return SimpleNamespace(Picamera2=self._open)

    def _open(self, index: int) -> FakePicamera2:
        if self._trouble is not None:
            raise self._trouble
        self.cameras.append(type("Traited", (FakePicamera2,), self._traits)(index))
        return self.cameras[-1]
