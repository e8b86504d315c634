from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from flask.testing import FlaskClient

import companion.words
import web
from companion.bots import LEVELS
from companion.engine import Over
from companion.errors import phrase
from companion.session.commands import Correct, StartGame
from companion.session.snapshot import CarryShown, ClockShown, EyesShown, Snapshot, UndoShown, Unheeded
from companion.table import EyesState
from tests.web import web_tables
from tests.web.phones import sit
from tests.web.web_fixtures import HOME
from web.fakes import NO_GAME, FakeDesk, FakePanel
from web.start import BOT_LEVELS


def text(client: FlaskClient, path: str = "/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.status
    return answer.get_data(as_text=True)


def test_the_page_says_whose_turn_it_is_what_is_asked_and_the_scores(client: FlaskClient) -> None:
    page = text(client)
    assert "Ben to play" in page
    assert "Place, move or explode a drink." in page
    assert re.search(r'data-score="1">\s*3<', page)
    assert re.search(r'data-score="0">\s*−3<', page)
    assert "Green tall can from c3 to c6" in page


def test_the_page_has_no_words_that_the_catalogue_lacks(client: FlaskClient, desk: FakeDesk) -> None:
    shown = web_tables.odd(web_tables.table())
    desk.show(replace(shown, differences=(phrase("remedy.take", piece="crate", spot="c4"),), undo=UndoShown(0, 2, (1,)),
                      paused=True, eyes=EyesShown("gone"), trouble=(phrase("web.http"),)))
    for path in ("/", "/correct", "/eyes", "/panel", "/start"):
        assert "web." not in re.sub(r'href="[^"]*"|src="[^"]*"', "", text(client, path))


def test_every_phrase_that_pages_use_is_in_the_catalogue() -> None:
    words = web_tables.words()
    for file in Path(web.__file__).parent.rglob("*"):
        if file.suffix in (".py", ".html"):
            for known in re.findall(r"""["'](web\.[a-z_.]*[a-z])["']""", file.read_text("utf-8")):
                assert known in words, f"{file.name}: {known}"


def test_all_states_of_the_eyes_have_words(client: FlaskClient, desk: FakeDesk) -> None:
    for state in (each for literals in get_args(EyesState) for each in get_args(literals)):
        desk.show(replace(web_tables.table(), eyes=EyesShown(state)))
        assert "web.eyes" not in text(client)


def test_a_covered_card_is_told_with_what_to_do(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(web_tables.table(), eyes=EyesShown("cards", phrase("eyes.card_covered", card=2))))
    assert "Tag card 2 is covered" in text(client)


def test_a_question_shows_its_choices_as_pictures_and_something_else_last(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(web_tables.asked(web_tables.table(), [{"type": "place", "drink": "red/short_can", "to": cell}
                                                    for cell in ("a4", "a5")], 1))
    page = text(client)
    choices = page.index("Red short can to a4"), page.index("Red short can to a5"), page.index("Something else")
    assert list(choices) == sorted(choices)
    assert page.count('class="board"') == 3
    assert '"choice": 1' in page
    assert '"choice": null' in page


def test_the_end_of_a_game_names_the_winner_and_offers_a_new_one(client: FlaskClient, desk: FakeDesk) -> None:
    shown = web_tables.table()
    assert shown.seen
    desk.show(replace(shown, seen=replace(shown.seen, turn=Over((1,), "stock empty"))))
    page = text(client)
    assert "The game is over: Ben won." in page
    assert "The game is over: a player has placed the last drink." in page
    assert "Winner!" in page
    assert "New game" in page
    for ended in (desk.snapshot(), replace(shown, can_reopen=True)):
        desk.show(replace(ended, eyes=EyesShown("none")))
        assert "say on the phone what is played" not in text(client)
        assert "No camera." in text(client)


def test_names_of_players_cannot_carry_markup(client: FlaskClient, desk: FakeDesk) -> None:
    shown = web_tables.table()
    desk.show(replace(shown, players=(replace(shown.players[0], name="<b>x</b>"), shown.players[1])))
    page = text(client)
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page


def test_a_phone_without_a_game_is_led_to_a_new_one(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    answer = client.get("/")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/start"
    assert "Kamikaze Cans" in text(client, "/start?players=3")


def test_a_new_game_is_started_with_what_the_form_says(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    given = {"sent": "1", "game": "kamikaze-cans", "players": "3", "name0": "Ana", "name1": "Ben", "name2": "Cem",
             "colours0": "blue", "colours1": "red", "colours2": "green", "first": "2", "go": "1",
             "option.quiet_limit": "30"}
    assert client.post("/start", data=given, headers=HOME).status_code == 303
    command = desk.sent[-1]
    assert isinstance(command, StartGame)
    assert command.header["setup"] == {"colours": ["blue", "red", "green"], "first": 2}
    assert command.header["players"] == [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cem"}]
    assert command.header["options"] == {"stub_cans_chain": False, "quiet_limit": 30}
    assert command.header["format"] == "tabletop-record"


def test_another_number_of_players_keeps_what_was_typed(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    page = client.post("/start", data={"sent": "1", "players": "4", "name0": "Zoe"}, headers=HOME)
    assert page.status_code == 200
    assert 'value="Zoe"' in page.get_data(as_text=True)
    assert not desk.sent


def test_putting_right_offers_the_likely_plies_first_and_all_others_by_piece(client: FlaskClient) -> None:
    page = text(client, "/correct")
    assert "Green tall can from c3 to c6" in page
    likely, rest = page.split("Or something else")
    assert likely.count('class="board"') == 3
    assert likely.count(" to c6</span>\n</button>") == 3, "another drink at the same place is the likeliest misreading"
    assert page.count('"take_back": 1') == len(web_tables.offers()) + 1
    assert "<summary>Green" in rest


def test_a_ply_is_put_right_with_two_taps_from_the_history(client: FlaskClient, desk: FakeDesk) -> None:
    assert 'href="/correct"' in text(client)
    offer = web_tables.offers()[0]
    command = {"type": "correct", "seq": 7, "take_back": 1, "plies": list(offer.plies)}
    assert client.post("/do", json=command, headers=HOME).get_json()["ok"]
    assert desk.sent == [Correct(7, "host", 1, offer.plies)]


def test_the_eyes_show_the_newest_picture_once(client: FlaskClient, desk: FakeDesk) -> None:
    assert "There is no picture yet." in text(client, "/eyes")
    assert client.get("/eyes.jpg").status_code == 404
    desk.picture = b"\xff\xd8jpeg"
    answer = client.get("/eyes.jpg")
    assert answer.data == b"\xff\xd8jpeg"
    assert client.get("/eyes.jpg", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert client.get("/eyes.json").get_json()["picture"] is True


def test_the_panel_shows_lamps_and_presses_buttons(client: FlaskClient, panel: FakePanel) -> None:
    assert "GPIO 17" in text(client, "/panel")
    assert client.get("/panel.json").get_json() == panel.state()
    client.post("/panel", data={"button": "seat:1", "long": "1"}, headers=HOME)
    assert panel.pressed == [("seat:1", True)]


@pytest.mark.parametrize(("path", "status"), [("/nowhere", 404), ("/do", 405)])
def test_a_wrong_address_is_told_in_a_sentence(client: FlaskClient, path: str, status: int) -> None:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == status
    assert "Go back." in answer.get_data(as_text=True)
    told = client.get(path, headers={"Accept": "application/json"}).get_json()
    assert told == {"ok": False, "error": told["error"]}


def test_a_wish_to_take_a_move_back_asks_those_who_must_agree(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(web_tables.table(), undo=UndoShown(0, 1, (1,))))
    for seat, words in ((None, "Agreed at the table: Ben"), (0, "Asked: Ben."), (1, "Yes, ")):
        page = text(client if seat is None else sit(client, seat))
        assert "Ana wants the last move back." in page
        assert words in page
        assert '{"given": true, "seq": 7, "type": "consent"}' in page


def test_a_game_can_be_paused_and_ended_from_the_menu(client: FlaskClient, desk: FakeDesk) -> None:
    page = text(client)
    assert '{"on": true, "seq": 7, "type": "pause"}' in page
    assert '{"seq": 7, "type": "end_game"}' in page
    desk.show(replace(web_tables.table(), paused=True))
    assert '{"on": false, "seq": 7, "type": "pause"}' in text(client)


def two_choices() -> Snapshot:
    """A table that asks Ben which of two cells it was."""
    actions = [{"type": "place", "drink": "red/short_can", "to": cell} for cell in ("a4", "a5")]
    return web_tables.asked(web_tables.table(), actions, 1)


def test_in_a_pause_nothing_is_asked_and_the_big_button_goes_on(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(two_choices(), paused=True, undo=UndoShown(0, 1, (1,))))
    page = text(client)
    assert "Paused" in page
    assert not [word for word in ('"answer"', '"consent"', '"done"') if word in page]


def test_the_choice_that_a_button_points_at_is_marked(client: FlaskClient, desk: FakeDesk) -> None:
    shown = two_choices()
    assert shown.question is not None
    desk.show(replace(shown, question=replace(shown.question, pointed=1)))
    page = text(client)
    assert page.count("Taken in a moment") == 1
    assert page.count('class="choice pointed"') == 1


def test_a_press_that_changed_nothing_is_told_with_its_reason(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(web_tables.table(), unheeded=Unheeded(1, phrase("session.done.unseen"))))
    page = text(client)
    assert "Ben pressed the button" in page
    assert "I see no new move." in page


def test_how_long_each_player_thinks_is_a_quiet_line(client: FlaskClient, desk: FakeDesk) -> None:
    assert "Thought:" not in text(client)
    desk.show(replace(web_tables.table(), clocks=(ClockShown(0, 754), ClockShown(1, 59, "2026-01-01T20:00:00Z"))))
    page = text(client)
    assert "Thought:" in page
    assert re.search(r'data-used="754" data-since="" data-text="# min">12 min<', page)
    assert re.search(r'data-used="59" data-since="2026-01-01T20:00:00Z" data-text="# min">0 min<', page)


def test_what_a_bot_wants_is_said_and_drawn_and_a_touch_says_that_it_is_done(
    client: FlaskClient, desk: FakeDesk
) -> None:
    shown = two_choices()
    assert shown.question is not None
    wanted = shown.question.choices[0]
    desk.show(replace(shown, question=None, carry=CarryShown(1, wanted.plies[0], wanted.placement)))
    page = text(client)
    assert "Carry this out for Ben" in page
    assert "Red short can to a4" in page
    assert page.count('class="board"') == 2
    assert '{"seq": 8, "type": "carried"}' in page


def test_a_bot_may_take_any_seat_of_a_game_that_lies_open(client: FlaskClient) -> None:
    page = text(client, "/start")
    assert page.count('<select name="bot') == 2
    assert set(BOT_LEVELS) <= set(LEVELS)


def test_real_lamps_are_lit_from_the_panel_and_mock_ones_are_not(client: FlaskClient, panel: FakePanel) -> None:
    assert "Light it" not in text(client, "/panel")
    panel.mock = False
    page = text(client, "/panel")
    assert page.count("Light it") == 2
    assert page.count("not pressed yet") == 2
    assert "Hold" not in page
    for part in ("seat:1", "red", "green", "blue", "buzzer"):
        assert f'value="{part}"' in page
        assert client.post("/panel", data={"try": part}, headers=HOME).status_code == 303
    assert panel.tried == ["seat:1", "red", "green", "blue", "buzzer"]
    assert panel.pressed == []


def test_sound_and_the_quiet_mode_are_switched_on_the_panel(client: FlaskClient, panel: FakePanel) -> None:
    assert "Sound on" in client.get("/panel").get_data(as_text=True)
    assert client.post("/panel", data={"manner": "sound", "on": "1"}, headers=HOME).status_code == 303
    assert panel.manners == {"sound": True, "quiet": False}
    assert "Sound off" in client.get("/panel").get_data(as_text=True)


def test_a_game_that_was_ended_can_be_gone_on_with_from_the_menu(client: FlaskClient, desk: FakeDesk) -> None:
    assert "reopen" not in text(client)
    desk.show(replace(web_tables.table(), can_reopen=True))
    page = text(client)
    assert '{"seq": 7, "type": "reopen"}' in page
    assert "end_game" not in page
    assert '"done"' not in page
    desk.show(replace(web_tables.draft(), can_reopen=True))
    assert '{"seq": 7, "type": "reopen"}' in text(client)
    assert "end_game" in text(client)


def test_every_phrase_of_the_pages_is_used() -> None:
    said = "".join(file.read_text("utf-8") for file in Path(web.__file__).parent.rglob("*")
                   if file.suffix in (".py", ".html"))
    catalogue = (Path(companion.words.__file__).parent / "en" / "web.toml").read_text("utf-8")
    unused = [known for known in re.findall(r'^"(web\.[^"]+)"', catalogue, re.MULTILINE) if known not in said]
    assert [known for known in unused if not known.startswith(("web.eyes.", "web.http."))] == []


@pytest.mark.parametrize("path", [
    "/invite", "/eyes", "/nowhere", "/host", "/panel", "/games", "/play", "/correct", "/score", "/start"])
def test_the_way_back_leads_to_the_table(client: FlaskClient, path: str) -> None:
    page = client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
    ways = re.findall(r'<a [^>]*href="([^"]*)"(?: aria-label="Back to the table"[^>]*>|[^>]*>Back to the table<)', page)
    assert set(ways) == {"/"}
    assert '<body class="table ' in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize("path", ["/invite", "/eyes", "/nowhere", "/host", "/panel", "/games"])
def test_without_a_game_the_way_back_is_to_a_new_one(client: FlaskClient, desk: FakeDesk, path: str) -> None:
    desk.show(NO_GAME)
    page = client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
    assert "Back to the table" not in page
    assert "To a new game" in page
    assert client.get("/").headers["Location"] == "/start"


def test_every_seat_is_offered_earlier_moves_unless_the_host_keeps_them(client: FlaskClient, desk: FakeDesk) -> None:
    def offered() -> list[str]:
        return re.findall(r'class="button quiet (of-\w+)" href="/play\?again', client.get("/").get_data(as_text=True))

    assert set(offered()) == {"of-seats"}
    desk.show(replace(web_tables.table(), host_corrects=True))
    assert set(offered()) == {"of-host"}
