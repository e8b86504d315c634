from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.engine import Over, lines, notation, play, record
from companion.engine.record import OpenedGame, RecordEnd, RecordStep
from companion.errors import IllegalError, InvalidError, RecordError
from companion.games import registry
from companion.words import load
from tests.engine.dare import Dare

STARTED = "2026-11-02T05:00:00Z"
WORDS = load("en", [registry.game("kamikaze-cans").words])
HEADER = {
    "format": "tabletop-record", "version": 1, "game": "kamikaze-cans",
    "options": {"stub_cans_chain": True, "quiet_limit": None}, "players": [{"name": "Ann"}, {"name": "Bo"}],
    "setup": {"colours": ["green", "red"], "first": 1}, "started": STARTED,
}  # fmt: skip
PLIES = [
    {"n": 1, "player": 1, "action": {"type": "place", "drink": "red/stub_can", "to": "c4"}, "source": "camera"},
    {"n": 2, "player": 0, "action": {"type": "place", "drink": "green/tall_can", "to": "c5"}, "confidence": 0.875},
    {"n": 3, "player": 1, "action": {"type": "move", "from": "c4", "to": "a4"}, "at": "2026-11-02T05:03:00+01:00"},
]
ABANDONED = {"result": {"scores": [-7, -7], "winners": [], "reason": "abandoned"}}


def text_of(*values: object) -> str:
    return "".join(map(lines.line, values))


def refused(text: str) -> tuple[int, int | None, str | None, str]:
    with pytest.raises(RecordError) as caught:
        record.check(text, registry.game)
    said = WORDS.say(caught.value.phrase)
    assert caught.value.phrase.id in WORDS
    said.encode()
    return caught.value.line, caught.value.n, caught.value.rule, said


def changed(value: dict[str, Any], **keys: object) -> dict[str, Any]:
    return {key: each for key, each in {**value, **keys}.items() if each is not ...}


def test_a_record_comes_out_byte_for_byte() -> None:
    text = text_of(HEADER, *PLIES)
    checked = record.check(text, registry.game)
    assert checked.text == text
    assert checked.result is None
    assert len(checked.plies) == 3


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("colours", [None, ("mint", "ruby", "sand", "moss", "lila", "pink")])
def test_played_records_hold_and_come_out_byte_for_byte(players: int, colours: tuple[str, ...] | None) -> None:
    own: dict[str, Any] = {} if colours is None else {"colours": colours}
    game = registry.game("kamikaze-cans", **own)
    text = "".join(play.random_record(game, players, Random(players), STARTED, **own))
    checked = record.check(text, registry.game)
    assert checked.text == text
    assert checked.result is not None
    assert ("colours" in checked.opened.header) == (colours is not None)


def test_a_game_with_chance_is_recorded_too() -> None:
    for seed in range(20):
        text = "".join(play.random_record(Dare(), 2, Random(seed), STARTED))
        checked = record.check(text, lambda _id, _colours: Dare())
        assert checked.text == text
        assert "chance" in [ply["player"] for ply in checked.plies]
        listed = list(record.legal(text, lambda _id, _colours: Dare()))
        assert all(ply["action"] in each["legal"] for ply, each in zip(checked.plies, listed))


def test_defaults_are_added_and_order_of_keys_does_not_matter() -> None:
    bare = dict(reversed(changed(HEADER, options={}).items()))
    swapped = dict(reversed(PLIES[0].items()))
    assert record.check(text_of(bare, swapped), registry.game).text == text_of(HEADER, PLIES[0])
    assert record.check(text_of(changed(HEADER, options=...)), registry.game).text == text_of(HEADER)


def test_notes_that_begin_with_x_are_kept_in_every_object() -> None:
    note = {"x-who": {"deep": [1.5, None, "ü", {"x-": True}]}}
    header = {
        **HEADER, "options": HEADER["options"] | note, "players": [{"name": "Ann"} | note, {"name": "Bo"}],
        "setup": HEADER["setup"] | note, **note,
    }  # fmt: skip
    ply = changed(PLIES[0], action=PLIES[0]["action"] | note) | note
    result = {"result": {"scores": [-7, 1], "winners": [], "reason": "abandoned"} | note} | note
    text = text_of(header, ply, result)
    checked = record.check(text, registry.game)
    assert checked.text == text
    assert checked.opened.setup == HEADER["setup"]


