from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import SightError
from companion.table import Body, Place
from companion.table.crate import CRATE_MM, RIM_MM, slot_mm
from tests.vision.painted_crate import SLOTS
from tests.vision.excerpt import arrangement, crate_look, enrolment, excerpt, picture, true_crates, white
from vision.bodies import crate_fit
from vision.bodies.crate_fit import FittedBody, fit_crates, fit_each, fit_in_glare, fit_in_shade, refit_crates
from vision.bodies.crate_look import CrateLook, stands_out, walls_stand_out
from vision.bodies.crate_search import match_crates
from vision.bodies.orthopatch import Orthopatch
from vision.bodies.ridge_fit import RIDGE_REACH_MM
from vision.bodies.rim_templates import RIM_INSIDE_MM, RimMap, dividers, outlines
from vision.fiducials.tag_pose import find_cards
from vision.imaging.layout_pose import places_on
from vision.imaging.pose import Pose
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import LitPicture


def expected(off_mm: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> list[Body]:
    """The block where a rough zone says it is, with some error."""
    true = true_crates(0)
    middle = np.mean([pose[:2] for pose in true.values()], axis=0)
    turn = np.radians(-3.6 + turn_deg)
    spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    bodies = []
    for number in range(6):
        at = middle + off_mm + spin @ ((number % 3 - 1) * 32.0, (number // 3 - 0.5) * 46.6)
        bodies.append(Body(f"crate:{number + 1}", "crate", (float(at[0]), float(at[1])), CRATE_MM, -3.6 + turn_deg))
    return bodies


def assert_true(fitted: tuple[FittedBody, ...], index: int, mm: float = 0.3, deg: float = 0.3) -> None:
    for body in fitted:
        x, y, turn = true_crates(index)[body.spot]
        assert np.hypot(body.at_mm[0] - x, body.at_mm[1] - y) <= mm, body
        assert abs((body.turn_deg - turn + 90) % 180 - 90) <= deg, body


@pytest.mark.parametrize(("off_mm", "turn_deg"), [((0.0, 0.0), 0.0), ((9.0, -7.0), 2.5), ((-10.0, 10.0), -3.0)])
def test_crates_are_found_from_a_rough_zone(off_mm: tuple[float, float], turn_deg: float) -> None:
    fitted = fit_crates(LitPicture(picture(0), arrangement().view, white()), crate_look(), expected(off_mm, turn_deg))
    assert_true(fitted, 0)


def test_floors_that_look_like_rims_do_not_draw_the_block_aside() -> None:
    view, seen = arrangement().view, picture(0).copy()
    for x, y, turn in true_crates(0).values():
        pose = Pose((x, y), turn)
        rims_px = np.rint(view.project_at(pose.to_table(outlines(CRATE_MM, RIM_INSIDE_MM)), RIM_MM)).astype(int)
        white_of_rim = np.median(seen[rims_px[:, 1], rims_px[:, 0]], axis=0).tolist()
        for column, row in SLOTS:
            floor = pose.to_table(slot_mm(column, row) + 5.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))
            cv2.fillConvexPoly(seen, np.rint(view.project_at(floor, RIM_MM)).astype(np.int32), white_of_rim)
    fitted = fit_crates(LitPicture(seen, view, white()), crate_look(), expected((2.0, -1.0)))
    assert_true(fitted, 0, mm=1.0, deg=1.0)


def test_crates_with_drinks_in_them_are_fitted_again() -> None:
    first = fit_crates(LitPicture(picture(0), arrangement().view, white()), crate_look(), expected())
    now = find_cards(picture(9), excerpt().lens, arrangement())
    light = fit_white(picture(9), now, white())
    assert_true(refit_crates(LitPicture(picture(9), now.view, light), crate_look(), expected(), first), 9)


def test_a_table_without_crates_says_so() -> None:
    with pytest.raises(SightError) as error:
        fit_crates(LitPicture(enrolment(0), arrangement().view, white()), crate_look(), expected((100.0, 20.0)))
    assert error.value.phrase.id == "eyes.no_crates"


@pytest.mark.parametrize("level", [0, 128, 255])
def test_where_nothing_but_one_colour_is_seen_crates_are_fitted_badly_but_fitted(level: int) -> None:
    before = [FittedBody(body.spot, body.at_mm, body.turn_deg, 0.1, 0.9) for body in expected()]
    even = np.full_like(picture(0), level)
    fitted = refit_crates(LitPicture(even, arrangement().view, white()), crate_look(), expected(), before)
    assert len(fitted) == len(before)
    assert all(each.likeness < 0.3 and each.stands_out < 0.1 for each in fitted)


def test_places_move_and_turn_with_their_body() -> None:
    body = Body("crate:1", "crate", (15.5, 23.0), CRATE_MM)
    place = Place("grid:a1", (8.0, 8.0), (14.0, 14.0), ("drink",), on="crate:1")
    loose = Place("elsewhere", (0.0, 0.0), (10.0, 10.0), ("drink",))
    centres = places_on([body], [Body("crate:1", "crate", (100.0, 200.0), CRATE_MM, 90.0)], [place, loose])
    assert centres == {"grid:a1": pytest.approx((115.0, 192.5))}


def test_crates_whose_rims_mirror_a_lamp_are_found_as_lighter_ones() -> None:
    look = crate_look()
    light, *hue = look.rim_lab
    learned_darker = replace(look, rim_lab=(light - 15, hue[0], hue[1]), contrast=20.0)
    seen = LitPicture(picture(0), arrangement().view, white())
    near = [replace(body, at_mm=at) for body, at in zip(expected(), [true_crates(0)[b.spot][:2] for b in expected()])]
    as_learned, in_glare = fit_each(seen, [learned_darker], near)[0], fit_in_glare(seen, learned_darker, near, [])
    assert np.median([each.stands_out for each in in_glare]) > 0.1 + np.median([each.stands_out for each in as_learned])
    assert_true(in_glare, 0)


@pytest.mark.parametrize(("stands_out", "looks"), [(0.0, 1), (1.0, 3)])
def test_darker_rims_are_tried_only_for_crates_that_do_not_stand_out_anyway(
        monkeypatch: pytest.MonkeyPatch, stands_out: float, looks: int) -> None:
    tried: list[set[str]] = []

    def match(rims: RimMap, near: list[Body], *where: Any) -> list[Pose]:
        tried.append({body.spot for body in near})
        return match_crates(rims, near, *where)

    monkeypatch.setattr(crate_fit, "match_crates", match)
    monkeypatch.setattr(crate_fit, "CLEARLY_STANDS_OUT", stands_out)
    near = [replace(body, at_mm=at) for body, at in zip(expected(), [true_crates(0)[b.spot][:2] for b in expected()])]
    fitted = fit_in_shade(LitPicture(picture(0), arrangement().view, white()), crate_look(), near)
    assert tried == [{body.spot for body in near}] * looks
    assert [each.spot for each in fitted] == [body.spot for body in near]


def test_bare_table_is_no_crate_in_glare() -> None:
    seen = LitPicture(enrolment(0), arrangement().view, white())
    near = [replace(body, at_mm=(body.at_mm[0] + 100, body.at_mm[1] + 20)) for body in expected()]
    assert all(each.stands_out < 0.1 for each in fit_in_glare(seen, crate_look(), near, []))


@pytest.mark.parametrize(("strayed", "at_rest", "off_mm"), [
    (0.65, 0.45, (0.5, 1.9)), (0.55, 0.45, (0.1, 0.0)), (0.55, 0.55, (0.0, 0.0)), (0.45, 0.45, (0.1, 0.0))])
def test_a_fit_that_strayed_has_to_stand_out_clearly_more_than_one_close_by_and_than_no_move(
        monkeypatch: pytest.MonkeyPatch, strayed: float, at_rest: float, off_mm: tuple[float, float]) -> None:

    def fit_ridges(rims: RimMap, body: Body, pose: Pose, reach_mm: float = RIDGE_REACH_MM) -> tuple[Pose, float]:
        off = (0.5, 1.9) if reach_mm == RIDGE_REACH_MM else (0.1, 0.0)
        return Pose((pose.at_mm[0] + off[0], pose.at_mm[1] + off[1]), pose.turn_deg), 0.0

    def walls_stand_out(colours: RimMap, look: CrateLook, body: Body, pose: Pose) -> float:
        right, up = np.subtract(pose.at_mm, body.at_mm) - look.bias_mm
        return strayed if up > 1 else 0.5 if right > 0.05 else at_rest

    monkeypatch.setattr(crate_fit, "fit_ridges", fit_ridges)
    monkeypatch.setattr(crate_fit, "walls_stand_out", walls_stand_out)
    body = expected()[0]
    before = [FittedBody(body.spot, body.at_mm, body.turn_deg, 0.0, 1.0)]
    fitted = refit_crates(LitPicture(picture(0), arrangement().view, white()), crate_look(), [body], before)[0]
    assert np.subtract(fitted.at_mm, body.at_mm) == pytest.approx(off_mm)


def test_dividers_tell_where_a_crate_stands_whose_sides_lie_beside_those_of_its_neighbours() -> None:
    patch = Orthopatch(np.zeros((240, 240, 2), np.float32), np.zeros((1, 1, 3), np.uint8), (0, 0), -30.0, 30.0, 4.0)
    seen = np.full((240, 240, 3), (20, 0, 0), np.float32)
    there, beside = Pose((0.0, 0.0), 0.0), Pose((1.6, 1.6), 0.0)
    walls = [pose.to_table(outlines(CRATE_MM, RIM_INSIDE_MM)) for pose in (there, beside)] + [dividers((0.0,))]
    for column, row in np.rint(patch.to_px(np.concatenate(walls))).astype(int):
        cv2.circle(seen, (int(column), int(row)), 3, (80, 0, 0), -1)
    colours, look = RimMap(seen, patch), CrateLook((80.0, 0.0, 0.0), 60.0)
    body = Body("crate:1", "crate", (0.0, 0.0), CRATE_MM)
    assert stands_out(colours, look, body, there) == pytest.approx(stands_out(colours, look, body, beside), abs=0.02)
    assert walls_stand_out(colours, look, body, there) > 0.1 + walls_stand_out(colours, look, body, beside)
