"""`python pictures.py MAKER SEED OUT`: a table of the maker's with drinks strewn about it, to learn their shapes from.

A picture set as the maker's others, but without a game: two pictures, each with all drinks of the box anew in and
beside crates. Shows a part of the picture only, at a camera's usual scale, so that it takes a third of the time. Light,
table and camera are drawn as for any table; colours of drinks and crates are often any.
"""

from __future__ import annotations

import colorsys
import copy
import json
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, PICTURES, SAMPLES = 1408, 800, 2, 4
FOCAL_PX = 1152 / math.tan(math.radians(33))  # the maker's own pictures: 2304 pixels, 66 degrees
OFF_CENTRE_PX = (420, 230)
"""How far the part that is shown may lie from the middle of what the camera sees, to all sides."""
CARD_MM, CRATE_MM, APART_MM = (50.0, 30.0), (15.5, 23.0), 12.8
"""Half the size of a card and of a crate; how far drinks stand from each other at least."""
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")

Turned = tuple[float, float, float]
"""x, y and turn."""


def spec_of(make_spec: Any, rng: random.Random, seed: int) -> dict[str, Any]:
    """What the maker draws for any table, with other colours now and then, and only a part of the picture."""
    spec: dict[str, Any] = make_spec.spec(rng.choice(["kamikaze-cans", "yuzu-twist", "crate-wars"]), seed)
    spec["camera"].update(width=WIDTH, height_px=HEIGHT, hfov=2 * math.degrees(math.atan(WIDTH / 2 / FOCAL_PX)),
                          principal=[rng.uniform(-end, end) for end in OFF_CENTRE_PX])
    if rng.random() < 0.2:
        spec["camera"].update(tilt=round(rng.uniform(10, 30), 1), tilt_dir=rng.uniform(0, 360))
    if rng.random() < 0.5:
        spec["crate"] = _any_colour(rng)
    if rng.random() < 0.3:
        spec["caps"] = _any_colour(rng)
    if rng.random() < 0.3:
        spec["look"]["table"] = {"kind": "cloth", "color": [rng.randrange(20, 220) for _ in range(3)]}
    if rng.random() < 0.25:
        spec["palette"] = {name: [rng.randrange(10, 245) for _ in range(3)] for name in COLOURS}
    spec["look"]["post"]["gain"] = round(rng.uniform(1, 9), 1)
    spec.update(disturb={}, plies=1, tries=1, busy=0, cards=[[0, 0, 0]] * 4)
    return spec


def _any_colour(rng: random.Random) -> str:
    rgb = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
    return "#" + "".join(f"{int(255 * value):02x}" for value in rgb)


