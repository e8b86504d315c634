"""The body: camera sources, buttons, lamps, buzzer, wiring. gpiozero, OpenCV capture and picamera2 live here.

Looks down at `companion` and at `vision.frames`; never at `web`. Callbacks only put a value into the inbox.
"""
