from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient

from companion.errors import phrase
from companion.session.commands import LayOut
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import NO_GAME, FakeDesk


def text(client: FlaskClient, path: str = "/") -> str:
    return client.get(path).get_data(as_text=True)


def test_a_set_up_is_shown_as_it_was_read_with_one_question_at_a_time(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(web_tables.draft())
    page = text(client)
    assert "This is how I read the table. Tell me what I could not see." in page
    assert '"path": ["colours", 1], "seq": 7, "type": "tell_setup", "value": "blue"' in page
    assert '"path": ["first"]' not in page
    assert "/close-up/colours.1.jpg" in page
    assert "To say: 2" in page
    assert 'class="unsure"' in page


def test_what_no_picture_shows_is_asked_by_the_players_names(client: FlaskClient, desk: FakeDesk) -> None:
    shown = web_tables.draft()
    assert shown.draft is not None
    desk.show(replace(shown, draft=replace(shown.draft, open=shown.draft.open[1:])))
    page = text(client)
    assert "Who begins?" in page
    assert "close-up" not in page
    assert page.count("<span>Ana</span>") == 2, "on a button, and where one sits down"


def test_a_set_up_that_breaks_a_rule_says_which_and_does_not_begin(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(web_tables.draft(wrong=True))
    page = text(client)
    assert "Two players cannot both have green" in page
    assert '"type": "begin"' not in page
    assert '"path": ["colours", 0], "seq": 7, "type": "tell_setup", "value": null' in page


def test_a_set_up_that_is_ready_begins_with_one_tap(client: FlaskClient, desk: FakeDesk) -> None:
    shown = web_tables.draft(wrong=True)
    assert shown.draft is not None
    desk.show(replace(shown, draft=replace(shown.draft, ready=True, why_not=None)))
    assert '{"seq": 7, "type": "begin"}' in text(client)


def test_the_picture_of_what_is_asked_is_given_while_there_is_one(client: FlaskClient, desk: FakeDesk) -> None:
    assert client.get("/close-up/supplies.1.jpg").status_code == 404
    desk.close_ups["supplies.1"] = b"jpeg"
    assert client.get("/close-up/supplies.1.jpg").data == b"jpeg"


def test_a_game_may_begin_with_what_lies_on_the_table_where_eyes_are(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    assert 'value="seen"' not in text(client, "/start")
    desk.show(replace(NO_GAME, eyes=web_tables.table().eyes))
    assert 'value="seen"' in text(client, "/start")
    client.post("/start", data={"sent": "1", "game": web_tables.GAME.id, "go": "seen", "first": "1"}, headers=HOME)
    command = desk.sent[0]
    assert isinstance(command, LayOut)
    assert command.header["setup"] == {"first": 1}


def test_the_colours_of_the_piece_set_in_use_are_offered(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    desk.colours = ("black", "white", "pink", "teal", "gold", "brown")
    page = text(client, "/start")
    assert 'value="teal"' in page
    assert 'value="orange"' not in page
    client.post("/start", data={"sent": "1", "game": web_tables.GAME.id, "go": "1", "colours0": "pink"}, headers=HOME)
    header = desk.sent[0].header
    assert header["colours"] == list(desk.colours)
    assert header["setup"]["colours"][0] == "pink"


class Examples:
    """Two sets of one game, one of another."""

    def __init__(self) -> None:
        self.chosen = ""

    @property
    def offers(self) -> list[object]:
        class Example:
            def __init__(self, name: str, game: str) -> None:
                self.name, self.game = name, game

        return [Example("k-1", "kamikaze-cans"), Example("k-2", "kamikaze-cans"), Example("w-1", "war-chest")]

    def choose(self, name: str) -> None:
        self.chosen = name


def test_examples_are_offered_and_chosen_and_left_again(desk: FakeDesk) -> None:
    examples = Examples()
    games = {web_tables.GAME.id: web_tables.GAME}
    client = create_app(desk=desk, words=web_tables.words(), games=games, examples=examples).test_client()  # type: ignore[arg-type]
    page = text(client, "/start")
    assert "Play the example of Kamikaze Cans (k-1)" in page
    assert "Play the example of war-chest<" in page
    assert "back to your own table</button>" not in page
    assert client.post("/example", data={"name": "k-2"}, headers=HOME).status_code == 303
    assert examples.chosen == "k-2"
    assert 'aria-current="true"' in text(client, "/start")
    assert "back to your own table</button>" in text(client, "/start")


def test_without_examples_there_is_nothing_to_choose(client: FlaskClient) -> None:
    assert client.post("/example", data={"name": "x"}, headers=HOME).status_code == 404
    assert "/example" not in text(client, "/start")


def test_what_the_eyes_learn_before_they_open_is_said(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(NO_GAME, eyes=EyesShown("starting", phrase("house.learning", number=4))))
    assert "learning how the pieces look, from 4 pictures" in text(client, "/start")