def test_replay_gives_the_header_each_ply_before_it_is_applied_and_the_end() -> None:
    opened, *steps, closed = record.replay(text_of(HEADER, *PLIES), registry.game)
    assert isinstance(opened, OpenedGame)
    assert all(isinstance(step, RecordStep) for step in steps)
    assert isinstance(closed, RecordEnd)
    assert steps[0].before == opened.state
    assert [step.line for step in steps] == [2, 3, 4]


def test_a_game_can_be_abandoned_as_it_stands() -> None:
    assert record.check(text_of(HEADER, ABANDONED), registry.game).result == ABANDONED["result"]


NUMBER_OF_5000_DIGITS = "9" * 5000


@pytest.mark.parametrize(("first_line", "told"), [
    ("", "The record is empty: its first line should be the header."),
    ("{", "This line is not JSON: it cannot be read from column 2 on."),
    ("\ufeff" + json.dumps(HEADER), "This line is not JSON: it cannot be read from column 1 on."),
    ("[" * 100_000, "Lists and objects are nested more than 64 times."),
    ('{"x-a": ' + "[" * 70 + "]" * 70 + "}", "Lists and objects are nested more than 64 times."),
    (f'{{"version": {NUMBER_OF_5000_DIGITS}}}', "A number is too large to be one."),
    ('{"version": NaN}', "NaN is not a number."),
    ('{"x-a": 1e999}', "A number is too large to be one."),
    ('{"x-a": "\\ud800"}', "This line is not UTF-8 text."),
    ('{"game": 1, "game": 2}', 'The key "game" stands twice in one object.'),
    ("[]", "At header should stand an object, not []."),
    (text_of(PLIES[0]),
     'Nobody knows the key "n" in header: correct or remove it (a note of your own begins with x-).'),
    (text_of(changed(HEADER, place="home")),
     'Nobody knows the key "place" in header: correct or remove it (a note of your own begins with x-).'),
    (text_of(changed(HEADER, setup=...)), 'The key "setup" is missing in header.'),
    (text_of(changed(HEADER, format="chess")), 'At format should stand one of "tabletop-record", not "chess".'),
    (text_of(changed(HEADER, version=2)), "At version should stand a whole number from 1 to 1, not 2."),
    (text_of(changed(HEADER, version=1.0)), "At version should stand a whole number, not 1.0."),
    (text_of(changed(HEADER, version=True)), "At version should stand a whole number, not true."),
    (text_of(changed(HEADER, game="chess")), None),
    (text_of(changed(HEADER, game=["chess"])), "At game should stand a text, not […]."),
    (text_of(changed(HEADER, players=[{"name": "Ann"}])),
     "Kamikaze Cans is played by 2, 3, 4, 5 and 6, not by 1."),
    (text_of(changed(HEADER, players=[{"name": "Ann"}, {"name": 2}])),
     "At players[1].name should stand a text, not 2."),
    (text_of(changed(HEADER, players=[{"name": "Ann"}, {}])), 'The key "name" is missing in players[1].'),
    (text_of(changed(HEADER, options={"quiet_limt": 3})),
     'Nobody knows the key "quiet_limt" in options: correct or remove it (a note of your own begins with x-).'),
    (text_of(changed(HEADER, options=None)), "At options should stand an object, not null."),
    (text_of(changed(HEADER, started="yesterday")),
     'At started should stand a time such as "2026-11-02T05:00:00Z", not "yesterday".'),
    (text_of(changed(HEADER, started="2026-13-02T05:00:00Z")), None),
    (text_of(changed(HEADER, started="2026-11-02T05:00:00")), None),
    (text_of(changed(HEADER, colours=["red"])), "The list at colours should hold 6, but holds 1."),
    (text_of(changed(HEADER, colours=["red"] * 6)), '"red" stands twice at colours.'),
    (text_of(changed(HEADER, colours=["a/b", "c", "d", "e", "f", "g"])),
     'At colours[0] should stand a colour\'s name, not "a/b".'),
    (text_of(changed(HEADER, colours=["a", "b", "c", "d", "e", "f"])), None),
])
def test_a_bad_first_line_is_refused_with_its_reason(first_line: str, told: str | None) -> None:
    line, n, rule, said = refused(first_line)
    assert (line, n, rule) == (1, None, None)
    assert told is None or said == told


def test_two_players_with_one_colour_are_refused_by_the_rule() -> None:
    header = changed(HEADER, setup={"colours": ["red", "red"], "first": 0})
    assert refused(text_of(header))[:3] == (1, None, "KC 1.3")


