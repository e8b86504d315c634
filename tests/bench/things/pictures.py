"""`python pictures.py MAKER GAME SEED OUT`: a table of the maker's and pictures of it, each with a thing or a hand.

A picture set as the maker's others, but small, with one enrolment picture, a first look at the table and then, each by
itself: things that the border cuts, things inside, hands, and both at once. What is free says the truth.
"""

from __future__ import annotations

import colorsys
import copy
import json
import math
import random
import sys
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, PICTURES = 768, 432, 24
AS_RENDERED = WIDTH / 2304  # the maker's own pictures
KINDS = {"border": 0.42, "inside": 0.08, "hand": 0.38, "both": 0.12}
"""What a picture shows, and how often."""
REACH_MM = {"mug": 41.0, "bowl": 65.0, "phone": 55.0}
"""The radius that a thing needs."""
SEEN = (0.25, 0.9)
"""How much of the outline of a thing that the border cuts is in the picture."""


class Tables:
    """Draws what is about on one table; `maker` is the maker's own object."""

    def __init__(self, maker: Any, library: Any, rng: random.Random) -> None:
        self.maker, self.library, self.rng, self.own_plan = maker, library, rng, maker.plan

    def plan(self) -> list[dict[str, Any]]:
        """The frames: the table as it stands, then each with something about."""
        base = self.own_plan()[0]
        kinds = self.rng.choices(list(KINDS), list(KINDS.values()), k=PICTURES)
        return [base, *(self._with(copy.deepcopy(base), kind) for kind in kinds)]

    def _with(self, frame: dict[str, Any], kind: str) -> dict[str, Any]:
        thing = None if kind == "hand" else self._thing(frame["pieces"], at_border=kind != "inside")
        has_hand = kind in ("hand", "both")
        return {**frame, "what": kind, "free": not has_hand, "extras": [thing] if thing else [],
                "hand": self._hand(frame["pieces"]) if has_hand else None}

    def _thing(self, pieces: list[dict[str, Any]], *, at_border: bool) -> dict[str, Any] | None:
        kind = self.rng.choice(["mug", "mug", "bowl", "bowl", "phone"] if at_border else [*REACH_MM, "pencil"])
        hue = self.rng.choice([self.rng.random(), self.rng.uniform(0, 0.12)])  # half of them as warm as skin
        rgb = colorsys.hsv_to_rgb(hue, self.rng.uniform(0.05, 0.9), self.rng.uniform(0.15, 0.95))
        about = {"kind": kind, "turn": self.rng.uniform(0, 360),
                 "color": "#" + "".join(f"{int(255 * value):02x}" for value in rgb)}
        if at_border and (at := self._cut_place(pieces, REACH_MM[kind])) is not None:
            about["at"] = at
        thing: dict[str, Any] | None = self.maker.thing(0, pieces, self.maker.cards, [], about)
        return thing

    def _cut_place(self, pieces: list[dict[str, Any]], reach_mm: float) -> list[float] | None:
        """Where (x, y) the border cuts a thing that touches neither a piece nor a card."""
        turns = [math.tau * turn / 24 for turn in range(24)]
        for _ in range(200):
            x, y = self.rng.uniform(-640, 640), self.rng.uniform(-420, 420)
            outline = [[x + reach_mm * math.cos(turn), y + reach_mm * math.sin(turn), 0] for turn in turns]
            seen = sum(0 < u < WIDTH and 0 < v < HEIGHT for u, v in self.maker.cam().project(outline)) / len(turns)
            free = [math.hypot(x - each["x"], y - each["y"]) - 0.6 * max(self.library.piece(each["app"])["size"][:2])
                    for each in pieces] + [math.hypot(x - card[0], y - card[1]) - 55 for card in self.maker.cards]
            if SEEN[0] < seen < SEEN[1] and min(free) > reach_mm:
                return [x, y]
        return None

    def _hand(self, pieces: list[dict[str, Any]]) -> dict[str, Any]:
        seat = self.rng.randrange(len(self.maker.az))
        self.maker.hands[seat % len(self.maker.hands)] = {
            "skin": self.rng.randrange(6), "sleeve": self.rng.choice(self.library.SLEEVES),
            "right": self.rng.random() < 0.7}
        target = self.rng.choice(pieces)
        x, y, pose = target["x"], target["y"], self.rng.choice(["grab", "flat", "pinch", "point"])
        height_mm = max(4, self.maker.clearance(pieces, x, y, r=40)) + self.rng.uniform(0, 20)
        hand = None
        if self.rng.random() < 0.55:
            tip_px = self.rng.uniform(60, 190) * AS_RENDERED
            hand = self.maker.at_border(seat, self.library.np.array([x, y]), tip_px, max(40, height_mm), pose)
        found: dict[str, Any] = hand or self.maker.hand(seat, x, y, height_mm, pose)
        return found


def main() -> None:
    folder, game, seed, out = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
    sys.path.insert(0, str(folder))
    import make_set  # type: ignore[import-not-found]
    import make_spec  # type: ignore[import-not-found]

    spec = make_spec.spec(game, seed)
    spec["camera"].update(width=WIDTH, height_px=HEIGHT, principal=[4.3 * AS_RENDERED, -3.1 * AS_RENDERED])
    spec.update(disturb={}, plies=4)
    out.mkdir(parents=True)
    maker = make_set.SetMaker(spec, str(out))
    tables = Tables(maker, make_set, random.Random(f"things/{game}/{seed}"))
    own_sheets = maker.sheets
    maker.plan, maker.sheets = tables.plan, lambda: own_sheets()[:1]
    maker.run(spp=4)
    (out / "truth_spec.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