@dataclass
class Strewn:
    """What stands on one table; `maker` is the maker's own object."""

    maker: Any
    library: Any
    slot_xy: Any
    rng: random.Random
    cards: list[Turned] = field(default_factory=list)

    def lay_cards(self) -> None:
        """Tag cards, each as far in its corner of the picture as it comes."""
        for right, down in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
            tries = (self._card(right, down) for _ in range(300))
            self.cards.append(max(each for each in tries if each is not None)[1])
        self.maker.cards = [list(card) for card in self.cards]

    def _card(self, right: int, down: int) -> tuple[float, Turned] | None:
        off = [self.rng.uniform(0.5, 1) for _ in range(2)]
        x, y = self._on_table(WIDTH / 2 * (1 + right * off[0]), HEIGHT / 2 * (1 + down * off[1]))
        turn = self._upright_deg() + self.rng.uniform(-14, 14) + self.rng.choice([0, 90, 180, -90])
        is_seen = all(self._is_seen(*corner, margin_px=8) for corner in self._corners((x, y, turn), (51, 31)))
        return (off[0] + off[1], (x, y, turn)) if is_seen else None

    def pieces(self) -> list[dict[str, Any]]:
        """All drinks of the box, in crates and beside them; crates of both ways up."""
        drinks = [f"{colour}/{shape}" for colour in COLOURS for shape in self.library.games.SHAPES]
        self.rng.shuffle(drinks)
        crates = self._block() if self.rng.random() < 0.5 else self._singles(self.rng.choice([3, 4, 5, 6]), [])
        placed, filled = [], self.rng.choice([0.5, 0.75, 0.95])
        for number, crate in enumerate(crates):
            play = [self.rng.uniform(-end, end) for end in (0.4, 0.4, 0.5)]
            stands = (crate[0] + play[0], crate[1] + play[1], crate[2] + play[2])
            placed.append(self._piece(f"crate{number}", "crate", "cell:0,0", stands))
            placed += [self._in_slot(drinks.pop(), slot, stands) for slot in range(6)
                       if drinks and self.rng.random() < filled]
        turned_over = self._singles(2, crates) if self.rng.random() < 0.5 else []
        placed += [self._piece(f"over{number}", "crate_upside_down", "line:1", at)
                   for number, at in enumerate(turned_over)]
        return placed + self._on_open_table(drinks, [*crates, *turned_over])

    def _block(self) -> list[Turned]:
        """Crates that touch each other."""
        columns, rows = self.rng.choice([(3, 2), (3, 2), (2, 2), (3, 1)])
        for x, y in self._points():
            turn = self.rng.uniform(-180, 180)
            block = [self._at((x, y, turn), (column - (columns - 1) / 2) * 31.9, (row - (rows - 1) / 2) * 46.9)
                     for column in range(columns) for row in range(rows)]
            if all(self._has_room((*at, turn), []) for at in block):
                return [(*at, turn) for at in block]
        return []

    def _singles(self, count: int, others: list[Turned]) -> list[Turned]:
        found: list[Turned] = []
        for x, y in self._points():
            crate = (x, y, self.rng.uniform(-180, 180))
            if len(found) < count and self._has_room(crate, [*others, *found]):
                found.append(crate)
        return found

    def _in_slot(self, drink: str, slot: int, crate: Turned) -> dict[str, Any]:
        play_mm, way = 0.45 * math.sqrt(self.rng.random()), self.rng.uniform(0, math.tau)
        x, y = self.slot_xy(slot)
        at = self._at(crate, x + play_mm * math.cos(way), y + play_mm * math.sin(way))
        play_deg = 4 if "square" in drink else 180
        turn = crate[2] + self.rng.uniform(-play_deg, play_deg)
        return self._piece(drink, drink, f"crate:A:{slot}", (*at, turn), z=1.2)

    def _on_open_table(self, drinks: list[str], crates: list[Turned]) -> list[dict[str, Any]]:
        """The other drinks, most of them in heaps, many beside crates."""
        placed: list[dict[str, Any]] = []
        heaps = [at for at, _ in zip(self._points(), range(4))] + [crate[:2] for crate in crates]
        for x, y in self._points(4000):
            if not drinks:
                break
            if self.rng.random() < 0.75:
                (x, y), way, far = self.rng.choice(heaps), self.rng.uniform(0, math.tau), self.rng.uniform(0, 70)
                x, y = x + far * math.cos(way), y + far * math.sin(way)
            is_seen = self._is_seen(x, y, margin_px=40) and self._is_seen(x, y, z=36, margin_px=30)
            is_free = (all(math.hypot(x - each["x"], y - each["y"]) > APART_MM for each in placed)
                       and all(self._beside_mm((x, y), crate, CRATE_MM) > 7 for crate in crates)
                       and all(self._beside_mm((x, y), card, CARD_MM) > 8 for card in self.cards))
            if is_seen and is_free:
                drink = drinks.pop()
                placed.append(self._piece(drink, drink, "supply:0", (x, y, self.rng.uniform(-180, 180))))
        return placed

    def _piece(self, key: str, name: str, spot: str, at: Turned, z: float = 0.0) -> dict[str, Any]:
        return {"key": key, "app": name, "spot": spot, "x": at[0], "y": at[1], "z": z,
                "turn": self.library.norm180(at[2]), "extra": {}}

    def _has_room(self, crate: Turned, others: list[Turned]) -> bool:
        outline = self._corners(crate, (16, 24))
        return (all(self._is_seen(*corner, margin_px=20) for corner in outline)
                and all(self._beside_mm(corner, card, CARD_MM) > 6 for corner in outline for card in self.cards)
                and all(math.hypot(crate[0] - x, crate[1] - y) > 58 for x, y, _ in others))

    def _points(self, tries: int = 1000) -> Iterator[tuple[float, float]]:
        for _ in range(tries):
            yield self._on_table(self.rng.uniform(60, WIDTH - 60), self.rng.uniform(60, HEIGHT - 60))

    # ------------------------------------------------------------ geometry

    def _on_table(self, u: float, v: float) -> tuple[float, float]:
        """Where on the table a pixel looks, without the lens's distortion."""
        numpy, camera = self.library.np, self.maker.cam()
        ray = camera.R.T @ numpy.linalg.inv(camera.K) @ [u, v, 1.0]
        eye = -camera.R.T @ numpy.asarray(camera.t).reshape(3)
        at = eye - ray * eye[2] / ray[2]
        return float(at[0]), float(at[1])

    def _upright_deg(self) -> float:
        (x, y), (far_x, far_y) = self._on_table(WIDTH / 2, HEIGHT / 2), self._on_table(WIDTH / 2, HEIGHT / 2 - 50)
        return math.degrees(math.atan2(far_y - y, far_x - x)) - 90

    def _is_seen(self, x: float, y: float, *, z: float = 0.0, margin_px: float) -> bool:
        u, v = self.maker.cam().project([[x, y, z]])[0]
        return bool(margin_px < u < WIDTH - margin_px and margin_px < v < HEIGHT - margin_px)

    def _at(self, frame: Turned, x: float, y: float) -> tuple[float, float]:
        cos, sin = math.cos(math.radians(frame[2])), math.sin(math.radians(frame[2]))
        return frame[0] + cos * x - sin * y, frame[1] + sin * x + cos * y

    def _corners(self, frame: Turned, half_mm: tuple[float, float]) -> list[tuple[float, float]]:
        return [self._at(frame, right * half_mm[0], up * half_mm[1])
                for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]

    def _beside_mm(self, at: tuple[float, float], frame: Turned, half_mm: tuple[float, float]) -> float:
        """How far a point is from a rectangle; 0 within."""
        x, y = self._at((0.0, 0.0, -frame[2]), at[0] - frame[0], at[1] - frame[1])
        return math.hypot(max(abs(x) - half_mm[0], 0), max(abs(y) - half_mm[1], 0))


def main() -> None:
    folder, seed, out = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    sys.path.insert(0, str(folder))
    import games  # type: ignore[import-not-found]
    import make_set  # type: ignore[import-not-found]
    import make_spec  # type: ignore[import-not-found]

    rng = random.Random(f"drinks/{seed}")
    spec = spec_of(make_spec, rng, seed)
    out.mkdir(parents=True)
    maker = make_set.SetMaker(spec, str(out))
    strewn = Strewn(maker, make_set, games.slot_xy, rng)
    strewn.lay_cards()
    own_plan = maker.plan

    def plan() -> list[dict[str, Any]]:
        own_plan()
        return [{"what": "look", "ply": 0, "free": True, "hand": None, "extras": [], "camera": maker.camera,
                 "cards": copy.deepcopy(maker.cards), "pieces": strewn.pieces()} for _ in range(PICTURES)]

    maker.plan, maker.sheets = plan, list
    maker.run(spp=SAMPLES)
    (out / "truth_spec.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
