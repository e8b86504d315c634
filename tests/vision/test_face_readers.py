"""Places and zones of flat pieces in drawn pictures: what is read, and what keeps its reading."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table import EMPTY, Body, Place, Point, Sight, Zone
from tests.vision.test_faces import COINS, faces, lay, scene, table
from vision.faces import place_reader
from vision.faces.place_reader import FacePlaces
from vision.faces.place_sights import BARE_NATS
from vision.faces.zone_reader import FaceZones
from vision.imaging.frame import Image
from vision.scene.reading_cache import ReadingCache

BOARD = Body("board", "board:x", (0.0, 0.0), (200.0, 100.0, 0.0))
HEX = Place("hex:0", (0.0, 0.0), (36.0, 36.0), ("coin",), on="board")
ZONE = Zone("supply:0", ((-90.0, -40.0), (90.0, -40.0), (90.0, 40.0), (-90.0, 40.0)), ("coin",), heap="spread")


def with_coins(*coins: tuple[str, Point]) -> Image:
    picture = table().copy()
    for name, at_mm in coins:
        lay(picture, name, at_mm, 30.0)
    return picture


def on_place(places: FacePlaces, picture: Image) -> list[Sight]:
    return places.read(scene(picture), [HEX], {HEX.spot: (0.0, 0.0)}, [BOARD])


def test_on_bare_ground_no_face_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_reader, "read_windows", lambda *_: pytest.fail("a face is tried"))
    sight, = on_place(FacePlaces(faces(), ReadingCache()), with_coins())
    assert dict(sight.loglik) == {EMPTY: 0.0, **dict.fromkeys(COINS, -BARE_NATS)}


def test_what_lies_on_a_place_is_read_and_keeps_its_reading_while_it_looks_the_same() -> None:
    places = FacePlaces(faces(), ReadingCache())
    sight, = on_place(places, with_coins(("coin:moon", (1.0, 0.5))))
    assert (sight.likeliest, sight.fresh) == ("coin:moon", True)
    again, = on_place(places, with_coins(("coin:moon", (1.0, 0.5))))
    assert (again.likeliest, again.fresh) == ("coin:moon", False)
    gone, = on_place(places, with_coins())
    assert (gone.likeliest, gone.fresh) == (EMPTY, True)


def test_a_piece_too_large_for_a_place_is_not_looked_for_there() -> None:
    small = Place("hex:0", (0.0, 0.0), (20.0, 20.0), ("coin",), on="board")
    assert FacePlaces(faces(), ReadingCache()).read(scene(with_coins()), [small], {"hex:0": (0.0, 0.0)}, [BOARD]) == []


def in_zone(zones: FaceZones, picture: Image) -> dict[str, Sight]:
    found = zones.read(scene(picture), ZONE, np.array(ZONE.corners_mm, np.float64))
    return {sight.likeliest: sight for sight in found}


def test_in_a_zone_what_came_new_is_read_and_what_lies_as_before_keeps_its_reading() -> None:
    zones = FaceZones(faces(), ReadingCache())
    assert {name: sight.fresh for name, sight in in_zone(zones, with_coins(("coin:sun", (-40.0, 0.0)))).items()} == {
        "coin:sun": True}
    both = with_coins(("coin:sun", (-40.0, 0.0)), ("coin:fox", (30.0, 5.0)))
    assert {name: sight.fresh for name, sight in in_zone(zones, both).items()} == {"coin:sun": False, "coin:fox": True}
    assert set(in_zone(zones, with_coins(("coin:fox", (30.0, 5.0))))) == {"coin:fox"}


def test_after_the_camera_moved_all_of_a_zone_is_read_anew() -> None:
    cache = ReadingCache()
    zones = FaceZones(faces(), cache)
    picture = with_coins(("coin:sun", (-40.0, 0.0)))
    in_zone(zones, picture)
    cache.clear()
    zones.camera_moved()
    assert in_zone(zones, picture)["coin:sun"].fresh
