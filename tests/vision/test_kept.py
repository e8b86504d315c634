import cv2
import numpy as np

from vision.imaging.frame import Frame
from vision.imaging.jpeg_frame import keep


def test_a_kept_frame_is_small_and_reads_the_same() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (45, 80, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(noise, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    frame = Frame(image, image[::4, ::4], 12.5, 7)
    kept = keep(frame)
    assert len(kept.jpeg) < image.nbytes / 5
    assert (kept.frame.number, kept.frame.at_s) == (7, 12.5)
    assert np.abs(kept.frame.image.astype(int) - image).mean() < 2
