"""Faces that are about as likely: upside down, or in light that colours them unevenly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.table import EMPTY
from tests.vision.test_faces import COLOURS, LENS, faces, lay, scene, table
from vision.faces import classifier
from vision.faces.candidate_window import CandidateWindow
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceFit, FaceReading, pooled
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable
from vision.faces.pose_candidates import PoseCandidate, pose_candidates
from vision.imaging.frame import Image


def test_a_face_that_the_coarse_search_has_upside_down_is_turned_round(monkeypatch: pytest.MonkeyPatch) -> None:
    def upside_down(window: CandidateWindow) -> list[PoseCandidate]:
        best = min(pose_candidates(window), key=lambda each: each.cost)
        return [replace(best, turn_deg=best.turn_deg + 180.0)]

    monkeypatch.setattr(classifier, "pose_candidates", upside_down)
    picture = table().copy()
    lay(picture, "coin:fox", (31.0, -22.0), 40.0)
    reading = read_face(scene(picture), FaceSite((31.0, -22.0), 0.0, 1.0, BareTable()), tuple(faces().values()))
    assert reading.best == "coin:fox"
    assert reading.turn_deg == pytest.approx(40.0, abs=2.0)


def stained(picture: Image) -> Image:
    """In uneven yellow and blue light, of one lightness: as beside a yellow crate, under a lamp."""
    x, y = np.meshgrid(np.arange(LENS.width), np.arange(LENS.height))
    stain = np.sin(x / 7.0) * np.sin(y / 9.0)
    return np.asarray(np.clip(picture + stain[..., None] * np.array((160.0, -20.0, -20.0)), 0, 255), np.uint8)


def lead_nats(name: str) -> float:
    picture = table().copy()
    lay(picture, name, (31.0, -22.0), 40.0)
    loglik = read_face(scene(stained(picture)), FaceSite((31.0, -22.0), 0.0, 1.0, BareTable()),
                       tuple(faces().values())).loglik
    return loglik[name] - max(nats for other, nats in loglik.items() if other != name)


@pytest.mark.parametrize("name", COLOURS)
def test_faces_that_differ_in_print_are_told_by_lightness_in_uneven_coloured_light(
        name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifier, "UNSURE_NATS", 20.0)
    with_colours = lead_nats(name)
    monkeypatch.setattr(classifier, "SAME_COLOUR", 200.0)
    assert lead_nats(name) > with_colours + 0.4


def test_two_readings_are_pooled_by_their_mean_and_lie_where_the_second_has_them() -> None:
    first = FaceReading({"a": -1.0, "b": -2.0, EMPTY: -9.0}, "a", {"a": FaceFit((0.0, 0.0), None, 30.0, 5.0),
                                                                   "b": FaceFit((0.0, 1.0), 3.0, 40.0, 3.0)})
    second = FaceReading({"a": -5.0, "b": -1.0, EMPTY: -7.0}, "b", {"a": FaceFit((1.0, 0.0), 9.0, 6.0, 9.0),
                                                                    "b": FaceFit((1.0, 1.0), 7.0, 4.0, 7.0)})
    both = pooled(first, second)
    assert both.loglik == {"a": -3.0, "b": -1.5, EMPTY: -8.0}
    assert (both.best, both.at_mm, both.turn_deg, both.misfit) == ("b", (1.0, 1.0), 7.0, 40.0)
