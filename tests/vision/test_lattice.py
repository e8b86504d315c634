from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.games.yuzu_twist.layout import layout
from companion.table import EMPTY, Layout
from companion.table.crate import CRATE_MM, RIM_MM, slot_mm
from vision.bodies import crate_lattice
from vision.bodies.crate_fit import FittedBody, fit_in_shade
from vision.enrolment.enrol import enrol
from vision.enrolment.opened_picture import LaidPicture
from vision.enrolment.picture_set import PictureSet, read_picture, read_set, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import Image
from vision.imaging.layout_pose import LayoutFrame
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.pipeline.body_locator import BodyLocator, LocatedBodies
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

EXCERPT = Path(__file__).parents[1] / "data" / "yuzu-1"
CLOSE_MM = 0.4
PALED, ZONES_UP_MM = 0.6, (-3 * CRATE_MM[1], 3 * CRATE_MM[1])
DIMMED, LID_MM, LID_RADIUS_MM = 0.8, 20.0, 5.5


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def pieces(known: PictureSet) -> PieceSet:
    """What is known of crates and cards alone, from the pictures that show them."""
    laid = [LaidPicture(read_picture(each.picture, known.lens), each.pieces) for each in known.enrolments[2:]]
    return enrol(laid, [piece for piece in known.pieces if piece.kind != "drink"], known.lens)


def locator(game: Layout, known: PictureSet, pieces: PieceSet) -> BodyLocator:
    frame = LayoutFrame(game, known.zones, known.seats)
    return BodyLocator(game, frame, pieces, frame.zones(game, known.zones))


def opened(image: Image, known: PictureSet, pieces: PieceSet) -> Scene:
    """A picture of the table, opened before the light on it is measured."""
    arrangement = find_cards(image, known.lens)
    return Scene(image, arrangement.view, fit_white(image, arrangement), pieces.bare, None)


def first_free(known: PictureSet) -> tuple[Image, list[dict[str, Any]]]:
    """The first picture that is free, and the crates in it."""
    index, line = next((index, line) for index, line in enumerate(read_truth(EXCERPT)) if line["free"])
    return known.frame(index).image.copy(), crates_in(line)


def crates_in(line: dict[str, Any]) -> list[dict[str, Any]]:
    return [piece for piece in line["pieces"] if piece["appearance"] == "crate"]


def cell_of(crate: dict[str, Any]) -> str:
    return f"cell:{crate['cell'][0]},{crate['cell'][1]}"


def first_found(game: Layout, known: PictureSet, pieces: PieceSet) -> LocatedBodies:
    """The bodies at the first free look."""
    return locator(game, known, pieces).find(opened(first_free(known)[0], known, pieces))


def test_crates_are_found_on_their_cells_look_after_look(known: PictureSet, pieces: PieceSet) -> None:
    bodies = locator(layout(2), known, pieces)
    cells_seen = set()
    for index, line in enumerate(read_truth(EXCERPT)):
        if not line["free"]:
            continue
        found = bodies.find(opened(known.frame(index).image, known, pieces))
        there = {cell_of(crate): crate for crate in crates_in(line)}
        assert {body.spot for body in found.bodies} == set(there)
        for body in found.bodies:
            assert np.hypot(*np.subtract(body.at_mm, there[body.spot]["at"])) < CLOSE_MM
        said = {sight.spot: sight.loglik["crate"] > sight.loglik[EMPTY] for sight in found.sights}
        assert {spot for spot, is_there in said.items() if is_there} == set(there)
        assert {place.on for place in found.layout.places} == set(there)
        cells_seen.add(frozenset(there))
    assert cells_seen


