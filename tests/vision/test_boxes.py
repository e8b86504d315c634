import cv2
import numpy as np

from companion.table import Body
from vision.bodies.silhouette_body import SilhouetteBody
from vision.imaging.camera import View, module_3_lens
from vision.imaging.footprints import outline_mm
from vision.photometry.white_reference import White
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

LENS = module_3_lens(1152, 648)
DOWN = np.diag([1.0, -1.0, -1.0])
VIEW = View(LENS, DOWN, np.array([-150.0, 100.0, 500.0]))
WHITE = White(np.zeros((3, 3)), np.ones(3), {})
TABLE, BOX, COIN = (90, 110, 130), (30, 160, 190), (170, 170, 170)
AT = Body("line:1", "crate_upside_down", (103.0, 71.0), (31.0, 46.0, 12.0), 4.0)


def a_scene(*boxes: Body) -> Scene:
    bare = np.full((LENS.height, LENS.width, 3), TABLE, np.uint8)
    image = bare.copy()
    for box in boxes:
        corners = np.concatenate([VIEW.project_at(outline_mm(box), z) for z in (0.0, box.size_mm[2])])
        cv2.fillConvexPoly(image, cv2.convexHull(np.rint(corners).astype(np.int32)), BOX)
        x, y = np.rint(VIEW.project_at([box.at_mm], 14.0)[0]).astype(int).tolist()
        cv2.circle(image, (x, y), 18, COIN, -1)
    return Scene(image, VIEW, WHITE, Bare(bare, VIEW, WHITE), None)


def expected(x_mm: float, y_mm: float) -> Body:
    return Body("line:1", "crate_upside_down", (x_mm, y_mm), (31.0, 46.0, 12.0))


def test_a_box_is_found_within_a_centimetre_of_where_it_is_expected() -> None:
    (found,), moved = SilhouetteBody(expected(95.0, 77.0)).find(a_scene(AT))
    assert moved
    assert np.hypot(*np.subtract(found.at_mm, AT.at_mm)) < 1.0
    assert abs(found.turn_deg - AT.turn_deg) < 2.0


def test_a_box_that_stands_still_keeps_its_place_and_a_pushed_one_does_not() -> None:
    box = SilhouetteBody(expected(100.0, 70.0))
    (first,), _ = box.find(a_scene(AT))
    (again,), moved = box.find(a_scene(AT))
    assert (again, moved) == (first, False)
    pushed = Body("line:1", "crate_upside_down", (108.0, 71.0), (31.0, 46.0, 12.0), 4.0)
    (then,), moved = box.find(a_scene(pushed))
    assert moved
    assert 4.0 < then.at_mm[0] - first.at_mm[0] < 6.0


def test_a_box_that_is_not_to_be_seen_is_taken_to_be_where_it_is_expected() -> None:
    (found,), moved = SilhouetteBody(expected(100.0, 70.0)).find(a_scene())
    assert (found, moved) == (expected(100.0, 70.0), False)


def test_a_box_that_was_taken_away_is_gone_until_it_is_back() -> None:
    box = SilhouetteBody(expected(100.0, 70.0))
    (found,), _ = box.find(a_scene(AT))
    assert box.find(a_scene()) == ((), True)
    assert box.find(a_scene()) == ((), False)
    assert box.find(a_scene(AT)) == ((found,), True)
    covering = Body("", "", (100.0, 70.0), (90.0, 120.0, 1.0))
    assert box.find(a_scene(AT, covering))[0] != (), "what lies on it hides it, but the table is not seen there"
