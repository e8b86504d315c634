"""Readers of JSON values: what each takes, and the whole phrase with which it refuses what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine import form, lines, notation
from companion.errors import InvalidError, Phrase, phrase


def wrong(want: Phrase, given: str) -> Phrase:
    return phrase("json.wrong", where="there", want=want, given=given)


SHARE = phrase("json.share")


@pytest.mark.parametrize(("value", "shown"), [
    (None, "null"), (1.5, "1.5"), ("a", '"a"'), ("é", '"é"'), ("\ud800", '"\\ud800"'), ({}, "{}"), ({"a": 1}, "{…}"),
    ([], "[]"), ((), "[]"), ([1], "[…]"), ((1,), "[…]"), ("x" * 38, f'"{"x" * 38}"'), ("x" * 39, f'"{"x" * 38}…'),
])
def test_a_value_in_brief(value: Any, shown: str) -> None:
    assert form.brief(value) == shown


@pytest.mark.parametrize(("read", "args", "value"), [
    (form.mapping, ({"x-a": 1},), {"x-a": 1}), (form.fields, ({"a": 1, "x-b": 2}, ["a"]), {"a": 1}),
    (form.fields, ({"a": 1, "c": 3}, ["a"], ["b", "c"]), {"a": 1, "c": 3}), (form.fields, ({"x-b": 2}, []), {}),
    (form.items, ([1, 2],), [1, 2]), (form.items, ((1, 2), 2), (1, 2)), (form.items, ([], 0), []),
    (form.whole, (7,), 7), (form.whole, (1, 1), 1), (form.whole, (1, 0, 1), 1), (form.whole, (-3, None, 1), -3),
    (form.real, (1, 1, 2), 1), (form.real, (2.0, 1, 2), 2.0), (form.real, (0.5, 0, 1, SHARE), 0.5),
    (form.truth, (False,), False), (form.text, ("",), ""), (form.one_of, ("b", ("a", "b")), "b"),
    (form.cell, ("f6",), "f6"), (form.drink, ("red/stub_can", ["red"]), "red/stub_can"),
])
def test_a_value_of_the_right_form_comes_back(read: Callable[..., Any], args: tuple[Any, ...], value: Any) -> None:
    read_back = read(args[0], "there", *args[1:])
    assert read_back == value
    assert type(read_back) is type(value)


def test_values_that_differ_come_back() -> None:
    assert form.distinct(["a", "b"], "there") == ["a", "b"]


DRINK = phrase("json.drink")


@pytest.mark.parametrize(("read", "args", "told"), [
    (form.mapping, ([1],), wrong(phrase("json.object"), "[…]")),
    (form.fields, (1, []), wrong(phrase("json.object"), "1")),
    (form.fields, ({"a": 1, "b": 2}, ["a"]), phrase("json.unknown_key", where="there", key='"b"')),
    (form.fields, ({"a": 1, "b": 2}, ["a"], ["c"]), phrase("json.unknown_key", where="there", key='"b"')),
    (form.fields, ({"a": 1}, ["a", "b"], ["c"]), phrase("json.missing_key", where="there", key='"b"')),
    (form.items, ("ab",), wrong(phrase("json.list"), '"ab"')), (form.items, ({}, 0), wrong(phrase("json.list"), "{}")),
    (form.items, ([1, 2], 3), phrase("json.count", where="there", want=3, given=2)),
    (form.items, ([1], 0), phrase("json.count", where="there", want=0, given=1)),
    (form.whole, (True,), wrong(phrase("json.whole"), "true")),
    (form.whole, (1.0, 0, 2), wrong(phrase("json.whole"), "1.0")),
    (form.whole, (0, 1), wrong(phrase("json.from", least=1), "0")),
    (form.whole, (0, 1, 3), wrong(phrase("json.range", least=1, most=3), "0")),
    (form.whole, (4, 1, 3), wrong(phrase("json.range", least=1, most=3), "4")),
    (form.whole, (4, None, 3), wrong(phrase("json.range", least=0, most=3), "4")),
    (form.real, (2.5, 1, 2), wrong(phrase("json.between", least=1, most=2), "2.5")),
    (form.real, (0, 1, 2), wrong(phrase("json.between", least=1, most=2), "0")),
    (form.real, (True, 0, 1, SHARE), wrong(SHARE, "true")), (form.real, ("1", 0, 1, SHARE), wrong(SHARE, '"1"')),
    (form.real, (float("nan"), 0, 1, SHARE), wrong(SHARE, "NaN")),
    (form.truth, (1,), wrong(phrase("json.truth"), "1")), (form.text, (1,), wrong(phrase("json.text"), "1")),
    (form.one_of, ("c", ("a", "b")), wrong(phrase("json.one_of", allowed=(
        phrase("json.literal", given="a"), phrase("json.literal", given="b"))), '"c"')),
    (form.one_of, (["a"], ("a", "b")), wrong(phrase("json.text"), "[…]")),
    (form.cell, ("a7",), wrong(phrase("json.cell"), '"a7"')), (form.cell, (1,), wrong(phrase("json.text"), "1")),
    (form.drink, (1, ["red"]), wrong(phrase("json.text"), "1")), (form.drink, ("red", ["red"]), wrong(DRINK, '"red"')),
    (form.drink, ("red/mug", ["red"]), wrong(DRINK, '"red/mug"')),
    (form.drink, ("/stub_can", ["", "red"]), wrong(DRINK, '"/stub_can"')),
    (form.drink, ("red/stub_can/x", ["red"]), wrong(DRINK, '"red/stub_can/x"')),
    (form.drink, ("mint/stub_can", ["red"]), phrase("json.colour", where="there", given='"mint"')),
    (form.distinct, (["a", "b", "a"],), phrase("json.twice", where="there", given='"a"')),
])
def test_a_value_of_a_wrong_form_is_refused(read: Callable[..., Any], args: tuple[Any, ...], told: Phrase) -> None:
    with pytest.raises(InvalidError) as caught:
        read(args[0], "there", *args[1:])
    assert caught.value.phrase == told


# lines and the short notation -----------------------------------------------------------------------------------------


def nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def test_a_line_may_be_nested_so_deep_and_no_deeper() -> None:
    assert lines.depth(lines.parse(nested(64))) == 64
    values: list[Any] = [1, [], [1], [[]], [[1], {"a": [{"b": 2}]}]]
    assert [lines.depth(each) for each in values] == [0, 0, 1, 1, 4]
    for depth in (65, 100_000):
        with pytest.raises(InvalidError) as caught:
            lines.parse(nested(depth))
        assert caught.value.phrase == phrase("json.too_deep", most=64)


@pytest.mark.parametrize(("text", "told"), [
    ("[1,", phrase("json.not_json", column=4)), ('{"a": 1, "b": 2, "a": 3}', phrase("json.key_twice", key='"a"')),
    ("[Infinity]", phrase("json.no_number", given="Infinity")), ("1e999", phrase("json.too_long")),
    ("9" * 5000, phrase("json.too_long")), ('"\\ud800"', phrase("json.not_utf8")),
])
def test_what_is_no_line_of_json_is_refused(text: str, told: Phrase) -> None:
    with pytest.raises(InvalidError) as caught:
        lines.parse(text)
    assert caught.value.phrase == told


def test_lines_are_written_and_parted() -> None:
    assert lines.line({"a": "é\u2028"}) == '{"a": "é\u2028"}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        lines.line(float("nan"))
    assert list(lines.split("a\n\n \r\nb\n\t\n")) == ["a", "", "", "b"]
    assert list(lines.split(["", "a", "", ""])) == ["", "a"]


NOTED = {"x-a": {"x-b": 1}, "c": [{"x-d": 2, "e": 3}], "f": {"x-g": 4}}


def test_notes_are_taken_off_and_put_back() -> None:
    bare = {"c": [{"e": 3}], "f": {}}
    assert lines.without_notes(NOTED) == bare
    assert lines.with_notes(bare, NOTED) == NOTED
    assert lines.with_notes({"c": [{"e": 3}, 1], "f": 5}, NOTED) == {"c": [{"e": 3}, 1], "f": 5, "x-a": {"x-b": 1}}
    assert lines.with_notes({"c": [{"e": 9}], "h": {}}, NOTED) == {
        "c": [{"e": 9, "x-d": 2}], "h": {}, "x-a": {"x-b": 1}}
    assert (lines.with_notes([1], {"x-a": 1}), lines.with_notes({"a": 1}, [2])) == ([1], {"a": 1})


@pytest.mark.parametrize(("value", "short"), [
    ({"type": "move", "from": "a1"}, "move from=a1"), ({"from": "a1", "type": "move"}, "from=a1 type=move"),
    ({"type": "sold it"}, 'type="sold it"'), ({"type": 3}, "type=3"), ({"a b": "true"}, '"a b"="true"'),
    ({"a": [], "b": {}, "c": None, "d": -1.5}, "a=[] b={} c=null d=-1.5"), ({"é": "é"}, '"é"="é"'),
    ({"a": [{"type": "x", "b": [1, True]}, "red/x-y_z"]}, "a=[{x b=[1,true]},red/x-y_z]"), ({}, ""),
])
def test_the_short_notation_of_an_object(value: Any, short: str) -> None:
    assert notation.short(value) == short
    assert notation.read(short) == value
    assert notation.read(f"  {short.replace('=', ' = ').replace(',', ' , ')}  ") == value


@pytest.mark.parametrize("text", [
    "a=[1 2]", "a=[1,]", "a={b=1", "a=1}", "a=}", "=1", "1=2", "a b", "a=1 b", "a=,", 'a="', "x" * 90 + "=",
])
def test_what_cannot_be_read_is_told_by_its_beginning(text: str) -> None:
    with pytest.raises(InvalidError) as caught:
        notation.read(text)
    assert caught.value.phrase == phrase("notation.unreadable", given=text[:80])
