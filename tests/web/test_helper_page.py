"""The page on which the host says what it drew for a bot, in a game in which players hold what nobody else sees."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from companion.session.commands import BotDecided, Correct
from companion.session.carrying import bot_turn
from companion.engine import Ply
from tests.web.test_hand_and_leaks import WAR_CHEST
from tests.web.two_worlds import a_world
from tests.web.web_fixtures import HOME

CHEST: dict[str, Any] = WAR_CHEST
CARRY = re.compile(r'<section class="note carry".*?<p>(.*?)</p>', re.S)
"""What a bot wants, in words."""


def test_the_host_draws_for_a_bot_and_carries_out_what_it_lays_face_down(tmp_path: Path) -> None:
    with a_world(tmp_path) as world:
        world.begin({**CHEST, "setup": {**CHEST["setup"], "initiative": 1}, "x-bots": {"1": "quick"}})
        draw = {"player": "chance", "action": {"type": "draw"}}
        world.writer.send(Correct(world.state.seq, "host", 0, (draw,)))
        boss, ann = world.phones["host"], world.phones["0"]
        assert 'class="button of-host" href="/hand?bot=1"' in boss.get("/").get_data(as_text=True)
        assert ann.get("/hand?bot=1").status_code == 403
        assert [boss.get(f"/hand?bot={seat}").status_code for seat in ("0", "2", "x", "")] == [403] * 4
        page = "/hand?bot=1"
        for _ in range(3):
            text = html.unescape(boss.get(page).get_data(as_text=True))
            page = next(href for href in re.findall(r'href="(/hand\?bot=1&hand=[^"]*)"', text))
        text = html.unescape(boss.get(page).get_data(as_text=True))
        tell = next(each for each in map(json.loads, re.findall(r"name=\"command\" value='(.*?)'", text)))
        assert (tell["seat"], len(tell["told"]["hand"])) == (1, 3)
        assert ann.post("/do", json=tell, headers=HOME).status_code == 409
        assert bot_turn(world.state) is None
        assert boss.post("/do", json=tell, headers=HOME).status_code == 200
        turn = bot_turn(world.state)
        assert turn is not None
        game = world.state.match.game if world.state.match else None
        assert game is not None
        coin = tell["told"]["hand"][0]
        ply = Ply(1, game.read_action({"type": "pass", "coin": coin}))
        world.writer.send(BotDecided(turn.seq, ply))
        hers, his = (CARRY.findall(phone.get(where).get_data(as_text=True))
                     for phone, where in ((ann, "/"), (boss, "/hand?bot=1")))
        name = coin.replace("_", " ")
        assert (len(hers), name in hers[0].lower(), len(his), name in his[0].lower()) == (1, False, 1, True)
        carried = {"type": "carried", "seq": world.state.seq}
        assert boss.post("/do", json=carried, headers=HOME).status_code == 200
        assert world.state.match is not None
        assert world.state.match.made[-1].ply == ply


def test_a_person_s_own_hand_is_no_helpers(tmp_path: Path) -> None:
    with a_world(tmp_path) as world:
        world.begin(WAR_CHEST)
        assert world.phones["host"].get("/hand?bot=1").status_code == 403
