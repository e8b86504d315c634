"""Faces of flat pieces, drawn into small pictures of a table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.table import EMPTY, Piece
from companion.words import load
from vision.faces import learn_templates
from vision.faces.classifier import read_face
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable, PrintedSurface
from vision.faces.learn_templates import learn_face
from vision.faces.outline_registration import LaidFace, locate_by_outline
from vision.faces.templates import Face
from vision.faces.zone_detector import find_faces
from vision.faces.zone_mask import make_zone_mask
from vision.imaging.camera import Lens, View, spin
from vision.imaging.frame import Image
from vision.photometry.white_reference import White
from vision.pieces.face_separability import confusable_faces
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set, save_piece_set
from vision.scene.bare_table import Bare
from vision.scene.occluders import Obstacle
from vision.scene.scene import Scene

LENS = Lens(900, 600, np.array([[1200.0, 0, 450], [0, 1200.0, 300], [0, 0, 1]]), np.zeros(5))
WHITE = White(np.zeros((3, 3)), np.ones(3), {})
COLOURS = {"coin:sun": (40, 190, 230), "coin:moon": (170, 90, 40), "coin:leaf": (60, 150, 60),
           "coin:fox": (40, 110, 220)}
COINS = {name: Piece(name, "coin", (30.0, 30.0, 3.0), True) for name in COLOURS}
ZONE = [(-90.0, -40.0), (90.0, -40.0), (90.0, 40.0), (-90.0, 40.0)]


def view() -> View:
    """A camera 600 mm above the table, tilted by 15 degrees."""
    turn = np.radians(180 - 15)
    rotation = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], [0, np.sin(turn), np.cos(turn)]])
    return View(LENS, rotation, -rotation @ np.array([0, -160.0, 600.0]))


@cache
def table() -> Image:
    noise = np.random.default_rng(3).normal(0, 1, (LENS.height, LENS.width)).astype(np.float32)
    grain = cv2.GaussianBlur(noise, (0, 0), 6) * 60
    return np.clip(np.array((90, 130, 165)) + grain[..., None], 0, 255).astype(np.uint8)


@cache
def design(name: str) -> Image:
    """A face of 300 by 300 pixels with a rim and a figure of its own."""
    face = np.full((300, 300, 3), (150, 165, 175), np.uint8)
    cv2.circle(face, (150, 150), 120, COLOURS[name], -1)
    draw = np.random.default_rng(len(name) * 7 + sum(map(ord, name)))
    for shade in ((235, 235, 235), (40, 40, 45)):
        corners = draw.integers(70, 230, (4, 2)).astype(np.int32)
        cv2.fillConvexPoly(face, cv2.convexHull(corners), shade)
    return face


def lay(picture: Image, name: str, at_mm: tuple[float, float], turn_deg: float, foot_mm: float = 0.0) -> None:
    """Draw a coin."""
    lay_face(picture, design(name), at_mm, turn_deg, foot_mm)


def lay_face(picture: Image, face: Image, at_mm: tuple[float, float], turn_deg: float, foot_mm: float = 0.0) -> None:
    """Draw a coin with a face of 300 by 300 pixels."""
    camera = view()
    ring = np.linspace(0, 2 * np.pi, 60)
    rim = np.column_stack([np.cos(ring), np.sin(ring)]) * 15 + at_mm
    for height in np.arange(foot_mm, foot_mm + 3, 0.5):
        cv2.fillConvexPoly(picture, np.rint(camera.project_at(rim, float(height))).astype(np.int32), (95, 100, 105))
    corners = np.array([(-15, 15), (15, 15), (15, -15), (-15, -15)]) @ spin(turn_deg).T + at_mm
    own = np.array([(-0.5, -0.5), (299.5, -0.5), (299.5, 299.5), (-0.5, 299.5)], np.float32)
    px = camera.project_at(corners, foot_mm + 3).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(own, px)
    size = (LENS.width, LENS.height)
    small = cv2.warpPerspective(cv2.GaussianBlur(face, (0, 0), 3), matrix, size)
    disc = cv2.circle(np.zeros((300, 300), np.uint8), (150, 150), 149, 255, -1)
    there = cv2.warpPerspective(disc, matrix, size)[..., None] / 255.0
    picture[:] = (picture * (1 - there) + small * there).astype(np.uint8)


def gloss(picture: Image, at_mm: tuple[float, float], strength: float) -> Image:
    """The picture with a soft reflection, added in linear light."""
    u, v = view().project_at([at_mm], 3.0)[0]
    across, down = np.meshgrid(np.arange(LENS.width), np.arange(LENS.height))
    spot = strength * np.exp(-((across - u) ** 2 + (down - v) ** 2) / (2 * 22.0 ** 2))
    light = (picture / 255.0) ** 2.2 + spot[..., None] * (0.8, 0.95, 1.0)
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def scene(picture: Image) -> Scene:
    noisy = picture + np.random.default_rng(5).normal(0, 2, picture.shape)
    image = np.clip(cv2.GaussianBlur(noisy, (0, 0), 0.6), 0, 255).astype(np.uint8)
    return Scene(image, view(), WHITE, Bare(table(), view(), WHITE), None)


@cache
def enrolled() -> Scene:
    picture = table().copy()
    for index, name in enumerate(COINS):
        lay(picture, name, (-75.0 + 50 * index, 5.0), 0.0)
    return scene(gloss(picture, (-60.0, 12.0), 0.15))


@cache
def faces() -> dict[str, Face]:
    return {name: learn_face(enrolled(), LaidFace(coin, (-75.0 + 50 * index, 5.0), 0.0))
            for index, (name, coin) in enumerate(COINS.items())}


@pytest.mark.parametrize(("name", "turn"), [("coin:sun", 137.0), ("coin:moon", -80.0), ("coin:leaf", 12.0),
                                            ("coin:fox", 201.0)])
def test_a_coin_is_read_at_any_turn_though_a_gloss_lies_on_it(name: str, turn: float) -> None:
    picture = table().copy()
    lay(picture, name, (31.0, -22.0), turn)
    reading = read_face(scene(gloss(picture, (38.0, -18.0), 0.25)), FaceSite((29.5, -21.0), 0.0, 3.0, BareTable()),
                        tuple(faces().values()))
    assert reading.best == name
    assert not reading.is_empty
    assert np.hypot(*np.subtract(reading.at_mm, (31.0, -22.0))) < 0.6
    assert reading.turn_deg is not None
    assert abs((reading.turn_deg - turn + 180) % 360 - 180) < 4
    assert reading.loglik[name] > np.log(0.99)


def test_where_nothing_lies_nothing_is_read_also_in_the_shade() -> None:
    dark = (table() * 0.8).astype(np.uint8)
    for picture in (table(), dark):
        reading = read_face(scene(picture), FaceSite((0.0, 0.0), 0.0, 3.0, BareTable()), tuple(faces().values()))
        assert reading.is_empty
        assert reading.loglik[EMPTY] > np.log(0.99)


def test_a_marker_that_lies_on_a_coin_counts_as_its_ground() -> None:
    picture = table().copy()
    lay(picture, "coin:moon", (0.0, 0.0), 40.0)
    ground = PrintedSurface(faces()["coin:moon"], (0.0, 0.0), 40.0, 3.0)
    site = FaceSite((0.0, 0.0), 3.0, 3.0, ground)
    others = tuple(face for name, face in faces().items() if name != "coin:moon")
    assert read_face(scene(picture), site, others).is_empty
    lay(picture, "coin:fox", (1.0, 0.5), 0.0, 3.0)
    reading = read_face(scene(picture), site, others)
    assert reading.best == "coin:fox"
    assert not reading.is_empty


def test_the_top_of_a_stack_is_read_however_high_it_is() -> None:
    for height in (0.0, 6.0, 15.0):
        picture = table().copy()
        for below in np.arange(0, height, 3.0):
            lay(picture, "coin:sun", (40.0, 60.0), 90.0, float(below))
        lay(picture, "coin:leaf", (40.0, 60.0), 33.0, height)
        reading = read_face(scene(picture), FaceSite((40.0, 60.0), 0.0, 2.0, BareTable(), 15.0),
                            tuple(faces().values()))
        assert reading.best == "coin:leaf"
        assert reading.turn_deg == pytest.approx(33.0, abs=4)


def test_coins_of_a_zone_are_found_touching_and_jutting_out_but_no_shadow() -> None:
    picture = table().copy()
    laid = {"coin:sun": (-20.0, 0.0), "coin:moon": (10.2, 2.0), "coin:leaf": (88.0, 20.0)}
    cv2.ellipse(picture, tuple(int(each) for each in view().project_at([(-65.0, 10.0)], 0.0)[0]), (40, 25), 20, 0, 360,
                (45, 65, 82), -1)
    for turn, (name, at) in enumerate(laid.items()):
        lay(picture, name, at, 77.0 * turn)
    found = {reading.best: reading for reading in find_faces(scene(picture), ZONE, tuple(faces().values()))
             if not reading.is_empty}
    assert found.keys() == laid.keys()
    for name, at in laid.items():
        assert np.hypot(*np.subtract(found[name].at_mm, at)) < 1.0


@cache
def brass() -> Image:
    """A face of the table's own colour as in a shadow, with a thin figure: no colour tells it."""
    face = np.full((300, 300, 3), np.array((90, 130, 165)) * 0.82, np.uint8)
    cv2.putText(face, "5", (95, 210), cv2.FONT_HERSHEY_SIMPLEX, 6.0, (50, 70, 90), 8)
    return face


