from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import registry
from companion.table import EMPTY, Body, Layout, Place, Point, Zone
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set, read_truth
from vision.faces.face_reading import FaceFit, FaceReading
from vision.faces.place_reader import FacePlaces
from vision.faces.place_sights import place_sight
from vision.fiducials.tag_pose import find_cards
from vision.imaging.layout_pose import LayoutFrame
from vision.photometry.white_fit import fit_white
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene

SQUARE_MM = ((-22.0, -22.0), (22.0, -22.0), (22.0, 22.0), (-22.0, 22.0))
EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"


def a_reading(**nats: float) -> FaceReading:
    """What a hex looks like, on which a coin or a marker may lie."""
    loglik = {name.replace("_", ":").replace("nothing", EMPTY): value for name, value in nats.items()}
    best = max((name for name in loglik if name != EMPTY), key=loglik.__getitem__)
    fit = FaceFit((1.0, 2.0), 30.0, 10.0, 30.0)
    return FaceReading(loglik, best, {name: fit for name in loglik if name != EMPTY})


COINS, MARKERS = {"coin:knight", "coin:back"}, {"marker:wolf"}
CENTRE: Point = (0.0, 0.0)


def test_a_coin_on_a_hex_is_seen_with_its_place_and_turn() -> None:
    reading = a_reading(coin_knight=0.0, coin_back=-9.0, marker_wolf=-12.0, nothing=-20.0)
    sight = place_sight("hex:0,0", CENTRE, reading, COINS)
    assert sight.likeliest == "coin:knight"
    assert (sight.at_mm, sight.turn_deg) == ((1.0, 2.0), 30.0)
    assert np.isclose(sight.loglik[EMPTY], -12.0, atol=0.01)


def test_a_marker_leaves_its_hex_empty() -> None:
    reading = a_reading(coin_knight=-9.0, coin_back=-9.0, marker_wolf=0.0, nothing=-5.0)
    sight = place_sight("hex:0,0", CENTRE, reading, COINS)
    assert sight.likeliest == EMPTY
    assert (sight.at_mm, sight.turn_deg) == (CENTRE, None)
    below = place_sight("marker:0,0", CENTRE, reading, MARKERS, without=COINS)
    assert dict(below.loglik) == {"marker:wolf": 0.0, EMPTY: -5.0}


def a_zone(spot: str, x: float, y: float) -> Zone:
    return Zone(spot, ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10)), ("coin",))


def test_a_layout_without_a_block_lies_where_most_of_its_zones_do() -> None:
    zones = (a_zone("a", 0.0, 0.0), a_zone("b", 100.0, 0.0), a_zone("c", 100.0, 80.0))
    layout = Layout((), (Place("card", (50.0, 40.0), (44.0, 63.0), ("card",)),), zones, (200.0, 200.0))
    turn, shift = np.radians(5.0), np.array([300.0, 20.0])
    spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    known = {zone.spot: tuple((float(x), float(y)) for x, y in np.array(zone.corners_mm) @ spin.T + shift)
             for zone in zones}
    frame = LayoutFrame(layout, known, {0: -85.0})
    assert np.isclose(frame.turn_deg, 5.0)
    assert np.allclose(frame.point((50.0, 40.0)), spin @ (50.0, 40.0) + shift)
    assert np.allclose(frame.centres_on_table(layout, known)["card"], spin @ (50.0, 40.0) + shift)
    body = frame.body(Body("board", "board:wc", (50.0, 40.0), (10.0, 10.0, 2.0), 180.0))
    assert np.isclose(body.turn_deg, 185.0)


def test_cells_that_carry_places_are_no_places_on_the_table() -> None:
    cell = Place("cell:0,0", (0.0, 0.0), (31.0, 46.0), ("crate",))
    slot = Place("slot:0,0", (0.0, 0.0), (14.0, 14.0), ("drink",), on="cell:0,0")
    layout = Layout((), (cell, slot), (), (100.0, 100.0))
    assert LayoutFrame(layout, {}, {}).centres_on_table(layout, {}) == {}


HEX = Place("hex:0,0", (0.0, 0.0), (50.34, 43.6), ("coin",), "hex", on="board", floor_mm=2.0)


def a_coin_on_the_board() -> tuple[FacePlaces, Scene, Body, dict[str, Any]]:
    """The excerpt's first picture with a coin on the board, and that coin in truth."""
    known = read_set(EXCERPT)
    pieces = enrol_set(known, registry.kinds(known.game))
    index, line = next((index, line) for index, line in enumerate(read_truth(EXCERPT))
                       if line["free"] and any(piece["spot"].startswith("hex") for piece in line["pieces"]))
    coin = next(piece for piece in line["pieces"] if piece["spot"].startswith("hex"))
    image = known.frame(index).image.copy()
    arrangement = find_cards(image, known.lens)
    scene = Scene(image, arrangement.view, fit_white(image, arrangement), pieces.bare, None)
    board = next(piece for piece in line["pieces"] if piece["spot"] == "board")
    body = Body("board", "board:wc", tuple(board["at"]), (446.0, 326.0, 2.0), board["turn"])
    return FacePlaces(pieces.faces, ReadingCache()), scene, body, coin


def test_a_coin_laid_sloppily_is_found_farther_out() -> None:
    places, scene, body, coin = a_coin_on_the_board()
    off = (coin["at"][0] + 6.5, coin["at"][1])
    sight, = places.read(scene, [HEX], {"hex:0,0": off}, [body])
    assert sight.likeliest == coin["appearance"]
    assert np.hypot(*np.subtract(sight.at_mm, coin["at"])) < 1.5


def test_nothing_is_said_of_a_place_that_something_else_covers() -> None:
    places, scene, body, coin = a_coin_on_the_board()
    outline = scene.view.project_at([np.add(coin["at"], corner) for corner in SQUARE_MM], 2.0)
    colours = np.random.default_rng(3).integers(0, 2, (9, 9, 3)) * (250, 20, 200)
    left, top = outline.min(axis=0).astype(int)
    right, bottom = outline.max(axis=0).astype(int)
    scene.image[top:bottom, left:right] = cv2.resize(
        colours.astype(np.uint8), (right - left, bottom - top), interpolation=cv2.INTER_NEAREST)
    on_table = replace(HEX, on=None)
    assert places.read(scene, [on_table], {"hex:0,0": tuple(coin["at"])}, [body]) == []
    assert places.read(scene, [on_table], {"hex:0,0": tuple(coin["at"])}, [body]) == [], "nor when it lies there still"
