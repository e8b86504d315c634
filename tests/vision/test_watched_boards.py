"""Boards that are watched by their corners alone: what is read, when, and what is told instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import pytest

from companion.errors import InvalidError, SightError
from companion.table import EMPTY, Placement
from tests.vision.chequered import LAYOUT, PLACES, START, moved
from tests.vision.drawn_board import STYLES, Camera
from vision.boards.board_reader import BoardReader, content_of
from companion.table.board_corners import BoardCorners, corner_names, corners_named, read_corners
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

RATE = 10.0


class Watcher:
    """Eyes over a drawn board, and the frames that they have seen."""

    def __init__(self, style: str = "vinyl", placement: Placement = START, seed: int = 0, rate: float = RATE) -> None:
        self.camera = Camera(STYLES[style], LAYOUT, seed)
        self.eyes = BoardReader(LAYOUT, placement, corners_named(self.camera.corners, LAYOUT))
        self.number, self.rate = 0, rate

    def see(self, images: Iterable[Image]) -> list[Look]:
        looks = []
        for image in images:
            looks.append(self.eyes.look(Frame(image, make_small(image), self.number / self.rate, self.number)))
            self.number += 1
        return looks

    def show(self, placement: Placement, hands: Sequence[float | None] = (None,) * 4, gain: float = 1.0) -> list[Look]:
        return self.see(self.camera.picture(placement, hand, gain) for hand in hands)


def read_of(look: Look) -> dict[str, str]:
    """What a look shows at each place that is not empty."""
    assert look.observation is not None
    best = {sight.spot: max(sight.loglik, key=lambda name: sight.loglik[name]) for sight in look.observation.sights}
    return {spot: content_of((name,)) for spot, name in best.items() if name != EMPTY}


def shown(placement: Placement) -> dict[str, str]:
    return {spot: content_of(pieces) for spot, pieces in placement.items()}


def states(looks: Iterable[Look]) -> list[str]:
    return [look.state for look in looks]


@pytest.mark.parametrize("style", STYLES)
def test_boards_of_all_colours_are_read_before_and_after_moves(style: str) -> None:
    watcher = Watcher(style)
    after = moved(START, "e2e4", "d7d5", "e4d5", "g8f6")

    first = watcher.show(START)[-1]
    later = [look for look in watcher.show(after) if look.state == "free"]

    assert read_of(first) == shown(START)
    assert read_of(later[0]) == read_of(later[-1]) == shown(after)
    fresh = {sight.spot for sight in later[0].observation.sights if sight.fresh}
    assert {"square:e2", "square:d5", "square:g8", "square:f6"} <= fresh
    assert len(fresh) < len(PLACES) / 2


def test_a_board_on_which_people_have_begun_to_play_is_learned_all_the_same() -> None:
    watcher, now = Watcher("wood"), moved(START, "e2e4", "e7e5", "d1h5", "b8c6")

    assert read_of(watcher.show(now)[-1]) == shown(now)


@pytest.mark.parametrize("rate", [5.0, 10.0, 30.0])
def test_the_first_free_look_comes_within_half_a_second_and_none_with_a_hand(rate: float) -> None:
    watcher = Watcher(rate=rate)
    rest = max(2, round(0.6 * rate))
    watcher.show(START, [None] * rest)
    after = moved(START, "b1c3")

    coming = watcher.show(START, np.linspace(0.0, 0.6, rest).tolist())
    resting = watcher.show(after, [0.6] * round(1.2 * rate))
    leaving = watcher.show(after, np.linspace(0.6, 0.0, rest).tolist())
    gone = watcher.show(after, [None] * rest)

    assert "free" not in states(coming + resting + leaving)
    assert states(resting)[-1] == "hand"
    assert states(gone).index("free") / rate <= 0.5
    assert read_of(gone[-1]) == shown(after)


def test_an_exposure_that_jumps_is_no_hand_and_changes_no_reading() -> None:
    watcher = Watcher()
    watcher.show(START)

    for gain in (0.6, 1.2, 0.8):
        looks = watcher.show(START, gain=gain)
        assert "hand" not in states(looks)
        assert states(looks)[2:] == ["free"] * 2
        assert all(read_of(look) == shown(START) for look in looks if look.state == "free")


def test_a_dark_and_a_burnt_out_board_are_told() -> None:
    watcher = Watcher()

    assert states(watcher.show(START, gain=0.04)) == ["dark"] * 4
    assert states(watcher.show(START, gain=9.0)) == ["bright"] * 4


def test_a_piece_laid_beside_the_board_is_no_hand_for_long() -> None:
    watcher = Watcher()
    watcher.show(START)

    def with_prisoner() -> Image:
        image = watcher.camera.picture(START)
        x, y = np.mean([watcher.camera.corners["a1"], watcher.camera.corners["a8"]], axis=0)
        cv2.circle(image, (round(x) - 40, round(y)), 16, (30, 30, 30), -1, cv2.LINE_AA)
        return image

    looks = watcher.see(with_prisoner() for _ in range(20))

    assert states(looks)[-1] == "free"
    assert read_of(looks[-1]) == shown(START)


@pytest.mark.parametrize("image", [
    np.full((600, 800, 3), 120, np.uint8),
    np.random.default_rng(1).integers(0, 255, (600, 800, 3)).astype(np.uint8),
    cv2.GaussianBlur(np.random.default_rng(2).integers(0, 255, (600, 800, 3)).astype(np.uint8), (0, 0), 25),
], ids=["a plain sheet", "noise", "clouds"])  # fmt: skip
def test_what_is_no_board_with_a_game_is_told(image: Image) -> None:
    looks = Watcher().see([image] * 40)

    assert "free" not in states(looks)
    assert looks[-1].state == "blocked"
    assert looks[-1].why.id == "board.not_as_said"


def test_an_empty_board_is_not_taken_for_a_game() -> None:
    assert set(states(Watcher().show({}, [None] * 8))) <= {"settling", "blocked"}


def test_pieces_of_a_colour_that_was_not_seen_yet_are_seen_to_stand_there() -> None:
    watcher = Watcher()
    watcher.eyes = BoardReader(LAYOUT, {}, corners_named(watcher.camera.corners, LAYOUT), ("man:white", "man:black"))
    watcher.show({})
    look = watcher.show({"square:d4": ("man:black",)})[-1]

    d4 = next(sight for sight in look.observation.sights if sight.spot == "square:d4")
    assert d4.loglik["man:white"] == d4.loglik["man:black"] > d4.loglik[EMPTY] + 5
    assert set(read_of(look)) == {"square:d4"}


def test_corners_may_be_named_in_any_order_and_are_named_by_the_places_next_to_them() -> None:
    assert corner_names(LAYOUT) == ("a1", "h1", "h8", "a8")
    given = read_corners("h8=300,10  a1=10,300 a8=10,10 h1=300,300", LAYOUT)
    assert given == BoardCorners(((0, 0), (400, 0), (400, 400), (0, 400)), ((10, 300), (300, 300), (300, 10), (10, 10)))


@pytest.mark.parametrize(("given", "id"), [
    ("", "board.corners_form"),
    ("a1=1,1 h1=2", "board.corners_form"),
    ("a1=10,300 h1=300,300 h8=300,10 a9=10,10", "board.no_such_corner"),
    ("a1=10,300 h1=300,300 h8=300,10 b7=10,10", ""),
    ("a1=10,300 h1=300,300 h8=300,10 g7=10,10", "board.same_corner"),
    ("a1=10,300 h1=12,300 h8=300,10 a8=10,10", "board.too_small"),
    ("a1=10,300 h1=150,155 h8=300,10 a8=10,10", "board.on_a_line"),
    ("h1=10,300 a1=300,300 a8=300,10 h8=10,10", "board.wrong_order"),
    ("a1=10,300 h1=300,10 h8=300,300 a8=10,10", "board.wrong_order"),
])  # fmt: skip
def test_corners_that_cannot_be_are_refused_with_the_reason(given: str, id: str) -> None:
    if not id:
        read_corners(given, LAYOUT)
        return
    with pytest.raises(InvalidError) as refused:
        read_corners(given, LAYOUT)
    assert refused.value.phrase.id == id


def test_a_corner_outside_the_picture_is_told() -> None:
    watcher = Watcher()
    small = cv2.resize(watcher.camera.picture(START), (400, 225))
    with pytest.raises(SightError, match=r"board\.outside"):
        watcher.see([np.asarray(small, np.uint8)])


@pytest.mark.parametrize("scale", [0.5, 1.6])
def test_pictures_that_become_larger_or_smaller_are_read_on(scale: float) -> None:
    watcher = Watcher()
    watcher.show(START)
    after = moved(START, "g1f3", "d7d5")
    sizes = [np.asarray(cv2.resize(watcher.camera.picture(after), None, fx=scale, fy=scale,
                                   interpolation=cv2.INTER_AREA), np.uint8) for _ in range(6)]

    looks = watcher.see(sizes)
    back = watcher.show(after)

    assert states(looks)[-1] == states(back)[-1] == "free"
    assert read_of(looks[-1]) == read_of(back[-1]) == shown(after)


@pytest.mark.parametrize("style", STYLES)
def test_corners_turned_by_a_half_are_told_by_the_colours_that_stand_exchanged(style: str) -> None:
    watcher = Watcher(style)
    corners = watcher.camera.corners
    turned = {name: corners[across] for name, across in (("a1", "h8"), ("h1", "a8"), ("h8", "a1"), ("a8", "h1"))}
    watcher.eyes = BoardReader(LAYOUT, START, corners_named(turned, LAYOUT))
    looks = watcher.show(START)
    assert states(looks)[-1] == "blocked"
    assert looks[-1].why.id == "board.turned"


def test_pictures_of_another_shape_are_not_read_until_the_old_one_comes_back() -> None:
    watcher = Watcher()
    watcher.show(START)
    wide = np.asarray(cv2.resize(watcher.camera.picture(START), (1280, 720)), np.uint8)
    for _ in range(3):
        with pytest.raises(SightError, match=r"board\.other_shape"):
            watcher.see([wide])

    assert states(watcher.show(START))[-1] == "free"


def film(kind: str, number: int) -> Image:
    """A picture of a film that has nothing to do with the board, as large as the board's."""
    rng = np.random.default_rng(number // 8 if kind == "a film" else 7)
    if kind == "an empty desk":
        return np.full((600, 800, 3), (120, 150, 175), np.uint8)
    scene = cv2.resize(rng.integers(20, 235, (6, 8, 3)).astype(np.uint8), (800, 600), interpolation=cv2.INTER_CUBIC)
    if kind == "a cat that walks through":
        cv2.ellipse(scene, (40 * (number % 20), 330), (130, 80), 0, 0, 360, (90, 120, 160), -1)
    return np.asarray(scene, np.uint8)


@pytest.mark.parametrize("kind", ["an empty desk", "a film", "a still", "a cat that walks through"])
def test_what_is_no_board_in_the_middle_of_a_game_is_never_read_and_the_game_stands(kind: str) -> None:
    watcher, after = Watcher(), moved(START, "e2e4")
    watcher.show(START)
    watcher.show(after)

    looks = watcher.see(film(kind, number) for number in range(60))
    again = watcher.show(after, [None] * 14)

    assert "free" not in states(looks)
    assert all(look.why is not None for look in looks), "it is said why nothing is read"
    assert states(again)[-1] == "free"
    assert all(read_of(look) == shown(after) for look in again if look.state == "free")


@pytest.mark.parametrize(("style", "shift_px"), [("wood", (9.0, -6.0)), ("vinyl", (-30.0, 14.0))])
def test_a_pushed_board_is_noticed_and_followed(style: str, shift_px: tuple[float, float]) -> None:
    watcher = Watcher(style)
    watcher.show(START)
    watcher.camera.shift_px = shift_px
    pushed = watcher.show(START, [None] * 10)
    after = moved(START, "g1f3", "d7d5")
    moves = watcher.show(after, [0.2, 0.5, 0.5, 0.1, None, None, None, None])

    assert {"bumped"} <= set(states(pushed)) <= {"moving", "settling", "hand", "bumped", "free"}
    assert states(pushed)[-1] == "free"
    assert all(read_of(look) == shown(START) for look in pushed if look.state == "free")
    assert read_of(moves[-1]) == shown(after)
    here = np.array([watcher.camera.corners[name] for name in corner_names(LAYOUT)])
    assert np.abs(watcher.eyes.view.corners_px - here).max() < 3.0


def test_a_push_by_a_twelfth_of_a_place_changes_no_reading() -> None:
    watcher = Watcher("askew")
    watcher.show(START)
    watcher.camera.shift_px = (4.0, 0.0)

    looks = watcher.show(START, [None] * 10)

    assert states(looks)[-1] == "free"
    assert all(read_of(look) == shown(START) for look in looks if look.state == "free")


def test_a_resting_hand_is_no_push() -> None:
    watcher = Watcher()
    watcher.show(START)
    watcher.show(START, [0.2, 0.4])

    assert "bumped" not in states(watcher.show(START, [0.5] * 16))


def test_a_lamp_that_tints_the_table_beside_the_board_is_no_change() -> None:
    """A lamp of the companion's own, next to the board: its glow has no outline."""
    watcher = Watcher("dim")
    watcher.show(START)
    down, across = np.mgrid[0:480, 0:640]
    x, y = np.mean([watcher.camera.corners["a1"], watcher.camera.corners["h1"]], axis=0)
    glow = 35.0 * np.exp(-((across - x) ** 2 + (down - y - 50) ** 2) / 900.0)

    def lit(on: float) -> Image:
        image = watcher.camera.picture(START).astype(np.float32)
        image[..., 1] += on * glow
        return image.clip(0, 255).astype(np.uint8)

    looks = watcher.see(lit(float(n // 3 % 2)) for n in range(24))

    assert states(looks)[-1] in ("free", "moving")
    assert "hand" not in states(looks)[8:]
    assert all(read_of(look) == shown(START) for look in looks if look.state == "free")
    assert states(looks).count("free") >= 8