@pytest.mark.parametrize(("ply", "rule", "told"), [
    ({"n": 5}, None, "Here should stand ply 4, not 5: a line is missing, stands twice or was moved."),
    ({"n": "4"}, None, 'At n should stand a whole number, not "4".'),
    ({"n": 4.0}, None, "At n should stand a whole number, not 4.0."),
    ({"n": True}, None, "At n should stand a whole number, not true."),
    ({"player": 1}, "KC 2.2", "It is not this player's turn: green is to play."),
    ({"player": 7}, "KC 2.2", "It is not this player's turn: green is to play."),
    ({"player": "chance"}, "KC 2.2", "It is not this player's turn: green is to play."),
    ({"player": False}, None, "At player should stand a whole number, not false."),
    ({"player": None}, None, "At player should stand a whole number, not null."),
    ({"player": -1}, None, "At player should stand a whole number from 0, not -1."),
    ({"action": {"type": "place", "drink": "red/tall_can", "to": "f6"}}, "KC 3.1",
     "The red tall can is not in this player's stock, so it cannot be placed."),
    ({"action": {"type": "move", "from": "a4", "to": "a1"}}, "KC 4.1",
     "The red stub can on a4 belongs to another player."),
    ({"action": {"type": "move", "from": "c5", "to": "c5"}}, "KC 4.2", None),
    ({"action": {"type": "fly"}}, None, None),
    ({"action": None}, None, "At action should stand an object, not null."),
    ({"action": ...}, None, 'The key "action" is missing in line.'),
    ({"why": 1}, None, 'Nobody knows the key "why" in line: correct or remove it (a note of your own begins with x-).'),
    ({"source": "rumour"}, None, None),
    ({"confidence": 1.5}, None, "At confidence should stand a number from 0 to 1, not 1.5."),
    ({"confidence": "1"}, None, 'At confidence should stand a number from 0 to 1, not "1".'),
    ({"confidence": True}, None, "At confidence should stand a number from 0 to 1, not true."),
    ({"at": 12}, None, "At at should stand a text, not 12."),
])
def test_a_bad_ply_is_refused_with_line_ply_rule_and_reason(
    ply: dict[str, Any], rule: str | None, told: str | None
) -> None:
    good = {"n": 4, "player": 0, "action": {"type": "explode", "at": "c5"}}
    assert len(record.check(text_of(HEADER, *PLIES, good), registry.game).plies) == 4
    line, n, broken, said = refused(text_of(HEADER, *PLIES, changed(good, **ply)))
    assert (line, n, broken) == (5, 4, rule)
    assert told is None or said == told


def test_records_that_were_cut_reordered_or_edited_are_refused() -> None:
    text = text_of(HEADER, *PLIES)
    assert refused(text[:-20])[:2] == (4, None)
    assert refused(text_of(HEADER, PLIES[1], PLIES[0]))[:2] == (2, 1)
    assert refused(text_of(HEADER, PLIES[0], PLIES[0]))[:2] == (3, 2)
    assert refused(text_of(*PLIES))[:2] == (1, None)
    assert refused(text_of(HEADER, HEADER))[:2] == (2, 1)
    assert refused(text.replace('"c5"', '"c4"'))[:3] == (3, 2, "KC 3.2")
    assert refused(text.replace("\n", "\n\n", 1))[:2] == (2, None)
    assert record.check(text + "\n \n", registry.game).text == text
    assert record.check(text.replace("\n", "\r\n"), registry.game).text == text
    assert record.check(text.removesuffix("\n"), registry.game).text == text


def test_a_line_separator_inside_a_name_parts_no_line() -> None:
    text = text_of(changed(HEADER, players=[{"name": "A\u2028nn"}, {"name": "B\x85o"}]), *PLIES)
    assert record.check(text, registry.game).text == text


def finished() -> list[str]:
    game = registry.game("kamikaze-cans")
    return list(play.random_record(game, 2, Random(2), STARTED))


def test_a_finished_game_ends_with_its_result_and_nothing_after_it() -> None:
    written = finished()
    count = len(written)
    line, n, _, said = refused("".join(written[:-1]))
    assert (line, n) == (count, None)
    assert said == "The game is over (a player has placed the last drink), so the record must end with its result."
    assert refused("".join([*written, written[-1]]))[0] == count + 1
    late = lines.line({"n": count - 1, "player": 0, "action": {"type": "explode", "at": "a1"}})
    assert refused("".join([*written, late]))[0] == count + 1
    assert refused("".join([*written[:-1], late]))[1:3] == (count - 1, "KC 6.2")


