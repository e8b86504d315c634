"""Each game from set-up to scores in a real browser: the eyes are replaced by what perfect ones would say of a picture
set, all else is the service's own: interpretation, session, journal, pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import registry
from companion.interpret import Interpreter
from companion.session.commands import LayOut
from companion.session.library import GameLibrary
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from companion.words import load
from tests.session.running_writer import running_writer
from tests.browser.test_pages_on_phones import OVER, SMALL, THIN
from tests.interpret.play_truth import Story, story_of
from tests.interpret.truth_eyes import TruthEyes, free_frames
from tests.web.chromium import Phone
from web.app import create_app
from web.server import Server
from web.view_model import PageView

pytestmark = pytest.mark.browser

DATA = Path(__file__).parents[1] / "data"
SETS = ("kamikaze-1", "crate-wars-1", "yuzu-1", "pick-1", "war-chest-1")
GAMES = {id: registry.game(id) for id in registry.ids()}
WORDS = load("en", [game.words for game in GAMES.values()])


class House:
    """The service without its eyes and its pins, on a port of its own. It deals the same set-ups each time."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        app = create_app(desk=writer, words=WORDS, games=GAMES, beat_s=0.05, rng=Random(5))
        self.server = Server(app, "127.0.0.1", 0)
        self.server.start()
        self.address = f"http://127.0.0.1:{self.server.port}"

    @property
    def state(self) -> Any:
        return self.writer._bus.value[1]


@contextmanager
def house_in(folder: Path) -> Iterator[House]:
    """An empty one, with its journal in a folder."""
    with running_writer(folder, GameLibrary(lookup=registry.game, interpreter=Interpreter)) as writer:
        made = House(writer)
        yield made
        made.server.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as made:
        yield made


def commands(phone: Phone, where: str) -> list[dict[str, Any]]:
    """What the buttons there would send."""
    inputs = f"{where} form.send input[name=command]"
    found = phone.ask(f"return [...document.querySelectorAll('{inputs}')].map((each) => each.value)")
    return [json.loads(each) for each in found]


def _asks(phone: Phone, seq: int) -> bool:
    return any(each["seq"] == seq for each in commands(phone, "#sheet"))


def _is_past(house: House, seq: int) -> bool:
    return int(house.state.seq) > seq


def _tells(phone: Phone, said: Sequence[Any]) -> bool:
    return not said or said[0].text in phone.text("#last")


def confirm(phone: Phone, house: House, setup: Any) -> int:
    """Answers all that is asked about the set-up as `setup` has it, then begins; how much was asked."""
    game, asked = house.state.draft.game, 0
    whole = game.setup_parts(setup).items()
    while (draft := house.state.draft) is not None and draft.open:
        asked, seq = asked + 1, house.state.seq
        phone.until(partial(_asks, phone, seq), "the question")
        choices = commands(phone, "#sheet")
        right = next(
            i for i, each in enumerate(choices)
            if each["value"] == setup.get(each["path"][0]) or
            (len(each["path"]) > 1 and game.setup_parts(_with(draft.made, each)).items() <= whole))
        phone.tap(f"#sheet form:nth-of-type({right + 1}) button")
        phone.until(partial(_is_past, house, seq), "the answer")
    phone.until(lambda: commands(phone, "#buttons")[0]["type"] == "begin", "the way to begin")
    phone.tap("#buttons form:first-of-type button")
    phone.until(lambda: house.state.match is not None, "the game")
    return asked


def _with(setup: Any, command: dict[str, Any]) -> Any:
    from companion.engine.recognise import filled

    return filled(setup, tuple(command["path"]), command["value"])


def answer(phone: Phone, house: House, story: Story, done: int) -> None:
    """Taps the choice that leads to where the game went."""
    seq, question = house.state.seq, house.state.question
    phone.until(lambda: any(each["seq"] == seq for each in commands(phone, "#sheet")), "the question")
    states = [each.state for each in house.state.belief.question.explanations]
    right = next(i for i, state in enumerate(states) if story.is_as_good(state, done))
    assert len(commands(phone, "#sheet")) == len(question.choices) + 1
    phone.tap(f"#sheet .choices form:nth-of-type({right + 1}) button")
    phone.until(lambda: house.state.question is None, "the answer")


@pytest.mark.parametrize("name", SETS)
def test_a_game_is_played_from_its_set_up_to_its_scores(phone: Phone, house: House, tmp_path: Path, name: str) -> None:
    folder = DATA / name
    story, frames = story_of(folder), free_frames(folder)
    header = json.loads((folder / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    pieces = json.loads((folder / "set.json").read_text(encoding="utf-8"))["pieces"]
    eyes = TruthEyes(story.layout, pieces)
    house.writer.send(LayOut(0, "table", {key: value for key, value in header.items() if key != "setup"}))
    phone.open(house.address)
    assert "Take your hands away" in phone.text("#seats")
    house.writer.send(Sighted(0, "free", observation=eyes.look(frames[0])))
    phone.until(lambda: "how I read the table" in phone.text("#seats"), "the set-up as read")
    phone.keep(tmp_path, f"{name}-set-up")
    fits(phone)
    asked = confirm(phone, house, story.setup)
    assert (asked == 0) is ("initiative" in story.setup), "of who begins only a marker tells"
    for number, frame in enumerate(frames):
        house.writer.send(Sighted(number, "free", observation=eyes.look(frame)))
        if house.state.question is not None:
            answer(phone, house, story, frame["ply"])
        said = PageView(house.writer.snapshot(), WORDS).history
        phone.until(partial(_tells, phone, said), f"the ply of look {number}")
    played = house.state.match.state
    assert story.is_as_good(played, frames[-1]["ply"])
    scores = {str(seat): score for seat, score in enumerate(story.game.scores(story.states[frames[-1]["ply"]]))}
    shown = phone.ask("return Object.fromEntries([...document.querySelectorAll('[data-score]')]"
                      ".map((each) => [each.dataset.score, Number(each.textContent.trim().replace('−', '-'))]))")
    assert shown == scores
    phone.keep(tmp_path, f"{name}-end")
    fits(phone)


def fits(phone: Phone) -> None:
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    assert phone.ask(OVER) == []
    assert phone.ask(SMALL) == []
    assert phone.ask(THIN) == []
    assert [each for each in phone.complaints() if "close-up" not in each] == []