def test_a_coin_of_the_tables_colour_is_found_by_its_outline_where_no_shadow_is_one() -> None:
    laid, shaded = table().copy(), table().copy()
    lay_face(laid, brass(), (31.0, -12.0), 20.0)
    u, v = (int(each) for each in view().project_at([(31.0, -12.0)], 0.0)[0])
    shade = cv2.ellipse(np.ones(shaded.shape[:2], np.float32), (u, v), (90, 40), 20, 0, 360, 0.82, -1)
    shaded[:] = shaded * cv2.GaussianBlur(shade, (0, 0), 3)[..., None]
    coin = (learn_face(scene(laid), LaidFace(COINS["coin:sun"], (31.0, -12.0), 20.0)),)
    lay_face(laid, brass(), (-40.0, 8.0), 75.0)

    assert sorted(round(each.at_mm[0]) for each in find_faces(scene(laid), ZONE, coin)) == [-40, 31]
    assert find_faces(scene(shaded), ZONE, coin) == []


def test_an_empty_zone_has_no_pieces() -> None:
    assert find_faces(scene(table()), ZONE, tuple(faces().values())) == []


def blotchy(picture: Image, strength: float) -> Image:
    """The picture as a noisy camera sees it: chroma is kept at half resolution, and so its noise is in blotches."""
    noise = np.random.default_rng(8).normal(0, 1, picture.shape).astype(np.float32)
    return np.clip(picture + cv2.GaussianBlur(noise, (0, 0), 1.5) * strength * 5, 0, 255).astype(np.uint8)


