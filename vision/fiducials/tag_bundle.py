"""Camera pose and card poses, solved from the corners of the cards' markers.

While nothing is known, both are solved together by bundle adjustment (B. Triggs et al., "Bundle Adjustment – A Modern
Synthesis", 2000); among known cards the camera alone is resected. The table frame has the marker of card 0 at its
origin and that of card 1 on its x axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from vision.fiducials.tag_corners import CORNERS_MM
from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens, View
from vision.imaging.least_squares import least_squares

THICK_MM = 0.3
"""Height of the markers above the table."""

MarkerRays = Mapping[int, Floats]
"""For each card seen: its marker's corners as undistorted, normalised image coordinates (4, 2)."""

CardPose = tuple[float, float, float]
"""x, y (mm) and turn (radians) of a card in the table frame."""

CardPoses = Mapping[int, CardPose]
"""Poses of cards, by card number."""


def corners_at(pose: CardPose) -> Floats:
    """The marker's corners (4, 2) in the table frame in mm."""
    x, y, turn = pose
    spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    return np.asarray(CORNERS_MM @ spin.T + (x, y), np.float64)


def card_pose(corners_mm: Floats) -> CardPose:
    """The pose that best fits four measured corners (4, 2) on the table (orthogonal Procrustes in the plane)."""
    x, y = corners_mm.mean(axis=0)
    off = corners_mm - (x, y)
    turn = np.arctan2((CORNERS_MM[:, 0] * off[:, 1] - CORNERS_MM[:, 1] * off[:, 0]).sum(), (CORNERS_MM * off).sum())
    return float(x), float(y), float(turn)


def distances_px(view: View, corners: MarkerRays, poses: CardPoses) -> dict[int, float]:
    """For each card the mean reprojection error of its corners, in px."""
    return {card: float(np.linalg.norm(_error(view.rotation, view.translation_mm, seen, poses[card]), axis=1).mean())
            * view.lens.focal_px for card, seen in corners.items()}


def _error(rotation: Floats, translation: Floats, seen: Floats, pose: CardPose) -> Floats:
    """Residuals (4, 2): measured minus predicted normalised image coordinates."""
    at = np.column_stack([corners_at(pose), np.full(4, THICK_MM)]) @ rotation.T + translation
    return np.asarray(seen - at[:, :2] / at[:, 2:], np.float64)


def resect(view: View, corners: MarkerRays, poses: CardPoses) -> View:
    """The camera pose from cards whose poses are known, refined from an initial view (resection)."""
    at = np.concatenate([np.column_stack([corners_at(poses[card]), np.full(4, THICK_MM)]) for card in corners])
    seen = np.concatenate(list(corners.values())).reshape(-1, 1, 2)
    _, turn, shift = cv2.solvePnP(at, seen, np.eye(3), np.zeros(5), cv2.Rodrigues(view.rotation)[0],
                                  view.translation_mm.reshape(3, 1).copy(), useExtrinsicGuess=True)
    return View(view.lens, np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).ravel())


# ---------------------------------------------------------------- bundle adjustment


def bundle(lens: Lens, corners: MarkerRays) -> tuple[View, dict[int, CardPose], dict[int, float]]:
    """The camera and card poses with the least reprojection error, and that error for each card (mean, px). Cards 0
    and 1 are needed."""
    view, poses = min(_starts(lens, corners), key=lambda start: sum(distances_px(start[0], corners, start[1]).values()))
    others = [card for card in corners if card > 1]

    def errors(unknowns: Floats) -> Floats:
        rotation, translation, lying = _unpack(unknowns, others)
        return np.concatenate([_error(rotation, translation, corners[card], lying[card]).ravel() for card in corners])

    rotation, translation, lying = _unpack(least_squares(errors, _pack(view, poses, others)), others)
    view = View(lens, rotation, translation)
    return view, lying, distances_px(view, corners, lying)


def _pack(view: View, poses: CardPoses, others: Iterable[int]) -> Floats:
    """The parameters (9 + 3 n,): the camera's rotation vector and translation, the turn of card 0, position along x and
    turn of card 1, and the poses of `others`."""
    return np.concatenate([cv2.Rodrigues(view.rotation)[0].ravel(), view.translation_mm, [poses[0][2]],
                           [poses[1][0], poses[1][2]], *[poses[card] for card in others]])


def _unpack(unknowns: Floats, others: Iterable[int]) -> tuple[Floats, Floats, dict[int, CardPose]]:
    """Rotation (3, 3), translation (3,) in mm and card poses from the parameters."""
    lying = {0: (0.0, 0.0, float(unknowns[6])), 1: (float(unknowns[7]), 0.0, float(unknowns[8]))}
    for card, (x, y, turn) in zip(others, unknowns[9:].reshape(-1, 3)):
        lying[card] = (float(x), float(y), float(turn))
    return np.asarray(cv2.Rodrigues(unknowns[:3])[0], np.float64), unknowns[3:6], lying


def _starts(lens: Lens, corners: MarkerRays) -> Iterable[tuple[View, dict[int, CardPose]]]:
    """Initial estimates: the camera pose from each card alone, in both solutions that a small square has (T. Collins
    and A. Bartoli, "Infinitesimal Plane-Based Pose Estimation", 2014), and the other cards back-projected with it."""
    square = np.column_stack([CORNERS_MM, np.zeros(4)])
    for seen in corners.values():
        _, turns, shifts, _ = cv2.solvePnPGeneric(square, seen.reshape(-1, 1, 2), np.eye(3), np.zeros(5),
                                                  flags=cv2.SOLVEPNP_IPPE_SQUARE)
        for turn, shift in zip(turns, shifts):
            rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
            card_view = View(lens, rotation, np.asarray(shift, np.float64).ravel())
            yield _in_table_frame(card_view, corners)


def _in_table_frame(card_view: View, corners: MarkerRays) -> tuple[View, dict[int, CardPose]]:
    """The transform from a frame in the plane of the markers to the table frame of cards 0 and 1, applied to all."""
    origin, right = (card_view.rays_to_table(corners[card]).mean(axis=0) for card in (0, 1))
    angle = np.arctan2(right[1] - origin[1], right[0] - origin[0])
    spin = np.array([(np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0), (0, 0, 1)])
    rotation = card_view.rotation @ spin
    translation = card_view.translation_mm + card_view.rotation @ (*origin, 0) - rotation @ (0, 0, THICK_MM)
    view = View(card_view.lens, rotation, translation)
    return view, {card: card_pose(view.rays_to_table(seen, THICK_MM)) for card, seen in corners.items()}
