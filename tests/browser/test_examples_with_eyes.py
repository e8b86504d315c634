"""Each bundled example with the service's own eyes, in a real browser: chosen on the page, its set-up confirmed, its
plies in words, its scores those of the record."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.main.examples import examples, game_of
from tests.browser.test_games_in_the_browser import WORDS, commands
from tests.interpret.play_truth import story_of
from tests.interpret.truth_eyes import free_frames
from tests.web.chromium import Phone
from tests.web.whole_service import whole_service

pytestmark = pytest.mark.long

DATA = Path(__file__).parents[1] / "data"
PATIENCE_S = 400.0
NAMES = {game_of(folder): name for name, folder in examples((DATA,)).items()}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the service without a camera of its own, on any free port."""
    state = tmp_path_factory.mktemp("state")
    with whole_service("--source", "none", "--state", str(state)) as address:
        yield address


def wait_for(phone: Phone, step: Callable[[], object], what: str) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not step():
        assert time.monotonic() < until_s, what
        time.sleep(0.1)


@pytest.mark.parametrize("game", sorted(NAMES))
def test_an_example_is_played_by_the_eyes_from_its_set_up_to_its_scores(service: str, phone: Phone, game: str) -> None:
    folder = DATA / NAMES[game]
    story, done = story_of(folder), free_frames(folder)[-1]["ply"]
    scores = {str(seat): score for seat, score in enumerate(story.game.scores(story.states[done]))}
    phone.open(f"{service}/start")
    phone.ask(f"document.querySelector('input[name=name][value=\"{folder.name}\"]').form.submit()")
    wait_for(phone, lambda: settled(phone), "the set-up")
    last = story.plies[done - 1]
    words = WORDS.sentence(story.game.say(story.states[done - 1], last, "room"))

    said = {WORDS.sentence(story.game.say(before, ply, "room")) for before, ply in zip(story.states, story.plies)}

    def ended() -> bool:
        answer(phone, said)
        return words in phone.text("#last") and shown(phone) == scores

    wait_for(phone, ended, f"{words!r} with {scores}; it says {phone.text('#last')!r}")


def settled(phone: Phone) -> bool:
    """Taps what is asked about the set-up, what agrees with the example first; whether the game has begun."""
    if "start" in phone.driver.current_url:
        return False
    if phone.ask("return document.querySelectorAll('[data-score]').length"):
        return True
    told = [each for each in commands(phone, "#sheet") if each["value"] is not None]
    if told:
        phone.tap("#sheet form:nth-of-type(1) button")
    elif any(each["type"] == "begin" for each in commands(phone, "#buttons")):
        phone.tap("#buttons form:first-of-type button")
    time.sleep(0.1)
    return False


def answer(phone: Phone, said: set[str]) -> None:
    """Taps what was really played, else the likeliest choice of what is asked."""
    if not any(each["type"] == "answer" for each in commands(phone, "#sheet")):
        return
    spans = "#sheet .choices .choice > span:last-child"
    texts = phone.ask(f"return [...document.querySelectorAll('{spans}')].map((each) => each.textContent)")
    right = next((i for i, text in enumerate(texts) if text in said), 0)
    phone.tap(f"#sheet .choices form:nth-of-type({right + 1}) button")
    time.sleep(0.1)


def shown(phone: Phone) -> dict[str, int]:
    """The scores on the page."""
    found = phone.ask("return JSON.stringify(Object.fromEntries([...document.querySelectorAll('[data-score]')]"
                      ".map((each) => [each.dataset.score, Number(each.textContent.trim().replace('−', '-'))])))")
    return dict(json.loads(found))
