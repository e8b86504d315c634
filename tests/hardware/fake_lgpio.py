"""A stand-in for the library `lgpio`: lines of a chip that keep their level, as those of a Raspberry Pi do.

    >>> chip = FakeLgpio()
    >>> handle = chip.gpiochip_open(0)
    >>> chip.gpio_claim_output(handle, 18)
    0
    >>> chip.tx_pwm(handle, 18, 440, 50), chip.tx_pwm(handle, 18, 0, 0)
    (0, 0)
    >>> chip.level(18)                      # the wave ended while it was high, and so it stays
    1

Time stands still until `play` moves it, so that contacts bounce the same way each time. A line is debounced as the
kernel does it: a level is told once it has not changed for the debounce time. What the library raises is raised here,
too, with its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

OUT, PULLS = 1 << 1, 0xE0
INPUT, OUTPUT, ALERT = 0x100, 0x200, 0x400
OWNED = INPUT | OUTPUT | ALERT
LINES = 54


class LgpioError(Exception):
    def __str__(self) -> str:
        return repr(self.args[0])


@dataclass
class Line:
    level: int = 0
    mode: int = 0
    debounce_s: float = 0.0
    told: int = 0
    """The level that was told last."""
    callbacks: list[Callable[..., object]] = field(default_factory=list)


class FakeLgpio(ModuleType):
    """The module. `busy` are lines that another program has."""

    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 0x20, 0x40, 0x80
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    GPIO_BUSY = -79
    error = LgpioError

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.lines = [Line() for _ in range(LINES)]
        self.busy: set[int] = set()
        self.now_s = 1000.0

    def level(self, gpio: int) -> int:
        """What a meter would read at the pin."""
        return self.lines[gpio].level

    def play(self, gpio: int, edges: Iterable[tuple[float, int]], settle_s: float = 0.1) -> None:
        """Levels of an input one after the other: (seconds from now, level); callbacks are called when each is due."""
        began_s, line = self.now_s, self.lines[gpio]
        for after_s, level in edges:
            self._pass(line, gpio, began_s + after_s)
            line.level = level
        self._pass(line, gpio, self.now_s + settle_s)

    def _pass(self, line: Line, gpio: int, until_s: float) -> None:
        """Time goes on; the line does not change meanwhile."""
        due_s = self.now_s + line.debounce_s
        if line.level != line.told and due_s <= until_s:
            self.now_s, line.told = due_s, line.level
            for callback in list(line.callbacks):
                callback(0, gpio, line.level, int(due_s * 1e9))
        self.now_s = until_s

    # --- the library's own functions ----------------------------------------------------------------------------------

    def gpiochip_open(self, chip: int) -> int:
        return chip

    def gpiochip_close(self, handle: int) -> int:
        for line in self.lines:
            line.mode = 0  # the levels stay
        return handle

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        return 0, LINES, "gpiochip0", "pinctrl-fake"

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self.lines[gpio].mode

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> int:
        return self._claim(gpio, INPUT | (flags & PULLS))

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0, flags: int = 0) -> int:
        self._claim(gpio, OUTPUT | OUT)
        self.lines[gpio].level = int(level)
        return 0

    def gpio_claim_alert(self, handle: int, gpio: int, edges: int, flags: int = 0, notify: Any = None) -> int:
        self._claim(gpio, ALERT | (flags & PULLS))
        self.lines[gpio].told = self.lines[gpio].level
        return 0

    def _claim(self, gpio: int, mode: int) -> int:
        if gpio in self.busy:
            raise LgpioError("GPIO busy")
        line = self.lines[gpio]
        line.mode = mode
        if mode & self.SET_PULL_UP:
            line.level = 1
        return 0

    def gpio_free(self, handle: int, gpio: int) -> int:
        if not self.lines[gpio].mode & OWNED:
            raise LgpioError("GPIO not allocated")
        self.lines[gpio].mode = 0
        return 0

    def gpio_read(self, handle: int, gpio: int) -> int:
        return self.lines[gpio].level

    def gpio_write(self, handle: int, gpio: int, level: int) -> int:
        assert self.lines[gpio].mode & OUTPUT
        self.lines[gpio].level = int(level)
        return 0

    def tx_pwm(self, handle: int, gpio: int, hertz: float, duty: float) -> int:
        """A wave is high while it lasts: the moment at which it is stopped is the worst there is."""
        assert self.lines[gpio].mode & OUTPUT
        if hertz:
            self.lines[gpio].level = int(duty > 0)
        return 0

    def gpio_set_debounce_micros(self, handle: int, gpio: int, micros: int) -> int:
        self.lines[gpio].debounce_s = micros / 1e6
        return 0

    def callback(self, handle: int, gpio: int, edge: int = 1, func: Any = None) -> Any:
        callbacks = self.lines[gpio].callbacks
        callbacks.append(func)

        class Callback:
            def cancel(self) -> None:
                if func in callbacks:
                    callbacks.remove(func)

        return Callback()

    def error_text(self, number: int) -> str:
        return {self.GPIO_BUSY: "GPIO busy"}.get(number, str(number))
