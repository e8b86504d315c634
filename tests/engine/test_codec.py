from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest

from companion.engine import Choose
from companion.engine.codec import Cell, Codec, among, by_seat, in_order, list_of, whole_between
from companion.errors import InvalidError
from companion.table import Drink
from companion.words import load


@dataclass(frozen=True, slots=True)
class Move:
    type: ClassVar[str] = "move"
    from_: Cell
    to: Cell


@dataclass(frozen=True, slots=True)
class Sold:
    type: ClassVar[str] = "sold"
    crate: Annotated[int, "crate"]
    drinks: tuple[Drink, ...] = ()
    open: bool = False

    def canonical(self) -> Sold:
        return Sold(self.crate, in_order(self.drinks, "action.drinks"), self.open)


@dataclass(frozen=True, slots=True)
class Mixed:
    type: ClassVar[str] = "mixed"
    at: tuple[int, int]
    end: Literal["top", "bottom"]
    tile: tuple[Literal["left"], Annotated[int, "crate"]] | None = None
    coins: Annotated[tuple[tuple[str, ...], ...] | None, "coins"] = None
    note: str | None = None


CODEC: Codec[Any] = Codec(
    [Move, Sold, Mixed],
    {"crate": whole_between(1, 6), "coins": by_seat(list_of(among(["ant", "bee"])))},
)
NAN = json.loads("NaN")
DEEP = json.loads("[" * 900 + "]" * 900)


def test_an_action_is_read_and_written() -> None:
    given = {"type": "move", "from": "a1", "to": "f6"}
    assert CODEC.read(given) == Move("a1", "f6")
    assert json.dumps(CODEC.write(Move("a1", "f6"))) == json.dumps(given)


def test_optional_keys_are_left_out_and_lists_come_back_as_tuples() -> None:
    given = {
        "type": "mixed", "at": [-1, 2], "end": "top", "tile": ["left", 3], "coins": {"0": ["bee"], "1": []}, "note": "h"
    }
    action = Mixed((-1, 2), "top", ("left", 3), (("bee",), ()), "h")
    assert CODEC.read(given) == action
    assert CODEC.write(action) == given
    assert CODEC.write(Mixed((0, 0), "bottom")) == {"type": "mixed", "at": [0, 0], "end": "bottom"}


def test_the_exported_spelling_is_canonical() -> None:
    given = {"type": "sold", "crate": 2, "drinks": ["red/tall_can", "blue/stub_can"]}
    assert CODEC.write(CODEC.read(given)) == {**given, "drinks": ["blue/stub_can", "red/tall_can"]}


def test_a_choice_among_subsets_is_written_with_the_other_keys() -> None:
    choose = Choose("sold", ("blue/stub_can", "red/tall_can"), None, (("crate", 2),), "drinks")
    assert CODEC.write(choose) == {
        "type": "sold", "crate": 2, "choose": None, "from": ["blue/stub_can", "red/tall_can"]
    }


def test_keys_beginning_with_x_belong_to_others() -> None:
    assert CODEC.read({"type": "move", "x-why": DEEP, "from": "a1", "to": "f6"}) == Move("a1", "f6")


