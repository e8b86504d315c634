"""A stand-in for the original RPi.GPIO, on the lines of a fake chip: what gpiozero asks of it, and no more."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from tests.hardware.fake_lgpio import FakeLgpio


class FakeRpiGpio(ModuleType):
    """The module RPi.GPIO."""

    BCM, IN, OUT = 11, 1, 0
    I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 42, 41, 43, 40, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33

    def __init__(self, chip: FakeLgpio) -> None:
        super().__init__("RPi.GPIO")
        self.chip = chip
        self._callbacks: dict[int, Any] = {}

        class PWM:
            """Stops as the chip's waves do: at the level that the pin has just then."""

            def __init__(self, pin: int, hertz: float) -> None:
                self._pin, self._hertz = pin, hertz

            def start(self, duty: float) -> None:
                chip.tx_pwm(0, self._pin, self._hertz, duty)

            ChangeDutyCycle = start

            def ChangeFrequency(self, hertz: float) -> None:
                self._hertz = hertz

            def stop(self) -> None:
                chip.tx_pwm(0, self._pin, 0, 0)

        self.PWM = PWM

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setwarnings(self, on: bool) -> None:
        pass

    def setup(self, pin: int, direction: int, pull: int = PUD_OFF, initial: int | None = None) -> None:
        try:
            if direction == self.OUT:
                self.chip.gpio_claim_output(0, pin, self.chip.level(pin) if initial is None else initial)
            else:
                self.chip.gpio_claim_input(0, pin, self.chip.SET_PULL_UP if pull == self.PUD_UP else 0)
        except self.chip.error as error:
            raise RuntimeError("The GPIO channel is busy") from error

    def gpio_function(self, pin: int) -> int:
        return self.OUT if self.chip.gpio_get_mode(0, pin) & 2 else self.IN

    def input(self, pin: int) -> int:
        return self.chip.gpio_read(0, pin)

    def output(self, pin: int, level: float) -> None:
        self.chip.gpio_write(0, pin, bool(level))

    def cleanup(self, pin: int | None = None) -> None:
        """Pins become inputs and are given back; nobody drives them any more."""

    def add_event_detect(self, pin: int, edge: int, callback: Callable[[int], object], bouncetime: int) -> None:
        self.chip.lines[pin].told = self.chip.level(pin)
        if bouncetime > 0:
            self.chip.gpio_set_debounce_micros(0, pin, bouncetime * 1000)
        self._callbacks[pin] = self.chip.callback(0, pin, func=lambda *_: callback(pin))

    def remove_event_detect(self, pin: int) -> None:
        self._callbacks.pop(pin).cancel()