def test_noise_is_no_foreground() -> None:
    assert find_faces(scene(blotchy(table(), 12)), ZONE, tuple(faces().values())) == []
    mask = make_zone_mask(scene(blotchy(table(), 12)), np.array(ZONE), 3.0, 15.0)
    assert mask.differs.mean() < 0.02


@pytest.mark.parametrize(("at_mm", "axes_px"), [
    ((-9.0, 3.0), (46, 34)), ((20.0, 4.0), (46, 34)), ((24.0, 0.0), (36, 30))])
@pytest.mark.parametrize("colour", [(26, 16, 12), (16, 20, 30), (15, 35, 70)])
def test_the_deep_shadow_of_a_pile_is_no_piece(
        at_mm: tuple[float, float], axes_px: tuple[int, int], colour: tuple[int, int, int]) -> None:
    """What is left there has the colour of another light, and so is foreground."""
    picture = table().copy()
    u, v = (int(each) for each in view().project_at([at_mm], 0.0)[0])
    cv2.ellipse(picture, (u, v), axes_px, 10, 0, 360, colour, -1)
    for below in range(5):
        lay(picture, "coin:sun", (5.0, 0.0), 31.0 * below, 3.0 * below)
    found = find_faces(scene(picture), ZONE, tuple(faces().values()), 15.0)
    assert [each.best for each in found] == ["coin:sun"]