@pytest.mark.parametrize(("given", "told"), [
    (None, "At action should stand an object, not null."),
    ("move", 'At action should stand an object, not "move".'),
    (DEEP, "At action should stand an object, not […]."),
    ({}, 'The key "type" is missing in action.'),
    ({"type": "jump"}, 'At action.type should stand one of "move", "sold" and "mixed", not "jump".'),
    ({"type": ["move"]}, "At action.type should stand a text, not […]."),
    ({"type": "move", "from": "a1"}, 'The key "to" is missing in action.'),
    ({"type": "move", "from": "a1", "to": "a2", "quiet_jump": 1},
     'Nobody knows the key "quiet_jump" in action: correct or remove it (a note of your own begins with x-).'),
    ({"type": "move", "from": "a1", "to": "a7"}, 'At action.to should stand a cell from a1 to f6, not "a7".'),
    ({"type": "move", "from": 11, "to": "a2"}, "At action.from should stand a text, not 11."),
    ({"type": "sold", "crate": True}, "At action.crate should stand a whole number, not true."),
    ({"type": "sold", "crate": 1.0}, "At action.crate should stand a whole number, not 1.0."),
    ({"type": "sold", "crate": "1"}, 'At action.crate should stand a whole number, not "1".'),
    ({"type": "sold", "crate": NAN}, "At action.crate should stand a whole number, not NaN."),
    ({"type": "sold", "crate": 7}, "At action.crate should stand a whole number from 1 to 6, not 7."),
    ({"type": "sold", "crate": 1, "open": 1}, "At action.open should stand true or false, not 1."),
    ({"type": "sold", "crate": 1, "drinks": ["red/mug"]},
     'At action.drinks[0] should stand a drink, such as "red/stub_can", not "red/mug".'),
    ({"type": "sold", "crate": 1, "drinks": ["pink/stub_can"]},
     'The colour "pink" at action.drinks[0] is not in the piece set.'),
    ({"type": "sold", "crate": 1, "drinks": ["red/stub_can"] * 2}, '"red/stub_can" stands twice at action.drinks.'),
    ({"type": "mixed", "at": [1], "end": "top"}, "The list at action.at should hold 2, but holds 1."),
    ({"type": "mixed", "at": [1, 2], "end": "top", "tile": None}, "At action.tile should stand a list, not null."),
    ({"type": "mixed", "at": [1, 2], "end": "top", "coins": {"1": []}},
     'At action.coins should stand each seat once, from "0" on.'),
    ({"type": "mixed", "at": [1, 2], "end": "\ud800" * 90}, None),
])
def test_a_wrong_form_is_refused_with_place_and_reason(given: object, told: str | None) -> None:
    with pytest.raises(InvalidError) as caught:
        CODEC.read(given)
    said = load().say(caught.value.phrase)
    said.encode()
    assert told is None or said == told


def test_another_piece_set_has_its_own_colours() -> None:
    codec = Codec([Sold], {"crate": whole_between(1, 6)}, colours=["pink"])
    assert codec.read({"type": "sold", "crate": 1, "drinks": ["pink/stub_can"]}).drinks == ("pink/stub_can",)
    with pytest.raises(InvalidError):
        codec.read({"type": "sold", "crate": 1, "drinks": ["red/stub_can"]})


@dataclass(frozen=True, slots=True)
class Either:
    type: ClassVar[str] = "either"
    what: Annotated[int, "crate"] | Cell | tuple[Annotated[int, "crate"], ...] | None = None


EITHER: Codec[Any] = Codec([Either], {"crate": whole_between(1, 6)})


@pytest.mark.parametrize(("given", "what"), [(3, 3), ("a1", "a1"), ([1, 2], (1, 2))])
def test_the_first_kind_that_takes_a_value_reads_it(given: Any, what: Any) -> None:
    assert EITHER.read({"type": "either", "what": given}) == Either(what)
    assert EITHER.write(Either(what)) == {"type": "either", "what": given}


@pytest.mark.parametrize(("given", "told"), [
    (7, "At there.what should stand a list, not 7."), ([1, 7], None),
    ("z", 'At there.what should stand a list, not "z".'),
])
def test_what_no_kind_takes_is_refused_by_the_last(given: Any, told: str | None) -> None:
    with pytest.raises(InvalidError) as caught:
        EITHER.read({"type": "either", "what": given}, "there")
    assert load().say(caught.value.phrase) == (
        told or "At there.what[1] should stand a whole number from 1 to 6, not 7.")


def test_a_form_that_a_codec_does_not_know_is_told() -> None:
    @dataclass(frozen=True, slots=True)
    class Odd:
        type: ClassVar[str] = "odd"
        what: float

    with pytest.raises(TypeError, match=r"^a codec does not know <class 'float'>$"):
        Codec([Odd])