def test_a_cell_that_looks_like_the_bare_table_is_empty_and_no_crate_is_fitted_there(
        known: PictureSet, pieces: PieceSet, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: set[str] = set()
    covered: dict[str, float] = {}

    def fit(picture: Any, look: Any, bodies: Any, *more: Any, **how: Any) -> Any:
        fitted.update(body.spot for body in bodies)
        return fit_in_shade(picture, look, bodies, *more, **how)

    def share(scene: Scene, body: Any, own: Callable[[Scene, Any], float] = crate_lattice._covered) -> float:
        covered[body.spot] = own(scene, body)
        return covered[body.spot]

    monkeypatch.setattr(crate_lattice, "fit_in_shade", fit)
    monkeypatch.setattr(crate_lattice, "_covered", share)
    found = first_found(layout(2), known, pieces)
    bare = {spot for spot, each in covered.items() if each < crate_lattice.BARE_COVERED}
    sights = {sight.spot: sight for sight in found.sights}
    assert bare
    assert bare.isdisjoint(fitted)
    assert all(sights[spot].loglik[EMPTY] > sights[spot].loglik["crate"] for spot in bare)


def test_of_more_crates_than_there_are_the_likeliest_stand(known: PictureSet, pieces: PieceSet) -> None:
    found = first_found(replace(layout(2), carriers=5), known, pieces)
    nats = {sight.spot: sight.loglik["crate"] - sight.loglik[EMPTY] for sight in found.sights}
    likeliest = sorted(nats, key=lambda spot: -nats[spot])
    assert {body.spot for body in found.bodies} == set(likeliest[:5])
    assert nats[likeliest[4]] == pytest.approx(-nats[likeliest[5]])
    assert nats[likeliest[5]] <= 0


def test_lids_that_look_like_rims_do_not_shift_the_group(known: PictureSet, pieces: PieceSet) -> None:
    """In the middle of the table less light falls on the rims than at enrolment, and as much on the lids as then fell
    on rims."""
    image, crates = first_free(known)
    _dim_and_cap(image, find_cards(image, known.lens).view, crates)
    found = {body.spot: body for body in locator(layout(2), known, pieces).find(opened(image, known, pieces)).bodies}
    assert set(found) == {cell_of(crate) for crate in crates}
    off = [np.hypot(*np.subtract(found[cell_of(crate)].at_mm, crate["at"])) for crate in crates]
    assert max(off) < 1.5


def test_cards_with_borders_as_rims_do_not_shift_the_group(known: PictureSet, pieces: PieceSet) -> None:
    image, crates = first_free(known)
    _lay_frames(image, find_cards(image, known.lens).view, crates)
    found = {body.spot for body in locator(layout(2), known, pieces).find(opened(image, known, pieces)).bodies}
    assert found == {cell_of(crate) for crate in crates}


def _lay_frames(image: Image, view: View, crates: Sequence[dict[str, Any]]) -> None:
    """Draw rims beside the places of crates in the players' zones, farther apart than crates stand, and pale the
    crates: so more look like rims there than on them."""
    rims, inside = [_outline_px(view, crate) for crate in crates], np.zeros(image.shape[:2], np.uint8)
    colour = _rim_colour(image, rims).tolist()
    for rim in rims:
        cv2.fillConvexPoly(inside, rim, 1)
    image[inside > 0] = (image[inside > 0] * PALED + image[inside == 0].mean(axis=0) * (1 - PALED)).astype(np.uint8)
    for crate in crates:
        up_mm = ZONES_UP_MM[crate["cell"][1]]
        cv2.polylines(image, [_outline_px(view, crate, aside_mm=(9.0, up_mm))], True, colour, 4)


def _outline_px(view: View, crate: dict[str, Any], height_mm: float = RIM_MM,
                aside_mm: tuple[float, float] = (0.0, 0.0)) -> npt.NDArray[np.int32]:
    """The outline (4, 2) in px of a crate at a height, mostly its rim's, that stands so far to the right and up."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * CRATE_MM[:2] / 2 + aside_mm
    return np.rint(view.project_at(corners @ spin(crate["turn"]).T + crate["at"], height_mm)).astype(np.int32)


def _rim_colour(image: Image, rims: Sequence[npt.NDArray[np.int32]]) -> Floats:
    """The middle colour (3,) B G R of some rims."""
    on_rims = np.zeros(image.shape[:2], np.uint8)
    cv2.polylines(on_rims, rims, True, 1)
    return np.asarray(np.median(image[on_rims > 0], axis=0), np.float64)


def test_crates_that_are_all_of_the_table_s_colour_are_found_by_their_light_and_shade(
        known: PictureSet, pieces: PieceSet) -> None:
    """White crates with white lids on a white table differ from it nowhere by more than a shadow does."""
    image, crates = first_free(known)
    arrangement = find_cards(image, known.lens)
    white = fit_white(image, arrangement)
    colour = _paint_in_one_colour(image, arrangement.view, crates)
    bare = Bare(np.full_like(image, np.rint(colour).astype(np.uint8)), arrangement.view, white)
    found = locator(layout(2), known, pieces).find(Scene(image, arrangement.view, white, bare, None)).bodies
    assert {body.spot for body in found} == {cell_of(crate) for crate in crates}


def _paint_in_one_colour(image: Image, view: View, crates: Sequence[dict[str, Any]]) -> Floats:
    """Paint all but the crates in the colour of their rims, evenly, and the crates in lighter and darker shades of it.
    The colour (3,) B G R."""
    rims, inside = [_outline_px(view, each) for each in crates], np.zeros(image.shape[:2], np.uint8)
    for each, rim in zip(crates, rims):
        cv2.fillConvexPoly(inside, cv2.convexHull(np.concatenate([_outline_px(view, each, 0.0), rim])), 1)
    colour = _rim_colour(image, rims)
    shade = np.where(inside > 0, image.mean(axis=2) / colour.mean(), 1.0)
    image[:] = np.clip(np.rint(shade[..., None] * colour), 0, 255)
    return colour


def test_a_crate_that_was_pulled_aside_is_set_right_by_the_others(
        known: PictureSet, pieces: PieceSet, monkeypatch: pytest.MonkeyPatch) -> None:
    true = {body.spot: body for body in first_found(layout(2), known, pieces).bodies}
    pulled, was_pulled = list(true)[-1], set[str]()

    def fit(*given: Any, **how: Any) -> Any:
        return tuple(_aside(each) if each.spot == pulled and not was_pulled else each
                     for each in fit_in_shade(*given, **how))

    def _aside(each: FittedBody) -> FittedBody:
        was_pulled.add(each.spot)
        return replace(each, at_mm=(each.at_mm[0] + 3.0, each.at_mm[1]), stands_out=0.15)

    monkeypatch.setattr(crate_lattice, "fit_in_shade", fit)
    found = {body.spot: body for body in first_found(layout(2), known, pieces).bodies}
    assert was_pulled
    assert np.hypot(*np.subtract(found[pulled].at_mm, true[pulled].at_mm)) < CLOSE_MM


def _dim_and_cap(image: Image, view: View, crates: Sequence[dict[str, Any]]) -> None:
    """Darken crates, and lay a lid in the colour of the rims over each of their slots."""
    rims, inside = [_outline_px(view, each) for each in crates], np.zeros(image.shape[:2], np.uint8)
    blue, green, red = _rim_colour(image, rims).tolist()
    for rim in rims:
        cv2.fillConvexPoly(inside, rim, 1)
    image[inside > 0] = (image[inside > 0] * DIMMED).astype(np.uint8)
    for each in crates:
        for slot in [(column, row) for column in (0, 1) for row in (0, 1, 2)]:
            at = spin(each["turn"]) @ slot_mm(*slot) + each["at"]
            x, y = np.rint(view.project_at(at[None], LID_MM)[0]).astype(int).tolist()
            radius_px = round(LID_RADIUS_MM * view.px_per_mm((at[0], at[1]), LID_MM))
            cv2.circle(image, (x, y), radius_px, (blue, green, red), -1)
