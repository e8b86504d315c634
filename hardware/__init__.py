"""The body: camera sources, buttons, lamps, buzzer, wiring. gpiozero, OpenCV capture and picamera2 live here.

Looks down at `companion` and at `vision.frames`; never at `web`. Callbacks only put a value into the inbox.

    camera      the protocol of a camera, and `steady`, which opens it again when it was lost
    sources     picture set, OpenCV capture, picamera2, none
    lamps       what the lamps and the buzzer should do: pure functions of the state and the time
    buttons     the buttons on their pins
    presses     edges of the buttons → short and long presses, two held together
    board       all pins of one companion: buttons, lamps, buzzer
    driver      the thread that lets the board say what the table is like
    panel       the board as the page /panel shows and presses it
    pins        which pins: by lgpio, by the module RPi.GPIO, or gpiozero's mock pins
    holders     which other programs have a device open
    wiring      what to solder where, and pins that others like to use
    doctor      what is missing on this machine, and the one line that helps
    last_pins   which pins the service used last, kept in its state folder
    off         switches every lamp off (`python -m hardware.off`)
"""
