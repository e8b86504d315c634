from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import phrase
from companion.words import Words, load

WORDS = Words({
    "go": "{drink} to {to}", "both": "{a} and {b}", "many": "takes {what}", "name.red/stub_can": "small red one",
    "odd": "not {given} at {where}, key {key}",
})  # fmt: skip


def test_a_phrase_is_said_with_its_gaps_filled() -> None:
    assert WORDS.say(phrase("go", drink="blue/tall_can", to="c4")) == "blue tall can to c4"
    assert WORDS.say(phrase("go", drink="red/stub_can", to="c4")) == "small red one to c4"
    assert WORDS.say(phrase("both", a=3, b=phrase("go", drink="x", to="y"))) == "3 and x to y"


def test_lists_are_said_as_lists() -> None:
    assert WORDS.say(phrase("many", what=())) == "takes "
    assert WORDS.say(phrase("many", what=("a",))) == "takes a"
    assert WORDS.say(phrase("many", what=("a", "b_c", "d"))) == "takes a, b c and d"


def test_what_is_quoted_stays_as_it_is() -> None:
    assert WORDS.say(phrase("odd", given="a_b/c", where="x_y", key="k_k")) == "not a_b/c at x_y, key k_k"
    said = load().say(phrase("box.went_back", given="0.3", why="The folder /a_b cannot be used."))
    assert said.endswith("It said: The folder /a_b cannot be used.")
    assert "GNU/Linux" in load().say(phrase("doctor.versions", given="1", python="3", system="GNU/Linux", where="/"))


def test_a_sentence_begins_with_a_capital() -> None:
    assert WORDS.sentence(phrase("go", drink="blue/tall_can", to="c4")) == "Blue tall can to c4"


def test_the_name_of_a_file_stays_as_it_is_where_a_sentence_begins_with_it() -> None:
    words = load()
    assert words.sentence(phrase("hw.no_video", where="empty.avi")).startswith("empty.avi is no video")
    assert words.sentence(phrase("web.setup_view.part", where="crates", what="none")) == "Crates: none"
    assert words.sentence(phrase("bots.why_and_then", why=phrase("nobody.knows"), then="")).startswith("Nobody")


def test_an_unknown_phrase_is_said_as_its_id() -> None:
    assert WORDS.say(phrase("nobody.knows", a=1, b=("x", "y"))) == "nobody.knows(a=1, b=[x, y])"
    assert "nobody.knows" not in WORDS


def test_one_id_in_two_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.en.toml").write_text('"list.and" = "&"\n')
    with pytest.raises(ValueError, match="stands twice"):
        load("en", [tmp_path])


def test_two_games_may_use_one_id_and_each_says_its_own() -> None:
    words = Words({"name.go": "go"}, [{"name.a": "A", "spot.grid": "cell {at}"}, {"name.b": "B", "spot.grid": "{at}!"}])
    where = phrase("spot.grid", at="c4")
    assert [words.of(game).say(where) for game in ("a", "b", "nobody")] == ["cell c4", "c4!", "cell c4"]
    assert words.of("b").say(phrase("spot.grid", at="a")) == "A!", "the names of other games stay known"


def test_what_is_no_phrase_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.en.toml").write_text('"cw.pass" = 3\n')
    with pytest.raises(ValueError, match="is no phrase"):
        load("en", [tmp_path])


def test_a_gap_with_a_capital_begins_a_sentence_and_names_are_said_as_they_are() -> None:
    words = Words({"turn": "{Seat} plays, says {seat}.", "seat.A": "player A"})
    said = phrase("turn", seat=phrase("seat.A"))
    assert words.say(said) == "Player A plays, says player A."
    assert words.calling({"seat.A": "ana {x}"}).say(said) == "Ana {x} plays, says ana {x}."
