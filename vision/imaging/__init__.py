"""Pictures and their geometry: frames, camera intrinsics and pose, boxes of pixels, footprints of bodies, solvers.

Knows nothing of light, cards or pieces. Imports no other room of the eyes.
"""
