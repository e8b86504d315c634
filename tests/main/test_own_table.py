"""What pages set takes effect at once, and is there after the next start."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.errors import ConfigError, InvalidError, phrase
from companion.enrolling.described import lens_of
from companion.main.own_table import OwnTable
from companion.session.config import read_config
from companion.session.eyes_side import EyesSide
from companion.session.keeping import Keeping
from companion.session.settings import Settings
from companion.session.state import State
from companion.session.survey import LensMeasured, Survey, TableFromAbove
from companion.table.laid import Laid
from vision.imaging.camera import module_3_lens


class Used:
    def __init__(self) -> None:
        self.sources: list[Any] = []

    def use(self, source: Any) -> None:
        self.sources.append((source.kind, source.camera))


def own_in(folder: Path, used: Used, side: EyesSide | None = None, fixed: tuple[str, ...] = ()) -> OwnTable:
    settings = Settings(folder, lambda kept: replace(read_config(kept), folder=folder), fixed)
    return OwnTable(settings, cast(Any, used), side or EyesSide(State()))


def test_what_is_kept_of_what_the_camera_sees_is_told(tmp_path: Path) -> None:
    used, side = Used(), EyesSide(State())
    assert own_in(tmp_path, used, side).keeping is None
    own = own_in(tmp_path, used, side)
    own.keep({"keep.folder": str(tmp_path / "kept"), "keep.mb": 50})
    assert own.keeping.id == "keep.told"
    side.keeping = Keeping(str(tmp_path), 12.3)
    assert dict(own.keeping.args) == {"where": str(tmp_path), "given": 12, "number": 50}
    side.keeping = Keeping(str(tmp_path), 50.1, phrase("keep.full"))
    assert own.keeping.id == "keep.full"


def test_a_source_is_kept_and_used_and_a_name_is_only_kept(tmp_path: Path) -> None:
    used = Used()
    own = own_in(tmp_path, used, fixed=("source.lens",))
    own.keep({"table.name": "Attic"})
    assert used.sources == []
    own.keep({"source.kind": "camera", "source.camera": 1})
    assert used.sources == [("camera", 1)]
    with pytest.raises(ConfigError):
        own.keep({"source.camera": 99})
    with pytest.raises(ConfigError):
        own.keep({"source.lens": "x.json"})
    with pytest.raises(ConfigError):
        own.choose_lens("c920", "")
    assert not list(tmp_path.glob("lens*"))
    assert used.sources == [("camera", 1)]
    again = own_in(tmp_path, used, fixed=("source.lens",))
    assert (again.config.table.name, again.config.source.camera, again.is_fixed("source.lens")) == ("Attic", 1, True)
    assert again.demo == "kamikaze-1"


def test_a_known_lens_becomes_a_file_that_the_eyes_read_for_pictures_of_the_size_that_come(tmp_path: Path) -> None:
    used, side = Used(), EyesSide(State())
    own = own_in(tmp_path, used, side)
    assert own.lens == ("", 0.0)
    own.choose_lens("module-3", "")
    usual, now = module_3_lens(), lens_of(own.config.source)
    assert now.is_like(usual)
    assert own.lens == ("module-3", 66.0)
    side.survey = Survey(1920, 1080)
    own.choose_lens("other", "90")
    now = lens_of(own.config.source)
    assert (now.width, now.height, round(now.focal_px)) == (1920, 1080, 960)
    assert own_in(tmp_path, used).lens == ("other", 90.0), "also after the next start"
    for wrong in (("other", "5"), ("other", ""), ("../x", "60")):
        with pytest.raises(InvalidError):
            own.choose_lens(*wrong)
    assert own.lens == ("other", 90.0)
    assert len(used.sources) == 2


def test_a_measured_lens_becomes_a_file_that_the_eyes_read(tmp_path: Path) -> None:
    used, side = Used(), EyesSide(State())
    own = own_in(tmp_path, used, side)
    assert own.measure_lens("look") is None
    with pytest.raises(InvalidError):
        own.use_measured_lens()
    own.measure_lens("later")
    own.measure_lens("look")
    assert (side.take_lens_wish(), side.take_lens_wish()) == ("later", None), "a touch is not lost to the next look"
    lens = module_3_lens()
    side.answer(LensMeasured(12, 12, phrase("calibrate.good", error=0.1, number=12), lens=lens.json))
    own.use_measured_lens()
    assert lens_of(own.config.source).is_like(lens)
    assert (own.lens, used.sources) == (("", 0.0), [(None, 0)])
    fixed = own_in(tmp_path, used, side, fixed=("source.lens",))
    with pytest.raises(ConfigError):
        fixed.use_measured_lens()
    side.lose_sight()
    assert own.measure_lens("look") is None


def test_what_the_picture_is_like_is_asked_of_the_eyes(tmp_path: Path) -> None:
    side = EyesSide(State())
    woken: list[int] = []
    side.subscribe(lambda: woken.append(1))
    own = own_in(tmp_path, Used(), side)
    assert (side.take_survey_wish(), own.survey()) == (None, None)
    side.survey = Survey(2304, 1296)
    own.expose(1.5)
    own.expose(1.5)
    assert own.survey() == Survey(2304, 1296)
    assert (side.take_survey_wish(), side.take_survey_wish(), len(woken)) == (2.25, None, 4)
    own.begin_anew()
    side.forget()
    assert own.survey() is None


def test_the_sheet_of_cards_is_drawn_by_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = own_in(tmp_path, Used())
    if own.can_print:
        assert own.cards_pdf("letter").startswith(b"%PDF")
        assert own.lens_pdf("a4").startswith(b"%PDF")
    assert own.lens_png().startswith(b"\x89PNG")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ConfigError) as told:
        own.cards_pdf("a4")
    assert told.value.phrase.id in ("setup.not_drawn", "cards.no_reportlab")
    monkeypatch.setattr("companion.main.own_table.find_spec", lambda _: None)
    with pytest.raises(ConfigError) as told:
        own.cards_pdf("a4")
    assert told.value.phrase.id == "cards.no_reportlab"


def test_where_games_lie_is_kept_in_a_file_that_the_eyes_read(tmp_path: Path) -> None:
    used = Used()
    own = own_in(tmp_path, used)
    assert own.laid == {}
    one, other = Laid((100.0, 80.0), 3.0), Laid((1.0, 2.0))
    own.lay("kamikaze-cans 2", one)
    own.lay("war-chest 2", other)
    assert own_in(tmp_path, used).laid == {"kamikaze-cans 2": one, "war-chest 2": other}
    assert len(used.sources) == 2, "the eyes look there at once"
    own.lay("war-chest 2", None)
    assert own.laid == {"kamikaze-cans 2": one}
    assert own.config.source.zones == tmp_path / "zones.json"
    (tmp_path / "zones.json").write_text("{", encoding="utf-8")
    assert own.laid == {}
    own.lay("war-chest 2", other)
    assert own.laid == {"war-chest 2": other}, "what cannot be read is made good"
    with pytest.raises(ConfigError):
        own_in(tmp_path, used, fixed=("source.zones",)).lay("war-chest 2", one)
    assert own.laid == {"war-chest 2": other}


def test_corners_of_boards_are_kept_in_a_file_that_the_eyes_read(tmp_path: Path) -> None:
    used, corners = Used(), "a1=10,300 h1=300,300 h8=300,10 a8=10,10"
    own = own_in(tmp_path, used)
    own.watch_board("chess", corners)
    assert (own.boards, own_in(tmp_path, used).boards) == ({"chess": corners}, {"chess": corners})
    assert own.config.source.boards == tmp_path / "boards.json"
    assert len(used.sources) == 1, "the eyes look there at once"
    own.watch_board("chess", None)
    assert own.boards == {}
    (tmp_path / "boards.json").write_text("{", encoding="utf-8")
    assert own.boards == {}
    for key in ("source.corners", "source.boards"):
        with pytest.raises(ConfigError):
            own_in(tmp_path, used, fixed=(key,)).watch_board("chess", corners)


def test_the_table_from_above_is_wished_for_when_it_is_asked_for(tmp_path: Path) -> None:
    side = EyesSide(State())
    own = own_in(tmp_path, Used(), side)
    assert (own.from_above(), side.take_above_wish(), side.take_above_wish()) == (None, True, False)
    side.from_above = TableFromAbove(b"jpeg")
    assert own.from_above() == TableFromAbove(b"jpeg")
    side.lose_sight()
    assert own.from_above() is None
