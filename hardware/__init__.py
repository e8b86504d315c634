"""The body: camera sources, buttons, lamps, buzzer, wiring. gpiozero, OpenCV capture and picamera2 live here.

Looks down at `companion`; never at `web` or `vision`. Callbacks only put a value into the inbox.
"""