def test_a_board_beside_a_zone_is_none_of_its_pieces() -> None:
    picture, camera = table().copy(), view()
    board = camera.project_at([(-90.0, 25.0), (90.0, 25.0), (90.0, 90.0), (-90.0, 90.0)], 0.0)
    cv2.fillConvexPoly(picture, np.rint(board).astype(np.int32), (80, 40, 90))
    lay(picture, "coin:moon", (31.0, -12.0), 20.0)
    seen = scene(picture)
    seen.lay([Obstacle(board, 0.0)])
    assert [each.best for each in find_faces(seen, ZONE, tuple(faces().values()))] == ["coin:moon"]
    mask = make_zone_mask(seen, np.array(ZONE), 3.0, 15.0)
    assert not mask.differs[mask.cells(np.array([(0.0, 45.0)])).astype(int)[0, 1]].any()


def test_a_coin_laid_some_mm_off_is_found_for_enrolment() -> None:
    laid = LaidFace(COINS["coin:moon"], (-25.0 + 2.5, 5.0 - 2.0), 0.0)
    assert np.hypot(*np.subtract(locate_by_outline(enrolled(), laid).at_mm, (-25.0, 5.0))) < 1.0


def test_what_all_pieces_are_off_alike_is_the_lights_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    coins = [replace(COINS["coin:moon"], name=f"coin:{number}") for number in range(8)]
    laid = [LaidFace(coin, (30.0 * number, 0.0), 0.0) for number, coin in enumerate(coins)]
    off = dict.fromkeys((coin.name for coin in coins[:6]), (3.5, 0.5)) | {"coin:6": (0.5, 0.0), "coin:7": (-3.0, 2.0)}
    monkeypatch.setattr(learn_templates, "locate_by_outline", lambda _, each: replace(
        each, at_mm=(each.at_mm[0] + off[each.piece.name][0], each.at_mm[1] + off[each.piece.name][1])))
    monkeypatch.setattr(learn_templates, "learn_face", lambda _, each: each.at_mm)
    learned = learn_templates.learn_faces([(scene(table()), laid)])
    assert learned == {f"coin:{number}": (30.0 * number, 0.0) for number in range(7)} | {"coin:7": (207.0, 2.0)}


def _piece_set() -> PieceSet:
    names = tuple(COINS.values())
    return PieceSet(names, {}, {}, {}, {}, {}, 1000.0, 1000.0, None, None, None, faces=faces())


def test_the_two_faces_that_are_most_alike_are_named() -> None:
    face = faces()["coin:sun"]
    twin = replace(face, piece=replace(face.piece, name="coin:twin"), colours=face.colours + np.float32(1))
    alike = confusable_faces(replace(_piece_set(), faces={**faces(), "coin:twin": twin}))
    assert alike is not None
    assert {alike.one, alike.other} == {"coin:sun", "coin:twin"}
    assert "much alike" in load().say(alike.verdict)
    apart = confusable_faces(_piece_set())
    assert apart is not None
    assert apart.nats > alike.nats
    assert "told apart" in load().say(apart.verdict)


def test_two_sides_of_one_piece_do_not_count_as_alike() -> None:
    face = faces()["coin:sun"]
    back = replace(face, piece=replace(face.piece, name="coin:sun:back"))
    assert confusable_faces(replace(_piece_set(), faces={"coin:sun": face, "coin:sun:back": back})) is None


def test_faces_are_kept_in_the_piece_set(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "pieces.zip"
    save_piece_set(_piece_set(), file)
    again = load_piece_set(file).faces
    assert again.keys() == faces().keys()
    for name, face in faces().items():
        assert np.abs(again[name].colours - face.colours).max() < 0.1