@pytest.mark.parametrize(("keys", "told"), [
    ({"scores": [0, 0]}, "The result disagrees with the plies: scores should be [7, 3], not [0, 0]."),
    ({"winners": [0, 1]}, "The result disagrees with the plies: winners should be [0], not [0, 1]."),
    ({"winners": [0, 0]}, "The result disagrees with the plies: winners should be [0], not [0, 0]."),
    ({"reason": "quiet limit"}, "The result disagrees with the plies: reason should be stock empty, not quiet limit."),
    ({"reason": "abandoned"}, "The result disagrees with the plies: reason should be stock empty, not abandoned."),
    ({"reason": "boredom"}, None),
    ({"reason": "stalemate"}, None),  # another game's
    ({"scores": [7.0, 3]}, "At result.scores[0] should stand a whole number, not 7.0."),
    ({"scores": "7:2"}, 'At result.scores should stand a list, not "7:2".'),
    ({"winners": [False]}, "At result.winners[0] should stand a whole number, not false."),
    ({"winners": ...}, 'The key "winners" is missing in result.'),
    ({"prize": 3}, 'Nobody knows the key "prize" in result: correct or remove it (a note of your own begins with x-).'),
])
def test_a_result_that_disagrees_is_refused(keys: dict[str, Any], told: str | None) -> None:
    *plies, last = finished()
    right = json.loads(last)["result"]
    assert right == {"scores": [7, 3], "winners": [0], "reason": "stock empty"}
    line, _, _, said = refused("".join([*plies, text_of({"result": changed(right, **keys)})]))
    assert line == len(plies) + 1
    assert told is None or said == told


def test_a_game_that_is_not_over_cannot_have_been_won() -> None:
    result = {"result": {"scores": [-7, -7], "winners": [0, 1], "reason": "stock empty"}}
    assert refused(text_of(HEADER, result))[3].startswith("The game is not over")


def test_nothing_after_an_illegal_ply_is_applied() -> None:
    wrong = changed(PLIES[1], action={"type": "explode", "at": "a1"})
    steps: list[Any] = []
    with pytest.raises(RecordError):
        steps.extend(record.replay(text_of(HEADER, PLIES[0], wrong, PLIES[2]), registry.game))
    assert [step.n for step in steps[1:]] == [1, 2]


def test_a_header_opens_a_game_without_a_record() -> None:
    opened = record.read_header(HEADER, registry.game)
    assert opened.players == 2
    with pytest.raises(IllegalError):
        record.read_header(changed(HEADER, setup={"colours": ["red", "red"], "first": 0}), registry.game)
    with pytest.raises(InvalidError):
        record.read_ply({"player": 0}, opened.game)


def test_the_result_is_written_as_the_game_ended() -> None:
    game = registry.game("kamikaze-cans")
    checked = record.check("".join(finished()), registry.game)
    assert isinstance(game.turn(checked.state), Over)
    assert record.write_result(game, checked.state)["result"] == checked.result


@pytest.mark.parametrize("value", [
    {"type": "move", "from": "a1", "to": "c1"},
    {"type": "pass"},
    {"type": "sold it", "drinks": [], "more": {}},
    {"at": [1, -2], "turn": True, "none": None, "text": "true", "number": "12", "blank": "", "odd": 'a "b" = {c}, é'},
    {"type": "draw", "coins": {"0": ["ant", "royal_guard"], "1": []}, "share": 0.25, "x-note": [[1, [2]], {"a": 1}]},
    {"colours": ["red", "blue"], "first": 0},
    {},
])
def test_the_short_notation_can_be_read_back(value: dict[str, Any]) -> None:
    assert notation.read(notation.short(value)) == value
    assert "\n" not in notation.short(value)


def test_the_short_notation_is_short() -> None:
    assert notation.short(PLIES[0]["action"]) == "place drink=red/stub_can to=c4"
    assert notation.short({"type": "crate", "to": [1, -2], "turn": False}) == "crate to=[1,-2] turn=false"


@pytest.mark.parametrize("text", [
    "move to=", "=", "a b", "move to=[1", "x={", "}", "a=1 a=2", '"', "a=1=2", "[" * 5000,
])
def test_what_is_not_in_the_short_notation_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        notation.read(text)
