import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.cli.one_look_jointly import decide
from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.games.kamikaze_cans.layout import layout
from companion.table import EMPTY, Point, colour_of
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading, loglik
from vision.drinks.models import Models
from vision.enrolment.enrol import enrol, enrol_set
from vision.enrolment.opened_picture import LaidPicture
from vision.enrolment.picture_set import PictureSet, read_picture, read_set, read_truth
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import Lens
from vision.imaging.frame import Image
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set, save_piece_set
from vision.pipeline.reader import Reader
from vision.scene.change_detection import touched
from vision.scene.scene import Scene

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
NEAR_MM = 6.0


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def pieces(known: PictureSet, learned_once: None) -> PieceSet:
    return enrol_set(known, registry.kinds(known.game))


@pytest.fixture(scope="module")
def reader(known: PictureSet, pieces: PieceSet) -> Reader:
    return Reader(known.lens, pieces, layout(2), known.zones, known.seats)


def test_everything_on_the_table_is_found_with_its_colour(known: PictureSet, reader: Reader) -> None:
    there = next(line for line in read_truth(EXCERPT) if line["free"])
    index = read_truth(EXCERPT).index(there)
    look = reader.look(known.frame(index))
    assert look.state == "free"
    assert look.observation is not None
    drinks = [piece for piece in there["pieces"] if "/" in piece["appearance"]]
    seen = [each for each in decide(look.observation.sights) if "/" in each.appearance]
    assert len(seen) == len(drinks)
    for piece in drinks:
        near = [each for each in seen if np.hypot(*np.subtract(each.at_mm, piece["at"])) < NEAR_MM]
        assert [colour_of(each.appearance) for each in near] == [colour_of(piece["appearance"])]
        assert near[0].spot == piece["spot"]


def test_a_still_table_is_not_read_again(known: PictureSet, reader: Reader) -> None:
    index = next(i for i, line in enumerate(read_truth(EXCERPT)) if line["free"])
    frame = known.frame(index)
    reader.look(frame)
    again = reader.look(replace(frame, at_s=frame.at_s + 5))
    assert again.observation is not None
    assert not any(sight.fresh for sight in again.observation.sights if not sight.spot.startswith("crate:"))


def test_places_read_the_same_whatever_was_read_there_before(known: PictureSet, pieces: PieceSet,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scene, "recall", lambda *_: None)  # how slots looked while they were empty does tell something
    frames = [known.frame(i) for i, line in enumerate(read_truth(EXCERPT)) if line["free"]]
    first, alone = (Reader(known.lens, pieces, layout(2), known.zones, known.seats) for _ in range(2))
    looks = [first.look(frame) for frame in frames]
    whole = alone.look(frames[-1])
    assert looks[-1].observation is not None
    assert whole.observation is not None
    found, expected = ({sight.spot: sight for sight in look.observation.sights if sight.spot.startswith("grid:")}
                       for look in (looks[-1], whole) if look.observation is not None)
    assert found.keys() == expected.keys()
    for spot, sight in expected.items():
        name = max(sight.loglik, key=sight.loglik.__getitem__)
        assert found[spot].loglik[name] == pytest.approx(sight.loglik[name], abs=1.0)
        if name != EMPTY:
            assert found[spot].at_mm == pytest.approx(sight.at_mm, abs=0.5)


def test_a_moved_card_is_told_and_what_did_not_change_keeps_its_reading(
        known: PictureSet, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = known.frame(next(i for i, line in enumerate(read_truth(EXCERPT)) if line["free"]))
    reader.look(replace(frame, at_s=frame.at_s + 10))

    def bumped(image: Image, lens: Lens, before: Arrangement | None) -> Arrangement:
        return replace(find_cards(image, lens, before), bumped=phrase("eyes.card_bumped", card=2))

    monkeypatch.setattr("vision.pipeline.table_watch.find_cards", bumped)
    again = reader.look(replace(frame, at_s=frame.at_s + 15))
    assert again.observation is not None
    assert again.why == phrase("eyes.card_bumped", card=2)
    assert not any(sight.fresh for sight in again.observation.sights if not sight.spot.startswith("crate:"))


def test_a_piece_set_is_the_same_after_saving(pieces: PieceSet, tmp_path: Path) -> None:
    file = tmp_path / "pieces.zip"
    save_piece_set(pieces, file)
    assert file.stat().st_size < 2_000_000
    loaded = load_piece_set(file)
    assert loaded.profiles == pieces.profiles
    assert loaded.pieces == pieces.pieces
    assert math.isfinite(loaded.table_misfit)
    assert (loaded.table_misfit, loaded.crate_misfit) == (pieces.table_misfit, pieces.crate_misfit)
    assert pieces.table_shape_costs
    assert pieces.crate_shape_costs
    assert (loaded.table_shape_costs, loaded.crate_shape_costs) == (pieces.table_shape_costs, pieces.crate_shape_costs)
    assert loaded.cards == pieces.cards
    drink = next(iter(pieces.table_textures))
    assert np.array_equal(loaded.table_textures[drink], pieces.table_textures[drink])
    assert loaded.bare is not None
    assert pieces.bare is not None
    assert loaded.bare.shadow == pieces.bare.shadow
    assert not loaded.bare.shadow.is_grey  # the excerpt's table is brown


def test_a_damaged_piece_set_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pieces.zip"
    file.write_bytes(b"no piece set")
    with pytest.raises(InvalidError):
        load_piece_set(file)


def test_enrolment_without_a_drink_on_the_open_table_is_refused(known: PictureSet) -> None:
    picture = LaidPicture(read_picture(known.enrolments[0].picture, known.lens), ())
    with pytest.raises(InvalidError):
        enrol([picture], known.pieces, known.lens)


def test_no_drink_is_ever_impossible() -> None:
    said = loglik({EMPTY: 0.0, "red/stub_can": 1e9}, 100.0)
    assert said["red/stub_can"] > -15
    assert np.isclose(sum(np.exp(list(said.values()))), 1)


def test_what_is_explained_worse_than_usual_tells_less() -> None:
    pose = DrinkPose(np.zeros(3), 0.0)
    costs = {EMPTY: 9e4, "red/stub_can": 2e4, "red/short_can": 2.4e4}
    feet: dict[str, Point] = dict.fromkeys(costs, (0.0, 0.0))
    reading = DrinkReading(pose, costs, feet, "red/stub_can", (0, 0), 0.0, 1000, {})
    said = [Models({}, {}, {}, 2000.0, usual).loglik(reading) for usual in (math.inf, 40.0, 20.0, 10.0)]
    assert np.allclose([each["red/stub_can"] - each["red/short_can"] for each in said], (2.0, 2.0, 2.0, 1.0), atol=0.01)
    in_crates = Models({}, {}, {}, 2000.0, 40.0, 10.0)
    for was_bare, nats in ((False, 2.0), (True, 1.0)):
        told = in_crates.loglik(reading, was_bare)
        assert np.isclose(told["red/stub_can"] - told["red/short_can"], nats, atol=0.01)


def test_noise_is_no_touch_and_a_lid_is() -> None:
    random = np.random.default_rng(1)
    before = np.full((40, 40, 3), 50.0, np.float32)
    now = before + random.normal(0, 2, before.shape).astype(np.float32)
    assert not touched(before, now)
    now[10:25, 10:25, 1] += 40
    assert touched(before, now)
