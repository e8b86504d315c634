"""What perfect eyes, or eyes with a known share of errors, would say of a picture set: made from its truth."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.interpret.trial_eyes import LaidThing, TrialEyes, TrialNoise, lay_tidily
from companion.table import Layout, Observation, Placement, Spot

Noise = TrialNoise


class TruthEyes:
    """Observations of one set. `pieces` are those of `set.json`; `layout` has the spots of the game."""

    def __init__(self, layout: Layout, pieces: Sequence[Mapping[str, Any]], noise: TrialNoise | None = None) -> None:
        names: dict[str, list[str]] = {}
        for piece in pieces:
            names.setdefault(piece["kind"], []).append(piece["name"])
        self._eyes = TrialEyes(layout, names, noise)
        self._spots = {each.spot for part in (layout.bodies, layout.places, layout.zones) for each in part}

    def look(self, truth: Mapping[str, Any]) -> Observation:
        """What is seen of one free frame, given its line of `frames.jsonl`."""
        things = [LaidThing(our_spot(each, self._spots), each["appearance"], tuple(each["at"]), each["turn"], each["z"],
                            each["visible"]) for each in truth["pieces"]]
        return self._eyes.look(float(truth["frame"]), things)


def our_spot(piece: Mapping[str, Any], spots: set[Spot]) -> Spot:
    """The name that our layout has for where a piece of the truth lies."""
    kind, *rest = piece["spot"].split(":")
    if "xy" in piece:
        return "slot:{},{}".format(*piece["xy"])
    if piece["appearance"].startswith("packing:"):
        return f"packing_crate:{rest[0]}:{rest[1]}"
    if kind == "yen":
        return f"yen:{rest[0]}:{int(rest[1]) % 2}"
    name = piece["spot"]
    while name not in spots:
        name = name.rpartition(":")[0]
        if not name:
            raise ValueError(f"no spot of the layout is {piece['spot']}")
    return str(name)


def placed(layout: Layout, placement: Placement) -> list[dict[str, Any]]:
    """Truth pieces for a placement, laid out as a tidy person would."""
    return [{"appearance": each.appearance, "at": each.at_mm, "turn": each.turn_deg, "spot": each.spot,
             "z": each.height, "visible": each.visible} for each in lay_tidily(layout, placement)]


def free_frames(folder: Path) -> list[dict[str, Any]]:
    """The lines of the free frames of a set."""
    with (folder / "frames.jsonl").open(encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if line["free"]]
