"""The cameras there are: `folder` (a picture set), `opencv` (USB), `pi` (picamera2), `none`. See `hardware.camera`.

Each module imports its library at the top and is itself imported only when its camera is chosen.
"""
