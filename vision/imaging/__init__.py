"""Pictures and the geometry behind them: frames, the camera's pose and lens, boxes of pixels, footprints of bodies.

Knows nothing of light, cards or pieces. Imports no other room of the eyes.
"""
