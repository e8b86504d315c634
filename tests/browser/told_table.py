"""The service of a table in a process of its own, with all but a camera: its eyes are told which look of a picture set
they see, line by line on standard input, and it says what became of it.

    python -m tests.browser.told_table STATE_FOLDER PICTURE_SET PORT
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.main.service import build_service
from companion.session.clock import SystemClock
from companion.session.commands import StartGame
from companion.session.config import Config, ServerConfig
from companion.session.sighted import Sighted
from companion.table import Observation
from tests.interpret.play_truth import story_of
from tests.interpret.truth_eyes import TruthEyes, free_frames


def main(state: str, folder: str, port: str) -> None:
    story, frames = story_of(Path(folder)), free_frames(Path(folder))
    eyes = TruthEyes(story.layout, json.loads(Path(folder, "set.json").read_text(encoding="utf-8"))["pieces"])
    config = Config(ServerConfig("127.0.0.1", int(port)), Path(state))
    writer = (service := build_service(config, SystemClock(), lambda notice: None)).writer
    if writer.snapshot().seen is None:
        header = json.loads(Path(folder, "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
        writer.send(StartGame(writer.snapshot().seq, "table", header))
    tell({"port": service.address[1]})
    for number, line in enumerate(sys.stdin):
        asked = json.loads(line)
        frame = frames[asked["frame"]]
        writer.send(Sighted(number, "free", observation=unsure(eyes.look(frame), asked["sure"])))
        held = writer._bus.value[1]
        found = held.belief.question.explanations if held.question else ()
        choices = [story.is_as_good(each.state, frame["ply"]) for each in found]
        tell({"seq": held.seq, "made": len(held.match.made), "choices": choices,
              "is_so": story.is_as_good(held.match.state, frame["ply"]), "scores": story.game.scores(held.match.state)})


def unsure(look: Observation, share: float) -> Observation:
    """The look with this share of its nats: eyes that see little."""
    return replace(look, sights=tuple(
        replace(sight, loglik={name: nats * share for name, nats in sight.loglik.items()}) for sight in look.sights))


def tell(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
